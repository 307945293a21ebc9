import { inTransaction, type Store } from '../../database/database.ts';
import { isUnavailable } from '../../database/sql-state.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { listValidKeyIds } from '../../queue/queries.ts';
import { type NamedReport, recordCheckIn } from '../../schedules/record-check-in.ts';
import type { SpoolRecord } from './record.ts';

/**
 * Records a check-in that waited on disk as of its receipt, once. What would have been refused when it came, a key that is no
 * longer valid included, is left out and logged.
 * @throws if the database does not answer
 */
export async function recordKeptCheckIn(
  store: Store,
  log: Log,
  { receivedAt, item: { projectId, keyId, claim } }: SpoolRecord,
  checkIn: NamedReport,
): Promise<void> {
  try {
    await inTransaction(store, async (transaction) => {
      if (!(await listValidKeyIds(transaction, [keyId])).has(keyId)) return;
      const receipt = { id: claim.jobId, atMs: Date.parse(receivedAt) };
      await recordCheckIn(transaction, projectId, checkIn, receipt);
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const reason = error instanceof ApiError ? error.message : error;
    log.warn({ projectId, slug: checkIn.slug, reason }, 'a check-in that waited on disk is left out');
  }
}
