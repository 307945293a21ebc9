/** Units of a short time that have one release: users where errors name them, else events. */
export interface ReleaseSlot {
  /** Number of the time, in order. */
  slot: number;
  release: string;
  /** Units with their first error. */
  failed: number;
  /** Units without an error so far. */
  others: number;
}

/** Events of a release before these slots. */
export interface ReleaseBefore {
  release: string;
  failed: number;
  others: number;
}

/**
 * Maximum rate at which a release is named that has no larger share of errors than the others: once in 1,000 incidents,
 * however often each is compared, and however many releases it has.
 */
const RELEASE_ERROR_RATE = 0.001;

/** Number of alternatives. An error is twice as likely under each as under the one before, beginning with the hypothesis. */
const ALTERNATIVES = 10;
/** Normal quantile of 1 - 0.0005: half of the error rate is for the uncertainty of the time before. */
const BOUND_DEVIATIONS = 3.29;

interface Compared {
  release: string;
  /** Logarithm of its evidence against the hypothesis that errors are no more likely with it. */
  logEvidence: number;
}

/**
 * Returns the release whose units fail more often than those of the others at the same time, beyond chance; null: there is none.
 *
 * In each slot the failed units are compared with all at risk. Given how many fail, and how many have the release, the
 * number of failed ones of the release is hypergeometric (Fisher's exact test; over slots that is the log-rank test of
 * Mantel 1966): so neither a rollout that goes on, nor errors that rise meanwhile, count as a difference, and where all
 * units have the release nothing is compared. The test statistic is a mixture of likelihood ratios over odds ratios of 2 to
 * 1,024: an e-value, which stays below 1/α at all times with probability 1 - α (Ville 1939; Grünwald, de Heide and Koolen
 * 2024), so the comparison may be repeated at any time. Each of several releases has its part of α (Bonferroni).
 *
 * @param before earlier events: releases are expected to fail as often as then, one without events as often as all
 * @param dispersion variance over mean of earlier counts of errors, 1 or more: events that come in clusters are worth
 *   fewer (the design effect of Rao and Scott 1992). 1 for users. Events that one client sends in a loop without a name
 *   count as those of many, unless such clusters came before.
 */
export function findDifferingRelease(
  slots: readonly ReleaseSlot[],
  before: readonly ReleaseBefore[],
  dispersion = 1,
): string | null {
  const releases = [...new Set(slots.map(({ release }) => release))];
  let most: Compared | null = null;
  for (const release of releases) {
    const logEvidence = logEvidenceOf(release, slots, {
      oddsBefore: oddsBefore(release, before),
      dispersion,
    });
    if (!most || logEvidence > most.logEvidence) most = { release, logEvidence };
  }
  return most && most.logEvidence >= Math.log(releases.length / (RELEASE_ERROR_RATE / 2))
    ? most.release
    : null;
}

/** Returns the logarithm of an e-value; 0 is no evidence. */
export function logEvidenceOf(
  release: string,
  slots: readonly ReleaseSlot[],
  { oddsBefore: odds, dispersion }: { oddsBefore: number; dispersion: number },
): number {
  const sums = new Map<number, Table>();
  for (const { slot, release: of, failed, others } of slots) {
    const table = sums.get(slot) ?? { ours: 0, oursFailed: 0, theirs: 0, failed: 0 };
    sums.set(slot, table);
    table.failed += failed;
    if (of === release) {
      table.ours += failed + others;
      table.oursFailed += failed;
    } else table.theirs += failed + others;
  }
  const tables = [...sums.values()].filter(
    ({ ours, theirs, failed }) => ours > 0 && theirs > 0 && failed > 0 && failed < ours + theirs,
  );
  const logRatios = Array.from({ length: ALTERNATIVES }, () => 0);
  for (const table of tables) {
    const weights = logWeightsOf(table);
    const under = logLikelihood(table, weights, Math.log(odds));
    for (const index of logRatios.keys()) {
      const alternative = Math.log(odds) + (index + 1) * Math.LN2;
      logRatios[index] = (logRatios[index] ?? 0) + logLikelihood(table, weights, alternative) - under;
    }
  }
  return logSumOfExponentials(logRatios.map((ratio) => ratio / dispersion)) - Math.log(ALTERNATIVES);
}

/** Fisher's table of two by two of one slot: all units at risk, and those of them that failed. */
interface Table {
  ours: number;
  oursFailed: number;
  theirs: number;
  failed: number;
}

/** Returns the logarithms of the numbers of ways in which so many of ours fail, from the fewest on, but for a constant. */
function logWeightsOf({ ours, theirs, failed }: Table): Float64Array {
  const fewest = Math.max(0, failed - theirs);
  const weights = new Float64Array(Math.min(failed, ours) - fewest + 1);
  for (let index = 1; index < weights.length; index++) {
    const before = fewest + index - 1;
    const ratio = ((ours - before) * (failed - before)) / ((before + 1) * (theirs - failed + before + 1));
    weights[index] = (weights[index - 1] ?? 0) + Math.log(ratio);
  }
  return weights;
}

/** Returns that of Fisher's noncentral hypergeometric distribution, for which the constant of the weights does not matter. */
function logLikelihood(
  { theirs, failed, oursFailed }: Table,
  weights: Float64Array,
  logOdds: number,
): number {
  const place = oursFailed - Math.max(0, failed - theirs);
  const tilted = weights.map((weight, index) => weight + index * logOdds);
  return (tilted[place] ?? Number.NEGATIVE_INFINITY) - logSumOfExponentials(tilted);
}

/**
 * Returns how much more likely an error was with the release than with the others before: 1 or more, the upper bound of a
 * confidence interval for half of the error rate (Berger and Boos 1994). Both rates have a gamma prior with the rate of all
 * as its mean, worth one error; the logarithm of their ratio is about normal. Only the prior is known of a release
 * without events before: it is expected to fail as often as all.
 */
function oddsBefore(release: string, before: readonly ReleaseBefore[]): number {
  const sum = (of: readonly ReleaseBefore[]) => ({
    failed: of.reduce((total, { failed }) => total + failed, 0),
    events: of.reduce((total, { failed, others }) => total + failed + others, 0),
  });
  const all = sum(before);
  if (all.failed === 0) return 1;
  const priorEvents = all.events / all.failed;
  const ours = sum(before.filter((row) => row.release === release));
  const theirs = sum(before.filter((row) => row.release !== release));
  const rate = ({ failed, events }: { failed: number; events: number }) =>
    (failed + 1) / (events + priorEvents);
  const deviation = Math.sqrt(1 / (ours.failed + 1) + 1 / (theirs.failed + 1));
  const known = ours.events / (ours.events + priorEvents);
  return Math.max(1, (rate(ours) / rate(theirs)) * Math.exp(known * BOUND_DEVIATIONS * deviation));
}

/** @param values at least one */
function logSumOfExponentials(values: Float64Array | number[]): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > largest) largest = value;
  let sum = 0;
  for (const value of values) sum += Math.exp(value - largest);
  return largest + Math.log(sum);
}

/** Returns variance over mean, at least 1, which is that of errors that come one by one. */
export function dispersionOf(counts: readonly number[]): number {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  if (counts.length < 2 || mean === 0) return 1;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1);
  return Math.max(1, variance / mean);
}
