import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { assert } from '../../platform/assert.ts';
import { ApiError } from '../../platform/errors.ts';
import { newUuid, toId } from '../../platform/ids.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import type { Session } from '../../tenancy/session.ts';
import { GROUP_ERRORS } from '../errors.ts';
import type { GroupRow } from '../group-row.ts';
import { insertHistory } from '../history-queries.ts';
import { MAX_MERGED_GROUPS } from '../limits.ts';
import { lockGroups } from '../queries.ts';
import { requireGroup, requireHead, requireHeads } from '../require-group.ts';
import { insertGroupUpdates } from '../update-queries.ts';
import { shareProjects } from './change-groups.ts';
import {
  addToGroup,
  deleteUsersOfMerged,
  insertUsersOfMerged,
  listMergedIds,
  lockMerges,
  type SeenApart,
  updateMergedInto,
  updateOwnCounts,
} from './merge-queries.ts';

/** Groups that were merged, or separated again. Ids are UUIDs. */
export interface MergedGroups {
  organizationId: string;
  projectId: string;
  groupIds: readonly string[];
  isMerge: boolean;
}

/** Counts the incidents again that the groups lead; it acquires the lock on frames, so it comes last. */
export type RecountIncidents = (transaction: Transaction, merged: MergedGroups) => Promise<void>;

/**
 * Merges groups into another one of the project: their events belong to it as well from now on. No event is
 * rewritten, and each group still counts its own, so that it can be separated again. Groups that were merged into
 * them come with them.
 * @throws ApiError `not_found`, `not_mergeable`, `limit_reached`
 */
export async function mergeGroups(
  store: Store,
  session: Session,
  { id, ids, recountIncidents }: { id: string; ids: readonly string[]; recountIncidents: RecountIncidents },
): Promise<void> {
  const { organizationId } = session;
  await inTransaction(store, async (transaction) => {
    const head = await lockHead(transaction, organizationId, id);
    const heads = await requireHeads(transaction, organizationId, ids, new Date(transaction.now()));
    await shareProjects(transaction, organizationId, [head, ...heads]);
    const sourceIds = [...new Set(heads.map((group) => group.id))].filter((one) => one !== head.id);
    const memberIds = await listMergedIds(transaction, [head.id, ...sourceIds]);
    const groups = await lockGroups(transaction, [head.id, ...sourceIds, ...memberIds].toSorted());
    const target = groups.find((group) => group.id === head.id);
    const sources = groups.filter((group) => sourceIds.includes(group.id));
    if (!target || sources.length === 0) return;
    assertMergeable(target, sources, groups);

    const moved = groups.filter(
      ({ id: one, mergedInto }) => sourceIds.includes(one) || (mergedInto && sourceIds.includes(mergedInto)),
    );
    for (const source of sources) {
      const ofMembers = groups.reduce(
        (sum, { mergedInto, count }) => (mergedInto === source.id ? sum + count : sum),
        0,
      );
      // Its count of others moves with them, once.
      assert(source.count >= ofMembers, 'A group counts fewer events than those merged into it.');
      await addToGroup(transaction, target.id, source.count);
      await addToGroup(transaction, source.id, -ofMembers);
    }
    const movedIds = moved.map((group) => group.id);
    assert(!movedIds.includes(target.id), 'A group would be merged into itself.');
    await updateMergedInto(transaction, movedIds, target.id);
    await insertUsersOfMerged(transaction, target.id, movedIds);
    for (const one of [...sources, target]) {
      const apart = groups.filter(({ mergedInto }) => one !== target && mergedInto === one.id);
      await updateOwnCounts(transaction, organizationId, one.id, seenOf(apart));
      await addToGroup(transaction, one.id, 0);
    }
    await record(transaction, session, { target, groups: sources, action: 'group.merged' });
    const { projectId } = target;
    await recountIncidents(transaction, { organizationId, projectId, groupIds: [target.id], isMerge: true });
  });
}

/** First and last seen of groups together; null: there are none. */
function seenOf([first, ...more]: readonly GroupRow[]): SeenApart | null {
  if (!first) return null;
  return more.reduce<SeenApart>(
    (seen, { firstSeen, lastSeen }) => ({
      firstSeen: firstSeen < seen.firstSeen ? firstSeen : seen.firstSeen,
      lastSeen: lastSeen > seen.lastSeen ? lastSeen : seen.lastSeen,
    }),
    first,
  );
}

/**
 * Locks the group while no other transaction merges groups of its project: two that merge at the same time could
 * otherwise merge a group into one that is merged itself, or two into each other.
 */
async function lockHead(transaction: Transaction, organizationId: string, id: string): Promise<GroupRow> {
  const now = new Date(transaction.now());
  const { projectId } = await requireHead(transaction, organizationId, id, now);
  await lockMerges(transaction, projectId);
  return requireHead(transaction, organizationId, id, now);
}

/** @throws ApiError `not_mergeable`, `limit_reached` */
function assertMergeable(target: GroupRow, sources: readonly GroupRow[], groups: readonly GroupRow[]): void {
  const isForeign = sources.some(({ projectId }) => projectId !== target.projectId);
  if (isForeign || [target, ...sources].some(({ number }) => number === 0))
    throw new ApiError(
      GROUP_ERRORS.not_mergeable,
      'Only groups of one project can be merged; the catch-all group cannot be merged.',
    );
  if (groups.length - 1 > MAX_MERGED_GROUPS)
    throw new ApiError('limit_reached', `Up to ${MAX_MERGED_GROUPS} groups can be merged into one.`);
}

/**
 * Separates a group from the one that it was merged into.
 * @throws ApiError `not_found` if it is not merged into it
 */
export async function separateGroup(
  store: Store,
  session: Session,
  { id, mergedId, recountIncidents }: { id: string; mergedId: string; recountIncidents: RecountIncidents },
): Promise<void> {
  const { organizationId } = session;
  await inTransaction(store, async (transaction) => {
    const head = await lockHead(transaction, organizationId, id);
    const merged = await requireGroup(transaction, organizationId, mergedId, new Date(transaction.now()));
    await shareProjects(transaction, organizationId, [head]);
    const groups = await lockGroups(transaction, [head.id, merged.id].toSorted());
    const target = groups.find((group) => group.id === head.id);
    const group = groups.find((one) => one.id === merged.id);
    if (!target || group?.mergedInto !== target.id) throw new ApiError('not_found', 'Group not found.');
    assert(target.count >= group.count, 'A group counts fewer events than one merged into it.');
    await updateMergedInto(transaction, [group.id], null);
    await deleteUsersOfMerged(transaction, target.id, group.id);
    await addToGroup(transaction, target.id, -group.count);
    await updateOwnCounts(transaction, organizationId, target.id, group);
    await record(transaction, session, { target, groups: [group], action: 'group.separated' });
    const { projectId } = target;
    const groupIds = [target.id, group.id];
    await recountIncidents(transaction, { organizationId, projectId, groupIds, isMerge: false });
  });
}

async function record(
  transaction: Transaction,
  session: Session,
  change: { target: GroupRow; groups: readonly GroupRow[]; action: 'group.merged' | 'group.separated' },
): Promise<void> {
  const { target, groups, action } = change;
  const nowMs = transaction.now();
  const isMerge = action === 'group.merged';
  const names = { groups: groups.map(({ id }) => toId('grp', id)) };
  const into = { mergedInto: toId('grp', target.id) };
  const apart = { mergedInto: null };
  const entry = { userId: session.user.id, createdAt: new Date(nowMs) };
  await insertHistory(transaction, [
    {
      ...entry,
      id: newUuid(nowMs),
      group: target,
      before: {},
      after: isMerge ? { merged: names.groups } : { separated: names.groups },
    },
    ...groups.map((group) => ({
      ...entry,
      id: newUuid(nowMs),
      group,
      before: isMerge ? apart : into,
      after: isMerge ? into : apart,
    })),
  ]);
  await insertGroupUpdates(transaction, isMerge ? 'group_merged' : 'group_separated', groups);
  await insertGroupUpdates(transaction, 'group_changed', [target]);
  await recordChange(transaction, session, {
    action,
    target: ['grp', target.id],
    before: isMerge ? null : names,
    after: isMerge ? names : null,
  });
}
