import type { Exceedance } from '../series/alarm-state.ts';
import { isDrop, isRise, logLikelihoodRatio, mostEvidenceDown, mostEvidenceUp } from '../series/evidence.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import type { LongLayout, LongState } from './long-state.ts';
import { PEAK_EVIDENCE } from './peaks.ts';
import { informationOf } from './week-profile.ts';

/** The running step, and what its windows are compared with. */
export interface RunningStep {
  /** Number of the step, from any beginning of a week on. */
  number: number;
  count: number;
  /** What came in the last time that is as long as a step, where that is more: the window of one step. */
  latest?: number;
  /** Factor of its time of the week. */
  factor: number;
}

/** Factors and rates of so many steps in a row are off alike; those of more average out. Chosen on simulated hourly counts. */
export const STEPS_ALIKE = 3;
/** Of a longer window in which there is too little the rhythm of days and weeks says more than the window. */
const MAX_DROP_STEPS = 24;

/** Window that ends with the running step. */
interface LongWindow {
  window: number;
  knownSteps: number;
  observed: number;
  /** Of the level from before the window began. */
  expected: number;
  /** Sum of the factors of its known steps. */
  factors: number;
  /** Inverse relative variance of the rate: as the counts show, or as uncertain as level and factor are. */
  size: number;
}

export type LongExceedance = Exceedance & Pick<LongWindow, 'factors' | 'size'>;

/** Yields the windows of which at least half is known. */
export function* windowsOf(
  state: LongState,
  layout: LongLayout,
  { number, count, latest = count, factor }: RunningStep,
): Generator<LongWindow, void> {
  const { windows } = layout;
  const { dispersion, wandering } = state;
  let [observed, factors, knownSteps, window] = [count, factor, 1, 0];
  for (let back = 0; window < windows.length && back <= state.steps; back++) {
    if (back > 0) {
      const earlier = state.countAt(back);
      if (!Number.isNaN(earlier)) {
        observed += earlier;
        factors += state.factorAt(back);
        knownSteps++;
      }
    }
    if (back + 1 < (windows[window] as number)) continue; // the loop ends with the last window
    const level = back === 0 ? state.level : state.levelAt(back);
    const shape = back === 0 ? state.shape : state.shapeAt(back);
    const first = back === 0 ? factor : state.factorAt(back);
    const alike = Math.min(1, STEPS_ALIKE / (back + 1));
    const ofFactor = alike / (first * informationOf(state, layout, number - back));
    const size = 1 / Math.max(alike * wandering, dispersion / shape + ofFactor);
    const index = window++;
    if (2 * knownSteps > back)
      yield {
        window: index,
        knownSteps,
        observed: back === 0 ? latest : observed,
        expected: level * factors,
        factors,
        size,
      };
  }
}

export function mayDrop({ windows }: LongLayout, window: number): boolean {
  return (windows[window] as number) <= MAX_DROP_STEPS; // it is one of them
}

export function evidenceOf(
  { dispersion }: LongState,
  { expected, size }: Pick<LongWindow, 'expected' | 'size'>,
  observed: number,
): number {
  return logLikelihoodRatio(observed / dispersion, expected / dispersion, size);
}

/** The largest evidence of the windows that end with the running step, and the strongest that would open an alarm. */
export function scanWindows(
  state: LongState,
  layout: LongLayout,
  step: RunningStep,
  { side, openThreshold }: { side: Side; openThreshold: number },
): { evidence: number; exceedance: LongExceedance | null } {
  const isEffect = side === UP ? isRise : isDrop;
  let [largest, strongest] = [0, openThreshold];
  let exceedance: LongExceedance | null = null;
  for (const each of windowsOf(state, layout, step)) {
    const { window, knownSteps, observed, expected, factors, size } = each;
    if (side === UP ? observed <= expected : observed >= expected) continue;
    if (side === DOWN && !mayDrop(layout, window)) continue;
    // Less evidence is of no account, and most windows have less.
    const most =
      side === UP
        ? mostEvidenceUp(observed, expected, state.dispersion)
        : mostEvidenceDown(observed, expected) / state.dispersion;
    if (most <= PEAK_EVIDENCE) continue;
    const evidence = evidenceOf(state, each, observed);
    largest = Math.max(largest, evidence);
    if (evidence <= strongest || !isEffect(observed, expected)) continue;
    strongest = evidence;
    exceedance = { side, window, knownSteps, observed, expected, evidence, openThreshold, factors, size };
  }
  return { evidence: largest, exceedance };
}
