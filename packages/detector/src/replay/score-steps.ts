import { LoneSeries } from './lone-series.ts';
import { LongSeries } from './long-series.ts';
import type { PastCounts } from './replay.ts';

/**
 * Returns for each step whether it exceeds its open threshold upwards by itself: see `SteppedSeries`.
 * @param fromStep first scored step: those before it are only learned from
 * @param season steps of a season that stands for the week, as of years of weeks, at least two; missing: none
 */
export function scoreSteps(
  { startMs, stepMinutes, counts }: PastCounts,
  budgetPerWeek: number,
  fromStep: number,
  season?: number,
): boolean[] {
  if (season !== undefined && !(Number.isInteger(season) && season >= 2))
    throw new RangeError(`A season of ${season} steps is none`);
  const series = season
    ? new LongSeries(startMs, stepMinutes, budgetPerWeek, season)
    : new LoneSeries(startMs, stepMinutes, budgetPerWeek);
  return Array.from(counts, (count, step) => {
    const exceeds = step >= fromStep && series.exceeds(count);
    series.count({ count });
    series.endStepsBefore(series.stepMs + series.stepLengthMs, true);
    return exceeds;
  });
}
