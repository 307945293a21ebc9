import { settleSilences } from '../../src/notifications/silences/settle-silences.ts';
import { reviewSchedules } from '../../src/schedules/review-schedules.ts';
import type { TestService } from './service.ts';

/* Rounds of a worker that a test runs at once; the service's own loops would follow seconds later. */

/** Reviews the schedules that are due. */
export async function reviewDueSchedules({ context }: TestService): Promise<void> {
  while ((await reviewSchedules(context, context.metrics)) === 'more');
}

/** Applies the ends of silences. */
export async function settleEndedSilences({ context }: TestService): Promise<void> {
  while (await settleSilences(context));
}
