import { inTransaction, type Store } from '../../database/database.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { recordChange } from '../audit/record-change.ts';
import { lockOrganization } from '../organizations/queries.ts';
import { generateSecret } from '../secret-format.ts';
import type { Role, Session } from '../session.ts';
import { deleteOpenInvitation, insertInvitation, listOpenInvitations } from './queries.ts';
import type { InvitationRow } from './schema.ts';

/** Maximum open invitations of an organization. */
const MAX_OPEN = 100;

/** The token exists only here and in the link: the database stores its hash. */
export interface IssuedInvitation {
  row: InvitationRow;
  token: string;
}

/**
 * Creates an invitation into the organization of the session, whose user is an OWNER.
 * @param input.email normalized
 * @throws ApiError `limit_reached`
 */
export async function invite(
  store: Store,
  session: Session,
  input: { role: Role; email: string | null; expiresInDays: number },
): Promise<IssuedInvitation> {
  const { user, organizationId } = session;
  return inTransaction(store, async (transaction) => {
    // Serializes the count.
    if (!(await lockOrganization(transaction, organizationId))) {
      throw new ApiError('unauthenticated', 'This organization has just been removed.');
    }
    const nowMs = transaction.now();
    const createdAt = new Date(nowMs);
    if ((await listOpenInvitations(transaction, organizationId, createdAt)).length >= MAX_OPEN) {
      throw new ApiError(
        'limit_reached',
        `An organization can have up to ${MAX_OPEN} open invitations. Revoke one first.`,
      );
    }
    const { secret: token, hash } = generateSecret('tsn_inv_');
    const row: InvitationRow = {
      id: newUuid(nowMs),
      organizationId,
      role: input.role,
      email: input.email,
      createdBy: user.id,
      creatorName: user.name,
      createdAt,
      expiresAt: new Date(nowMs + input.expiresInDays * DAY_MS),
    };
    await insertInvitation(transaction, { ...row, hash });
    await recordChange(transaction, session, {
      action: 'invitation.created',
      target: ['inv', row.id],
      before: null,
      after: { role: row.role, email: row.email, expiresAt: isoTime(row.expiresAt) },
    });
    return { row, token };
  });
}

/** @throws ApiError `not_found` */
export async function revokeInvitation(store: Store, session: Session, id: string): Promise<void> {
  const invitationId = toUuid('inv', id);
  await inTransaction(store, async (transaction) => {
    const revoked =
      invitationId && (await deleteOpenInvitation(transaction, session.organizationId, invitationId));
    if (!revoked) throw new ApiError('not_found', 'This organization has no such open invitation.');
    await recordChange(transaction, session, {
      action: 'invitation.revoked',
      target: ['inv', invitationId],
      before: { role: revoked.role, email: revoked.email },
      after: null,
    });
  });
}
