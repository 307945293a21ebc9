import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import { eventCount } from '../event-count.ts';
import { hasOneOfKeys } from '../event-keys.ts';
import { mergedGroupIds } from '../group-queries.ts';
import type { LeadCondition, MinuteEvents, NewestEvent, TimeRange } from '../read-types.ts';
import { evaluatedSeverity, isOfSeries, type SeriesCondition } from '../series-condition.ts';
import { all, bind } from '../where.ts';

/** Number of the newest events that are scanned for those of a series. */
const SCANNED = 20_000;
const NEWEST = 1_000;

/** The newest events of a series since a time: at most 1,000, found among the newest 20,000 of the project. */
export async function listNewestOfSeries(
  database: Queryable,
  organizationId: string,
  { projectId, series }: { projectId: string; series: SeriesCondition },
  since: Date,
): Promise<NewestEvent[]> {
  const { rows } = await database.query<NewestEvent>(
    `SELECT id, correlation_id AS "correlationId", fingerprint, type, ${evaluatedSeverity('e')} AS severity, source FROM (
        SELECT id, type, severity, source, fingerprint, correlation_id, failed_payment, ${isOfSeries('$3', 'events')} AS is_found
        FROM events WHERE organization_id = $1 AND project_id = $2 AND id >= $4 AND ${isEvidence('$2')} ORDER BY id DESC LIMIT ${SCANNED}
      ) AS e WHERE is_found ORDER BY id DESC LIMIT ${NEWEST}`,
    [organizationId, projectId, JSON.stringify([series]), uuidLowerBound(since.getTime())],
  );
  return rows;
}

/**
 * Counts fingerprints by their events: no count identifies one beyond the limit on new groups, or a part of an old
 * hour.
 */
export async function listMinutesOfFingerprints(
  database: Queryable,
  organizationId: string,
  { projectId, fingerprints }: { projectId: string; fingerprints: string[] },
  { fromMs, toMs }: TimeRange,
): Promise<MinuteEvents[]> {
  const values: unknown[] = [organizationId, projectId, uuidLowerBound(fromMs), uuidLowerBound(toMs)];
  const bound = fingerprints.map((fingerprint) => bind(values, fingerprint));
  const { rows } = await database.query<MinuteEvents>(
    `SELECT ('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint / ${MINUTE_MS} * ${MINUTE_MS} AS "minuteMs",
        ${eventCount()} AS events
      FROM events
      WHERE ${hasOneOfKeys('fingerprint', '$1', bound)} AND project_id = $2 AND id >= $3 AND id < $4
      GROUP BY 1 ORDER BY 1`,
    values,
  );
  return rows;
}

/** Counts the events of a lead in a part of a minute, from the events themselves. */
export async function countEventsOfLead(
  database: Queryable,
  organizationId: string,
  lead: LeadCondition,
  range: TimeRange,
): Promise<number> {
  if (range.fromMs >= range.toMs) return 0;
  const { where, values } = conditionOfLead(organizationId, lead, range);
  const { rows } = await database.query<{ count: number }>(
    `SELECT ${eventCount()} AS count FROM events WHERE ${where}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** The time of the first of these events; null: there is none. */
export async function findFirstEventOfLead(
  database: Queryable,
  organizationId: string,
  lead: LeadCondition,
  range: TimeRange,
): Promise<number | null> {
  if (range.fromMs >= range.toMs) return null;
  const { where, values } = conditionOfLead(organizationId, lead, range);
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM events WHERE ${where} ORDER BY id LIMIT 1`,
    values,
  );
  return rows[0] ? uuidTime(rows[0].id) : null;
}

function conditionOfLead(
  organizationId: string,
  { projectId, groupId, series }: LeadCondition,
  { fromMs, toMs }: TimeRange,
): { where: string; values: unknown[] } {
  const values: unknown[] = [organizationId, projectId, uuidLowerBound(fromMs), uuidLowerBound(toMs)];
  const where = ['organization_id = $1', 'project_id = $2', 'id >= $3', 'id < $4'];
  if (groupId === null) {
    where.push(isOfSeries(bind(values, JSON.stringify([series])), 'events'));
    where.push(isEvidence('$2'));
  } else
    where.push(`fingerprint = ANY (ARRAY(SELECT fingerprint FROM group_fingerprints
      WHERE group_id = ANY (${mergedGroupIds(bind(values, [groupId]))})))`);
  return { where: all(where), values };
}
