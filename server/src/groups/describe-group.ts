import type { Queryable } from '../database/database.ts';
import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { countByTime, listMerged } from './detail-queries.ts';
import { type GroupDetail, type GroupRow, groupKey, toGroup } from './schema.ts';

const HOURS = 24;
const DAYS = 30;

/** A group with what its page shows of it: when its events came, and what was merged into it. */
export async function describeGroup(database: Queryable, row: GroupRow, nowMs: number): Promise<GroupDetail> {
  const [merged, hours, days] = await Promise.all([
    listMerged(database, row.organizationId, row.id),
    countAt(database, row, { widthMs: HOUR_MS, buckets: HOURS, nowMs }),
    countAt(database, row, { widthMs: DAY_MS, buckets: DAYS, nowMs }),
  ]);
  return {
    ...toGroup(row),
    merged: merged.map((group) => ({
      id: toId('grp', group.id),
      number: group.number,
      key: groupKey(row.projectName, group.number),
      fingerprint: group.fingerprint,
      title: group.title,
      count: group.count,
    })),
    hours,
    days,
  };
}

/** Whole buckets up to the running one, empty ones included. */
async function countAt(
  database: Queryable,
  row: GroupRow,
  { widthMs, buckets, nowMs }: { widthMs: number; buckets: number; nowMs: number },
): Promise<{ start: string; count: number }[]> {
  const lastMs = Math.floor(nowMs / widthMs) * widthMs;
  const firstMs = lastMs - (buckets - 1) * widthMs;
  const counts = await countByTime(database, row.organizationId, row.id, { firstMs, widthMs });
  return Array.from({ length: buckets }, (_, index) => {
    const startMs = firstMs + index * widthMs;
    return { start: isoTime(startMs), count: counts.get(startMs) ?? 0 };
  });
}
