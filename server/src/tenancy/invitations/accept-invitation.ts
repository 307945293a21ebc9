import { inTransaction, type Store } from '../../database/database.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { toId } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import { organizationIsFull } from '../organizations/change-members.ts';
import { ORGANIZATION_ERRORS } from '../organizations/errors.ts';
import { type Move, moveMember } from '../organizations/move-member.ts';
import type { Session } from '../session.ts';
import { notifySessionsChanged } from '../session-queries.ts';
import { assertIsFor, requireInvitation, useInvitation } from './use-invitation.ts';

const MAX_NAMED = 3;

/**
 * Moves the user of the session into the organization of an invitation, by the rule for adding members: the user's own
 * organization must have no other member and no project.
 * @throws ApiError `invalid_invitation`, `invitation_for_other`, `already_member`, `not_movable`, `limit_reached`
 */
export async function acceptInvitation(store: Store, session: Session, token: string): Promise<void> {
  const { user } = session;
  await inTransaction(store, async (transaction) => {
    const found = await requireInvitation(transaction, token, confirmedTime(transaction));
    assertIsFor(found, user.email);
    const { organizationId, role } = found;
    // Before the invitation is marked, since it locks both organizations in the order of their ids. A failure below
    // undoes it.
    const move = await moveMember(transaction, {
      userId: user.id,
      organizationId,
      role,
      isConfirmed: true,
    });
    if (move.result !== 'moved') throw refusalOf(move);
    const invitation = await useInvitation(transaction, token, user.email);
    await recordChange(
      transaction,
      { organizationId, user },
      {
        action: 'member.joined',
        target: ['usr', user.id],
        before: null,
        after: { role, invitationId: toId('inv', invitation.id) },
      },
    );
    await notifySessionsChanged(transaction);
  });
}

/**
 * Reason for which the user cannot move; the sentences name the obstacle, since the user sees only their own
 * organization.
 */
function refusalOf(move: Exclude<Move, { result: 'moved' }>): ApiError {
  switch (move.result) {
    case 'already a member':
      return new ApiError(
        ORGANIZATION_ERRORS.already_member,
        'You are already a member of this organization.',
      );
    case 'full':
      return organizationIsFull();
    case 'has projects':
      return notMovable(
        `${nameOf(move)} has ${move.projects.length === 1 ? 'a project' : 'projects'}: ${nameSome(move.projects)}. A user belongs to one organization. Delete ${move.projects.length === 1 ? 'it' : 'them'} first, or accept with another account.`,
      );
    case 'has members':
      return notMovable(
        `${nameOf(move)} has other members. A user belongs to one organization: leave it first, or accept with another account.`,
      );
    case 'left meanwhile':
      return notMovable('You have just been moved to another organization. Try again.');
    default:
      return new ApiError('unauthenticated', 'This account or organization has just been removed.');
  }
}

function notMovable(sentence: string): ApiError {
  return new ApiError(ORGANIZATION_ERRORS.not_movable, sentence);
}

function nameOf({ organization }: { organization: { name: string } | null }): string {
  return `Your current organization${organization ? `, ${organization.name},` : ''}`;
}

function nameSome(names: string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
