import type { Transaction } from '../database/database.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import { describeText } from './dead-letters/dead-letter.ts';
import { insertDeadLetter } from './dead-letters/queries.ts';
import { recordOutcome } from './record-outcome.ts';

/** Events that were acknowledged and will not be stored. */
export interface UnstoredEvents {
  /** As JSON texts, each with its `id`. */
  events: string[];
  /** Why they are dead letters; null: they are dropped, since their key is no longer valid. */
  reason: string | null;
}

/**
 * Counts events of a project that are not stored in its ledger, with a dead letter for each that has a reason. Those of
 * a deleted project are dropped.
 */
export async function recordUnstored(
  transaction: Transaction,
  projectId: string,
  unstored: UnstoredEvents[],
): Promise<void> {
  const live = await shareProject(transaction, null, projectId);
  const counts = { accepted: 0, duplicate: 0, dead: 0, dropped: 0 };
  for (const { events, reason } of unstored) {
    counts.accepted += events.length;
    if (reason === null || !live) {
      counts.dropped += events.length;
      continue;
    }
    counts.dead += events.length;
    for (const event of events) {
      const { id } = JSON.parse(event) as { id: string }; // Ingestion makes the id of each event that it queues.
      const described = describeText(event, projectId);
      await insertDeadLetter(transaction, {
        id,
        projectId,
        ...described,
        event,
        events: 1,
        sqlState: '',
        reason,
      });
    }
  }
  await recordOutcome(transaction, { projectId, live }, counts);
}
