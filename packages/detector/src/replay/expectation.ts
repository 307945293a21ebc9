import { expectedRate } from '../series/classify.ts';
import type { SeasonalPosition } from '../series/seasonal-position.ts';
import { highestOfDay, lowestOfDay } from '../series/seasonality.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { advance } from './advance.ts';
import { countsOf, LoneSeries } from './lone-series.ts';

/** What a chart shows does not depend on the budget, but for when an outage is known as one. */
const BUDGET_PER_WEEK = 1;

/**
 * What is expected of the step that comes next: its level, as far as the time of day makes no more (no less) of it
 * normal. The same that a window of one step is compared with.
 */
function expectedOf(state: SeriesState, position: SeasonalPosition, side: Side): number {
  return expectedRate(side, state.level, (side === UP ? highestOfDay : lowestOfDay)(state, position));
}

/**
 * What was expected of each minute by the functions that watch the live series, of a series that is alone.
 * @param begin the first minute of the series; -1: it has none
 * @returns NaN before it began, and for as long as nothing would have been evaluated
 */
export function expectMinutes(
  counts: Float64Array,
  { startMs, begin, side }: { startMs: number; begin: number; side: Side },
): Float64Array {
  const expected = new Float64Array(counts.length).fill(Number.NaN);
  if (begin === -1) return expected;
  const beginMs = startMs + begin * MINUTE_MS;
  const series = new LoneSeries(beginMs, 1, BUDGET_PER_WEEK);
  const untilMs = startMs + counts.length * MINUTE_MS;
  const deltas = countsOf(counts.subarray(begin), beginMs, MINUTE_MS);
  let next = begin;
  const expectNext = () => {
    const isEvaluated = next - begin >= series.resolution.firstEvaluatedStep;
    if (isEvaluated && next < counts.length) expected[next] = expectedOf(series.state, series.position, side);
    next++;
  };
  const steps = advance(series, deltas, { untilMs, gaps: [] });
  do expectNext();
  while (!steps.next().done);
  return expected;
}
