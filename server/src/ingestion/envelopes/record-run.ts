import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { recordCheckIn } from '../../schedules/record-check-in.ts';
import type { ReportedCheckIn } from './read-check-in.ts';

/** Time for which the end of a run waits for its start, which declares the schedule and comes by another connection. */
const MAX_WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 100;

/**
 * Records what a job reports of a run. The end of a run may arrive before its start, and waits for the schedule that the
 * start declares.
 * @throws ApiError as `recordCheckIn`
 */
export async function recordRun(
  store: Store,
  projectId: string,
  { slug, ...report }: ReportedCheckIn,
): Promise<void> {
  const isAwaited = report.status !== 'in_progress' && report.runId !== null;
  for (let waitedMs = 0; ; waitedMs += POLL_INTERVAL_MS) {
    try {
      await recordCheckIn(store, projectId, slug, report);
      return;
    } catch (error) {
      const isUndeclared = error instanceof ApiError && error.code === 'not_found';
      if (!isUndeclared || !isAwaited || waitedMs >= MAX_WAIT_MS) throw error;
      await delay(POLL_INTERVAL_MS);
    }
  }
}
