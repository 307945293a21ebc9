import { isDeepStrictEqual } from 'node:util';
import { inTransaction, type Queryable, type Store } from '../database/database.ts';
import { lockFrames } from '../incidents/frame-queries.ts';
import { findIncident } from '../incidents/queries.ts';
import type { IncidentRow } from '../incidents/rows.ts';
import { writeIncident } from '../incidents/write-incident.ts';
import { toId } from '../platform/ids.ts';
import { FIRST_ID } from './first-id.ts';
import {
  deleteGroupUser,
  type GroupTexts,
  listGroupsWith,
  lockGroupTexts,
  updateFirstUsers,
  updateGroupTexts,
} from './group-queries.ts';
import { addToErasure, type UnfinishedErasure } from './queries.ts';
import { type ErasedValue, replaceInJson, toErasedValue } from './replace-value.ts';
import {
  deleteIncidentFrames,
  type Entry,
  listIncidentsWith,
  listTextsWith,
  listTimelineWith,
  TEXT_COLUMNS,
  updateSilencedValues,
  updateText,
  updateTimelineTexts,
} from './text-queries.ts';

const GROUPS_A_STEP = 1_000;
const INCIDENTS_A_STEP = 200;
const TEXTS_A_STEP = 500;

/** Keys whose values are users of groups. */
const USER_KEYS: readonly (string | null)[] = [null, 'user_id', 'customer_id'];

/** Replaces a value in what was derived from events and in texts of users; yields after each step. */
export async function* eraseTexts(store: Store, erasure: UnfinishedErasure): AsyncGenerator<void, void> {
  const erased = toErasedValue(erasure.value);
  for (const projectId of erasure.projectIds) {
    yield* eraseInGroups(store, erasure, projectId, erased);
    yield* eraseInIncidents(store, erasure, projectId, erased);
    yield* eraseInColumns(store, erasure, projectId, erased);
  }
  yield* eraseInColumns(store, erasure, null, erased);
  await inTransaction(store, async (transaction) => {
    const silences = await updateSilencedValues(transaction, erasure);
    await addToErasure(transaction, erasure.id, { texts: silences });
  });
}

async function* eraseInGroups(
  store: Store,
  erasure: UnfinishedErasure,
  projectId: string,
  erased: ErasedValue,
): AsyncGenerator<void, void> {
  const user = USER_KEYS.includes(erasure.key) ? erasure.value : null;
  if (user !== null) await updateFirstUsers(store.pool, projectId, user);
  let after: string | null = null;
  do {
    const { last, groupIds } = await listGroupsWith(store.pool, projectId, {
      after,
      limit: GROUPS_A_STEP,
      text: erased.inText,
      user,
    });
    after = last;
    if (groupIds.length > 0)
      await inTransaction(store, async (transaction) => {
        const groups = await lockGroupTexts(transaction, projectId, groupIds);
        const forgot = user === null ? [] : await deleteGroupUser(transaction, projectId, groupIds, user);
        const changed = groups.map((group) => withoutValue(group, erased)).filter((group) => group !== null);
        for (const group of changed) await updateGroupTexts(transaction, projectId, group);
        const texts = new Set([...forgot, ...changed.map(({ id }) => id)]).size;
        await addToErasure(transaction, erasure.id, { texts });
      });
    if (after !== null) yield;
  } while (after !== null);
}

/** Returns the texts of a group without a value; null: they do not have it. */
function withoutValue(group: GroupTexts, { replace }: ErasedValue): GroupTexts | null {
  const { id, title, culprit, words } = group;
  const after = {
    id,
    title: replace(title),
    culprit: culprit && replace(culprit),
    words: words && replace(words),
  };
  return isDeepStrictEqual(after, group) ? null : after;
}

async function* eraseInIncidents(
  store: Store,
  erasure: UnfinishedErasure,
  projectId: string,
  erased: ErasedValue,
): AsyncGenerator<void, void> {
  const { organizationId } = erasure;
  const { inText, inJson } = erased;
  let afterId: string | null = FIRST_ID;
  while (afterId !== null) {
    const scan = { afterId, limit: INCIDENTS_A_STEP, inText, inJson };
    const { lastId, incidentIds } = await listIncidentsWith(store.pool, organizationId, projectId, scan);
    for (const id of incidentIds) {
      await eraseInIncident(store, erasure, id, erased);
      yield;
    }
    afterId = lastId;
    if (afterId !== null) yield;
  }
}

/** Compares first: every writer of incidents waits for the lock. */
async function eraseInIncident(
  store: Store,
  { id: erasureId, organizationId }: UnfinishedErasure,
  incidentId: string,
  erased: ErasedValue,
): Promise<void> {
  const subject = { organizationId, incidentId, erased };
  if (!(await findErased(store.pool, subject))) return;
  await inTransaction(store, async (transaction) => {
    await lockFrames(transaction);
    const found = await findErased(transaction, subject, 'lock');
    if (!found) return;
    const { incident, entries } = found;
    for (const entry of entries) await updateTimelineTexts(transaction, entry);
    await deleteIncidentFrames(transaction, incident.projectId, toId('inc', incidentId));
    // Its time of change stays: nothing has happened to it.
    await writeIncident(transaction, { kind: 'update', incident, entries: [] });
    await addToErasure(transaction, erasureId, { texts: 1 });
  });
}

/** An incident, and the entries of its timeline that change, without the value; null: nothing changes. */
async function findErased(
  database: Queryable,
  { organizationId, incidentId, erased }: { organizationId: string; incidentId: string; erased: ErasedValue },
  lock?: 'lock',
): Promise<{ incident: IncidentRow; entries: Entry[] } | null> {
  const found = await findIncident(database, organizationId, incidentId, lock);
  if (!found) return null;
  const incident = {
    ...found,
    title: erased.replace(found.title),
    evidence: replaceInJson(found.evidence, erased),
    links: replaceInJson(found.links, erased),
  };
  const entries: Entry[] = [];
  for (const entry of await listTimelineWith(database, incidentId, erased)) {
    const [before, after] = [replaceInJson(entry.before, erased), replaceInJson(entry.after, erased)];
    const changed = { id: entry.id, before, after, note: entry.note && erased.replace(entry.note) };
    if (!isDeepStrictEqual(changed, entry)) entries.push(changed);
  }
  return entries.length > 0 || !isDeepStrictEqual(incident, found) ? { incident, entries } : null;
}

/** @param projectId null: rows of the organization that are of no project */
async function* eraseInColumns(
  store: Store,
  erasure: UnfinishedErasure,
  projectId: string | null,
  { inText, replace }: ErasedValue,
): AsyncGenerator<void, void> {
  if (inText === null) return;
  for (const column of TEXT_COLUMNS) {
    let afterId: string | null = FIRST_ID;
    while (afterId !== null) {
      const scan = { text: inText, afterId, limit: TEXTS_A_STEP };
      const scope = { organizationId: erasure.organizationId, projectId };
      const rows = await listTextsWith(store.pool, column, scope, scan);
      const changed = rows.filter(({ text }) => replace(text) !== text);
      if (changed.length > 0)
        await inTransaction(store, async (transaction) => {
          for (const { id, text } of changed) await updateText(transaction, column, id, replace(text));
          await addToErasure(transaction, erasure.id, { texts: changed.length });
        });
      afterId = rows.length === TEXTS_A_STEP ? (rows.at(-1)?.id ?? null) : null;
      yield;
    }
  }
}
