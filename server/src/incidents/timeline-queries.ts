import type { Queryable } from '../database/database.ts';
import type { TimelineRow } from './rows.ts';

export async function insertTimelineEntry(
  database: Queryable,
  incidentId: string,
  entry: Omit<TimelineRow, 'userName'>,
): Promise<void> {
  await database.query(
    `INSERT INTO incident_timeline (id, incident_id, user_id, before, after, note, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      entry.id,
      incidentId,
      entry.userId,
      entry.before && JSON.stringify(entry.before),
      entry.after && JSON.stringify(entry.after),
      entry.note,
      entry.createdAt,
    ],
  );
}

/**
 * Entries before the cursor, newest first; one more than `limit`, so that the caller knows if there is a next page.
 * By the incident, which was checked before.
 */
export async function listTimeline(
  database: Queryable,
  incidentId: string,
  page: { cursor: string | null; limit: number },
): Promise<TimelineRow[]> {
  const { rows } = await database.query<TimelineRow>(
    `SELECT t.id, t.created_at AS "createdAt", t.user_id AS "userId", u.name AS "userName", t.before, t.after, t.note
      FROM incident_timeline t LEFT JOIN users u ON u.id = t.user_id
      WHERE t.incident_id = $1 AND ($2::uuid IS NULL OR t.id < $2) ORDER BY t.id DESC LIMIT $3 + 1`,
    [incidentId, page.cursor, page.limit],
  );
  return rows;
}

/** The entry of the last resolution of an incident. */
export async function findResolution(
  database: Queryable,
  incidentId: string,
): Promise<Pick<TimelineRow, 'userId' | 'before' | 'createdAt'> | null> {
  const { rows } = await database.query<Pick<TimelineRow, 'userId' | 'before' | 'createdAt'>>(
    `SELECT user_id AS "userId", before, created_at AS "createdAt" FROM incident_timeline
      WHERE incident_id = $1 AND after ->> 'status' = 'resolved' ORDER BY id DESC LIMIT 1`,
    [incidentId],
  );
  return rows[0] ?? null;
}

/** Counts the entries by people, of all users. */
export async function countTimelineByPeople(database: Queryable, incidentId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(user_id) AS count FROM incident_timeline WHERE incident_id = $1',
    [incidentId],
  );
  return rows[0]?.count ?? 0;
}
