import type { Transaction } from '../../database/database.ts';
import { type IdPrefix, newUuid, toId } from '../../platform/ids.ts';
import { insertAuditEntry } from './queries.ts';

/** User and organization of a change: a session. UUIDs. */
export interface Actor {
  organizationId: string;
  user: { id: string };
  /** Access token of the request. */
  token?: { id: string; name: string } | null;
}

export interface Change {
  /** `resource.past_participle` */
  action: string;
  /** Id of the changed row: its prefix and its UUID. */
  target: [kind: IdPrefix, uuid: string];
  /** Fields before and after; never a secret. */
  before: object | null;
  after: object | null;
}

/** Writes the audit entry of a change, in the transaction that makes the change. */
export async function recordChange(transaction: Transaction, actor: Actor, change: Change): Promise<void> {
  const now = transaction.now();
  const [kind, uuid] = change.target;
  await insertAuditEntry(transaction, actor.organizationId, {
    id: newUuid(now),
    userId: actor.user.id,
    tokenId: actor.token?.id ?? null,
    tokenName: actor.token?.name ?? null,
    action: change.action,
    targetId: toId(kind, uuid),
    before: change.before,
    after: change.after,
    createdAt: new Date(now),
  });
}
