import { DEFAULT_SETTINGS, fromBytes, ProjectDetector, toBytes } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import type { Log } from '../../platform/log.ts';
import type { DetectorStore, StoredDetector } from './detector-store.ts';
import { insertRebuilds, type QueuedProject } from './rebuild-queries.ts';
import { deleteState, listStateSizes, takeStates, upsertState } from './state-queries.ts';

/**
 * An offloaded project is evaluated again after as long as it has been silent, within these bounds: so a silence is
 * found at the latest when it has lasted twice as long. An open incident must end.
 */
const FIRST_VISIT_MS = 15 * MINUTE_MS;
const MAX_VISIT_MS = 12 * 60 * MINUTE_MS;
/** Series that are loaded beyond the budget, at once. */
const SERIES_AT_ONCE = 1_000;

export interface Failure {
  projectId: string;
  fault: unknown;
}

export interface SaveResult {
  bytes: number;
  /** Projects whose state could not be saved. */
  failures: Failure[];
}

/**
 * Saves the detectors that are beyond the budget, and removes them from memory.
 * @param isReplay the rounds are not applied to the end: the detectors are not offloaded for good
 * @returns the projects whose state could not be saved
 */
export async function offloadColdest(
  database: Queryable,
  store: DetectorStore,
  timeMs: number,
  isReplay = false,
): Promise<Failure[]> {
  const coldest = store.coldest();
  const { failures } = await save(database, store, coldest, (held) =>
    isReplay ? null : visitTimeOf(held, timeMs),
  );
  for (const { projectId } of coldest) store.release(projectId);
  return failures;
}

/** Saves detectors; those of deleted projects are removed. */
export async function save(
  database: Queryable,
  store: DetectorStore,
  held: StoredDetector[],
  visitTime: (held: StoredDetector) => number | null,
): Promise<SaveResult> {
  const saved: SaveResult = { bytes: 0, failures: [] };
  for (const one of held) {
    const { projectId, detector, round, activeMs, series } = one;
    let state: Uint8Array;
    try {
      state = toBytes(detector.save());
    } catch (fault) {
      saved.failures.push({ projectId, fault });
      continue;
    }
    saved.bytes += state.length;
    const timeMs = detector.stepMs;
    const values = { projectId, state, round, series, timeMs, activeMs, visitMs: visitTime(one) };
    if (await upsertState(database, values)) continue;
    store.release(projectId);
    await deleteState(database, projectId);
  }
  return saved;
}

/** When an offloaded project is evaluated again. */
function visitTimeOf(
  { detector, activeMs }: Pick<StoredDetector, 'detector' | 'activeMs'>,
  timeMs: number,
): number {
  const silentMs = detector.incidents.length > 0 ? 0 : timeMs - activeMs;
  return Math.floor(timeMs) + Math.min(MAX_VISIT_MS, Math.max(FIRST_VISIT_MS, Math.floor(silentMs)));
}

/**
 * Loads the detectors of projects that are not in memory, have a saved state, and do not include a round. A project
 * whose state another version saved, or cannot be read, is queued to be rebuilt: it must not stop all others.
 * @returns the projects that were loaded
 */
export async function load(
  database: Queryable,
  store: DetectorStore,
  projectIds: string[],
  { beforeRound, log }: { beforeRound: number; log: Log },
): Promise<string[]> {
  const away = projectIds.filter((projectId) => !store.detectors.has(projectId));
  if (away.length === 0) return [];
  const loaded: string[] = [];
  const unusable: QueuedProject[] = [];
  for (const { projectId, state, round, activeMs, offloadedMs } of await takeStates(
    database,
    away,
    beforeRound,
  )) {
    const detector = read(state, projectId, log);
    if (!detector) {
      unusable.push({ projectId, activeMs, offloadedMs });
      await deleteState(database, projectId);
      continue;
    }
    store.hold({ projectId, detector, round, activeMs });
    loaded.push(projectId);
  }
  if (unusable.length > 0) await insertRebuilds(database, unusable);
  return loaded;
}

function read(state: Buffer, projectId: string, log: Log): ProjectDetector | null {
  try {
    const saved = fromBytes(state);
    return saved && new ProjectDetector(saved.stepMs, DEFAULT_SETTINGS, saved);
  } catch (error) {
    log.error({ err: error, projectId }, 'the state of a detector could not be read');
    return null;
  }
}

/**
 * Groups of projects to process one after the other: a single group if all of it fits, else none that takes much more
 * than the budget allows.
 * @param added number of series that may begin in a project
 */
export async function groupsOf(
  database: Queryable,
  store: DetectorStore,
  projectIds: string[],
  added: (projectId: string) => number,
): Promise<string[][]> {
  if (projectIds.length === 0) return [];
  const away = projectIds.filter((projectId) => !store.detectors.has(projectId));
  const sizes = new Map<string, number>();
  for (const { projectId, series } of await listStateSizes(database, away)) sizes.set(projectId, series);
  const sizeOf = (projectId: string) => (sizes.get(projectId) ?? 0) + added(projectId);
  const coming = projectIds.reduce((sum, projectId) => sum + sizeOf(projectId), 0);
  if (store.series + coming <= store.maxSeries) return [projectIds];
  const groups: string[][] = [];
  let series = Number.POSITIVE_INFINITY;
  for (const projectId of projectIds) {
    // A project in memory may have been offloaded until then.
    const own = sizeOf(projectId) + (store.detectors.get(projectId)?.size ?? 0);
    if (series + own > SERIES_AT_ONCE) {
      groups.push([]);
      series = 0;
    }
    series += own;
    groups.at(-1)?.push(projectId);
  }
  return groups;
}
