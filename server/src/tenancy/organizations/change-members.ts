import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId, toUuid } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Role, Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { ORGANIZATION_ERRORS } from './errors.ts';
import { assertNotLastOwner, moveToNewOrganization } from './leave-organization.ts';
import { MAX_MEMBERS, type Move, moveMember } from './move-member.ts';
import { insertNotice } from './notice-queries.ts';
import type { NoticeKind } from './notice-schema.ts';
import { findMembership, lockOrganization, updateMemberRole } from './queries.ts';
import type { MemberRow } from './schema.ts';

/**
 * Asserts that the user is an OWNER of this organization; the error reveals nothing about it to others.
 * @throws ApiError `forbidden`
 */
export function assertOwner(
  session: Session,
  organizationId: string = toId('org', session.organizationId),
): void {
  if (toUuid('org', organizationId) === session.organizationId && session.role === 'OWNER') return;
  throw new ApiError('forbidden', 'Only an OWNER can do this.');
}

/**
 * Moves an existing user into the caller's organization, with a notice. The user's previous organization must have no
 * other member and no project; it is deleted.
 * @throws ApiError `already_member`, `limit_reached`, or `not_found` for a user who does not exist or cannot be moved:
 * the caller cannot tell the two apart
 */
export async function addMember(
  store: Store,
  session: Session,
  input: { userId: string; role: Role },
): Promise<MemberRow> {
  const userId = toUuid('usr', input.userId);
  return inTransaction(store, async (transaction) => {
    if (!userId) throw noSuchUser();
    const { organizationId } = session;
    const move = await moveMember(transaction, {
      userId,
      organizationId,
      role: input.role,
      isConfirmed: false,
    });
    if (move.result !== 'moved') throw refusalOf(move);
    await recordChange(transaction, session, {
      action: 'member.added',
      target: ['usr', userId],
      before: null,
      after: { role: input.role },
    });
    await notifyMember(transaction, session, 'member_added', userId);
    await notifySessionsChanged(transaction);
    return move.member;
  });
}

/**
 * Reason for which a user is not added. Only for a user who could be moved does an error reveal that the id exists.
 */
function refusalOf({ result }: Move): ApiError {
  switch (result) {
    case 'no such organization':
      return new ApiError('unauthenticated', 'This organization has just been removed.');
    case 'already a member':
      return new ApiError(
        ORGANIZATION_ERRORS.already_member,
        'This user is already a member of this organization.',
      );
    case 'full':
      return organizationIsFull();
    default:
      return noSuchUser();
  }
}

export function organizationIsFull(): ApiError {
  return new ApiError('limit_reached', `An organization can have up to ${MAX_MEMBERS} members.`);
}

/** @throws ApiError `not_found`, `last_owner` */
export async function changeRole(
  store: Store,
  session: Session,
  input: { userId: string; role: Role },
): Promise<MemberRow> {
  return inTransaction(store, async (transaction) => {
    const member = await requireOwnMember(transaction, session, input.userId);
    if (input.role === 'MEMBER') await assertNotLastOwner(transaction, session.organizationId, member);
    if (input.role !== member.role) {
      await updateMemberRole(transaction, session.organizationId, member.id, input.role);
      await recordChange(transaction, session, {
        action: 'member.role_changed',
        target: ['usr', member.id],
        before: { role: member.role },
        after: { role: input.role },
      });
    }
    return { ...member, role: input.role };
  });
}

/**
 * Removes a user from the organization; the user gets a new, empty one.
 * @returns the UUID of the user
 * @throws ApiError `not_found`, `last_owner`
 */
export async function removeMember(store: Store, session: Session, userId: string): Promise<string> {
  return inTransaction(store, async (transaction) => {
    const member = await requireOwnMember(transaction, session, userId);
    await assertNotLastOwner(transaction, session.organizationId, member);
    await moveToNewOrganization(transaction, member);
    await recordChange(transaction, session, {
      action: 'member.removed',
      target: ['usr', member.id],
      before: { role: member.role },
      after: null,
    });
    if (member.id !== session.user.id) await notifyMember(transaction, session, 'member_removed', member.id);
    await notifySessionsChanged(transaction);
    return member.id;
  });
}

/** @throws ApiError `not_found`; the transaction has locked the organization's row afterwards */
export async function requireOwnMember(
  transaction: Transaction,
  session: Session,
  userId: string,
): Promise<MemberRow> {
  await lockOrganization(transaction, session.organizationId);
  const uuid = toUuid('usr', userId);
  const member = uuid && (await findMembership(transaction, uuid));
  if (!member || member.organizationId !== session.organizationId) {
    throw new ApiError('not_found', 'This organization has no such member.');
  }
  return member;
}

function noSuchUser(): ApiError {
  return new ApiError(
    'not_found',
    'No user with this id can be added. The user’s current organization must have no projects and no other members.',
  );
}

export function notifyMember(
  transaction: Transaction,
  { organization, user }: Session,
  kind: NoticeKind,
  userId: string,
): Promise<void> {
  const now = transaction.now();
  return insertNotice(transaction, userId, {
    id: newUuid(now),
    kind,
    organizationId: organization.id,
    organizationName: organization.name,
    actorId: user.id,
    actorName: user.name,
    projectId: null,
    projectName: null,
    environment: null,
    createdAt: new Date(now),
  });
}
