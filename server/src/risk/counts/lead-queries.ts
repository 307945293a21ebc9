import type { Queryable } from '../../database/database.ts';
import { hasKey } from '../../events/event-keys.ts';
import { isOfSeries } from '../../events/series-condition.ts';
import { all, bind } from '../../events/where.ts';
import type { LeadEvents } from '../../incidents/lead/lead.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { listMinuteCounts, type TimeRange } from './count-queries.ts';

/** Events of a minute; minutes without any are left out. */
export interface MinuteEvents {
  minuteMs: number;
  events: number;
}

type Counted = Pick<LeadEvents, 'projectId' | 'groupId' | 'series'>;

/** The events of a lead by the minute of capture, oldest first. Of groups, minutes are kept for two days. */
export async function listLeadMinutes(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series }: Counted,
  range: TimeRange,
): Promise<MinuteEvents[]> {
  if (groupId !== null) return listGroupMinutes(database, organizationId, groupId, range);
  const { fingerprint } = series;
  if (fingerprint !== null)
    return listFingerprintMinutes(database, organizationId, { projectId, fingerprint }, range);
  const counts = await listMinuteCounts(database, organizationId, { projectId, series }, range);
  return counts.flatMap(({ minuteMs, matching }) => (matching > 0 ? [{ minuteMs, events: matching }] : []));
}

async function listGroupMinutes(
  database: Queryable,
  organizationId: string,
  groupId: string,
  { fromMs, toMs }: TimeRange,
): Promise<MinuteEvents[]> {
  const { rows } = await database.query<MinuteEvents>(
    `SELECT (extract(epoch FROM minute) * 1000)::bigint AS "minuteMs", sum(info + warn + error + critical)::bigint AS events
      FROM group_minutes
      WHERE group_id = ANY (ARRAY(SELECT id FROM groups WHERE organization_id = $1 AND (id = $2 OR merged_into = $2)))
        AND minute >= $3 AND minute < $4
      GROUP BY minute ORDER BY minute`,
    [organizationId, groupId, new Date(fromMs), new Date(toMs)],
  );
  return rows;
}

/** Of a kind of error beyond the bound on new groups: no count tells it apart. */
async function listFingerprintMinutes(
  database: Queryable,
  organizationId: string,
  { projectId, fingerprint }: { projectId: string; fingerprint: string },
  { fromMs, toMs }: TimeRange,
): Promise<MinuteEvents[]> {
  const { rows } = await database.query<MinuteEvents>(
    `SELECT ('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint / ${MINUTE_MS} * ${MINUTE_MS} AS "minuteMs",
        count(*) AS events
      FROM events
      WHERE ${hasKey('fingerprint', '$1', '$2')} AND project_id = $3 AND id >= $4 AND id < $5
      GROUP BY 1 ORDER BY 1`,
    [organizationId, fingerprint, projectId, uuidLowerBound(fromMs), uuidLowerBound(toMs)],
  );
  return rows;
}

/** The same for a part of a minute, from the events themselves. */
export async function countLeadEvents(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series }: Counted,
  { fromMs, toMs }: TimeRange,
): Promise<number> {
  if (fromMs >= toMs) return 0;
  const values: unknown[] = [organizationId, projectId, uuidLowerBound(fromMs), uuidLowerBound(toMs)];
  const where = ['organization_id = $1', 'project_id = $2', 'id >= $3', 'id < $4'];
  if (groupId === null) where.push(isOfSeries(bind(values, JSON.stringify([series])), 'events'));
  else
    where.push(`fingerprint = ANY (ARRAY(SELECT fingerprint FROM group_fingerprints WHERE group_id = ANY (
      ARRAY(SELECT id FROM groups WHERE organization_id = $1 AND ${bind(values, groupId)}::uuid IN (id, merged_into)))))`);
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM events WHERE ${all(where)}`,
    values,
  );
  return rows[0]?.count ?? 0;
}
