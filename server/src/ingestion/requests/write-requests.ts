import { inTransaction, type Store } from '../../database/database.ts';
import type { RequestSample } from './describe-request.ts';
import type { NamedSender } from './named-sender.ts';
import type { Protocol } from './protocols.ts';
import {
  addRequests,
  deleteSurplusSamples,
  findSenders,
  insertSamples,
  type Sender,
  type WrittenSample,
} from './queries.ts';

export interface RequestOutcome {
  protocol: Protocol;
  /** Code of the error; null: it was accepted. */
  reason: string | null;
}

export interface RequestCount extends RequestOutcome {
  /** Sender and outcome as a text. */
  key: string;
  sender: Sender | NamedSender;
  quantity: number;
  /** With the monotonic time of each. */
  samples: (RequestSample & { takenMs: number })[];
  /** Monotonic time at which it was closed. */
  closedMs: number;
}

/** Writes counts and their samples, without those of senders that are of no project. */
export async function writeRequests(
  store: Store,
  counts: readonly RequestCount[],
  nowMs: number,
): Promise<void> {
  const sent = await findProjects(store, counts);
  if (sent.length === 0) return;
  const written = sent.map(({ count: { protocol, reason, quantity, closedMs }, sender }) => ({
    ...sender,
    protocol,
    reason,
    quantity,
    ageMs: nowMs - closedMs,
  }));
  const samples = sent.flatMap(({ count: { protocol, reason, samples: of }, sender }) =>
    of.map(
      ({ takenMs, ...sample }): WrittenSample => ({
        ...sender,
        ...sample,
        protocol,
        reason,
        ageMs: nowMs - takenMs,
      }),
    ),
  );
  if (samples.length === 0) return addRequests(store.pool, written);
  await inTransaction(store, async (transaction) => {
    await addRequests(transaction, written);
    await insertSamples(transaction, samples);
    await deleteSurplusSamples(transaction, [...new Set(samples.map(({ projectId }) => projectId))]);
  });
}

async function findProjects(
  { pool }: Store,
  counts: readonly RequestCount[],
): Promise<{ count: RequestCount; sender: Sender }[]> {
  const named = counts.filter(({ sender }) => !('projectId' in sender));
  const found =
    named.length === 0
      ? []
      : // The filter above left these alone.
        await findSenders(
          pool,
          named.map(({ sender }) => sender as NamedSender),
        );
  const byCount = new Map(named.map((count, index) => [count, found[index] ?? null]));
  return counts.flatMap((count) => {
    const sender = 'projectId' in count.sender ? count.sender : byCount.get(count);
    return sender ? [{ count, sender }] : [];
  });
}
