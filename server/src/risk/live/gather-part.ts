import { isDeepStrictEqual } from 'node:util';
import {
  DETECTOR_VERSION,
  type ErrorDelta,
  LATE_MS,
  type ProjectDetector,
  type UnlearnedTime,
} from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { lockFrames } from '../../incidents/frame-queries.ts';
import { listRiskSettingsOf } from '../settings/queries.ts';
import { addUp, type KnownProject } from './add-up.ts';
import type { InboxError } from './inbox/queries.ts';
import { limitSeries } from './limit-series.ts';
import { listNewProjects, listResolved } from './queries.ts';
import { findFormerState } from './rebuild-queries.ts';
import type { Beginning, Round } from './round.ts';
import type { RoundInput } from './take-round.ts';

type Detectors = ReadonlyMap<string, ProjectDetector>;

interface PartProjects {
  projectIds: string[];
  /** Loaded projects that were offloaded: changes by users since then are read. */
  returned: string[];
}

/** The part of a round that concerns some projects. */
export async function gatherPart(
  transaction: Queryable,
  detectors: Detectors,
  taken: RoundInput,
  { projectIds, returned }: PartProjects,
): Promise<Round> {
  const { id, sinceMs, passed, downtimes } = taken;
  const deltas = projectIds.flatMap((projectId) => taken.deltas.get(projectId) ?? []);
  const errors = projectIds.flatMap((projectId) => taken.errors.get(projectId) ?? []);
  const unknown = projectIds.filter((projectId) => taken.deltas.has(projectId) && !detectors.has(projectId));
  const begun = unknown.length > 0 ? await listBeginnings(transaction, unknown, passed.shiftMs) : [];
  const own = new Set(projectIds);
  const changed = [
    ...taken.changed.filter(({ projectId }) => own.has(projectId)),
    ...(returned.length > 0 ? await listRiskSettingsOf(transaction, returned) : []),
  ];
  const settings = new Map([...begun, ...changed].map((known) => [known.projectId, known.settings]));
  const projectOf = (projectId: string): KnownProject => {
    const detector = detectors.get(projectId);
    return {
      hasSeries: (delta) => detector?.hasSeries(delta) ?? false,
      isEvaluated: (source, lateMs, receivedMs) =>
        detector?.isEvaluated(source, lateMs, receivedMs) ?? lateMs <= LATE_MS,
      followsLateness: (source) => detector?.followsLateness(source) ?? false,
      rules: (settings.get(projectId) ?? detector?.settings)?.rules ?? [],
    };
  };
  const { newSeries, ...added } = addUp(deltas, passed.shiftMs, projectOf);
  const maxSeries = await limitSeries(transaction, detectors, newSeries);
  return {
    id,
    version: DETECTOR_VERSION,
    begun,
    set: [...settings].flatMap(([projectId, own]) => {
      const detector = detectors.get(projectId);
      return detector && !isDeepStrictEqual(detector.settings, own) ? [{ projectId, settings: own }] : [];
    }),
    resolved: await listResolvedOf(transaction, detectors, projectIds),
    ...added,
    ...(Object.keys(maxSeries).length > 0 && { maxSeries }),
    ...findUnlearned(detectors, taken, projectIds),
    errors: errorsOf(errors, passed.shiftMs, projectOf),
    sinceMs,
    timeMs: passed.timeMs,
    downtimes,
  };
}

async function listBeginnings(
  transaction: Queryable,
  projectIds: string[],
  shiftMs: number,
): Promise<Beginning[]> {
  const beginnings: Beginning[] = [];
  for (const { organizationId, isRebuilt, ...beginning } of await listNewProjects(transaction, projectIds)) {
    const { projectId } = beginning;
    const former = isRebuilt && {
      former: await findFormerState(transaction, organizationId, projectId, { shiftMs }),
    };
    beginnings.push({ ...beginning, ...former });
  }
  return beginnings;
}

/**
 * The unlearned times of projects, in the time of the detectors, if they differ from those that the detectors know.
 */
function findUnlearned(
  detectors: Detectors,
  { unlearned, passed, sinceMs }: RoundInput,
  projectIds: string[],
): Pick<Round, 'unlearned'> {
  const { shiftMs } = passed;
  const changed = projectIds.flatMap((projectId): [string, UnlearnedTime[]][] => {
    const detector = detectors.get(projectId);
    const known = detector?.unlearned ?? [];
    const all = unlearned.get(projectId);
    if (!all && known.length === 0) return [];
    const stepMs = detector?.stepMs ?? sinceMs;
    const own = (all ?? [])
      .map(({ time }) => ({ ...time, fromMs: time.fromMs + shiftMs, untilMs: time.untilMs + shiftMs }))
      .filter(({ untilMs }) => untilMs > stepMs);
    return isDeepStrictEqual(own, known) ? [] : [[projectId, own]];
  });
  return changed.length > 0 ? { unlearned: Object.fromEntries(changed) } : {};
}

async function listResolvedOf(
  transaction: Queryable,
  detectors: Detectors,
  projectIds: string[],
): Promise<Round['resolved']> {
  const open = projectIds.flatMap((projectId) =>
    (detectors.get(projectId)?.incidents ?? []).map((incident) => ({ projectId, incident })),
  );
  if (open.length === 0) return [];
  // A transaction that resolves one from here on waits for this round: alarms that join it now are not lost with it.
  await lockFrames(transaction);
  return listResolved(transaction, open);
}

function errorsOf(
  errors: InboxError[],
  shiftMs: number,
  projectOf: (projectId: string) => KnownProject,
): Record<string, ErrorDelta[]> {
  const groups: Record<string, ErrorDelta[]> = {};
  for (const { projectId, lateMs = 0, ...error } of errors) {
    const isEvaluated = projectOf(projectId).isEvaluated(error.source, lateMs, error.atMs + shiftMs);
    const delta: ErrorDelta = { ...error, atMs: error.atMs + shiftMs, ...(!isEvaluated && { isLate: true }) };
    (groups[projectId] ??= []).push(delta);
  }
  return groups;
}
