import { DETECTOR_VERSION } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { Log } from '../../platform/log.ts';
import { inTurns } from '../../platform/timing/turns.ts';
import type { DetectorStore } from './detector-store.ts';
import { deleteRounds, listRoundsAfter, type Progress } from './journal-queries.ts';
import { type Failure, groupsOf, load, offloadColdest, type SaveResult, save } from './offload.ts';
import { insertRebuilds, type QueuedProject } from './rebuild-queries.ts';
import { applyRound, catchUp, type Round } from './round.ts';
import {
  listHottest,
  listInMemoryAfter,
  listStateSizes,
  type StateSize,
  takeAllStates,
  updateVisits,
} from './state-queries.ts';

const ROUND_BYTES_AT_ONCE = 1_000_000;
const STATES_AT_ONCE = 100;
/** Projects loaded at once: a state is up to a megabyte. */
const LOADED_AT_ONCE = 10;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface LoadContext {
  database: Queryable;
  store: DetectorStore;
  log: Log;
  /** Projects whose detector failed. */
  failures: Failure[];
}

/**
 * The detectors after the last round: their saved state with the rounds since then applied. The decisions of those
 * rounds were written with them. Never many more detectors are in memory than the budget allows, whatever was saved:
 * those that do not fit are offloaded.
 * @param store empty
 * @returns the projects whose detector failed
 */
export async function loadDetectors(
  database: Queryable,
  store: DetectorStore,
  progress: Progress,
  log: Log,
): Promise<Failure[]> {
  const loading: LoadContext = { database, store, log, failures: [] };
  await dropOtherRounds(database);
  await loadHottest(loading, progress);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rounds = await listRoundsAfter(database, after, ROUND_BYTES_AT_ONCE);
    for (const round of rounds) await applyAgain(loading, round, progress.pastDowntimes);
    after = rounds.at(-1)?.id;
  }
  await settle(loading, progress);
  return loading.failures;
}

/**
 * Rounds of another version of the detector may lead to something else here. They are dropped with all states, and the
 * projects are queued to be rebuilt: all rounds are of the version of the first one.
 */
async function dropOtherRounds(database: Queryable): Promise<void> {
  const [oldest] = await listRoundsAfter(database, 0, 1);
  if (!oldest || oldest.version === DETECTOR_VERSION) return;
  const rebuilds = new Map<string, QueuedProject>();
  for (const queued of await takeAllStates(database)) rebuilds.set(queued.projectId, queued);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rounds = await listRoundsAfter(database, after, ROUND_BYTES_AT_ONCE);
    for (const { counts, timeMs } of rounds)
      for (const projectId of Object.keys(counts))
        rebuilds.set(projectId, {
          projectId,
          activeMs: timeMs,
          offloadedMs: rebuilds.get(projectId)?.offloadedMs ?? null,
        });
    after = rounds.at(-1)?.id;
  }
  await deleteRounds(database);
  await insertRebuilds(database, [...rebuilds.values()]);
}

async function loadHottest({ database, store, log }: LoadContext, { lastRound }: Progress): Promise<void> {
  let room = store.maxSeries;
  const hottest: string[] = [];
  for (const { projectId, series } of await listHottest(database, store.maxSeries)) {
    room -= series;
    if (room < 0) break;
    hottest.push(projectId);
  }
  for (let i = 0; i < hottest.length; i += LOADED_AT_ONCE) {
    await load(database, store, hottest.slice(i, i + LOADED_AT_ONCE), { beforeRound: lastRound + 1, log });
  }
}

/** Applies a round that was applied before: its decisions are in the database. */
async function applyAgain(
  { database, store, log, failures }: LoadContext,
  round: Round,
  pastDowntimes: [number, number][],
): Promise<void> {
  const { id, counts, timeMs } = round;
  const apply = async (projectIds: string[]) => {
    const unseen = projectIds.filter((projectId) => !store.hasSeen(projectId, id));
    await inTurns(applyRound(store.detectors, round, unseen, pastDowntimes));
    store.touch(unseen, round);
  };
  const named = namedBy(round);
  await apply([...store.detectors.keys()].filter((projectId) => !named.has(projectId)));
  // A project that was offloaded after this round is still offloaded.
  for (const saved of await listStateSizes(database, [...named])) {
    if (saved.round >= id && !store.detectors.has(saved.projectId)) named.delete(saved.projectId);
  }
  const countsOf = (projectId: string) => counts[projectId]?.length ?? 0;
  for (const group of await groupsOf(database, store, [...named], countsOf)) {
    await load(database, store, group, { beforeRound: id, log });
    await apply(group);
    for (const failure of await offloadColdest(database, store, timeMs, true)) failures.push(failure);
  }
}

/** The projects for which a round is more than passing time. */
function namedBy({ begun, set, resolved, counts, errors, visited = [], failed = [] }: Round): Set<string> {
  const changed = [...begun, ...set, ...resolved].map(({ projectId }) => projectId);
  return new Set([...Object.keys(counts), ...Object.keys(errors), ...changed, ...visited, ...failed]);
}

/**
 * Brings the detectors that did not fit into memory up to the last round as well, one after the other, and offloads
 * them.
 */
async function settle(loading: LoadContext, { lastRound, timeMs, pastDowntimes }: Progress): Promise<void> {
  const { database, store, log, failures } = loading;
  const left = await listLeft(loading);
  const settled = left.filter(({ round }) => round === lastRound);
  await updateVisits(
    database,
    settled.map(({ projectId }) => projectId),
    timeMs,
  );
  for (const { projectId } of left.filter(({ round }) => round !== lastRound)) {
    await load(database, store, [projectId], { beforeRound: lastRound, log });
    const detector = store.detectors.get(projectId);
    if (!detector) continue;
    try {
      await inTurns(catchUp(detector, timeMs, pastDowntimes));
      store.touch([projectId], { id: lastRound, counts: {}, timeMs });
    } catch (fault) {
      store.release(projectId);
      failures.push({ projectId, fault });
    }
    for (const failure of await offloadColdest(database, store, timeMs)) failures.push(failure);
  }
}

/** Detectors that were in memory and do not fit into it any more. */
async function listLeft({ database, store }: LoadContext): Promise<StateSize[]> {
  const left: StateSize[] = [];
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const states = await listInMemoryAfter(database, after, STATES_AT_ONCE);
    for (const state of states) if (!store.detectors.has(state.projectId)) left.push(state);
    after = states.at(-1)?.projectId;
  }
  return left;
}

/**
 * Saves the detectors, which makes the rounds until now superfluous; those of deleted projects are removed.
 * @param assertTimeLeft throws once saving has to end: then nothing of the transaction is committed
 */
export async function saveDetectors(
  database: Queryable,
  store: DetectorStore,
  assertTimeLeft = () => {},
): Promise<SaveResult> {
  const visitTime = () => {
    assertTimeLeft();
    return null;
  };
  const saved = await save(database, store, store.all(), visitTime);
  await deleteRounds(database);
  assertTimeLeft();
  return saved;
}
