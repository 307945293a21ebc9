import { inTransaction, type Store } from '../../database/database.ts';
import { isUnavailable } from '../../database/sql-state.ts';
import { toApiError } from '../../http/error-handling.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { listValidKeyIds } from '../../queue/queries.ts';
import { type NamedReport, recordCheckIn } from '../../schedules/record-check-in.ts';
import { API_KEY_ERRORS } from '../../tenancy/api-keys/errors.ts';
import type { ItemCounts } from '../intake/item-counts.ts';
import { reasonOf } from '../intake/refusal-reasons.ts';
import type { SpoolRecord } from './record.ts';

/**
 * Records a check-in that waited on disk as of its receipt, once. One that would have been refused when it came is logged and
 * counted; one of a key that is no longer valid is only logged, as no such request is counted.
 * @throws if the database does not answer
 */
export async function recordKeptCheckIn(
  { log, counts, ...store }: Store & { log: Log; counts: ItemCounts },
  { receivedAt, item: { projectId, keyId, claim } }: SpoolRecord,
  checkIn: NamedReport,
): Promise<void> {
  try {
    await inTransaction(store, async (transaction) => {
      if (!(await listValidKeyIds(transaction, [keyId])).has(keyId))
        throw new ApiError(API_KEY_ERRORS.invalid_api_key, 'The API key is no longer valid.');
      const receipt = { id: claim.jobId, atMs: Date.parse(receivedAt) };
      await recordCheckIn(transaction, projectId, checkIn, receipt);
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const refusal = toApiError(error);
    const reason = error instanceof ApiError ? error.message : error;
    log.warn({ projectId, slug: checkIn.slug, reason }, 'a check-in that waited on disk is left out');
    if (refusal.kind === API_KEY_ERRORS.invalid_api_key) return;
    counts.note({ projectId, kind: 'monitor', reason: reasonOf(refusal), quantity: 1 });
  }
}
