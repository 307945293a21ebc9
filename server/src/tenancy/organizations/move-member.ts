import type { Transaction } from '../../database/database.ts';
import type { Role } from '../session.ts';
import {
  deleteEmptyOrganization,
  findMembership,
  listMembers,
  listProjectNames,
  lockOrganization,
  updateMembership,
} from './queries.ts';
import type { MemberRow, OrganizationRow } from './schema.ts';

/** Maximum members of an organization. */
export const MAX_MEMBERS = 500;

/** Outcome of a move; everything but `moved` leaves the user in the organization. */
export type Move =
  | { result: 'moved'; member: MemberRow }
  | { result: 'no such user' | 'no such organization' | 'already a member' | 'full' }
  | { result: 'has members' | 'left meanwhile'; organization: OrganizationRow | null }
  | { result: 'has projects'; organization: OrganizationRow | null; projects: string[] };

/**
 * Moves a user into an organization, whose row the transaction has locked afterwards. The user's previous
 * organization must have no other member and no project; it is deleted.
 * @param isConfirmed true if the user asked for it
 */
export async function moveMember(
  transaction: Transaction,
  {
    userId,
    organizationId,
    role,
    isConfirmed,
  }: { userId: string; organizationId: string; role: Role; isConfirmed: boolean },
): Promise<Move> {
  const before = await findMembership(transaction, userId);
  if (!before) return { result: 'no such user' };
  // Sorted by id, so that two concurrent moves do not deadlock.
  const locked = new Map<string, OrganizationRow | null>();
  for (const id of [...new Set([organizationId, before.organizationId])].toSorted()) {
    locked.set(id, await lockOrganization(transaction, id));
  }
  if (!locked.get(organizationId)) return { result: 'no such organization' };

  const member = await findMembership(transaction, userId);
  if (!member) return { result: 'no such user' };
  if (member.organizationId === organizationId) return { result: 'already a member' };
  const left = member.organizationId;
  const organization = locked.get(left) ?? null;
  if (left !== before.organizationId) return { result: 'left meanwhile', organization };
  if ((await listMembers(transaction, left)).length > 1) return { result: 'has members', organization };
  const projects = await listProjectNames(transaction, left);
  if (projects.length > 0) return { result: 'has projects', organization, projects };
  if ((await listMembers(transaction, organizationId)).length >= MAX_MEMBERS) return { result: 'full' };

  const createdAt = new Date(transaction.now());
  await updateMembership(transaction, organizationId, { userId, role, createdAt, isConfirmed });
  // Deleted projects that are not purged yet keep its row, which is deleted with the last of them.
  await deleteEmptyOrganization(transaction, left);
  return {
    result: 'moved',
    member: { ...member, role, createdAt, confirmedAt: isConfirmed ? createdAt : null },
  };
}
