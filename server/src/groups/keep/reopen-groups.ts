import type { Queryable } from '../../database/database.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import { enqueueChanges } from '../../outbox/enqueue-changes.ts';
import type { GroupRow } from '../group-row.ts';
import { lockGroups } from '../queries.ts';
import { listReleaseOrders, type ReleaseOrders } from '../release-orders.ts';
import { countInPeriods, OPEN } from '../state-queries.ts';
import { writeStates } from '../write-states.ts';
import type { Arrival } from './count-queries.ts';
import { decideReopening } from './decide-reopening.ts';

/** A group with all events that came to it. */
interface GroupArrivals {
  head: GroupRow;
  releases: Map<string | null, number>;
  receivedMs: number;
  releaseBefore: string | null;
}

/**
 * Reopens regressed groups and ends mutes, after the events of a batch were counted. The groups are locked.
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

/** In a transaction of several statements, the first one knows the release before all of them. */
function gatherArrivals(head: GroupRow, came: readonly Arrival[]): GroupArrivals {
  const releases = new Map<string | null, number>();
  for (const { release, lastMs } of came) releases.set(release, Math.max(releases.get(release) ?? 0, lastMs));
  const receivedMs = came.reduce((newest, arrival) => Math.max(newest, arrival.receivedMs), 0);
  return { head, releases, receivedMs, releaseBefore: came[0]?.releaseBefore ?? null };
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
