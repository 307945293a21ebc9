import type { Queryable } from '../../database/database.ts';
import { isEvidence } from '../../environments/numbers.ts';
import { eventCount } from '../../events/event-count.ts';
import { hasOneOfKeys } from '../../events/event-keys.ts';
import { findGroupFingerprints, mergedGroupIds } from '../../events/group-queries.ts';
import { isOfSeries } from '../../events/series-condition.ts';
import { all, bind } from '../../events/where.ts';
import { countsEvents, type LeadEvents } from '../../incidents/lead.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { uuidLowerBound, uuidTime } from '../../platform/ids.ts';
import { hourOf } from '../../platform/time.ts';
import { listMinuteCounts, MINUTE_COLUMN, type TimeRange } from './count-queries.ts';

/** Events of a minute; minutes without any are left out. */
export interface MinuteEvents {
  minuteMs: number;
  events: number;
}

type CountedEvents = Pick<LeadEvents, 'projectId' | 'groupId' | 'series'>;

/**
 * The events of a lead by the minute of capture, oldest first; of groups, a whole hour without minutes counts at its
 * beginning.
 */
export async function listLeadMinutes(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series }: CountedEvents,
  range: TimeRange,
): Promise<MinuteEvents[]> {
  if (!countsEvents(series)) return [];
  if (groupId !== null) return listGroupMinutes(database, organizationId, groupId, range);
  const { fingerprint } = series;
  if (fingerprint !== null)
    return listFingerprintMinutes(
      database,
      organizationId,
      { projectId, fingerprints: [fingerprint] },
      range,
    );
  const counts = await listMinuteCounts(database, organizationId, { projectId, series }, range);
  return counts.flatMap(({ minuteMs, matching }) => (matching > 0 ? [{ minuteMs, events: matching }] : []));
}

/**
 * Minutes are kept for two days; in an hour that lies partly outside the range, the events themselves are counted.
 */
async function listGroupMinutes(
  database: Queryable,
  organizationId: string,
  groupId: string,
  range: TimeRange,
): Promise<MinuteEvents[]> {
  const counts = await listGroupCounts(database, organizationId, groupId, range);
  const parts = counts.filter(({ minuteMs, isHour }) => isHour && !isWithin(minuteMs, range));
  if (parts.length === 0) return counts;
  const prints = await findGroupFingerprints(database, organizationId, groupId);
  const { projectId, fingerprints } = prints ?? {};
  if (projectId === undefined || !fingerprints) return [];
  // An hour of which only some minutes are still kept is counted as a whole.
  const isInPart = ({ minuteMs }: MinuteEvents) =>
    parts.some((part) => minuteMs >= part.minuteMs && minuteMs < part.minuteMs + HOUR_MS);
  const lists: MinuteEvents[][] = [counts.filter((count) => !isInPart(count))];
  for (const { minuteMs } of parts) {
    const part = {
      fromMs: Math.max(range.fromMs, minuteMs),
      toMs: Math.min(range.toMs, minuteMs + HOUR_MS),
    };
    lists.push(await listFingerprintMinutes(database, organizationId, { projectId, fingerprints }, part));
  }
  return lists.flat().toSorted((left, right) => left.minuteMs - right.minuteMs);
}

function isWithin(hourMs: number, { fromMs, toMs }: TimeRange): boolean {
  return hourMs >= fromMs && hourMs + HOUR_MS <= toMs;
}

/** The minutes of a range, and the hours that lie at least partly in it. */
async function listGroupCounts(
  database: Queryable,
  organizationId: string,
  groupId: string,
  { fromMs, toMs }: TimeRange,
): Promise<(MinuteEvents & { isHour: boolean })[]> {
  const { rows } = await database.query<MinuteEvents & { isHour: boolean }>(
    `WITH counts AS (
        SELECT group_id, minute, false AS is_hour, info + warn + error + critical AS events FROM group_minutes
        WHERE minute >= $3 AND minute < $4
        UNION ALL
        SELECT group_id, hour, true, info + warn + error + critical FROM group_hours WHERE hour >= $5 AND hour < $4
      )
      SELECT ${MINUTE_COLUMN}, is_hour AS "isHour", sum(events)::bigint AS events
      FROM counts WHERE group_id = ANY (${mergedGroupIds('ARRAY[$2::uuid]')}) GROUP BY minute, is_hour ORDER BY minute`,
    [organizationId, groupId, new Date(fromMs), new Date(toMs), new Date(hourOf(fromMs))],
  );
  return rows;
}

/**
 * Counts fingerprints by their events: no count identifies one beyond the limit on new groups, or a part of an old
 * hour.
 */
async function listFingerprintMinutes(
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
export async function countLeadEvents(
  database: Queryable,
  organizationId: string,
  lead: CountedEvents,
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
export async function findFirstLeadEvent(
  database: Queryable,
  organizationId: string,
  lead: CountedEvents,
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
  { projectId, groupId, series }: CountedEvents,
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
