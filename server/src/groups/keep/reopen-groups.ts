import type { Queryable } from '../../database/database.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import { enqueueChanges } from '../../outbox/enqueue-changes.ts';
import type { GroupRow } from '../group-row.ts';
import { lockGroups } from '../queries.ts';
import { listReleaseOrders, type ReleaseOrders } from '../release-orders.ts';
import { countInPeriods, OPEN, updateWatched } from '../state-queries.ts';
import { writeStates } from '../write-states.ts';
import type { Arrival } from './count-queries.ts';
import { newGroupChange } from './create-groups.ts';
import { decideReopening } from './decide-reopening.ts';

/** A group with all events that came to it. */
interface GroupArrivals {
  head: GroupRow;
  releases: Map<string | null, number>;
  receivedMs: number;
  releaseBefore: string | null;
}

/**
 * Reopens regressed groups, ends mutes and tells of groups that a watched environment has for the first time, after the events of a batch were counted. The groups are locked.
 * @returns the number of regressed groups
 */
export async function reopenGroups(transaction: Queryable, arrivals: readonly Arrival[]): Promise<number> {
  if (arrivals.length === 0) return 0;
  const byGroup = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const list = byGroup.get(arrival.groupId);
    if (list) list.push(arrival);
    else byGroup.set(arrival.groupId, [arrival]);
  }
  const heads = await lockGroups(transaction, [...byGroup.keys()].toSorted());
  await announceGroups(
    transaction,
    heads.filter(({ isWatched }) => !isWatched),
    byGroup,
  );
  const arrived = heads.map((head) => gatherArrivals(head, byGroup.get(head.id) ?? []));
  const recent = await countInPeriods(
    transaction,
    arrived.flatMap(({ head: { id, muteRateSeconds: seconds }, receivedMs }) =>
      seconds === null ? [] : [{ id, seconds, receivedMs }],
    ),
  );
  const orders = await listReleaseOrders(transaction, arrived.flatMap(releasesOf));
  const changed = arrived.flatMap(({ head, ...came }) => {
    const outcome = decideReopening(head, {
      ...came,
      recent: recent.get(head.id) ?? null,
      compareReleases: (left, right) => orders(head.projectId, left, right),
    });
    if (outcome === null) return [];
    const isRegressed = outcome === 'regressed';
    const at = new Date(came.receivedMs);
    const after: GroupRow = { ...head, ...OPEN, regressedAt: isRegressed ? at : head.regressedAt };
    // The newest release among them: if any release reopens, it does.
    const regressedIn = isRegressed ? newestOf(head.projectId, came.releases, orders) : null;
    return [{ before: head, after, at, regressedIn, isRegressed }];
  });
  if (changed.length === 0) return 0;
  await writeStates(transaction, changed, null);
  const regressed = changed.filter(({ isRegressed }) => isRegressed);
  await enqueueChanges(
    transaction,
    regressed.map(({ before, at }) => regressedGroupChange(before, at)),
  );
  return regressed.length;
}

/** Tells of groups that began in environments that are not watched once a watched one has their first event. */
async function announceGroups(
  transaction: Queryable,
  groups: readonly GroupRow[],
  byGroup: ReadonlyMap<string, readonly Arrival[]>,
): Promise<void> {
  if (groups.length === 0) return;
  await updateWatched(
    transaction,
    groups.map(({ id }) => id),
  );
  const changes = groups
    .filter(({ number }) => number > 0)
    .map((group) => newGroupChange(group, new Date(lastReceived(byGroup.get(group.id) ?? []))));
  await enqueueChanges(transaction, changes);
}

function lastReceived(came: readonly Arrival[]): number {
  return came.reduce((newest, { receivedMs }) => Math.max(newest, receivedMs), 0);
}

/** In a transaction of several statements, the first one knows the release before all of them. */
function gatherArrivals(head: GroupRow, came: readonly Arrival[]): GroupArrivals {
  const releases = new Map<string | null, number>();
  for (const { release, lastMs } of came) releases.set(release, Math.max(releases.get(release) ?? 0, lastMs));
  return { head, releases, receivedMs: lastReceived(came), releaseBefore: came[0]?.releaseBefore ?? null };
}

function regressedGroupChange(
  { id, organizationId, projectId, severity }: GroupRow,
  at: Date,
): SubjectChange {
  return {
    organizationId,
    projectId,
    subjectKind: 'group',
    subjectId: id,
    change: 'group_regressed',
    severity,
    severityBefore: severity,
    at,
  };
}

function newestOf(
  projectId: string,
  releases: ReadonlyMap<string | null, number>,
  orders: ReleaseOrders,
): string | null {
  const named = [...releases.keys()].filter((release) => release !== null);
  return named.toSorted((left, right) => orders(projectId, left, right)).at(-1) ?? null;
}

/** Releases that are compared: those of the events with the one of the resolution. */
function releasesOf({
  head: { projectId, resolvedRelease },
  releases,
}: GroupArrivals): { projectId: string; release: string }[] {
  if (resolvedRelease === null) return [];
  return [resolvedRelease, ...releases.keys()].flatMap((release) =>
    release === null ? [] : [{ projectId, release }],
  );
}
