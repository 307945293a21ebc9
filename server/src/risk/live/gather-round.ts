import { isDeepStrictEqual } from 'node:util';
import { lockFrames } from '../../incidents/queries.ts';
import type { Queryable } from '../../platform/database.ts';
import { listPresence } from '../../queue/presence-queries.ts';
import { findBacklog } from '../../queue/queries.ts';
import type { KindDelta } from '../detector/count-delta.ts';
import { LATE_MS } from '../detector/lateness.ts';
import { type ProjectDetector, STEP_MS } from '../detector/project-detector.ts';
import { DETECTOR_VERSION } from '../detector/version.ts';
import { listRiskSettingsChangedSince } from '../settings-queries.ts';
import { addUp, type KnownProject } from './add-up.ts';
import type { Progress } from './journal-queries.ts';
import { advance, completeUntil, findGaps, type PassedTime } from './passed-time.ts';
import { type InboxKind, listBeginnings, listResolved, takeInbox } from './queries.ts';
import type { Round } from './round.ts';

/** What one round takes; a backlog is taken in several. */
const MAX_INBOX_ROWS = 1_000;
/** Counts and kinds: some 10 MB in memory. */
const MAX_INBOX_ENTRIES = 20_000;
/** The stream is in the order of processing, which is that of receipt but for so much. */
const DISORDER_MS = 60_000;

export interface Gathered {
  round: Round;
  passed: PassedTime;
  /** Whether more stands in the stream. */
  hasMore: boolean;
  /** When settings were changed last, as far as was seen. */
  settingsSince: Date | null;
}

/** Settings that were committed late are found for so long after the newest that was seen. */
const SETTINGS_OVERLAP_MS = 60_000;

/** Whether a step is over since the last round. The queue is asked only where none would be but for what waits there. */
export async function isStepOver(database: Queryable, progress: Progress): Promise<boolean> {
  const isOver = async (backlogAge: typeof findBacklogAge) =>
    stepOf((await findPassed(database, progress, backlogAge)).passed) > stepOf(progress);
  return (await isOver(async () => 0)) && (await isOver(findBacklogAge));
}

/**
 * Takes what has come since the last round; null where that is nothing. The queue is asked before the stream is
 * read: what leaves the one for the other in between is seen in the stream.
 * @param inboxFromId where the stream is read from while no step ends; at the end of one all of it is read
 * @param setAside projects whose events are not judged at this time
 * @param settingsSince settings that were changed long before are known to the detectors; null: none are
 */
export async function gatherRound(
  transaction: Queryable,
  detectors: Map<string, ProjectDetector>,
  progress: Progress,
  settingsSince: Date | null,
  setAside: ReadonlySet<string>,
  inboxFromId: number,
): Promise<Gathered | null> {
  const complete = await findPassed(transaction, progress, findBacklogAge);
  // What became visible late, with a low id, must not be left out of its step.
  const fromId = stepOf(complete.passed) > stepOf(progress) ? 0 : inboxFromId;
  const taken = await takeInbox(transaction, fromId, MAX_INBOX_ROWS, MAX_INBOX_ENTRIES);
  const { rows, newestMs, hasMore } = taken;
  const isJudged = ({ projectId }: { projectId: string }) => !setAside.has(projectId);
  const deltas = taken.deltas.filter(isJudged);
  const kinds = taken.kinds.filter(isJudged);
  const passed = hasMore ? passUntil(complete.passed, progress, newestMs) : complete.passed;
  const unknown = new Set(deltas.map(({ projectId }) => projectId).filter((id) => !detectors.has(id)));
  const since = settingsSince && new Date(settingsSince.getTime() - SETTINGS_OVERLAP_MS);
  const changed = await listRiskSettingsChangedSince(transaction, since);
  const begun = unknown.size > 0 ? await listBeginnings(transaction, [...unknown]) : [];
  const settings = new Map([...begun, ...changed].map((known) => [known.projectId, known.settings]));
  const projectOf = (projectId: string): KnownProject => {
    const detector = detectors.get(projectId);
    return {
      knows: (delta) => detector?.knows(delta) ?? false,
      judges: (source, lateMs) => detector?.judges(source, lateMs) ?? lateMs <= LATE_MS,
      followsLateness: (source) => detector?.followsLateness(source) ?? false,
      rules: (settings.get(projectId) ?? detector?.settings)?.rules ?? [],
    };
  };
  const round: Round = {
    id: progress.lastRound + 1,
    version: DETECTOR_VERSION,
    begun,
    set: changed.filter(({ projectId, settings }) => {
      const detector = detectors.get(projectId);
      return detector && !isDeepStrictEqual(detector.settings, settings);
    }),
    resolved: await listResolvedOf(transaction, detectors),
    ...addUp(deltas, passed.shiftMs, projectOf),
    kinds: kindsOf(kinds, passed.shiftMs, projectOf),
    timeMs: passed.timeMs,
    gaps: complete.gaps,
  };
  const isEmpty =
    rows === 0 && round.set.length + round.resolved.length === 0 && stepOf(passed) === stepOf(progress);
  return isEmpty
    ? null
    : { round, passed, hasMore, settingsSince: changed.at(-1)?.updatedAt ?? settingsSince };
}

/** Up to when everything that was received is in the stream, and where nobody took anything in before that. */
async function findPassed(
  database: Queryable,
  progress: Progress,
  backlogAge: (database: Queryable) => Promise<number>,
): Promise<{ passed: PassedTime; gaps: [number, number][] }> {
  // From the beginning of the step that runs: a gap in its first half is known at its end.
  const stepStartMs = stepOf(progress) * STEP_MS;
  const presences = await listPresence(database, new Date(stepStartMs - progress.shiftMs));
  const clockMs = completeUntil(presences, await backlogAge(database));
  if (clockMs === null) return { passed: progress, gaps: [] };
  const goneMs = findGaps(presences, progress.timeMs - progress.shiftMs, clockMs).reduce(
    (sum, [from, to]) => sum + to - from,
    0,
  );
  const passed = advance(progress, clockMs, goneMs);
  const { shiftMs } = passed;
  const gaps = findGaps(presences, stepStartMs - shiftMs, passed.timeMs - shiftMs);
  return { passed, gaps: gaps.map(([from, to]) => [from + shiftMs, to + shiftMs]) };
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
  detectors: Map<string, ProjectDetector>,
): Promise<Round['resolved']> {
  const open = [...detectors].flatMap(([projectId, { incidents }]) =>
    incidents.map((incident) => ({ projectId, incident })),
  );
  if (open.length === 0) return [];
  // Whoever resolves one from here on waits for this round: what joins it now is not lost with it.
  await lockFrames(transaction);
  return listResolved(transaction, open);
}

function kindsOf(
  kinds: InboxKind[],
  shiftMs: number,
  projectOf: (projectId: string) => KnownProject,
): Record<string, KindDelta[]> {
  const groups: Record<string, KindDelta[]> = {};
  for (const { projectId, lateMs = 0, ...kind } of kinds) {
    const isJudged = projectOf(projectId).judges(kind.source, lateMs);
    const delta: KindDelta = { ...kind, atMs: kind.atMs + shiftMs, ...(!isJudged && { isLate: true }) };
    (groups[projectId] ??= []).push(delta);
  }
  return groups;
}

function stepOf({ timeMs }: PassedTime): number {
  return Math.floor(timeMs / STEP_MS);
}
