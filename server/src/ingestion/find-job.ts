import type { EventReads } from '../events/reader.ts';
import { toId } from '../platform/ids.ts';
import { findOutcome } from '../processing/queries.ts';
import { isQueued } from '../queue/queries.ts';
import type { KeyOwner } from '../tenancy/api-keys/queries.ts';
import type { Job } from './event/schema.ts';

type JobOwner = Pick<KeyOwner, 'organizationId' | 'projectId'>;

/** Finds the outcome of an accepted event of a project; null: there is no trace of it, or none any more. */
export async function findJob(events: EventReads, owner: JobOwner, eventId: string): Promise<Job | null> {
  const settled = await findSettled(events, owner, eventId);
  if (settled) return settled;
  if (await isQueued(events.database, owner.projectId, eventId)) {
    return { jobId: toId('job', eventId), status: 'queued', eventId: null, reason: null };
  }
  // It may have left the queue between the two queries.
  return findSettled(events, owner, eventId);
}

async function findSettled(events: EventReads, owner: JobOwner, eventId: string): Promise<Job | null> {
  const outcome = await findOutcome(events, owner, eventId);
  if (!outcome) return null;
  const jobId = toId('job', eventId);
  if (outcome.kind !== 'dead_letter')
    return {
      jobId,
      status: 'processed',
      eventId: outcome.kind === 'event' ? toId('evt', eventId) : null,
      reason:
        outcome.kind === 'sampled'
          ? 'The event was counted, not kept: others of its kind stand for it.'
          : null,
    };
  return { jobId, status: 'failed', eventId: null, reason: describeRefusal(outcome.refusedBy) };
}

/** Says why an event is a dead letter. The database's own message stays in there: it may reveal internals. */
export function describeRefusal(sqlState: string): string {
  return sqlState === ''
    ? 'The event could not be stored.'
    : `The database refused the event (SQLSTATE ${sqlState}).`;
}
