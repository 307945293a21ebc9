import type { Queryable } from '../../database/database.ts';
import { SEVERITIES } from '../severities.ts';

/** Time after the end of an hour at which it is copied. The trigger `event_counts_mark_stale` depends on it. */
const ROLLED_AFTER = "interval '30 minutes'";
/** Age up to which hours of groups are copied: longer than their minutes are kept. */
const GROUPS_COPIED = "interval '50 hours'";

const QUARTERS = [1, 2, 3, 4]
  .map(
    (quarter) =>
      `coalesce(sum(count) FILTER (WHERE extract(minute FROM minute AT TIME ZONE 'UTC') >= ${(quarter - 1) * 15}
        AND extract(minute FROM minute AT TIME ZONE 'UTC') < ${quarter * 15}), 0)::bigint`,
  )
  .join(', ');
const SEVERITY_COLUMNS = SEVERITIES.join(', ');
const SEVERITY_SUMS = SEVERITIES.map((severity) => `sum(${severity})`).join(', ');

/**
 * The next hour to copy, locked until the transaction ends; null: all that are over are copied. If the database's
 * clock was set back, the copies of the hours that it has again are removed first: they get events without any mark.
 */
export async function lockNextHour(transaction: Queryable): Promise<Date | null> {
  // Without the lock first: it waits for transactions that count late events.
  if (!isDue(await findProgress(transaction, ''))) return null;
  const progress = await findProgress(transaction, 'FOR UPDATE');
  if (!isDue(progress)) return null;
  const { until, end, first } = progress;
  if (until === null || until < end) return until ?? first;
  await transaction.query('DELETE FROM event_hours WHERE hour >= $1', [end]);
  await transaction.query('DELETE FROM group_recent_hours WHERE hour >= $1', [end]);
  await setRolledUntil(transaction, end);
  return null;
}

interface Progress {
  until: Date | null;
  /** End of the hours which are over. */
  end: Date;
  first: Date | null;
}

async function findProgress(database: Queryable, lock: '' | 'FOR UPDATE'): Promise<Progress | undefined> {
  const { rows } = await database.query<Progress>(
    `SELECT until, date_trunc('hour', now() - ${ROLLED_AFTER}, 'UTC') AS end,
        (SELECT date_trunc('hour', min(minute), 'UTC') FROM event_counts) AS first
      FROM rolled_hours ${lock}`,
  );
  return rows[0];
}

function isDue(progress: Progress | undefined): progress is Progress {
  if (!progress) return false;
  const { until, end, first } = progress;
  return until === null ? first !== null && first < end : until.getTime() !== end.getTime();
}

async function setRolledUntil(transaction: Queryable, until: Date): Promise<void> {
  await transaction.query('UPDATE rolled_hours SET until = $1', [until]);
}

/** Records the hour after the last one that was copied. */
export async function addRolledHour(transaction: Queryable, hour: Date): Promise<void> {
  await transaction.query(
    `UPDATE rolled_hours SET until = $1::timestamptz + interval '1 hour',
        groups_since = CASE WHEN $1 > now() - ${GROUPS_COPIED} THEN coalesce(groups_since, $1) END`,
    [hour],
  );
}

/**
 * Inserts the hours of all projects, or of those with a mark. The statement begins after the lock: it reads what was
 * committed by then.
 */
export async function insertHours(
  transaction: Queryable,
  hour: Date,
  place: { organizationId: string; projectId: string } | null = null,
): Promise<void> {
  const values = [hour, ...(place ? [place.organizationId, place.projectId] : [])];
  await transaction.query(
    `INSERT INTO event_hours (organization_id, project_id, hour, severity, type, source, quarter_1, quarter_2, quarter_3,
        quarter_4)
      SELECT organization_id, project_id, $1, severity, type, source, ${QUARTERS}
      FROM event_counts WHERE minute >= $1 AND minute < $1::timestamptz + interval '1 hour'
        ${place ? 'AND organization_id = $2 AND project_id = $3' : ''}
      GROUP BY 1, 2, severity, type, source`,
    values,
  );
  await transaction.query(
    `INSERT INTO group_recent_hours (group_id, project_id, hour, info, warn, error, critical)
      SELECT group_id, project_id, $1, ${SEVERITY_SUMS}
      FROM ${place ? '(SELECT $3::uuid AS id WHERE $2::uuid IS NOT NULL)' : 'projects'} AS project CROSS JOIN LATERAL (
        SELECT group_id, project_id, ${SEVERITY_COLUMNS} FROM group_minutes
        WHERE project_id = project.id AND minute >= $1 AND minute < $1::timestamptz + interval '1 hour'
        -- A clock that is ahead has them moved early.
        UNION ALL
        SELECT group_id, project_id, ${SEVERITY_COLUMNS} FROM group_hours WHERE project_id = project.id AND hour = $1
        OFFSET 0
      ) AS counted
      WHERE $1 > now() - ${GROUPS_COPIED} GROUP BY 1, 2`,
    values,
  );
}

export interface StaleHour {
  organizationId: string;
  projectId: string;
  hour: Date;
}

/** Removes some marks, with the copies of their hours; marks of transactions that still count are left out. */
export async function takeStaleHours(transaction: Queryable, limit: number): Promise<StaleHour[]> {
  const { rows } = await transaction.query<StaleHour>(
    `WITH taken AS (
        DELETE FROM stale_hours WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM stale_hours LIMIT $1 FOR UPDATE SKIP LOCKED
        )) RETURNING organization_id, project_id, hour
      ), events AS (
        DELETE FROM event_hours AS h USING taken
        WHERE h.organization_id = taken.organization_id AND h.project_id = taken.project_id AND h.hour = taken.hour
      ), groups AS (
        DELETE FROM group_recent_hours AS h USING taken WHERE h.project_id = taken.project_id AND h.hour = taken.hour
      )
      SELECT organization_id AS "organizationId", project_id AS "projectId", hour FROM taken`,
    [limit],
  );
  return rows;
}

/** Deletes at most `limit` copies of hours before a time. @returns how many */
export async function deleteEventHoursBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    'DELETE FROM event_hours WHERE ctid IN (SELECT ctid FROM event_hours WHERE hour < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Deletes at most `limit` lists of hours before a time. @returns how many */
export async function deleteKindHoursBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    'DELETE FROM kind_hours WHERE ctid IN (SELECT ctid FROM kind_hours WHERE hour < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Deletes at most `limit` copies of groups' hours that are too old to be read. @returns how many */
export async function deleteGroupHourCopies(database: Queryable, limit: number): Promise<number> {
  const { rows } = await database.query<{ copies: number }>(
    `WITH since AS MATERIALIZED (
        SELECT date_trunc('hour', now() - ${GROUPS_COPIED}, 'UTC') AS hour
      ), moved AS (
        UPDATE rolled_hours SET groups_since = since.hour FROM since WHERE groups_since < since.hour
      ), deleted AS (
        DELETE FROM group_recent_hours WHERE ctid = ANY (ARRAY(
          SELECT oldest.ctid FROM projects CROSS JOIN LATERAL (
            SELECT ctid FROM group_recent_hours
            WHERE project_id = projects.id AND hour < (SELECT hour FROM since) ORDER BY hour LIMIT $1
          ) AS oldest LIMIT $1)) RETURNING 1
      )
      SELECT count(*) AS copies FROM deleted`,
    [limit],
  );
  return rows[0]?.copies ?? 0;
}
