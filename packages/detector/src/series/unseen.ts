import { EVIDENCE, maximaOf } from '../calibration/block-maxima.ts';
import { MINUTES_PER_DAY, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN } from '../state/side.ts';
import type { Exceedance } from './alarm-state.ts';

/**
 * For how long a series has shown nothing as unusual in a window of this length: as far as its own block maxima reach, of
 * which none is as large. Of a silence also since the last empty step. Evidence is compared to within the tenth that its
 * code keeps.
 * @returns null for less than a day, which would say little
 */
export function unseenMinutes(
  state: SeriesState,
  resolution: Resolution,
  { side, window, observed, evidence }: Pick<Exceedance, 'side' | 'window' | 'observed' | 'evidence'>,
): number | null {
  let steps = stepsWithLess(state, { side, window, evidence });
  if (side === DOWN && observed === 0) {
    steps = Math.max(steps, stepsWithEvents(state, resolution.windows[window] ?? 1));
  }
  const minutes = Math.floor(Math.min(steps, state.age) * resolution.stepMinutes);
  return minutes < MINUTES_PER_DAY ? null : minutes;
}

/** Of the blocks that are kept, and the one that runs; 0 where one of them has shown as much. */
function stepsWithLess(
  state: SeriesState,
  { side, window, evidence }: Pick<Exceedance, 'side' | 'window' | 'evidence'>,
): number {
  // The evidence itself may be that of the block that runs, which is kept with single precision.
  if (state.blockMaximum(side, window) > Math.fround(evidence)) return 0;
  const maxima = maximaOf(state, side, window);
  const code = EVIDENCE.encode(evidence);
  if (maxima.some((maximum) => maximum >= code)) return 0;
  return maxima.length * state.meanBlockSteps(side) + state.blockSteps(side);
}

/** Before a window without an event: back to the last known step without one. */
function stepsWithEvents(state: SeriesState, windowSteps: number): number {
  const first = state.age - windowSteps + 1;
  for (let age = Math.max(0, state.age - state.windowSteps); age < first; age++) {
    if (state.count(age % state.windowSteps) === 0) return 0;
  }
  return first - state.lastEmptyAge;
}
