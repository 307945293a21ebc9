import type { Queryable } from '../../database/database.ts';
import { MORE_FINGERPRINT } from '../../events/group-queries.ts';
import { isErrorOrWorse } from '../../events/severity.ts';
import type { SubjectChange } from '../../outbox/decide-delivery.ts';
import { enqueueChanges } from '../../outbox/enqueue-changes.ts';
import { newUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { addNewGroups } from '../../releases/queries.ts';
import type { GroupRow } from '../group-row.ts';
import { insertGroupUpdates } from '../update-queries.ts';
import type { UncountedEvents } from './count-queries.ts';
import {
  addGroupNumbers,
  type Claim,
  type Grant,
  insertFormerFingerprints,
  insertGroups,
  listClaims,
  type NewGroup,
  upsertFingerprints,
} from './new-group-queries.ts';

/**
 * Lets fingerprints lead to groups: to one that the former algorithm knows, to a new one, or, beyond the limit of a
 * day, nowhere, while the project has the catch-all group. No event is counted yet.
 */
export async function createGroups(
  transaction: Queryable,
  uncounted: readonly UncountedEvents[],
): Promise<{ created: number; folded: number }> {
  const known = await listClaims(transaction, uncounted);
  const knownKeys = new Set(known.map(keyOf));
  const { granted, folded } = await takeNumbers(
    transaction,
    uncounted.filter((events) => !knownKeys.has(keyOf(events))),
  );
  const more = [...new Map(folded.map((events) => [events.projectId, events])).values()].map((events) => ({
    id: newUuid(events.receivedMs),
    number: 0,
    events: { ...events, fingerprint: MORE_FINGERPRINT, firstRelease: null },
  }));
  const wanted: NewGroup[] = [...granted, ...more];
  const claims = known.concat(wanted.map(claimOf));
  const led = new Map(
    (await upsertFingerprints(transaction, claims)).map((claim) => [keyOf(claim), claim.groupId]),
  );
  const ours = wanted.filter(({ id, events }) => led.get(keyOf(events)) === id);
  if (ours.length > 0) await beginGroups(transaction, ours);
  return { created: ours.filter(({ number }) => number > 0).length, folded: folded.length };
}

function keyOf({ projectId, fingerprint }: Pick<UncountedEvents, 'projectId' | 'fingerprint'>): string {
  return `${projectId} ${fingerprint}`;
}

function claimOf({ id, number, events: { projectId, fingerprint } }: NewGroup): Claim {
  return { projectId, fingerprint, groupId: id, number };
}

/** Creates the groups whose fingerprint no other worker has claimed before. */
async function beginGroups(transaction: Queryable, groups: readonly NewGroup[]): Promise<void> {
  await insertGroups(transaction, groups);
  const numbered = groups.filter(({ number }) => number > 0);
  const announced = groups.map(({ id, events: { projectId } }) => ({ id, projectId }));
  await insertGroupUpdates(transaction, 'group_created', announced);
  const watched = numbered.filter(({ events }) => events.isWatched);
  await enqueueChanges(transaction, watched.map(toNewGroupChange));
  const released = watched.flatMap(({ events: { projectId, firstRelease: release } }) =>
    release === null ? [] : [{ projectId, release }],
  );
  if (released.length > 0) await addNewGroups(transaction, released);
  const former = groups.flatMap(({ id, events: { projectId, fingerprint, former: before, receivedMs } }) =>
    before === null || before === fingerprint
      ? []
      : [{ projectId, fingerprint: before, groupId: id, receivedMs }],
  );
  if (former.length > 0) await insertFormerFingerprints(transaction, former);
}

function toNewGroupChange({ id, events }: NewGroup): SubjectChange {
  return newGroupChange({ id, ...events }, new Date(events.receivedMs));
}

/** Change of a group that began, in a watched environment. */
export function newGroupChange(
  {
    id,
    organizationId,
    projectId,
    severity,
  }: Pick<GroupRow, 'id' | 'organizationId' | 'projectId' | 'severity'>,
  at: Date,
): SubjectChange {
  return {
    organizationId,
    projectId,
    subjectKind: 'group',
    subjectId: id,
    change: 'group_new',
    severity,
    severityBefore: severity,
    at,
  };
}

/**
 * Assigns numbers to the oldest fingerprints first, errors of watched environments separately from all others, so that
 * noise leaves room for what matters.
 */
async function takeNumbers(
  transaction: Queryable,
  uncounted: readonly UncountedEvents[],
): Promise<{ granted: NewGroup[]; folded: UncountedEvents[] }> {
  if (uncounted.length === 0) return { granted: [], folded: [] };
  const byProject = new Map<string, UncountedEvents[]>();
  for (const events of uncounted.toSorted((left, right) => left.firstMs - right.firstMs)) {
    const list = byProject.get(events.projectId);
    if (list) list.push(events);
    else byProject.set(events.projectId, [events]);
  }
  const wanted = [...byProject].map(([projectId, list]) => {
    const errors = list.filter(isWatchedError).length;
    const newestMs = list.reduce((newest, { receivedMs }) => Math.max(newest, receivedMs), 0);
    return { projectId, errors, others: list.length - errors, day: isoTime(newestMs).slice(0, 10) };
  });
  const grants = new Map(
    (await addGroupNumbers(transaction, wanted)).map((grant) => [grant.projectId, grant]),
  );
  const granted: NewGroup[] = [];
  const folded: UncountedEvents[] = [];
  for (const [projectId, list] of byProject) {
    const { errors, others, lastNumber }: Grant = grants.get(projectId) ?? {
      projectId,
      errors: 0,
      others: 0,
      lastNumber: 0,
    };
    const left = { errors, others };
    let number = lastNumber - errors - others;
    for (const events of list) {
      const bound = isWatchedError(events) ? 'errors' : 'others';
      if (left[bound]-- > 0) granted.push({ id: newUuid(events.receivedMs), number: ++number, events });
      else folded.push(events);
    }
  }
  return { granted, folded };
}

function isWatchedError({ severity, isWatched }: UncountedEvents): boolean {
  return isWatched && isErrorOrWorse(severity);
}
