import type { Queryable } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { listLiveProjectIds } from '../../projects/queries.ts';
import { ProjectDetector } from '../detector/project-detector.ts';
import { fromBytes, toBytes } from '../detector/saved-project.ts';
import { DEFAULT_SETTINGS } from '../schema.ts';
import {
  deleteRounds,
  deleteState,
  listRoundsAfter,
  listStatesAfter,
  upsertState,
} from './journal-queries.ts';
import { applyRound } from './round.ts';

const STATES_AT_ONCE = 20;
const ROUNDS_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The detectors as the last round left them: their saved state, and what the rounds since then made of it. What
 * those rounds decided was written with them. A project whose state cannot be read begins anew: it must not silence
 * all others.
 */
export async function loadDetectors(database: Queryable, log: Log): Promise<Map<string, ProjectDetector>> {
  const detectors = new Map<string, ProjectDetector>();
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const rows = await listStatesAfter(database, after, STATES_AT_ONCE);
    for (const { projectId, state } of rows) {
      const detector = read(state, projectId, log);
      if (detector) detectors.set(projectId, detector);
    }
    after = rows.at(-1)?.projectId;
  }
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rounds = await listRoundsAfter(database, after, ROUNDS_AT_ONCE);
    for (const round of rounds) applyRound(detectors, round);
    after = rounds.at(-1)?.id;
  }
  return detectors;
}

function read(state: Buffer, projectId: string, log: Log): ProjectDetector | null {
  try {
    const saved = fromBytes(state);
    return saved && new ProjectDetector(saved.stepMs, DEFAULT_SETTINGS, saved);
  } catch (error) {
    log.error({ err: error, projectId }, 'the state of a detector could not be read: it begins anew');
    return null;
  }
}

/**
 * Saves the detectors, which makes the rounds until now superfluous; those of deleted projects go.
 * @returns how many bytes it was, and the projects whose state could not be made
 */
export async function saveDetectors(
  database: Queryable,
  detectors: Map<string, ProjectDetector>,
): Promise<{ bytes: number; failures: { projectId: string; fault: unknown }[] }> {
  let bytes = 0;
  const failures: { projectId: string; fault: unknown }[] = [];
  const live = new Set(await listLiveProjectIds(database, [...detectors.keys()]));
  for (const [projectId, detector] of detectors) {
    if (!live.has(projectId)) {
      detectors.delete(projectId);
      await deleteState(database, projectId);
      continue;
    }
    let state: Uint8Array;
    try {
      state = toBytes(detector.save());
    } catch (fault) {
      failures.push({ projectId, fault });
      continue;
    }
    bytes += state.length;
    await upsertState(database, projectId, state);
  }
  await deleteRounds(database);
  return { bytes, failures };
}
