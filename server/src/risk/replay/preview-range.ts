import { MAX_SERIES } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { TimeRange } from '../../events/read-types.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/durations.ts';
import { findCountedRange } from './preview-queries.ts';

/** Maximum cost of going through past counts: steps of series, and rows that are read. */
export interface ReplayCost {
  steps: number;
  rows: number;
}
/** The project's total, its errors, its failed payments, and the others beyond the series that are told apart. */
const KEPT_BESIDES = 4;

/**
 * Shortens a range of whole minutes from the past side, so that watching it costs no more than allowed. It is checked
 * from the newest day backwards, and no further.
 * @param range its signal ends the work between two days
 * @returns its new beginning: not before the first minute with a count; null if none has one
 */
export async function boundBeginning(
  database: Queryable,
  organizationId: string,
  projectId: string,
  range: TimeRange & { cost: ReplayCost; signal: AbortSignal },
): Promise<number | null> {
  const series = new Set<string>();
  const { cost, signal } = range;
  let rows = 0;
  let firstMs: number | null = null;
  for (let endMs = range.toMs; endMs > range.fromMs; endMs -= DAY_MS) {
    signal.throwIfAborted();
    const day = { fromMs: Math.max(range.fromMs, endMs - DAY_MS), toMs: endMs };
    const counted = await findCountedRange(database, organizationId, projectId, {
      ...day,
      limit: MAX_SERIES,
    });
    if (counted.firstMinuteMs === null) continue;
    for (const name of counted.series) series.add(name);
    const watched = Math.min(series.size, MAX_SERIES) + KEPT_BESIDES;
    const affordableMs = Math.max(
      range.toMs - Math.floor(cost.steps / watched) * MINUTE_MS,
      beginningWithin(day, (cost.rows - rows) / counted.rows),
    );
    if (affordableMs > counted.firstMinuteMs) return Math.min(affordableMs, firstMs ?? endMs);
    rows += counted.rows;
    firstMs = counted.firstMinuteMs;
  }
  return firstMs;
}

/** The last part of a day, in whole minutes; all of it if there is enough for more. */
function beginningWithin({ fromMs, toMs }: TimeRange, part: number): number {
  return toMs - Math.floor((Math.min(1, part) * (toMs - fromMs)) / MINUTE_MS) * MINUTE_MS;
}
