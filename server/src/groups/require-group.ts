import type { Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { toUuid } from '../platform/ids.ts';
import type { GroupRow } from './group-row.ts';
import { findGroup } from './queries.ts';

/**
 * Returns the organization's group with this public id, with its state at a time; for a merged group, the one that it
 * was merged into.
 * @throws ApiError `not_found`, also for a group of another organization: the answers do not differ
 */
export async function requireHead(
  database: Queryable,
  organizationId: string,
  id: string,
  at: Date,
): Promise<GroupRow> {
  const group = await requireGroup(database, organizationId, id, at);
  const head = group.mergedInto ? await findGroup(database, organizationId, group.mergedInto, at) : group;
  return head ?? group;
}

/** The group itself, merged or not. @throws ApiError `not_found` */
export async function requireGroup(
  database: Queryable,
  organizationId: string,
  id: string,
  at: Date,
): Promise<GroupRow> {
  const groupId = toUuid('grp', id);
  const group = groupId && (await findGroup(database, organizationId, groupId, at));
  if (!group) throw new ApiError('not_found', 'Group not found.');
  return group;
}

/** @throws ApiError `not_found` if one of them is unknown */
export async function requireHeads(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
  at: Date,
): Promise<GroupRow[]> {
  const heads: GroupRow[] = [];
  for (const id of new Set(ids)) heads.push(await requireHead(database, organizationId, id, at));
  return heads;
}
