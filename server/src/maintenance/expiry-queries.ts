import { ADVISORY_LOCKS } from '../database/advisory-locks.ts';
import type { Queryable } from '../database/database.ts';

/** Number of events that age removed from a project. */
export interface ExpiredEvents {
  projectId: string;
  count: number;
}

/** Counts events that were stored as expired, in the transaction that removes them. */
export function addExpired(transaction: Queryable, expired: readonly ExpiredEvents[]): Promise<void> {
  return updateRemovedInLedgers(transaction, expired, 'expired');
}

/** Counts events that were stored as expired or erased, in the transaction that knows them removed. */
export async function updateRemovedInLedgers(
  transaction: Queryable,
  removed: readonly ExpiredEvents[],
  to: 'expired' | 'erased',
): Promise<void> {
  const ids = removed.map(({ projectId }) => projectId);
  // In the order in which processing locks them.
  await transaction.query(
    'SELECT FROM ledgers WHERE project_id = ANY ($1::uuid[]) ORDER BY project_id FOR UPDATE',
    [ids],
  );
  await transaction.query(
    `UPDATE ledgers AS l SET stored = stored - counted.count, ${to} = ${to} + counted.count
      FROM unnest($1::uuid[], $2::bigint[]) AS counted (project_id, count) WHERE l.project_id = counted.project_id`,
    [ids, removed.map(({ count }) => count)],
  );
}

/** Lets one transaction at a time remove events by age. @returns false if another one does */
export async function acquireExpiry(transaction: Queryable): Promise<boolean> {
  const { rows } = await transaction.query<{ isOurs: boolean }>(
    'SELECT pg_try_advisory_xact_lock($1) AS "isOurs"',
    [ADVISORY_LOCKS.expiry],
  );
  return rows[0]?.isOurs === true;
}
