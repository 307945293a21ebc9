import type { Queryable } from '../../database/database.ts';
import { SEVERITIES } from '../../events/severities.ts';
import { worst } from '../../events/severity.ts';
import { MAX_KNOWN_USERS } from '../limits.ts';
import { lockGroups } from '../queries.ts';
import type { GroupRow } from '../schema.ts';
import { type BatchCell, gatherPrints, keyOf, type Print } from './batch.ts';
import {
  type GroupMinute,
  insertGroupReleases,
  type SeenUser,
  updateCounts,
  upsertUsers,
} from './count-queries.ts';
import { createGroups } from './create-groups.ts';
import type { KnownPlaces } from './known-places.ts';
import type { KnownUsers } from './known-users.ts';
import { listPlaces, type Place } from './place-queries.ts';
import { settleGroups } from './settle-groups.ts';

/** What a process need not ask the database again. */
export interface Known {
  places: KnownPlaces;
  users: KnownUsers;
}

export interface Kept {
  /** Users that are known of groups themselves. */
  seen: SeenUser[];
  /** New groups, fingerprints of the batch beyond the bound on these, and groups that regressed. */
  created: number;
  folded: number;
  regressed: number;
}

/** Events of a batch that lead to a group itself, without those of groups that were merged into it. */
interface Placed {
  print: Print;
  groupId: string;
}

/**
 * Counts the events of a batch in their groups, begins new groups, and reopens what regressed: in the transaction that
 * stores the events, and so exactly once.
 * @returns what holds as soon as the transaction is committed
 */
export async function keepGroups(
  transaction: Queryable,
  cells: readonly BatchCell[],
  known: Known,
): Promise<Kept> {
  const prints = gatherPrints(cells);
  const kept: Kept = { seen: [], created: 0, folded: 0, regressed: 0 };
  if (prints.length === 0) return kept;
  const { places, groups } = await findPlaces(transaction, prints, known.places);
  const placed = placeKnown(prints, places, groups);
  const missing = prints.filter((print) => !placed.has(print));
  if (missing.length > 0) {
    const { created, begun, folded } = await createGroups(transaction, missing);
    kept.created = begun;
    kept.folded = folded;
    for (const [print, group] of created) {
      placed.set(print, group.id);
      groups.set(group.id, groups.get(group.id) ?? group);
    }
  }
  const pairs = [...placed].map(([print, groupId]) => ({ print, groupId }));
  const before = new Map([...groups].map(([id, group]) => [id, { ...group }]));
  kept.seen = await countUsers(transaction, pairs, { groups, known: known.users });
  for (const { print, groupId } of pairs) {
    for (const group of lineOf(groups, groupId)) addPrint(group, print);
  }
  await writeCounts(transaction, pairs, groups, before);
  kept.regressed = await settleGroups(transaction, pairs, { groups, before });
  return kept;
}

/** Where fingerprints lead, with the groups locked. Only those that this process does not know are read. */
async function findPlaces(
  transaction: Queryable,
  prints: readonly Print[],
  known: KnownPlaces,
): Promise<{ places: Place[]; groups: Map<string, GroupRow> }> {
  const remembered = prints.flatMap((print) => known.get(print) ?? []);
  const unknown = prints.filter((print) => !known.get(print));
  let read = unknown.length > 0 ? await listPlaces(transaction, unknown) : [];
  const groups = await lockPlaces(transaction, [...remembered, ...read]);
  const gone = prints.filter((print) => {
    const place = known.get(print);
    return place && !groups.has(place.groupId);
  });
  if (gone.length > 0) {
    // Deleted since they were read: another worker may have begun other groups meanwhile.
    for (const print of gone) known.delete(print);
    const again = await listPlaces(transaction, gone);
    for (const [id, group] of await lockPlaces(transaction, again)) groups.set(id, group);
    read = [...read, ...again];
  }
  const places = [...remembered.filter(({ groupId }) => groups.has(groupId)), ...read];
  for (const place of places) {
    const group = groups.get(place.groupId);
    if (place.isLasting && group) known.add({ ...place, mergedInto: group.mergedInto });
  }
  return { places, groups };
}

/** The groups that fingerprints lead to, and those that they were merged into, all locked. */
async function lockPlaces(transaction: Queryable, places: readonly Place[]): Promise<Map<string, GroupRow>> {
  const ids = new Set(
    places.flatMap(({ groupId, mergedInto }) => [groupId, ...(mergedInto ? [mergedInto] : [])]),
  );
  const groups = new Map<string, GroupRow>();
  // A group may be merged between the two reads: then there is one more to lock.
  for (let wanted = [...ids]; wanted.length > 0; ) {
    for (const group of await lockGroups(transaction, wanted)) groups.set(group.id, group);
    const targets = [...groups.values()].flatMap(({ mergedInto }) => (mergedInto ? [mergedInto] : []));
    const unseen = [...new Set(targets)].filter((id) => !ids.has(id));
    for (const id of unseen) ids.add(id);
    wanted = unseen;
  }
  return groups;
}

function placeKnown(
  prints: readonly Print[],
  places: readonly Place[],
  groups: ReadonlyMap<string, GroupRow>,
): Map<Print, string> {
  const known = new Map(
    places
      // Retention may delete a group before it is locked; an adopted one is claimed first, with the missing ones.
      .filter(({ groupId, isAdopted }) => groups.has(groupId) && !isAdopted)
      .map(({ projectId, fingerprint, groupId }) => [keyOf(projectId, fingerprint), groupId]),
  );
  const placed = new Map<Print, string>();
  for (const print of prints) {
    const groupId = known.get(keyOf(print.projectId, print.fingerprint));
    if (groupId !== undefined) placed.set(print, groupId);
  }
  return placed;
}

/** The group and the one that it was merged into. */
function lineOf(groups: ReadonlyMap<string, GroupRow>, groupId: string): GroupRow[] {
  const group = groups.get(groupId);
  const target = group?.mergedInto ? groups.get(group.mergedInto) : undefined;
  return [group, target].filter((one) => one !== undefined);
}

function addPrint(group: GroupRow, print: Print): void {
  group.count += print.count;
  group.severity = worst(group.severity, print.severity);
  if (print.firstMs < group.firstSeen.getTime()) group.firstSeen = new Date(print.firstMs);
  if (print.lastMs > group.lastSeen.getTime()) group.lastSeen = new Date(print.lastMs);
  group.firstRelease ??= print.firstRelease;
  group.lastRelease =
    newestRelease(print, group.lastSeen.getTime()) ?? group.lastRelease ?? newestRelease(print, 0);
}

/** The release of the events that were captured last; null: they name none, or others came after them. */
function newestRelease({ releases }: Print, lastSeenMs: number): string | null {
  let newest: string | null = null;
  let newestMs = lastSeenMs - 1;
  for (const [release, lastMs] of releases) {
    if (release !== null && lastMs > newestMs) [newest, newestMs] = [release, lastMs];
  }
  return newest;
}

async function countUsers(
  transaction: Queryable,
  pairs: readonly Placed[],
  { groups, known }: { groups: ReadonlyMap<string, GroupRow>; known: KnownUsers },
): Promise<SeenUser[]> {
  const seen = new Map<string, SeenUser>();
  for (const { print, groupId } of pairs) {
    for (const { id, users } of lineOf(groups, groupId)) {
      if (users > MAX_KNOWN_USERS) continue;
      for (const hash of print.users) {
        const key = `${id} ${hash}`;
        const via = id === groupId ? null : groupId;
        if (via === null && known.has(id, hash)) continue;
        if (via === null || !seen.has(key))
          seen.set(key, { groupId: id, projectId: print.projectId, via, hash });
      }
    }
  }
  if (seen.size === 0) return [];
  for (const { groupId, users } of await upsertUsers(transaction, [...seen.values()])) {
    const group = groups.get(groupId);
    if (group) group.users = Math.min(MAX_KNOWN_USERS + 1, group.users + users);
  }
  return [...seen.values()].filter(({ via }) => via === null);
}

async function writeCounts(
  transaction: Queryable,
  pairs: readonly Placed[],
  groups: ReadonlyMap<string, GroupRow>,
  before: ReadonlyMap<string, GroupRow>,
): Promise<void> {
  const changed = [...groups.values()].filter(({ id, count }) => count !== before.get(id)?.count);
  await updateCounts(transaction, changed, minutesOf(pairs));
  const named = pairs.flatMap(({ print, groupId }) =>
    [...print.releases.keys()].flatMap((release) =>
      release === null || release === before.get(groupId)?.lastRelease
        ? []
        : [{ groupId, projectId: print.projectId, release }],
    ),
  );
  if (named.length > 0) await insertGroupReleases(transaction, named);
}

/** Of each group by itself: several fingerprints may lead to it. */
function minutesOf(pairs: readonly Placed[]): GroupMinute[] {
  const sums = new Map<string, GroupMinute>();
  for (const { print, groupId } of pairs) {
    for (const [minute, counts] of print.minutes) {
      const key = `${groupId} ${minute}`;
      const sum = sums.get(key);
      if (!sum) sums.set(key, { groupId, projectId: print.projectId, minute, ...counts });
      else for (const severity of SEVERITIES) sum[severity] += counts[severity];
    }
  }
  return [...sums.values()];
}
