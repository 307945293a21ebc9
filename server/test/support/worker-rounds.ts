import { settleSilences } from '../../src/notifications/silences/settle-silences.ts';
import { reviewSchedules } from '../../src/schedules/review-schedules.ts';
import type { TestService } from './service.ts';

/* Rounds of a worker that a test makes at once, beside the service's own, whose loops come to it seconds later. */

/** Reviews the schedules that are due. */
export async function reviewDueSchedules({ context }: TestService): Promise<void> {
  while ((await reviewSchedules(context, context.metrics)) === 'more');
}

/** Settles the silences that have ended. */
export async function settleEndedSilences({ context }: TestService): Promise<void> {
  while (await settleSilences(context));
}
