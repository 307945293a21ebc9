import { logLikelihoodRatio } from '../series/evidence.ts';

/** What is known of a share before it is evaluated. */
export interface UsualShare {
  /** Natural logarithm of the odds. */
  logOdds: number;
  /** Variance of the logarithm of the odds: how far the share wanders, and how well it is known. */
  variance: number;
  /** Variance of the failures over that of a binomial distribution. */
  dispersion: number;
}

/** Failures among trials. */
export interface Outcomes {
  failures: number;
  /** With the failures. */
  trials: number;
}

export interface ShareEvidence {
  nats: number;
  /** The part of it that the wandering explains, if only chance is at work. */
  ofWandering: number;
}

const NO_EVIDENCE: ShareEvidence = { nats: 0, ofWandering: 0 };
const ITERATIONS = 30;
const TOLERANCE = 1e-9;

/**
 * Evidence in nats that more fail than usual: the log-likelihood ratio of a quasi-binomial model whose logarithm of the
 * odds wanders as a normal variate, min over u of (n·KL(f/n ‖ p(u)))/φ + u²/(2σ²) with p(u) = 1/(1 + e^−(η + u)): how
 * unlikely the most favourable wandering u and the failures left over it are together (penalised quasi-likelihood: Breslow
 * & Clayton, 1993; half a deviance in units of φ: McCullagh & Nelder, 1989). Where failures and
 * others are two Poisson counts, their share given their sum is binomial (Przyborowski & Wilenski, 1940): so it also
 * compares the rates of two counts.
 *
 * Domain: 0 ≤ f ≤ n, σ² > 0, φ ≥ 1; 0 where no more fail than usual. Error: u to 10⁻⁹.
 */
export function shareEvidence({ failures, trials }: Outcomes, usual: UsualShare): ShareEvidence {
  const { logOdds, variance, dispersion } = usual;
  if (failures <= trials * toShare(logOdds)) return NO_EVIDENCE;
  const slope = (u: number) => u / variance - (failures - trials * toShare(logOdds + u)) / dispersion;
  // The slope grows with u, is negative at 0, and positive where the wandering alone is as steep as all failures.
  let [low, high] = [0, (variance * failures) / dispersion];
  let u = Math.min(high, Math.max(0, logOddsOf({ failures, trials }) - logOdds));
  for (let i = 0; i < ITERATIONS && high - low > TOLERANCE; i++) {
    const value = slope(u);
    if (value > 0) high = u;
    else low = u;
    const share = toShare(logOdds + u);
    const step = value / (1 / variance + (trials * share * (1 - share)) / dispersion);
    const next = u - step;
    if (Math.abs(step) < TOLERANCE) break;
    u = next > low && next < high ? next : (low + high) / 2;
  }
  const ofWandering = (u * u) / (2 * variance);
  return {
    nats: divergence({ failures, trials }, toShare(logOdds + u)) / dispersion + ofWandering,
    ofWandering,
  };
}

/** Half the binomial deviance. */
export function divergence({ failures, trials }: Outcomes, share: number): number {
  const others = trials - failures;
  const failed = failures > 0 ? failures * Math.log(failures / (trials * share)) : 0;
  return failed + (others > 0 ? others * Math.log(others / (trials * (1 - share))) : 0);
}

export function toShare(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/** Infinite where all, or none, fail. */
function logOddsOf({ failures, trials }: Outcomes): number {
  return Math.log(failures / (trials - failures));
}

/** How many times the odds are as large as usual. */
export function oddsRatio({ failures, trials }: Outcomes, logOdds: number): number {
  return failures === 0 ? 0 : Math.exp(logOddsOf({ failures, trials }) - logOdds);
}

/** Of the golden section: after so many steps the wandering is known to 10⁻⁶. */
const SECTIONS = 30;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The same for failures that come in clumps, such as errors beside traffic: their number is negative binomial of the
 * dispersion φ, with a mean in proportion to the other trials (the log-likelihood ratio of `evidence.ts`, of size
 * m/(φ − 1)): min over u of LLR(f; m·e^u) + u²/(2σ²). A quasi-likelihood would take a clump for evidence where less than
 * one failure is expected.
 *
 * Domain: as above, with other trials than failures. Error: u to 10⁻⁶.
 */
export function clumpedEvidence({ failures, trials }: Outcomes, usual: UsualShare): ShareEvidence {
  const { logOdds, variance, dispersion } = usual;
  const expected = (trials - failures) * Math.exp(logOdds);
  if (failures <= expected) return NO_EVIDENCE;
  const excess = Math.max(MIN_EXCESS_DISPERSION, dispersion - 1);
  const natsAt = (u: number) => {
    const mean = expected * Math.exp(u);
    return logLikelihoodRatio(failures, mean, mean / excess) + (u * u) / (2 * variance);
  };
  let [low, high] = [0, Math.log(failures / expected)];
  for (let i = 0; i < SECTIONS; i++) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (natsAt(left) < natsAt(right)) high = right;
    else low = left;
  }
  const u = (low + high) / 2;
  return { nats: natsAt(u), ofWandering: (u * u) / (2 * variance) };
}

/** Poisson counts are negative binomial ones of a size without bounds. */
export const MIN_EXCESS_DISPERSION = 1e-6;
