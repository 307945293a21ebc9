import type { Queryable } from '../../database/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import type { CountUnit } from '../count-schema.ts';
import { countByTime } from './detail-queries.ts';

const RANGES: Record<CountUnit, { widthMs: number; buckets: number }> = {
  minute: { widthMs: MINUTE_MS, buckets: 60 },
  hour: { widthMs: HOUR_MS, buckets: 24 },
  day: { widthMs: DAY_MS, buckets: 30 },
};

export interface RecentCounts {
  /** Beginning of the first bucket. */
  startMs: number;
  widthMs: number;
  /** Counts by the id of a group: one for each bucket, oldest first, empty ones included. */
  counts: Map<string, number[]>;
}

/**
 * Counts the events of groups, those of merged ones included, in the last minutes, hours or days (UTC), the current
 * one included.
 */
export async function countRecent(
  database: Queryable,
  organizationId: string,
  groupIds: readonly string[],
  { unit, nowMs }: { unit: CountUnit; nowMs: number },
): Promise<RecentCounts> {
  const { widthMs, buckets } = RANGES[unit];
  const startMs = (Math.floor(nowMs / widthMs) + 1 - buckets) * widthMs;
  const counts = new Map(groupIds.map((id) => [id, Array.from({ length: buckets }, () => 0)]));
  for (const row of await countByTime(database, organizationId, groupIds, { firstMs: startMs, widthMs })) {
    const index = (row.startMs - startMs) / widthMs;
    const own = counts.get(row.groupId);
    // An application's clock may be ahead.
    if (own && index < buckets) own[index] = row.count;
  }
  return { startMs, widthMs, counts };
}
