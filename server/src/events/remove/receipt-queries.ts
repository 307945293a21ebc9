import type { Queryable } from '../../database/database.ts';

/**
 * When the newest event was received; null: there is none. Ids are in the order of capture, 7 days from it at most.
 */
export async function findNewestReceipt(database: Queryable): Promise<number | null> {
  const { rows } = await database.query<{ receivedAt: Date }>(
    'SELECT received_at AS "receivedAt" FROM events ORDER BY id DESC LIMIT 1',
  );
  return rows[0]?.receivedAt.getTime() ?? null;
}
