import { MAX_COUNT } from '../state/count.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { classify, evidenceOf, expectedRate } from './classify.ts';
import { mayEvaluateDrop } from './evaluate-side.ts';
import { expectOnSide, prepareDay } from './expect-by-day.ts';
import { highestOfDay, lowestOfDay } from './seasonality.ts';
import { countWindows } from './windows.ts';
import type { EvaluationContext, Workspace } from './workspace.ts';

/** Counts of one window, ending now, that would open an alarm. */
export interface OpeningCounts {
  /** Length of the steps of the window, with the running one. */
  stepMinutes: number;
  windowMinutes: number;
  /** Expected events of the window. */
  expected: number;
  /** Smallest count that opens an alarm; null: none does. */
  rise: number | null;
  /** Largest count that opens an alarm; null: not even 0 does. */
  drop: number | null;
}

/**
 * Returns the counts that open an alarm now, by the functions that evaluate steps: the smallest rise and the largest drop of each
 * window that is known for long enough. Counts are whole. An open alarm is ignored, a running recovery is not: where it
 * would explain any count, the side is null.
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

/** Returns the smallest count that opens, by doubling and bisection, since evidence grows with the count; null: none does. */
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
