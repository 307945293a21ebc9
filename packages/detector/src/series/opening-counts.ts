import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { classify, evidenceOf, expectedRate } from './classify.ts';
import { mayEvaluateDrop } from './evaluate-side.ts';
import { expectOnSide, prepareDay } from './expect-by-day.ts';
import { highestOfDay, lowestOfDay } from './seasonality.ts';
import type { EvaluationContext } from './series-detector.ts';
import { countWindows } from './windows.ts';
import type { Workspace } from './workspace.ts';

/** The counts of one window, ending now, that would open an alarm. */
export interface OpeningCounts {
  /** Of the steps that the window consists of, with the one that runs. */
  stepMinutes: number;
  windowMinutes: number;
  /** Events that are expected in the window. */
  expected: number;
  /** So many events or more open an alarm; null: no count does. */
  rise: number | null;
  /** So many events or fewer open an alarm; null: not even none does. */
  drop: number | null;
}

/** No count of a window is larger. */
const MAX_COUNT = 2 ** 40;

/**
 * What opens an alarm at this moment, by the functions that evaluate steps: for each window that is long enough known the
 * smallest rise and the largest drop. Counts are whole. An alarm that is open already is left out of account, a recovery
 * that is not over is not: where it would explain any count, the side is null.
 */
export function openingCounts(
  state: SeriesState,
  context: EvaluationContext,
  workspace: Workspace,
): OpeningCounts[] {
  const { resolution, position } = context;
  const { windows } = workspace;
  countWindows(windows, state, resolution, 0);
  if (resolution.isCoarse) prepareDay(state, resolution, position, workspace);
  const bandRates = [highestOfDay(state, position), lowestOfDay(state, position)] as const;
  return resolution.windows.flatMap((steps, window) => {
    const knownSteps = windows.known[window] as number; // window is below the number of windows
    if (knownSteps === 0) return [];
    if (resolution.isCoarse) expectOnSide(workspace, UP);
    const opens = (side: Side, observed: number) => {
      if (resolution.isCoarse) expectOnSide(workspace, side);
      const level = windows.level[window] as number;
      windows.observed[window] = observed;
      const expected = knownSteps * expectedRate(side, level, bandRates[side]);
      const evidence = evidenceOf(state, windows, { side, window }, expected);
      const openThreshold = state.openThreshold(side, window);
      if (evidence <= openThreshold) return false;
      const exceedance = { side, window, knownSteps, observed, expected, evidence, openThreshold };
      return classify(state, context, exceedance, windows).kind === 'opens';
    };
    const expected = knownSteps * (windows.level[window] as number);
    return [
      {
        stepMinutes: resolution.stepMinutes,
        windowMinutes: steps * resolution.stepMinutes,
        expected,
        rise: smallestRise((count) => opens(UP, count), Math.ceil(expected)),
        drop: mayEvaluateDrop(state, resolution, window)
          ? largestDrop((count) => opens(DOWN, count), Math.floor(expected))
          : null,
      },
    ];
  });
}

/** By doubling and bisection: evidence grows with the count. Null: no count opens. */
export function smallestRise(opens: (count: number) => boolean, expected: number): number | null {
  let high = Math.max(1, expected);
  while (!opens(high)) {
    high *= 2;
    if (high > MAX_COUNT) return null;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (opens(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function largestDrop(opens: (count: number) => boolean, expected: number): number | null {
  if (!opens(0)) return null;
  let low = 0;
  let high = expected + 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (opens(middle)) low = middle;
    else high = middle;
  }
  return low;
}
