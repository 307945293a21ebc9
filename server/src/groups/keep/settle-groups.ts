import type { Queryable } from '../../database/database.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import { enqueueChanges } from '../../outbox/enqueue-changes.ts';
import { listReleaseOrders, type ReleaseOrders } from '../release-orders.ts';
import type { GroupRow } from '../schema.ts';
import { countInPeriods, OPEN } from '../state-queries.ts';
import { writeStates } from '../write-states.ts';
import type { Print } from './batch.ts';
import { settleGroup } from './settle-group.ts';

interface Arrived {
  releases: Map<string | null, number>;
  receivedMs: number;
}

/**
 * Reopens what regressed and ends mutes, after the events of a batch were counted. The groups are locked.
 * @returns how many regressed
 */
export async function settleGroups(
  transaction: Queryable,
  pairs: readonly { print: Print; groupId: string }[],
  { groups, before }: { groups: ReadonlyMap<string, GroupRow>; before: ReadonlyMap<string, GroupRow> },
): Promise<number> {
  const arrived = new Map<GroupRow, Arrived>();
  for (const { print, groupId } of pairs) {
    const own = groups.get(groupId);
    const head = own?.mergedInto ? groups.get(own.mergedInto) : own;
    if (head && head.state !== 'open') arrived.set(head, addArrivals(arrived.get(head), print));
  }
  if (arrived.size === 0) return 0;
  const heads = [...arrived.keys()];
  const recent = await countInPeriods(
    transaction,
    heads.flatMap((head) => {
      const { receivedMs } = arrived.get(head) ?? { receivedMs: 0 };
      return head.muteRateSeconds === null
        ? []
        : [{ id: head.id, seconds: head.muteRateSeconds, receivedMs }];
    }),
  );
  const orders = await listReleaseOrders(transaction, releasesOf(arrived));
  const settled = heads.flatMap((head) => {
    const arrivals = arrived.get(head) ?? { releases: new Map(), receivedMs: 0 };
    const outcome = settleGroup(head, {
      ...arrivals,
      recent: recent.get(head.id) ?? null,
      releaseBefore: before.get(head.id)?.lastRelease ?? null,
      compareReleases: (left, right) => orders(head.projectId, left, right),
    });
    if (outcome === null) return [];
    const at = new Date(arrivals.receivedMs);
    const after: GroupRow = {
      ...head,
      ...OPEN,
      regressedAt: outcome === 'regressed' ? at : head.regressedAt,
    };
    // The newest that came: if any release reopens, it does.
    const regressedIn = outcome === 'regressed' ? newestOf(head.projectId, arrivals.releases, orders) : null;
    return [{ before: head, after, at, regressedIn }];
  });
  if (settled.length === 0) return 0;
  await writeStates(transaction, settled, null);
  await enqueueChanges(
    transaction,
    settled.flatMap(({ before: head, after, at }) =>
      after.regressedAt === at ? [regressedGroupChange(head, at)] : [],
    ),
  );
  return settled.filter(({ after, at }) => after.regressedAt === at).length;
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

function addArrivals(before: Arrived | undefined, print: Print): Arrived {
  const releases = before?.releases ?? new Map<string | null, number>();
  for (const [release, lastMs] of print.releases)
    releases.set(release, Math.max(releases.get(release) ?? 0, lastMs));
  return { releases, receivedMs: Math.max(before?.receivedMs ?? 0, print.receivedMs) };
}

/** What is to be compared: the releases of the events with those of the resolutions. */
function releasesOf(arrived: ReadonlyMap<GroupRow, Arrived>): { projectId: string; release: string }[] {
  return [...arrived].flatMap(([{ projectId, resolvedRelease }, { releases }]) =>
    resolvedRelease === null
      ? []
      : [resolvedRelease, ...releases.keys()].flatMap((release) =>
          release === null ? [] : [{ projectId, release }],
        ),
  );
}
