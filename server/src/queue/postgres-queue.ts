import {
  inTransaction,
  onConnection,
  positionsOf,
  type Queryable,
  type Store,
  type Transaction,
} from '../database/database.ts';
import { isUniqueViolation } from '../database/sql-state.ts';
import { assert } from '../platform/assert.ts';
import {
  type Batch,
  type Deltas,
  findClaims,
  insertBatch,
  insertClaimingBatch,
  insertClaims,
  listValidKeyIds,
  type ProjectClaim,
} from './queries.ts';
import type { AppendResult, IntakeItem, SpoolableQueue } from './queue.ts';

const QUEUED: AppendResult = { status: 'queued' };
const REFUSED: AppendResult = { status: 'refused' };
const NO_REPEATS: ReadonlyMap<IntakeItem, unknown> = new Map();

/** The queue in PostgreSQL: a batch is one row of one commit, made by one statement unless a request is a repeat. */
export function createPostgresQueue(store: Store): SpoolableQueue {
  return {
    async append(items) {
      if (await insertAtOnce(store, items)) return items.map(() => QUEUED);
      return appendTransactionally(store, items);
    },
    appendSpooled: (items, settle) => appendTransactionally(store, items, settle),
  };
}

async function insertAtOnce({ pool, clock }: Store, items: IntakeItem[]): Promise<boolean> {
  const batch = toBatch(items, NO_REPEATS, keyIdsOf(items));
  const claims = claimsOf(items);
  const positions = positionsOf(pool);
  const insert = (database: Queryable, notePosition: ((position: number) => void) | null) =>
    claims.length === 0
      ? insertBatch(database, batch, notePosition)
      : insertClaimingBatch(database, batch, { claims, now: new Date(clock.now()) }, notePosition);
  try {
    if (!positions) return await insert(pool, null);
    return await onConnection(pool, (client) =>
      insert(client, (position) => positions.noteCommit(position, client)),
    );
  } catch (error) {
    if (isUniqueViolation(error, 'claims_pkey')) return false;
    throw error;
  }
}

/**
 * Appends batches with repeats, or with a key that was just revoked: one transaction leaves out the items of revoked
 * keys, inserts the claims, and adds the events of the items that won theirs.
 */
async function appendTransactionally(
  store: Store,
  items: IntakeItem[],
  settle?: (transaction: Transaction, results: AppendResult[]) => Promise<void>,
): Promise<AppendResult[]> {
  return inTransaction(store, async (transaction) => {
    const valid = await listValidKeyIds(transaction, keyIdsOf(items));
    const accepted = items.filter((item) => valid.has(item.keyId));
    const repeats = await claim(transaction, accepted);
    const counted = settle ? accepted.filter((item) => !repeats.has(item)) : accepted;
    if (counted.length > 0)
      await insertBatch(transaction, { ...toBatch(counted, repeats, []), isSpooled: settle !== undefined });
    const results = items.map((item): AppendResult => {
      if (!valid.has(item.keyId)) return REFUSED;
      const repeated = repeats.get(item);
      return repeated ? { status: 'repeated', claim: repeated } : QUEUED;
    });
    await settle?.(transaction, results);
    return results;
  });
}

/** @returns for each item that lost its claim the earlier one that holds the key */
async function claim(transaction: Transaction, items: IntakeItem[]): Promise<Map<IntakeItem, ProjectClaim>> {
  const claims = claimsOf(items);
  const won = await insertClaims(transaction, claims, new Date(transaction.now()));
  const lost = claims.filter(({ jobId }) => !won.has(jobId));
  const winners = lost.length > 0 ? await findClaims(transaction, lost) : [];
  const byKey = new Map(winners.map((winner) => [`${winner.projectId} ${winner.key}`, winner]));
  const repeats = new Map<IntakeItem, ProjectClaim>();
  for (const item of items) {
    if (!item.claim || won.has(item.claim.jobId)) continue;
    const winner = byKey.get(`${item.projectId} ${item.claim.key}`);
    // It expired between the two statements: a retry of the sender wins.
    if (!winner) throw new Error('A claim disappeared while it was read.');
    repeats.set(item, winner);
  }
  return repeats;
}

function toBatch(items: IntakeItem[], repeats: ReadonlyMap<IntakeItem, unknown>, keyIds: string[]): Batch {
  const texts: string[] = [];
  const deltas: Deltas = {};
  for (const item of items) {
    const delta = (deltas[item.projectId] ??= { accepted: 0, duplicate: 0 });
    delta.accepted += item.events.length;
    if (repeats.has(item)) delta.duplicate += item.events.length;
    else for (const event of item.events) texts.push(event);
  }
  const counted = Object.values(deltas).reduce(
    (sum, { accepted, duplicate }) => sum + accepted - duplicate,
    0,
  );
  assert(counted === texts.length, 'The ledger’s count differs from the events of the batch.');
  return { eventsJson: `[${texts.join(',')}]`, deltas, keyIds, isSpooled: false };
}

function claimsOf(items: IntakeItem[]): ProjectClaim[] {
  return items.flatMap(({ projectId, claim: wanted }) => (wanted ? [{ projectId, ...wanted }] : []));
}

function keyIdsOf(items: IntakeItem[]): string[] {
  return [...new Set(items.map((item) => item.keyId))];
}
