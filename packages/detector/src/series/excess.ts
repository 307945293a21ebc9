import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import type { Exceedance } from './alarm-state.ts';
import { isDrop, isRise, poissonEvidence } from './evidence.ts';
import type { WindowCounts } from './windows.ts';

/** The last steps, from the first one on in which more, or fewer, events came than usual. */
export interface Excess {
  steps: number;
  /** Steps of them whose count is known. */
  knownSteps: number;
  observed: number;
  expected: number;
}

/** Search for the beginning of an excess. */
interface Search {
  side: Side;
  /** Searched steps. */
  length: number;
  /** Usual events of a step. */
  rate: number;
  dispersion: number;
}

/** Minimum evidence for one of two explanations, which makes it 20 times as likely. */
export const MIN_EVIDENCE = 3;

/**
 * Returns the excess that ends with the newest step. Its beginning is the latest change point whose likelihood is within
 * `MIN_EVIDENCE` of the largest (a scan of all lengths: Kulldorff, 1997; the margin is our own), so that one event by chance
 * before the trouble does not begin it. The evidence of n events where m are usual is that of Poisson counts in units of the
 * dispersion, (n·ln(n/m) − n + m)/φ. An excess is an effect that opens an alarm by itself; where none is, it is all steps.
 * @param countOf count by steps before the newest; NaN: not known
 */
export function findExcess(
  { side, length, rate, dispersion }: Search,
  countOf: (stepsBefore: number) => number,
): Excess {
  const isEffect = side === UP ? isRise : isDrop;
  let excess: Excess | null = null;
  let [observed, knownSteps, strongest] = [0, 0, 0];
  for (let before = 0; before < length; before++) {
    const count = countOf(before);
    if (Number.isNaN(count)) continue;
    observed += count;
    const expected = ++knownSteps * rate;
    if (!isEffect(observed, expected)) continue;
    const evidence = poissonEvidence(observed, expected) / dispersion;
    if (excess && evidence < strongest + MIN_EVIDENCE) continue;
    strongest = evidence;
    excess = { steps: before + 1, knownSteps, observed, expected };
  }
  return excess ?? { steps: length, knownSteps, observed, expected: knownSteps * rate };
}

/** Returns the excess within the window of an exceedance, before its newest step is recorded. */
export function excessOf(
  state: SeriesState,
  { windows }: Pick<Resolution, 'windows'>,
  { observed: counts }: Pick<WindowCounts, 'observed'>,
  { side, window, knownSteps, expected }: Exceedance,
): Excess {
  const { age, windowSteps, dispersion } = state;
  const length = windows[window] as number; // an exceedance has one of the windows
  const countOf = (before: number) => state.count((age - before) % windowSteps);
  let newest = counts[window] as number;
  for (let before = 1; before < length; before++) newest -= countOf(before) || 0;
  const search = { side, length, rate: expected / knownSteps, dispersion };
  return findExcess(search, (before) => (before === 0 ? newest : countOf(before)));
}
