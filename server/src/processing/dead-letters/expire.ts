import { inPlainTransaction, type Pool } from '../../database/database.ts';
import { deleteDeadLettersBefore, updateDeadInLedgers } from './queries.ts';

/** Removes dead letters that died before a time, which the ledgers count as dropped. @returns how many */
export function removeDeadLettersBefore(pool: Pool, before: Date, limit: number): Promise<number> {
  return inPlainTransaction(pool, async (transaction) => {
    const removed = await deleteDeadLettersBefore(transaction, before, limit);
    if (removed.length > 0) await updateDeadInLedgers(transaction, removed, 'dropped');
    return removed.reduce((sum, { letters }) => sum + letters, 0);
  });
}
