import {
  highestOfDay,
  lowestOfDay,
  type SeasonalPosition,
  seasonalPositionOf,
} from '../series/seasonality.ts';
import { createSeries, step } from '../series/series-detector.ts';
import { resolutionOf } from '../state/resolution.ts';
import { AT, type SeriesMemory, type Side, UP } from '../state/series-state.ts';

const MINUTE_MS = 60_000;
const RESOLUTION = resolutionOf(1);
/** What a chart shows does not depend on the budget, but for when an outage is known as one. */
const CONTEXT = { resolution: RESOLUTION, lent: null, budgetPerWeek: 1 };

/**
 * What is expected of the step that comes next: its level, as far as the time of day makes no more (no less) of it
 * normal. The same that a window of one step is judged against.
 */
function expectedOf({ numbers, codes }: SeriesMemory, position: SeasonalPosition, side: Side): number {
  const level = numbers[AT.level] as number;
  return side === UP
    ? Math.max(level, highestOfDay(codes, position))
    : Math.min(level, lowestOfDay(codes, position));
}

/**
 * What was expected of each minute by the functions that watch the live series, of a series that is alone.
 * @param begin the first minute of the series; -1: it has none
 * @returns NaN before it began, and for as long as nothing would have been judged
 */
export function expectMinutes(
  counts: Float64Array,
  { startMs, begin, side }: { startMs: number; begin: number; side: Side },
): Float64Array {
  const expected = new Float64Array(counts.length).fill(Number.NaN);
  if (begin === -1) return expected;
  const memory = createSeries(CONTEXT, 1);
  for (let i = begin; i < counts.length; i++) {
    const position = seasonalPositionOf(RESOLUTION, startMs + i * MINUTE_MS);
    if (i - begin >= RESOLUTION.firstJudgementSteps) expected[i] = expectedOf(memory, position, side);
    step(memory, { ...CONTEXT, position }, counts[i] as number);
  }
  return expected;
}
