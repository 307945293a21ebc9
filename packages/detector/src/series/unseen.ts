import { maximaOf } from '../calibration/block-maxima.ts';
import { codesOf } from '../state/code-runs.ts';
import { EVIDENCE } from '../state/log-code.ts';
import { MINUTES_PER_DAY, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN } from '../state/side.ts';
import type { Exceedance } from './alarm-state.ts';

/** Times for which a series has shown nothing like an alarm; missing: less than a day, or not known. */
interface Unseen {
  /** Minutes with nothing as unusual in windows of this length. */
  unseenMinutes?: number;
  /** Minutes before a silence, each with an event. */
  filledMinutes?: number;
}

/**
 * Returns for how long a series has shown nothing like an alarm, as far as its own block maxima reach, none of which is as large.
 * Evidence is compared to within the twentieth that its code keeps. Before a silence also the time since the last empty minute.
 */
export function findUnseen(
  state: SeriesState,
  resolution: Resolution,
  exceedance: Pick<Exceedance, 'side' | 'window' | 'observed' | 'evidence'>,
): Unseen {
  const toMinutes = (steps: number) => Math.floor(Math.min(steps, state.age) * resolution.stepMinutes);
  const unseenMinutes = toMinutes(stepsWithLess(state, exceedance));
  const isSilence = exceedance.side === DOWN && exceedance.observed === 0 && resolution.stepMinutes === 1;
  const filledMinutes = isSilence ? toMinutes(stepsWithEvents(state, resolution, exceedance.window)) : 0;
  return {
    ...(unseenMinutes >= MINUTES_PER_DAY && { unseenMinutes }),
    ...(filledMinutes >= MINUTES_PER_DAY && { filledMinutes }),
  };
}

/** Returns the steps of the kept blocks and the running one; 0 where one of them has as much evidence. */
function stepsWithLess(
  state: SeriesState,
  { side, window, evidence }: Pick<Exceedance, 'side' | 'window' | 'evidence'>,
): number {
  const maxima = codesOf(maximaOf(state, side, window));
  const code = EVIDENCE.encode(evidence);
  // The evidence itself may be that of the running block, which is kept with single precision, or as a code.
  const kept = Math.max(Math.fround(evidence), EVIDENCE.decode(code));
  if (state.blockMaximum(side, window) > Math.fround(kept)) return 0;
  if (maxima.some((maximum) => maximum >= code)) return 0;
  return maxima.length * state.meanBlockSteps(side) + state.blockSteps(side);
}

/** Returns the steps before an empty window, back to the last known empty step. */
function stepsWithEvents(state: SeriesState, resolution: Resolution, window: number): number {
  const first = state.age - (resolution.windows[window] as number) + 1; // an exceedance has one of the windows
  for (let age = Math.max(0, state.age - state.windowSteps); age < first; age++) {
    if (state.count(age % state.windowSteps) === 0) return 0;
  }
  return first - state.lastEmptyAge;
}
