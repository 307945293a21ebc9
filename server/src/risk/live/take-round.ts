import { MAX_AHEAD_STEPS, STEP_MS } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { findNewestSettings, listRiskSettingsChangedSince, listRiskSettingsOf } from '../settings/queries.ts';
import type { RiskSettings } from '../settings/schema.ts';
import type { DetectorStore } from './detector-store.ts';
import { findPassedTime, stepOf } from './find-passed-time.ts';
import { groupValues } from './group-values.ts';
import { MAX_INBOX_ROWS } from './inbox/inbox.ts';
import { findInboxStart, type InboxDelta, type InboxError } from './inbox/queries.ts';
import type { Progress } from './journal-queries.ts';
import type { PassedTime } from './passed-time.ts';
import { type Detectors, type Part, takeAll, takePart } from './round-part.ts';
import { listUnlearnedTimes, type ProjectUnlearnedTime } from './unlearned-queries.ts';

/**
 * Maximum length of a round: so many updates (a series, a step) of what is in memory, two seconds of work, and no
 * more than the future counts that detectors can keep.
 */
const MAX_UPDATES = 1_000_000;
const MIN_STEPS = 5;
/** New input of all projects since the last round. */
export interface RoundInput extends Pick<Part, 'passed' | 'downtimes' | 'hasMore' | 'isBehind'> {
  id: number;
  sinceMs: number;
  deltas: Map<string, InboxDelta[]>;
  errors: Map<string, InboxError[]>;
  /** Settings that were changed. */
  changed: ChangedSettings[];
  /** Time of the newest change of settings that was read. */
  settingsSince: Date | null;
  /** Times from which series learn nothing, by the clocks that stamp events. */
  unlearned: ReadonlyMap<string, ProjectUnlearnedTime[]>;
  /** Offloaded projects whose evaluation is due. */
  visits: string[];
  /** True if nothing has come and no step has ended. */
  isEmpty: boolean;
  hasMoreVisits: boolean;
}

type ChangedSettings = { projectId: string; settings: RiskSettings };

/** Overlap in which settings that were committed late are found. */
const SETTINGS_OVERLAP_MS = 60_000;

interface RoundContext {
  /** Time up to which the detectors know all changes of settings; null: none are known. */
  settingsSince: Date | null;
  /** Projects whose events are not evaluated at this time. */
  excludedIds: ReadonlySet<string>;
  /** Id from which the stream is read while no step ends; at the end of a step all of it is read. */
  inboxFromId: number;
}

/**
 * Takes the input since the last round; of a longer time as much as one round covers, the oldest first. The queue is
 * read before the stream: batches that move from the one to the other in between are found in the stream.
 */
export async function takeRound(
  transaction: Queryable,
  store: DetectorStore,
  progress: Progress,
  known: RoundContext,
): Promise<RoundInput> {
  const complete = await findPassedTime(transaction, progress);
  const fromMs = await findStart(transaction, progress, complete.passed);
  const mostMs = stepsOfRound(store.series) * STEP_MS;
  const isFar = complete.passed.timeMs - fromMs > mostMs;
  const part =
    isFar || (!complete.isPresent && progress.timeMs > 0)
      ? await takePart(transaction, store.detectors, { ...progress, timeMs: fromMs, mostMs }, complete)
      : await takeAll(transaction, progress, complete, known.inboxFromId);
  const isEvaluated = ({ projectId }: { projectId: string }) => !known.excludedIds.has(projectId);
  const deltas = byProject(part.deltas.filter(isEvaluated));
  const errors = byProject(part.errors.filter(isEvaluated));
  const isVisited = (id: string) => !deltas.has(id) && !errors.has(id) && !store.detectors.has(id);
  const visits = part.due.projectIds.filter(isVisited);
  const { passed, downtimes, rows, hasMore, isBehind } = part;
  return {
    id: progress.lastRound + 1,
    sinceMs: progress.timeMs,
    passed,
    downtimes,
    deltas,
    errors,
    ...(await findChanged(transaction, store.detectors, known.settingsSince)),
    unlearned: byProject(await listUnlearnedTimes(transaction, unlearnedSince(progress))),
    visits,
    isEmpty: rows === 0 && visits.length === 0 && stepOf(passed) === stepOf(progress),
    hasMore,
    hasMoreVisits: part.due.hasMore,
    isBehind,
  };
}

/** Settings of offloaded detectors as well, which are evaluated within this time. */
const MAX_AWAY_MS = 13 * 60 * STEP_MS;

function unlearnedSince({ timeMs, shiftMs }: PassedTime): Date {
  return new Date(Math.max(0, timeMs - shiftMs - MAX_AWAY_MS));
}

function stepsOfRound(series: number): number {
  return Math.min(MAX_AHEAD_STEPS, Math.max(MIN_STEPS, Math.floor(MAX_UPDATES / Math.max(1, series))));
}

/** Time up to which detection has come; before the first round, the beginning of the stream. */
async function findStart(
  transaction: Queryable,
  { timeMs, shiftMs }: PassedTime,
  complete: PassedTime,
): Promise<number> {
  if (timeMs > 0) return timeMs;
  const startMs = await findInboxStart(transaction, MAX_INBOX_ROWS);
  return startMs === null ? complete.timeMs : startMs + shiftMs;
}

/**
 * The settings that were changed since the newest change that was read, of any project; null: those of all in memory.
 */
async function findChanged(
  transaction: Queryable,
  detectors: Detectors,
  settingsSince: Date | null,
): Promise<Pick<RoundInput, 'changed' | 'settingsSince'>> {
  if (!settingsSince) {
    const newest = await findNewestSettings(transaction);
    return { changed: await listRiskSettingsOf(transaction, [...detectors.keys()]), settingsSince: newest };
  }
  const since = new Date(settingsSince.getTime() - SETTINGS_OVERLAP_MS);
  const changed = await listRiskSettingsChangedSince(transaction, since);
  return { changed, settingsSince: changed.at(-1)?.updatedAt ?? settingsSince };
}

function byProject<T extends { projectId: string }>(values: T[]): Map<string, T[]> {
  return groupValues(values.map((value) => [value.projectId, value]));
}
