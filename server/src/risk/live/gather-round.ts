import { isDeepStrictEqual } from 'node:util';
import {
  DETECTOR_VERSION,
  type ErrorDelta,
  LATE_MS,
  MAX_AHEAD_STEPS,
  type ProjectDetector,
  STEP_MS,
} from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { lockFrames } from '../../incidents/frame-queries.ts';
import { listLivenessIntervals } from '../../queue/liveness-queries.ts';
import { findBacklog } from '../../queue/queries.ts';
import { findNewestSettings, listRiskSettingsChangedSince, listRiskSettingsOf } from '../settings/queries.ts';
import type { RiskSettings } from '../settings/schema.ts';
import { addUp, type KnownProject } from './add-up.ts';
import type { DetectorStore } from './detector-store.ts';
import { DISORDER_MS, MAX_INBOX_ENTRIES, MAX_INBOX_ROWS, takeInboxBefore } from './inbox.ts';
import { findInboxStart, type InboxDelta, type InboxKind, takeInbox } from './inbox-queries.ts';
import type { Progress } from './journal-queries.ts';
import { limitSeries } from './limit-series.ts';
import { advanceClock, completeUntil, endOfSteps, findDowntimes, type PassedTime } from './passed-time.ts';
import { listNewProjects, listResolved } from './queries.ts';
import type { Round } from './round.ts';
import { listDueVisits } from './state-queries.ts';

type Detectors = ReadonlyMap<string, ProjectDetector>;

/**
 * How many steps a round goes on at most: so many updates (a series, a step) of what is in memory, two seconds of work,
 * and no more than the detectors keep counts for that are ahead of them.
 */
const MAX_UPDATES = 1_000_000;
const MIN_STEPS = 5;
/** What one round looks at of what is put away: a second of work at most, but for the first project. */
const MAX_VISITS = 100;
const MAX_VISIT_UPDATES = 300_000;

/** What has come since the last round, of all projects. */
export interface Taken {
  id: number;
  sinceMs: number;
  passed: PassedTime;
  downtimes: [number, number][];
  deltas: Map<string, InboxDelta[]>;
  kinds: Map<string, InboxKind[]>;
  /** Settings that were changed. */
  changed: Changed[];
  /** When settings were changed last, as far as was seen. */
  settingsSince: Date | null;
  /** Projects that are put away and looked at because it is time for it. */
  visits: string[];
  /** Whether nothing has come and no step is over. */
  isEmpty: boolean;
  /** Whether more stands in the stream. */
  hasMore: boolean;
  hasMoreVisits: boolean;
  /** Whether it goes only a part of the way up to now: further rounds have to follow at once. */
  isBehind: boolean;
}

type Changed = { projectId: string; settings: RiskSettings };

/** Settings that were committed late are found for so long after the newest that was seen. */
const SETTINGS_OVERLAP_MS = 60_000;

/** Whether a step is over since the last round. The queue is asked only where none would be but for what waits there. */
export async function isStepOver(database: Queryable, progress: Progress): Promise<boolean> {
  const isOver = async (backlogAge: typeof findBacklogAge) =>
    stepOf((await findPassed(database, progress, backlogAge)).passed) > stepOf(progress);
  return (await isOver(async () => 0)) && (await isOver(findBacklogAge));
}

interface Known {
  /** Settings that were changed long before are known to the detectors; null: none are. */
  settingsSince: Date | null;
  /** Projects whose events are not judged at this time. */
  setAside: ReadonlySet<string>;
  /** Where the stream is read from while no step ends; at the end of one all of it is read. */
  inboxFromId: number;
}

/**
 * Takes what has come since the last round; of a longer time as much as one round goes on, the oldest first. The queue is
 * asked before the stream is read: what leaves the one for the other in between is seen in the stream.
 */
export async function takeRound(
  transaction: Queryable,
  store: DetectorStore,
  progress: Progress,
  known: Known,
): Promise<Taken> {
  const complete = await findPassed(transaction, progress, findBacklogAge);
  const fromMs = await findStart(transaction, progress, complete.passed);
  const mostMs = stepsOfRound(store.series) * STEP_MS;
  const isFar = complete.passed.timeMs - fromMs > mostMs;
  const part =
    isFar || (!complete.isPresent && progress.timeMs > 0)
      ? await takePart(transaction, store.detectors, { ...progress, timeMs: fromMs, mostMs }, complete)
      : await takeAll(transaction, progress, complete, known.inboxFromId);
  const isJudged = ({ projectId }: { projectId: string }) => !known.setAside.has(projectId);
  const deltas = byProject(part.deltas.filter(isJudged));
  const kinds = byProject(part.kinds.filter(isJudged));
  const isVisited = (id: string) => !deltas.has(id) && !kinds.has(id) && !store.detectors.has(id);
  const visits = part.due.projectIds.filter(isVisited);
  const { passed, downtimes, rows, hasMore, isBehind } = part;
  return {
    id: progress.lastRound + 1,
    sinceMs: progress.timeMs,
    passed,
    downtimes,
    deltas,
    kinds,
    ...(await findChanged(transaction, store.detectors, known.settingsSince)),
    visits,
    isEmpty: rows === 0 && visits.length === 0 && stepOf(passed) === stepOf(progress),
    hasMore,
    hasMoreVisits: part.due.hasMore,
    isBehind,
  };
}

/** What a round takes, before it is known whose it is. */
interface Part extends Pick<Taken, 'passed' | 'downtimes' | 'hasMore' | 'isBehind'> {
  rows: number;
  deltas: InboxDelta[];
  kinds: InboxKind[];
  due: { projectIds: string[]; hasMore: boolean };
}

interface Complete extends Pick<Taken, 'passed' | 'downtimes'> {
  /** Whether a process takes events in: else time stands still. */
  isPresent: boolean;
}

async function takeAll(
  transaction: Queryable,
  progress: Progress,
  complete: Complete,
  inboxFromId: number,
): Promise<Part> {
  // What became visible late, with a low id, must not be left out of its step.
  const fromId = stepOf(complete.passed) > stepOf(progress) ? 0 : inboxFromId;
  const { newestMs, ...taken } = await takeInbox(transaction, fromId, MAX_INBOX_ROWS, MAX_INBOX_ENTRIES);
  const passed = taken.hasMore ? passUntil(complete.passed, progress, newestMs) : complete.passed;
  const due = await dueVisits(transaction, passed.timeMs);
  return { ...taken, passed, downtimes: complete.downtimes, due, isBehind: false };
}

/**
 * Goes a part of the way, and leaves in the stream what the detectors could not keep until its time comes. What is put
 * away and due is looked at before, while time stands still: so none of it falls further behind than one round goes.
 */
async function takePart(
  transaction: Queryable,
  detectors: Detectors,
  { timeMs, shiftMs, mostMs }: PassedTime & { mostMs: number },
  complete: Complete,
): Promise<Part> {
  // Where clocks were set back before, that is made up for by the last part of the way.
  const lostMs = shiftMs - complete.passed.shiftMs;
  const downtimes = complete.downtimes.map(([from, to]): [number, number] => [from + lostMs, to + lostMs]);
  const waiting = { passed: { timeMs, shiftMs }, downtimes: [], rows: 0, deltas: [], kinds: [] };
  const due = await dueVisits(transaction, timeMs);
  if (due.projectIds.some((id) => !detectors.has(id)))
    return { ...waiting, due, hasMore: true, isBehind: complete.isPresent };
  const endMs = Math.min(complete.passed.timeMs, endOfSteps(timeMs, mostMs, downtimes));
  const aheadMs = MAX_AHEAD_STEPS * STEP_MS;
  const { untilMs, ...taken } = await takeInboxBefore(transaction, {
    fromMs: timeMs - shiftMs,
    endMs: endMs - shiftMs,
    // While time stands still, a burst is one all the same.
    readMs: endMs - shiftMs + (complete.isPresent ? 0 : aheadMs),
    aheadMs,
  });
  const passed = { timeMs: untilMs + shiftMs, shiftMs };
  return {
    ...taken,
    passed,
    downtimes: downtimes.filter(([from]) => from < passed.timeMs),
    due: { projectIds: [], hasMore: false },
    hasMore: complete.isPresent || taken.hasMore,
    isBehind: complete.isPresent,
  };
}

function stepsOfRound(series: number): number {
  return Math.min(MAX_AHEAD_STEPS, Math.max(MIN_STEPS, Math.floor(MAX_UPDATES / Math.max(1, series))));
}

/** Up to when time has passed; before the first round, when the stream begins. */
async function findStart(
  transaction: Queryable,
  { timeMs, shiftMs }: PassedTime,
  complete: PassedTime,
): Promise<number> {
  if (timeMs > 0) return timeMs;
  const startMs = await findInboxStart(transaction, MAX_INBOX_ROWS);
  return startMs === null ? complete.timeMs : startMs + shiftMs;
}

interface PartProjects {
  projectIds: string[];
  /** Those of them that were put away: changes by users since then are read. */
  returned: string[];
}

/** The part of a round that concerns some projects. */
export async function gatherPart(
  transaction: Queryable,
  detectors: Detectors,
  taken: Taken,
  { projectIds, returned }: PartProjects,
): Promise<Round> {
  const { id, sinceMs, passed, downtimes } = taken;
  const deltas = projectIds.flatMap((projectId) => taken.deltas.get(projectId) ?? []);
  const kinds = projectIds.flatMap((projectId) => taken.kinds.get(projectId) ?? []);
  const unknown = projectIds.filter((projectId) => taken.deltas.has(projectId) && !detectors.has(projectId));
  const begun = unknown.length > 0 ? await listNewProjects(transaction, unknown) : [];
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
    kinds: kindsOf(kinds, passed.shiftMs, projectOf),
    sinceMs,
    timeMs: passed.timeMs,
    downtimes,
  };
}

/** The settings that were changed since the newest change that was seen, of any project; null: those of all in memory. */
async function findChanged(
  transaction: Queryable,
  detectors: Detectors,
  settingsSince: Date | null,
): Promise<Pick<Taken, 'changed' | 'settingsSince'>> {
  if (!settingsSince) {
    const newest = await findNewestSettings(transaction);
    return { changed: await listRiskSettingsOf(transaction, [...detectors.keys()]), settingsSince: newest };
  }
  const since = new Date(settingsSince.getTime() - SETTINGS_OVERLAP_MS);
  const changed = await listRiskSettingsChangedSince(transaction, since);
  return { changed, settingsSince: changed.at(-1)?.updatedAt ?? settingsSince };
}

/** What is put away and to be looked at, as far as that is work for one round. */
async function dueVisits(
  transaction: Queryable,
  timeMs: number,
): Promise<{ projectIds: string[]; hasMore: boolean }> {
  const due = await listDueVisits(transaction, timeMs, MAX_VISITS);
  const projectIds: string[] = [];
  let updates = 0;
  for (const visit of due) {
    updates += visit.series * Math.ceil((timeMs - visit.timeMs) / STEP_MS);
    if (projectIds.length > 0 && updates > MAX_VISIT_UPDATES) break;
    projectIds.push(visit.projectId);
  }
  return { projectIds, hasMore: projectIds.length < due.length || due.length === MAX_VISITS };
}

function byProject<T extends { projectId: string }>(values: T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(value.projectId);
    if (group) group.push(value);
    else groups.set(value.projectId, [value]);
  }
  return groups;
}

/** The time up to which all received events are in the stream, and the downtimes before it. */
async function findPassed(
  database: Queryable,
  progress: Progress,
  backlogAge: (database: Queryable) => Promise<number>,
): Promise<Complete> {
  // From the beginning of the current step: its end has to know a downtime in its first half.
  const stepStartMs = stepOf(progress) * STEP_MS;
  const intervals = await listLivenessIntervals(database, new Date(stepStartMs - progress.shiftMs));
  const clockMs = completeUntil(intervals, await backlogAge(database));
  if (clockMs === null) return { passed: progress, downtimes: [], isPresent: false };
  const downtimeMs = findDowntimes(intervals, progress.timeMs - progress.shiftMs, clockMs).reduce(
    (sum, [from, to]) => sum + to - from,
    0,
  );
  const passed = advanceClock(progress, clockMs, downtimeMs);
  const { shiftMs } = passed;
  const downtimes = findDowntimes(intervals, stepStartMs - shiftMs, passed.timeMs - shiftMs);
  return {
    passed,
    isPresent: true,
    downtimes: downtimes.map(([from, to]) => [from + shiftMs, to + shiftMs]),
  };
}

/** In milliseconds; of the whole queue. */
async function findBacklogAge(database: Queryable): Promise<number> {
  return (await findBacklog(database, 0)).ageSeconds * 1_000;
}

/** While more stands in the stream, time passes up to what has come out of it. */
function passUntil(complete: PassedTime, { timeMs, shiftMs }: PassedTime, newestMs: number): PassedTime {
  const outMs = newestMs + shiftMs - DISORDER_MS;
  return { timeMs: Math.max(timeMs, Math.min(complete.timeMs, outMs)), shiftMs };
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
  // A transaction that resolves one from here on waits for this round: what joins it now is not lost with it.
  await lockFrames(transaction);
  return listResolved(transaction, open);
}

function kindsOf(
  kinds: InboxKind[],
  shiftMs: number,
  projectOf: (projectId: string) => KnownProject,
): Record<string, ErrorDelta[]> {
  const groups: Record<string, ErrorDelta[]> = {};
  for (const { projectId, lateMs = 0, ...kind } of kinds) {
    const isJudged = projectOf(projectId).isEvaluated(kind.source, lateMs, kind.atMs + shiftMs);
    const delta: ErrorDelta = { ...kind, atMs: kind.atMs + shiftMs, ...(!isJudged && { isLate: true }) };
    (groups[projectId] ??= []).push(delta);
  }
  return groups;
}

function stepOf({ timeMs }: PassedTime): number {
  return Math.floor(timeMs / STEP_MS);
}
