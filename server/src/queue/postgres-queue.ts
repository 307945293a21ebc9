import type { Clock } from '../platform/clock.ts';
import { inTransaction, type Pool } from '../platform/database.ts';
import { type Deltas, findClaims, insertBatch, insertClaims, type ProjectClaim } from './queries.ts';
import type { AppendResult, IntakeItem, IntakeQueue } from './queue.ts';

/** The queue in PostgreSQL: a batch is one row of one commit. */
export function createPostgresQueue(pool: Pool, clock: Clock): IntakeQueue {
  return {
    async append(items) {
      if (items.every((item) => item.claim === null)) {
        await insertBatch(pool, toJson(items), toDeltas(items, new Set()));
        return items.map(() => null);
      }
      return appendWithClaims(pool, clock, items);
    },
  };
}

/** The claims and the events of those that won them are committed together, or neither. */
async function appendWithClaims(pool: Pool, clock: Clock, items: IntakeItem[]): Promise<AppendResult[]> {
  const claims: ProjectClaim[] = items.flatMap(({ projectId, claim }) =>
    claim ? [{ projectId, ...claim }] : [],
  );
  return inTransaction(pool, async (transaction) => {
    const won = await insertClaims(transaction, claims, new Date(clock.now()));
    const lost = claims.filter((claim) => !won.has(claim.jobId));
    const winners = new Map<string, ProjectClaim>();
    for (const winner of lost.length > 0 ? await findClaims(transaction, lost) : []) {
      winners.set(`${winner.projectId} ${winner.key}`, winner);
    }
    const results = items.map(({ projectId, claim }): AppendResult => {
      if (!claim || won.has(claim.jobId)) return null;
      const winner = winners.get(`${projectId} ${claim.key}`);
      // It expired between the two statements: the sender tries again and wins.
      if (!winner) throw new Error('A claim vanished while it was read.');
      return winner;
    });
    const fresh = items.filter((_, index) => results[index] === null);
    const repeats = new Set(items.filter((_, index) => results[index] !== null));
    await insertBatch(transaction, toJson(fresh), toDeltas(items, repeats));
    return results;
  });
}

function toJson(items: IntakeItem[]): string {
  return `[${items.map((item) => item.events.join(',')).join(',')}]`;
}

function toDeltas(items: IntakeItem[], repeats: Set<IntakeItem>): Deltas {
  const deltas: Deltas = {};
  for (const item of items) {
    const delta = (deltas[item.projectId] ??= { accepted: 0, duplicate: 0 });
    delta.accepted += item.events.length;
    if (repeats.has(item)) delta.duplicate += item.events.length;
  }
  return deltas;
}
