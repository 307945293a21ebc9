import { inTransaction, type Store, type Transaction } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { toUuid } from '../../platform/ids.ts';
import { changedFields } from '../../tenancy/audit/changed-fields.ts';
import { recordChange } from '../../tenancy/audit/record-change.ts';
import { findMembership } from '../../tenancy/organizations/queries.ts';
import { shareProject } from '../../tenancy/projects/lock-queries.ts';
import type { Session } from '../../tenancy/session.ts';
import type { GroupRow } from '../group-row.ts';
import { lockGroupsForChange } from '../lock-for-change.ts';
import { listLatestReleases } from '../release-orders.ts';
import { requireHeads } from '../require-group.ts';
import { stateOf } from '../state-queries.ts';
import { type StateChange, writeStates } from '../write-states.ts';
import { applyChange, readChange } from './plan-change.ts';
import type { GroupPatch } from './schema.ts';

const CHANGEABLE = [
  'state',
  'resolution',
  'resolvedAt',
  'resolvedRelease',
  'muteUntil',
  'muteUntilCount',
  'muteRateCount',
  'muteRateSeconds',
  'regressedAt',
  'assigneeId',
] as const;

/**
 * Changes state and assignee of groups for a user, all of them or none: an entry in the history and in the audit log
 * for each. An equal value is no change. A merged group stands for the one that it was merged into.
 * @throws ApiError `not_found`, `validation_failed`, `no_release`
 */
export async function changeGroups(
  store: Store,
  session: Session,
  ids: readonly string[],
  patch: GroupPatch,
): Promise<GroupRow[]> {
  return inTransaction(store, async (transaction) => {
    const assigneeId = await readAssignee(transaction, session.organizationId, patch.assigneeId);
    const now = new Date(transaction.now());
    const change = readChange(patch, now.getTime(), assigneeId);
    const heads = await requireHeads(transaction, session.organizationId, ids, now);
    await shareProjects(transaction, session.organizationId, heads);
    const locked = await lockGroupsForChange(transaction, [...new Set(heads.map(({ id }) => id))].toSorted());
    const latest = await listLatestReleases(transaction, [
      ...new Set(locked.map(({ projectId }) => projectId)),
    ]);
    const planned = locked.map((before) => ({
      before,
      at: now,
      after: applyChange(before, change, { now, latestRelease: latest.get(before.projectId) ?? null }),
    }));
    const changed = planned.filter(
      ({ before, after }) => changedFields(before, after, CHANGEABLE).length > 0,
    );
    if (changed.length > 0) await writeChanges(transaction, session, changed);
    return planned.map(({ after }) => after);
  });
}

/** @throws ApiError `not_found` for a project that is being deleted */
export async function shareProjects(
  transaction: Transaction,
  organizationId: string,
  groups: readonly GroupRow[],
): Promise<void> {
  for (const projectId of [...new Set(groups.map((group) => group.projectId))].toSorted()) {
    if (!(await shareProject(transaction, organizationId, projectId)))
      throw new ApiError('not_found', 'Group not found.');
  }
}

async function writeChanges(
  transaction: Transaction,
  session: Session,
  changed: readonly StateChange[],
): Promise<void> {
  await writeStates(transaction, changed, session.user.id);
  for (const { before, after } of changed) {
    await recordChange(transaction, session, {
      action: 'group.changed',
      target: ['grp', before.id],
      before: stateOf(before),
      after: stateOf(after),
    });
  }
}

/** @returns undefined: the patch names none */
async function readAssignee(
  transaction: Transaction,
  organizationId: string,
  assigneeId: string | null | undefined,
): Promise<string | null | undefined> {
  if (assigneeId === undefined || assigneeId === null) return assigneeId;
  const userId = toUuid('usr', assigneeId);
  if (userId !== null && (await findMembership(transaction, userId))?.organizationId === organizationId)
    return userId;
  throw new ApiError('validation_failed', 'body/assigneeId must be a member of the organization.', {
    fields: [{ pointer: '/assigneeId', message: 'must be a member of the organization' }],
  });
}
