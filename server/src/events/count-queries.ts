import type { Queryable } from '../database/database.ts';

/** Deletes at most `limit` counts of minutes before a time. @returns how many */
export async function deleteEventCountsBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    'DELETE FROM event_counts WHERE ctid IN (SELECT ctid FROM event_counts WHERE minute < $1 LIMIT $2)',
    [before, limit],
  );
  return rowCount ?? 0;
}
