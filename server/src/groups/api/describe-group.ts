import { sumFailedPayments } from '../../events/failed-payments.ts';
import type { EventReader, EventReads } from '../../events/reader.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { groupKey } from '../../tenancy/projects/group-key.ts';
import { type GroupRow, toGroup } from '../group-row.ts';
import { type CulpritDependencies, mapCulprits } from '../map-culprits.ts';
import type { GroupDetail } from '../schema.ts';
import { countRecent, type RecentCounts } from './count-recent.ts';
import { listMerged } from './detail-queries.ts';

/** Maximum failed payments that are added up. */
const MAX_PAYMENTS = 10_000;

/** A group with the data of its page: its events by time, and the groups merged into it. */
export async function describeGroup(
  dependencies: CulpritDependencies & { events: Pick<EventReader, 'on'> },
  row: GroupRow,
  nowMs: number,
): Promise<GroupDetail> {
  const { organizationId, id } = row;
  const { pool } = dependencies;
  const events = dependencies.events.on(pool);
  const [merged, hours, days, [group = toGroup(row)]] = await Promise.all([
    listMerged(pool, organizationId, id),
    countRecent(pool, organizationId, [id], { unit: 'hour', nowMs }),
    countRecent(pool, organizationId, [id], { unit: 'day', nowMs }),
    mapCulprits(dependencies, organizationId, [toGroup(row)]),
  ]);
  return {
    ...group,
    merged: merged.map(({ id: mergedId, number, fingerprint, title, count }) => ({
      id: toId('grp', mergedId),
      number,
      key: groupKey(row.groupPrefix, number),
      fingerprint,
      title,
      count,
    })),
    hours: countsAt(hours, id),
    days: countsAt(days, id),
    failedPayments: await sumOfDays(events, row, days.startMs),
    environmentCounts: await countEnvironments(events, row),
  };
}

async function countEnvironments(
  events: EventReads,
  { organizationId, id, environments }: GroupRow,
): Promise<GroupDetail['environmentCounts']> {
  if (environments.length < 2) return null;
  const counted = await events.countEnvironmentsOfGroup(organizationId, id);
  if (!counted) return null;
  const counts = new Map(counted.counts.map(({ environment, count }) => [environment, count]));
  return {
    counts: environments.map((environment) => ({ environment, count: counts.get(environment) ?? 0 })),
    from: counted.scan && isoTime(counted.scan.fromMs),
  };
}

async function sumOfDays(
  events: EventReads,
  { organizationId, projectId, id, type }: GroupRow,
  fromMs: number,
): Promise<GroupDetail['failedPayments']> {
  if (type !== 'payment') return null;
  const range = { projectId, groupId: id, fromMs, untilMs: null, maxRead: MAX_PAYMENTS };
  return sumFailedPayments(events, organizationId, range);
}

function countsAt(
  { startMs, widthMs, counts }: RecentCounts,
  id: string,
): { start: string; count: number }[] {
  return (counts.get(id) ?? []).map((count, index) => ({ start: isoTime(startMs + index * widthMs), count }));
}
