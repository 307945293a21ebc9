import type { Queryable } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { listLiveProjectIds } from '../../projects/queries.ts';
import { ProjectDetector } from '../detector/project-detector.ts';
import { fromBytes, toBytes } from '../detector/saved-project.ts';
import { DETECTOR_VERSION } from '../detector/version.ts';
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

export interface LoadedDetectors {
  detectors: Map<string, ProjectDetector>;
  /** Until when rounds were left out, for the next round to know (`afterLostRounds`); null: none were. */
  lostUntilMs: number | null;
}

/**
 * The detectors as the last round left them: their saved state, and what the rounds since then made of it. What
 * those rounds decided was written with them. Rounds of another version of the detector are left out, because it may
 * decide otherwise. A project whose state cannot be read begins anew: it must not silence all others.
 */
export async function loadDetectors(database: Queryable, log: Log): Promise<LoadedDetectors> {
  const detectors = new Map<string, ProjectDetector>();
  let otherStates = 0;
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const rows = await listStatesAfter(database, after, STATES_AT_ONCE);
    for (const { projectId, state } of rows) {
      const detector = read(state, projectId, log);
      if (detector) detectors.set(projectId, detector);
      else otherStates++;
    }
    after = rows.at(-1)?.projectId;
  }
  if (otherStates > 0)
    log.warn({ projects: otherStates }, 'the saved states of projects are of no use: they begin anew');
  let lostRounds = 0;
  let lostUntilMs: number | null = null;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rounds = await listRoundsAfter(database, after, ROUNDS_AT_ONCE);
    for (const round of rounds) {
      if (round.version === DETECTOR_VERSION) applyRound(detectors, round);
      else {
        lostRounds++;
        lostUntilMs = round.timeMs;
      }
    }
    after = rounds.at(-1)?.id;
  }
  if (lostRounds > 0) {
    log.info(
      { lostRounds },
      'the detection goes on from its saved state: what came since then was taken in by another version',
    );
  }
  return { detectors, lostUntilMs };
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
 * @param signal ends it in between, by throwing: then nothing of the transaction holds
 * @returns how many bytes it was, and the projects whose state could not be made
 */
export async function saveDetectors(
  database: Queryable,
  detectors: Map<string, ProjectDetector>,
  signal?: AbortSignal,
): Promise<{ bytes: number; failures: { projectId: string; fault: unknown }[] }> {
  let bytes = 0;
  const failures: { projectId: string; fault: unknown }[] = [];
  const live = new Set(await listLiveProjectIds(database, [...detectors.keys()]));
  for (const [projectId, detector] of detectors) {
    signal?.throwIfAborted();
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
