import type { Label } from '../labelled-series.ts';

const HOUR = 60;
const MIN_QUIET_STEPS = 2;
const GRACE_MINUTES = 5;
/** A threshold is looked for in steps of this factor, and then within one. */
const FACTOR = 1.15;
const HALVINGS = 6;
/** Lower bound of a threshold. */
const LEAST = 0.1;

/** Series whose steps a rule has scored. */
export interface ScoredSeries {
  stepMinutes: number;
  labels: readonly Label[];
  judgedFrom: number;
  scores: readonly number[];
}

/** Steps after a label in which an incident may still open. */
function graceOf(stepMinutes: number): number {
  return Math.max(1, GRACE_MINUTES / stepMinutes);
}

/** Label that a step belongs to; -1: none. */
export function labelOf({ labels, stepMinutes }: Omit<ScoredSeries, 'scores'>, step: number): number {
  const grace = graceOf(stepMinutes);
  return labels.findIndex(({ from, to }) => step >= from && step <= to + grace);
}

/** False incidents, and by label whether it is found: steps above the threshold are one incident until an hour, or two steps, is quiet. */
export function judgeScores(
  series: ScoredSeries,
  threshold: number,
): { falseIncidents: number; found: boolean[] } {
  const { stepMinutes, judgedFrom, scores } = series;
  const quiet = Math.max(MIN_QUIET_STEPS, HOUR / stepMinutes);
  const found = series.labels.map(() => false);
  let falseIncidents = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let step = judgedFrom; step < scores.length; step++) {
    if ((scores[step] ?? 0) <= threshold) continue;
    const label = labelOf(series, step);
    if (label !== -1) found[label] = true;
    else if (step - last > quiet) falseIncidents++;
    last = step;
  }
  return { falseIncidents, found };
}

/**
 * The least threshold down to which so many false incidents at most open on all series together. It is looked for from above:
 * far below it all steps are one incident.
 */
export function thresholdFor(all: readonly ScoredSeries[], falseIncidents: number): number {
  const isRare = (threshold: number) => {
    const sum = all.reduce((opened, series) => opened + judgeScores(series, threshold).falseIncidents, 0);
    return sum <= falseIncidents;
  };
  let high = all.reduce((most, { scores }) => scores.reduce((a, b) => Math.max(a, b), most), 1);
  while (high > LEAST && isRare(high / FACTOR)) high /= FACTOR;
  let low = high / FACTOR;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = Math.sqrt(low * high);
    if (isRare(middle)) high = middle;
    else low = middle;
  }
  return high;
}
