import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, type Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import { listValidKeyIds } from '../../queue/queries.ts';
import { type NamedReport, recordCheckIn } from '../../schedules/record-check-in.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import { orSpool, type Spooling, toSpoolClaim } from '../spool/accept-or-spool.ts';
import { toRefusal, unknownDsn } from './answers.ts';
import type { Patience } from './reading-queue.ts';

/**
 * Time for which the ends of runs in one request wait for their starts, which declare the schedules and come by other
 * connections.
 */
export const MAX_START_WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 100;

/**
 * Records what a job reports of a run, or keeps it on disk while the database is lost. The end of a run may arrive before its
 * start, and waits for the schedule that the start declares.
 * @param patience time for which the request still waits for starts
 * @throws ApiError as `recordCheckIn`; `invalid_dsn`
 */
export async function recordRun(
  { spooling, ...store }: Store & { spooling: Spooling | null },
  { keyId, projectId }: Pick<KeyOwner, 'keyId' | 'projectId'>,
  report: NamedReport,
  { receivedAtMs, patience }: { receivedAtMs: number; patience: Patience },
): Promise<void> {
  const id = newUuid(receivedAtMs);
  const record = () =>
    inTransaction(store, async (transaction) => {
      if (!(await listValidKeyIds(transaction, [keyId])).has(keyId)) throw toRefusal(unknownDsn());
      await recordCheckIn(transaction, projectId, report, { id, atMs: null });
    });
  if (!spooling) return afterItsStart(report, patience, record);
  const { outage } = spooling;
  const recordAndNote = () =>
    outage.ask(async (askedMs) => {
      await record();
      outage.noteValidKey(keyId, askedMs);
    });
  const item = { projectId, keyId, events: [], claim: toSpoolClaim(id, receivedAtMs) };
  const kept = { receivedAt: new Date(receivedAtMs).toISOString(), item, checkIn: report };
  await orSpool(spooling, { record: kept, spoolAfterMs: 0 }, () =>
    afterItsStart(report, patience, recordAndNote),
  );
}

async function afterItsStart(
  { status, runId }: NamedReport,
  patience: Patience,
  record: () => Promise<void>,
): Promise<void> {
  const isAwaited = status !== 'in_progress' && runId !== null;
  for (; ; patience.leftMs -= POLL_INTERVAL_MS) {
    try {
      return await record();
    } catch (error) {
      const isUndeclared = error instanceof ApiError && error.code === 'not_found';
      if (!isUndeclared || !isAwaited || patience.leftMs <= 0) throw error;
      await delay(POLL_INTERVAL_MS);
    }
  }
}
