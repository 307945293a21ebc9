import type { Queryable } from '../../database/database.ts';
import { sumFailedPayments } from '../../events/failed-payments.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { groupKey } from '../group-key.ts';
import { type GroupRow, toGroup } from '../group-row.ts';
import type { GroupDetail } from '../schema.ts';
import { countRecent, type RecentCounts } from './count-recent.ts';
import { listMerged } from './detail-queries.ts';
import { countGroupEnvironments } from './event-count-queries.ts';

/** Maximum failed payments that are added up. */
const MAX_PAYMENTS = 10_000;

/** A group with the data of its page: its events by time, and the groups merged into it. */
export async function describeGroup(database: Queryable, row: GroupRow, nowMs: number): Promise<GroupDetail> {
  const [merged, hours, days] = await Promise.all([
    listMerged(database, row.organizationId, row.id),
    countRecent(database, row.organizationId, [row.id], { unit: 'hour', nowMs }),
    countRecent(database, row.organizationId, [row.id], { unit: 'day', nowMs }),
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
    hours: countsAt(hours, row.id),
    days: countsAt(days, row.id),
    failedPayments: await sumOfDays(database, row, days.startMs),
    environmentCounts: await countEnvironments(database, row),
  };
}

async function countEnvironments(
  database: Queryable,
  { organizationId, id, environments }: GroupRow,
): Promise<GroupDetail['environmentCounts']> {
  if (environments.length < 2) return null;
  const counted = await countGroupEnvironments(database, organizationId, id);
  if (!counted) return null;
  const counts = new Map(counted.counts.map(({ environment, count }) => [environment, count]));
  return {
    counts: environments.map((environment) => ({ environment, count: counts.get(environment) ?? 0 })),
    from: counted.scan && isoTime(counted.scan.fromMs),
  };
}

async function sumOfDays(
  database: Queryable,
  { organizationId, projectId, id, type }: GroupRow,
  fromMs: number,
): Promise<GroupDetail['failedPayments']> {
  if (type !== 'payment') return null;
  const range = { projectId, groupId: id, fromMs, untilMs: null, maxRead: MAX_PAYMENTS };
  return sumFailedPayments(database, organizationId, range);
}

function countsAt(
  { startMs, widthMs, counts }: RecentCounts,
  id: string,
): { start: string; count: number }[] {
  return (counts.get(id) ?? []).map((count, index) => ({ start: isoTime(startMs + index * widthMs), count }));
}
