import type { Queryable } from '../platform/database.ts';
import type { TimeRange } from './past-count-queries.ts';
import { findFirstCountedMinute, listCountedSeries } from './preview-queries.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** What one preview may cost: steps of series, and rows that are read. */
const MAX_STEPS = 3_000_000;
const MAX_ROWS = 5_000_000;
/** As many as the detector tells apart, and those that it keeps besides. */
const MAX_WATCHED = 500;
const KEPT_BESIDES = 4;

/**
 * Shortens a range of whole minutes from the past side, so that watching it costs no more than it may. It is looked
 * at from the newest day backwards, no further than that.
 * @returns where it begins now: not before the first minute that holds anything; null where none does
 */
export async function boundBeginning(
  database: Queryable,
  organizationId: string,
  projectId: string,
  range: TimeRange,
): Promise<number | null> {
  const firstMs = await findFirstCountedMinute(database, organizationId, projectId, range);
  if (firstMs === null) return null;
  const series = new Set<string>();
  let rows = 0;
  for (let endMs = range.toMs; endMs > firstMs; endMs -= DAY_MS) {
    const day = { fromMs: Math.max(firstMs, endMs - DAY_MS), toMs: endMs };
    const counted = await listCountedSeries(database, organizationId, projectId, day, MAX_WATCHED);
    for (const name of counted.series) series.add(name);
    const watched = Math.min(series.size, MAX_WATCHED) + KEPT_BESIDES;
    const affordableMs = Math.max(
      range.toMs - Math.floor(MAX_STEPS / watched) * MINUTE_MS,
      beginningWithin(day, (MAX_ROWS - rows) / Math.max(1, counted.rows)),
    );
    if (affordableMs > day.fromMs) return Math.min(affordableMs, endMs);
    rows += counted.rows;
  }
  return firstMs;
}

/** The last part of a day, in whole minutes; all of it where there is enough for more. */
function beginningWithin({ fromMs, toMs }: TimeRange, part: number): number {
  return toMs - Math.floor((Math.min(1, part) * (toMs - fromMs)) / MINUTE_MS) * MINUTE_MS;
}
