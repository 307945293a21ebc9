import { expectedRate } from '../series/classify.ts';
import type { SeasonalPosition } from '../series/seasonal-position.ts';
import { highestOfDay, lowestOfDay } from '../series/seasonality.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { advance } from './advance.ts';
import { countsOf, LoneSeries } from './lone-series.ts';

/** Budget of a charted series. The expectation depends on it only by the time at which an outage is found. */
const BUDGET_PER_WEEK = 1;

/**
 * Returns the expected count of the next step, to which a window of one step is compared: its level, extended by the rate that the
 * time of day makes normal.
 */
function expectedOf(state: SeriesState, position: SeasonalPosition, side: Side): number {
  return expectedRate(side, state.level, (side === UP ? highestOfDay : lowestOfDay)(state, position));
}

/**
 * Returns the expected count of each minute of a series that is alone, by the functions that evaluate live series.
 * @param begin first minute of the series; -1: it has none
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
