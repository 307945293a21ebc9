import { randomUUID } from 'node:crypto';
import { inTransaction, type Store, type Transaction } from '../database/database.ts';
import { isUniqueViolation, sqlState } from '../database/sql-state.ts';
import type { Log } from '../platform/log.ts';
import { type Deltas, insertBatch } from '../queue/queries.ts';
import { checkLedger } from '../tenancy/projects/check-ledger.ts';
import { shareProject } from '../tenancy/projects/lock-queries.ts';
import { describeText } from './dead-letters/dead-letter.ts';
import { insertDeadLetter } from './dead-letters/queries.ts';
import type { ProcessingMetrics } from './metrics.ts';
import { deleteBatch, type QueueRow } from './queries.ts';
import { readEvents } from './read-events.ts';
import { recordOutcome } from './record-outcome.ts';

const MAX_REASON_LENGTH = 1_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface SplitDependencies extends Store {
  log: Log;
  metrics: ProcessingMetrics;
}

type Result = 'duplicate' | 'dead' | 'dropped';

/**
 * Puts a refused batch back as two halves, or, if it has a single event, removes it: as a duplicate if the event
 * store has it already, else as a dead letter with the reason. Assumes nothing about the content of the batch: one
 * that stays here blocks all batches behind it.
 */
export async function splitBatch(
  { log, metrics, ...store }: SplitDependencies,
  batchId: number,
  reason: unknown,
): Promise<void> {
  const results = await inTransaction(store, async (transaction) => {
    const batch = await deleteBatch(transaction, batchId);
    if (!batch) return [];
    const events = readEvents(batch.events);
    if (!events || events.length <= 1) return finish(transaction, log, batch, { event: events?.[0], reason });
    const middle = Math.ceil(events.length / 2);
    const [first, second] = [events.slice(0, middle), events.slice(middle)];
    // The repeats that the row counts are none of its events: the first half carries them.
    const halves = [
      { events: first, deltas: toDeltas(first, batch.deltas, repeatsOf(batch.deltas)) },
      { events: second, deltas: toDeltas(second, batch.deltas, {}) },
    ];
    checkHalves(log, batchId, batch.deltas, halves);
    for (const { events: half, deltas } of halves) {
      // Without keys: accepted events stay accepted, since when they were.
      const { isSpooled, acceptedAt } = batch;
      await insertBatch(transaction, {
        eventsJson: JSON.stringify(half),
        deltas,
        keyIds: [],
        isSpooled,
        acceptedAt,
      });
    }
    return [];
  });
  for (const { result, count } of results) metrics.eventsProcessed.inc({ result }, count);
}

/** Checks that the halves count what the row did, for the ledger. A difference must not delay the rows behind it. */
function checkHalves(log: Log, batchId: number, ofRow: Deltas, halves: { deltas: Deltas }[]): void {
  const before = sumOf([ofRow]);
  const after = sumOf(halves.map(({ deltas }) => deltas));
  if (before.accepted === after.accepted && before.duplicate === after.duplicate) return;
  log.error({ batchId, before, after }, 'the ledger does not add up after a split');
}

function sumOf(all: Deltas[]): { accepted: number; duplicate: number } {
  const sum = { accepted: 0, duplicate: 0 };
  for (const { accepted, duplicate } of all.flatMap((deltas) => Object.values(deltas))) {
    sum.accepted += accepted;
    sum.duplicate += duplicate;
  }
  return sum;
}

/** Records the outcome of everything in a row: one event, or a text without any. */
async function finish(
  transaction: Transaction,
  log: Log,
  batch: QueueRow,
  { event, reason }: { event: unknown; reason: unknown },
): Promise<{ result: Result; count: number }[]> {
  const results: { result: Result; count: number }[] = [];
  const deltas = Object.entries(batch.deltas).toSorted(([left], [right]) => (left < right ? -1 : 1));
  for (const [projectId, { accepted, duplicate }] of deltas) {
    const recorded = { accepted, duplicate, dead: 0, dropped: 0 };
    const count = accepted - duplicate;
    const live = await shareProject(transaction, null, projectId);
    if (count > 0) {
      const result = !live ? 'dropped' : isUniqueViolation(reason) ? 'duplicate' : 'dead';
      if (result === 'dead')
        await moveToDeadLetter(transaction, projectId, { batch, event, events: count, reason });
      recorded[result] += count;
      results.push({ result, count });
    }
    checkLedger(log, { ...recorded, stored: 0, queued: 0, sampled: 0, erased: 0, expired: 0 }, { projectId });
    await recordOutcome(transaction, { projectId, live }, recorded);
  }
  return results;
}

async function moveToDeadLetter(
  transaction: Transaction,
  projectId: string,
  { batch, event, events, reason }: { batch: QueueRow; event: unknown; events: number; reason: unknown },
): Promise<void> {
  const id = (event as { id?: unknown } | null | undefined)?.id;
  const text = event === undefined ? batch.events : JSON.stringify(event);
  await insertDeadLetter(transaction, {
    id: typeof id === 'string' && UUID.test(id) ? id : randomUUID(),
    projectId,
    ...describeText(text, projectId),
    event: text,
    events,
    sqlState: sqlState(reason),
    reason: (reason instanceof Error ? reason.message : String(reason)).slice(0, MAX_REASON_LENGTH),
  });
}

function repeatsOf(deltas: Deltas): Deltas {
  const repeats = Object.entries(deltas).map(([projectId, { duplicate }]) => [
    projectId,
    { accepted: duplicate, duplicate },
  ]);
  return Object.fromEntries(repeats) as Deltas;
}

/** The deltas of some of a row's events. An event that names no project of the row counts for the first one. */
function toDeltas(events: unknown[], ofRow: Deltas, repeats: Deltas): Deltas {
  const deltas = { ...repeats };
  for (const event of events) {
    const named = String((event as { projectId?: unknown } | null)?.projectId);
    const projectId = Object.hasOwn(ofRow, named) ? named : Object.keys(ofRow)[0];
    if (projectId !== undefined) (deltas[projectId] ??= { accepted: 0, duplicate: 0 }).accepted++;
  }
  return deltas;
}
