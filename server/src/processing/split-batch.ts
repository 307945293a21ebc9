import type pg from 'pg';
import { inTransaction, isUniqueViolation, type Pool, sqlState } from '../platform/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type Deltas, insertBatch } from '../queue/queries.ts';
import type { QueuedEvent } from '../queue/queue.ts';
import { addToLedger, deleteBatch, insertDeadLetter, lockLiveProject } from './queries.ts';

const MAX_REASON_LENGTH = 1_000;

/**
 * Puts a refused batch back as two halves, or, where it holds one event only, takes that out of the way: as
 * a duplicate where the event store has it already, else as a dead letter with the reason.
 */
export async function splitBatch(
  pool: Pool,
  metrics: Metrics,
  batchId: number,
  reason: unknown,
): Promise<void> {
  const result = await inTransaction(pool, async (transaction) => {
    const batch = await deleteBatch(transaction, batchId);
    if (!batch) return null;
    const events = JSON.parse(batch.events) as QueuedEvent[];
    const [only] = events;
    if (only && events.length === 1) return settle(transaction, only, batch.deltas, reason);
    const middle = Math.ceil(events.length / 2);
    const [first, second] = [events.slice(0, middle), events.slice(middle)];
    // The repeats that the row counts were no events of it: they go with the first half.
    const halves = [
      { events: first, deltas: toDeltas(first, batch.deltas) },
      { events: second, deltas: toDeltas(second, {}) },
    ];
    for (const { events: half, deltas } of halves) {
      // No keys: what was accepted stays accepted.
      await insertBatch(transaction, { eventsJson: JSON.stringify(half), deltas, keyIds: [] });
    }
    return null;
  });
  if (result) metrics.eventsProcessed.inc({ result });
}

async function settle(
  transaction: pg.PoolClient,
  event: QueuedEvent,
  deltas: Deltas,
  reason: unknown,
): Promise<'duplicate' | 'dead' | 'dropped'> {
  const live = await lockLiveProject(transaction, event.projectId);
  const result = !live ? 'dropped' : isUniqueViolation(reason) ? 'duplicate' : 'dead';
  if (result === 'dead') {
    await insertDeadLetter(transaction, {
      id: event.id,
      projectId: event.projectId,
      event: JSON.stringify(event),
      sqlState: sqlState(reason),
      reason: (reason instanceof Error ? reason.message : String(reason)).slice(0, MAX_REASON_LENGTH),
    });
  }
  for (const [projectId, { accepted, duplicate }] of Object.entries(deltas).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const own = projectId === event.projectId;
    await addToLedger(transaction, projectId, {
      accepted,
      duplicate: duplicate + (own && result === 'duplicate' ? 1 : 0),
      dead: own && result === 'dead' ? 1 : 0,
      dropped: own && result === 'dropped' ? 1 : 0,
    });
  }
  return result;
}

function toDeltas(events: QueuedEvent[], repeats: Deltas): Deltas {
  const deltas: Deltas = {};
  for (const [projectId, { duplicate }] of Object.entries(repeats)) {
    deltas[projectId] = { accepted: duplicate, duplicate };
  }
  for (const { projectId } of events) (deltas[projectId] ??= { accepted: 0, duplicate: 0 }).accepted++;
  return deltas;
}
