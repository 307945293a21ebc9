import { inTransaction, type Queryable, type Store, type Transaction } from '../database/database.ts';
import {
  type Deltas,
  findClaims,
  insertBatch,
  insertClaims,
  listValidKeyIds,
  type ProjectClaim,
} from './queries.ts';
import type { AppendResult, IntakeItem, IntakeQueue } from './queue.ts';

const QUEUED: AppendResult = { status: 'queued' };
const REFUSED: AppendResult = { status: 'refused' };

/** The queue in PostgreSQL: a batch is one row of one commit. */
export function createPostgresQueue(store: Store): IntakeQueue {
  return {
    async append(items) {
      const claims = items.some((item) => item.claim !== null);
      if (!claims && (await insert(store.pool, items, new Set(), keyIdsOf(items))))
        return items.map(() => QUEUED);
      return appendTransactionally(store, items);
    },
  };
}

/**
 * For batches with claims, or with a key that was just revoked: one transaction leaves out the items of revoked keys,
 * inserts the claims, and adds the events of the items that won theirs.
 */
async function appendTransactionally(store: Store, items: IntakeItem[]): Promise<AppendResult[]> {
  return inTransaction(store, async (transaction) => {
    const valid = await listValidKeyIds(transaction, keyIdsOf(items));
    const accepted = items.filter((item) => valid.has(item.keyId));
    const repeats = await claim(transaction, accepted);
    if (accepted.length > 0) await insert(transaction, accepted, repeats, []);
    return items.map((item): AppendResult => {
      if (!valid.has(item.keyId)) return REFUSED;
      const repeated = repeats.get(item);
      return repeated ? { status: 'repeated', claim: repeated } : QUEUED;
    });
  });
}

/** @returns for each item that lost its claim the earlier one that holds the key */
async function claim(transaction: Transaction, items: IntakeItem[]): Promise<Map<IntakeItem, ProjectClaim>> {
  const claims = items.flatMap(({ projectId, claim: wanted }) => (wanted ? [{ projectId, ...wanted }] : []));
  const won = await insertClaims(transaction, claims, new Date(transaction.now()));
  const lost = claims.filter(({ jobId }) => !won.has(jobId));
  const winners = lost.length > 0 ? await findClaims(transaction, lost) : [];
  const byKey = new Map(winners.map((winner) => [`${winner.projectId} ${winner.key}`, winner]));
  const repeats = new Map<IntakeItem, ProjectClaim>();
  for (const item of items) {
    if (!item.claim || won.has(item.claim.jobId)) continue;
    const winner = byKey.get(`${item.projectId} ${item.claim.key}`);
    // It expired between the two statements: a retry of the sender wins.
    if (!winner) throw new Error('A claim vanished while it was read.');
    repeats.set(item, winner);
  }
  return repeats;
}

function insert(
  database: Queryable,
  items: IntakeItem[],
  repeats: ReadonlyMap<IntakeItem, unknown> | ReadonlySet<IntakeItem>,
  keyIds: string[],
): Promise<boolean> {
  const texts: string[] = [];
  const deltas: Deltas = {};
  for (const item of items) {
    const delta = (deltas[item.projectId] ??= { accepted: 0, duplicate: 0 });
    delta.accepted += item.events.length;
    if (repeats.has(item)) delta.duplicate += item.events.length;
    else for (const event of item.events) texts.push(event);
  }
  return insertBatch(database, { eventsJson: `[${texts.join(',')}]`, deltas, keyIds });
}

function keyIdsOf(items: IntakeItem[]): string[] {
  return [...new Set(items.map((item) => item.keyId))];
}
