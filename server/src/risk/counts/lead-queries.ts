import type { Queryable } from '../../database/database.ts';
import { findGroupFingerprints, mergedGroupIds } from '../../events/group-queries.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import type { MinuteEvents, TimeRange } from '../../events/read-types.ts';
import { countsEvents, type LeadEvents } from '../../incidents/lead.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { hourOf } from '../../platform/time.ts';
import { listMinuteCounts, MINUTE_COLUMN } from './count-queries.ts';

/**
 * The events of a lead by the minute of capture, oldest first; of groups, a whole hour without minutes counts at its
 * beginning.
 */
export async function listLeadMinutes(
  database: Queryable,
  organizationId: string,
  { projectId, groupId, series }: Pick<LeadEvents, 'projectId' | 'groupId' | 'series'>,
  range: TimeRange,
): Promise<MinuteEvents[]> {
  if (!countsEvents(series)) return [];
  if (groupId !== null) return listGroupMinutes(database, organizationId, groupId, range);
  const { fingerprint } = series;
  if (fingerprint !== null)
    return eventsOn(database).listMinutesOfFingerprints(
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
    lists.push(
      await eventsOn(database).listMinutesOfFingerprints(organizationId, { projectId, fingerprints }, part),
    );
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
