import type { Queryable } from '../../database/database.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { idAt } from '../where.ts';

/** An hour of a project with events that are too old. */
export interface ExpiredHour {
  projectId: string;
  hour: Date;
}

/** The last hour whose every event of a severity of the project `p` is too old, by the time in $1. */
const lastHour = (severity: string) =>
  `$1::timestamptz - make_interval(hours => 24 * (p.retention ->> ${severity}::text)::int + 1)`;

/** Lists the oldest hour with events of each project and severity that are too old at that time, in the order of projects. */
export async function listExpiredHours(
  database: Queryable,
  now: Date,
  { afterProjectId, limit }: { afterProjectId: string; limit: number },
): Promise<ExpiredHour[]> {
  const { rows } = await database.query<ExpiredHour>(
    `SELECT DISTINCT p.id AS "projectId", h.hour
      FROM projects AS p CROSS JOIN unnest(enum_range(NULL::severity)) AS severity CROSS JOIN LATERAL (
        SELECT hour FROM event_hours
        WHERE scope = 'project' AND project_id = p.id AND event_hours.severity = severity.severity AND NOT is_expired
          AND hour <= ${lastHour('severity.severity')}
        ORDER BY hour LIMIT 1
      ) AS h
      WHERE p.retention <> '{}' AND p.deleted_at IS NULL AND p.id > $2 ORDER BY p.id, h.hour LIMIT $3`,
    [now, afterProjectId, limit],
  );
  return rows;
}

export interface ExpiryChunk {
  /** True if something of the hour is still too old: its project has not chosen otherwise since. */
  isDue: boolean;
  /** Last event that was looked at; null: there are no further ones. */
  lastId: string | null;
  /** Number of events that the hour of the last event had by its counts. */
  counted: number | null;
  deleted: number;
}

/** Place in the events of a project, and the end of the range that a chunk may read. */
export interface ExpiryPlace extends ExpiredHour {
  afterId: string;
  /** Number of events that the hour had by its counts when its first ones were removed; null: none of it were removed. */
  counted: number | null;
  end: Date;
}

/**
 * Deletes those of the next `limit` events that are too old, and marks their hours and severities as expired after the last
 * ones. It reads the first hour that holds such events, and those after it whose counts show that they fit into the chunk as
 * well: a range of the project's index each. Late events in between are found again: then the copy of the hour is replaced,
 * which waits for this transaction, and is not marked. Where it was replaced between two chunks of the hour, its counts have
 * changed, and the last chunk does not mark it.
 */
export async function deleteExpiredEvents(
  transaction: Queryable,
  now: Date,
  { projectId, hour, afterId, counted, end }: ExpiryPlace,
  limit: number,
): Promise<ExpiryChunk> {
  const { rows } = await transaction.query<ExpiryChunk>(
    `WITH due AS MATERIALIZED (
        SELECT h.hour, h.severity, h.environment FROM event_hours AS h JOIN projects AS p ON p.id = h.project_id
        WHERE h.scope = 'project' AND h.project_id = $2 AND h.hour >= $3 AND h.hour < $7 AND NOT h.is_expired
          AND p.deleted_at IS NULL AND h.hour <= ${lastHour('h.severity')}
        FOR UPDATE OF h SKIP LOCKED FOR KEY SHARE OF p
      ), sums AS (
        SELECT hour, counted, sum(counted) OVER (ORDER BY hour) AS events, row_number() OVER (ORDER BY hour) AS place
        FROM (SELECT hour, sum(quarter_1 + quarter_2 + quarter_3 + quarter_4)::bigint AS counted FROM event_hours WHERE scope = 'project' AND project_id = $2 AND hour >= $3 AND hour < $7 AND NOT is_expired
          AND hour IN (SELECT hour FROM due) GROUP BY hour) AS counts
      ), scanned AS MATERIALIZED (
        SELECT sums.hour, e.id, e.severity FROM sums CROSS JOIN LATERAL (
          SELECT id, severity FROM events
          WHERE project_id = $2 AND id > $4 AND id < $5 AND id >= ${idAt('sums.hour')}
            AND id < ${idAt("sums.hour + interval '1 hour'")} ORDER BY id LIMIT $6
        ) AS e WHERE sums.place = 1 OR sums.events <= $6 ORDER BY e.id LIMIT $6
      ), deleted AS (
        DELETE FROM events WHERE id > $4 AND id < $5
          AND id = ANY (ARRAY(SELECT id FROM scanned WHERE (hour, severity) IN (SELECT hour, severity FROM due)))
        RETURNING 1
      ), marked AS (
        UPDATE event_hours AS h SET is_expired = true FROM due JOIN sums ON sums.hour = due.hour
        WHERE h.scope = 'project' AND h.project_id = $2 AND h.hour = due.hour
          AND h.severity = due.severity AND h.environment = due.environment AND (sums.place = 1 OR sums.events <= $6)
          AND (h.hour <> $3 OR sums.counted = coalesce($8, sums.counted))
          AND ((SELECT count(*) FROM scanned) < $6 OR due.hour < (SELECT max(hour) FROM scanned))
      )
      SELECT EXISTS (SELECT FROM due) AS "isDue", (SELECT count(*) FROM deleted) AS deleted,
        (SELECT id FROM scanned ORDER BY id OFFSET $6 - 1 LIMIT 1) AS "lastId",
        (SELECT counted FROM sums WHERE hour = (SELECT max(hour) FROM scanned)) AS counted`,
    [now, projectId, hour, afterId, uuidLowerBound(end.getTime()), limit, end, counted],
  );
  return rows[0] ?? { isDue: false, lastId: null, counted: null, deleted: 0 };
}
