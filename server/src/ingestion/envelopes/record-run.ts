import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid } from '../../platform/ids.ts';
import { findClaims, insertClaims, type ProjectClaim } from '../../queue/queries.ts';
import { recordCheckIn } from '../../schedules/record-check-in.ts';
import type { ReportedCheckIn } from './read-check-in.ts';

/** Time for which the end of a run waits for its start, which declares the schedule and comes by another connection. */
const MAX_WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 100;

/**
 * Records what a job reports of a run. The end of a run may arrive before its start: the start of a run that has ended
 * is no start, and the end waits for the schedule that the start declares.
 * @throws ApiError as `recordCheckIn`
 */
export async function recordRun(
  store: Store,
  projectId: string,
  { slug, status, runId, declared }: ReportedCheckIn,
): Promise<void> {
  const now = store.clock.now();
  const claim: ProjectClaim | null =
    runId === null ? null : { projectId, key: `run:${runId}`, jobId: newUuid(now), answer: null };
  if (status === 'in_progress') {
    if (claim && (await findClaims(store.pool, [claim])).length > 0) return;
    await recordCheckIn(store, projectId, slug, { status, declared });
    return;
  }
  for (let waitedMs = 0; ; waitedMs += POLL_INTERVAL_MS) {
    try {
      await recordCheckIn(store, projectId, slug, { status, declared });
      break;
    } catch (error) {
      const isUndeclared = error instanceof ApiError && error.code === 'not_found';
      if (!isUndeclared || claim === null || waitedMs >= MAX_WAIT_MS) throw error;
      await delay(POLL_INTERVAL_MS);
    }
  }
  if (claim) await insertClaims(store.pool, [claim], new Date(now));
}
