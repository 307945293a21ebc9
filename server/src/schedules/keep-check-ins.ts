import type { Transaction } from '../database/database.ts';
import { newUuid } from '../platform/ids.ts';
import { deleteOldCheckIns, insertCheckIns } from './check-in-queries.ts';
import { MAX_CHECK_INS } from './limits.ts';
import type { CheckInRecord } from './schedule-state.ts';

/**
 * Adds outcomes to the check-ins of a schedule, and deletes those beyond the newest 500.
 * @param transaction has locked the schedule's row
 */
export async function keepCheckIns(
  transaction: Transaction,
  schedule: { id: string; projectId: string },
  records: CheckInRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const checkIns = records.map(({ status, atMs, dueMs, durationMs }) => ({
    id: newUuid(transaction.now()),
    status,
    at: new Date(atMs),
    dueAt: dueMs === null ? null : new Date(dueMs),
    durationMs,
  }));
  await insertCheckIns(transaction, schedule, checkIns);
  await deleteOldCheckIns(transaction, schedule.id, MAX_CHECK_INS);
}
