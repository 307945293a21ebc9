import type { Transaction } from '../database/database.ts';
import type { ProjectRow } from '../tenancy/projects/schema.ts';
import { announceDeadLetters } from './dead-letters/announce.ts';
import { addToLedger } from './queries.ts';

/**
 * Adds the outcome of events to the ledger of a project, and announces its first dead letter. The row of the ledger is
 * locked, so that of several workers one finds the first.
 * @param live project; null: it is deleted
 */
export async function recordOutcome(
  transaction: Transaction,
  { projectId, live }: { projectId: string; live: ProjectRow | null },
  counts: Parameters<typeof addToLedger>[2],
): Promise<void> {
  const dead = await addToLedger(transaction, projectId, counts);
  if (live && counts.dead > 0 && dead === counts.dead) await announceDeadLetters(transaction, live);
}
