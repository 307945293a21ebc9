import type { Transaction } from '../database/database.ts';
import { newUuid } from '../platform/ids.ts';
import { deleteOldBodies, deleteOldCheckIns, insertCheckIns } from './check-in-queries.ts';
import { MAX_BODIES, MAX_CHECK_INS } from './limits.ts';
import type { CheckInRecord } from './schedule-state.ts';

/**
 * Adds outcomes to the check-ins of a schedule, and deletes what exceeds the bounds.
 * @param transaction has locked the schedule's row
 * @param id UUID of the check-in, if it is one that has an id already
 */
export async function keepCheckIns(
  transaction: Transaction,
  schedule: { id: string; projectId: string },
  records: CheckInRecord[],
  id?: string,
): Promise<void> {
  if (records.length === 0) return;
  const checkIns = records.map(({ atMs, dueMs, ...record }) => ({
    id: id ?? newUuid(transaction.now()),
    at: new Date(atMs),
    dueAt: dueMs === null ? null : new Date(dueMs),
    ...record,
  }));
  await insertCheckIns(transaction, schedule, checkIns);
  await deleteOldCheckIns(transaction, schedule.id, MAX_CHECK_INS);
  if (records.some(({ body }) => body !== null)) await deleteOldBodies(transaction, schedule.id, MAX_BODIES);
}
