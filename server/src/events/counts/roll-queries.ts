import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts';
import type { Queryable } from '../../database/database.ts';
import { GROUPS_COPIED, type HourPlaces } from './hour-queries.ts';

/**
 * An hour is copied so long after its end: what is stored sooner than `LATE_MINUTES` after its capture, nearly all events,
 * needs no mark. No transaction takes the other twenty minutes.
 */
const ROLLED_AFTER = "interval '30 minutes'";
export const LATE_MINUTES = 10;

/** Until the transaction ends. */
export async function lockHours(transaction: Queryable): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.hours]);
}

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
  for (const table of ['event_hours', 'group_recent_hours', 'fingerprint_hours'])
    await transaction.query(`DELETE FROM ${table} WHERE hour >= $1`, [end]);
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

/** The oldest hours of which a project has copies. */
export async function listHoursOfProject(
  database: Queryable,
  projectId: string,
  limit: number,
): Promise<Date[]> {
  const { rows } = await database.query<{ hour: Date }>(
    `SELECT hour FROM event_hours WHERE scope = 'project' AND project_id = $1
      UNION SELECT hour FROM group_recent_hours WHERE project_id = $1 ORDER BY hour LIMIT $2`,
    [projectId, limit],
  );
  return rows.map(({ hour }) => hour);
}

/** Removes some marks, the oldest first; those of transactions that still count are left out. */
export async function takeStaleHours(
  transaction: Queryable,
  limit: number,
): Promise<(HourPlaces & { hour: Date })[]> {
  const { rows } = await transaction.query<HourPlaces & { hour: Date }>(
    `WITH taken AS (
        DELETE FROM stale_hours WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM stale_hours ORDER BY hour LIMIT $1 FOR UPDATE SKIP LOCKED
        )) RETURNING organization_id, project_id, hour
      )
      SELECT hour, array_agg(organization_id) AS "organizationIds", array_agg(project_id) AS "projectIds"
      FROM taken GROUP BY hour ORDER BY hour`,
    [limit],
  );
  return rows;
}

export interface LateHour {
  organizationId: string;
  projectId: string;
  hourMs: number;
}

/**
 * Marks those of the hours that are copied already, in the transaction that counts late events in them: until it ends, no hour
 * is copied without what it counts, and no mark is removed.
 */
export async function upsertStaleHours(transaction: Queryable, late: readonly LateHour[]): Promise<void> {
  if (late.length === 0) return;
  const { rows } = await transaction.query<{ until: Date | null }>(
    'SELECT until FROM rolled_hours FOR SHARE',
  );
  const untilMs = rows[0]?.until?.getTime() ?? Number.NEGATIVE_INFINITY;
  const copied = late.filter(({ hourMs }) => hourMs < untilMs);
  const values = [
    copied.map(({ organizationId }) => organizationId),
    copied.map(({ projectId }) => projectId),
    copied.map(({ hourMs }) => new Date(hourMs)),
  ];
  const given =
    'unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS given (organization_id, project_id, hour)';
  for (let marked = 0; marked < copied.length; ) {
    await transaction.query(
      `INSERT INTO stale_hours SELECT * FROM ${given} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
      values,
    );
    // One that was there may be removed meanwhile.
    const locked = await transaction.query(
      `SELECT FROM stale_hours JOIN ${given} USING (organization_id, project_id, hour) FOR KEY SHARE OF stale_hours`,
      values,
    );
    marked = locked.rowCount ?? 0;
  }
}
