import { DEFAULT_SETTINGS, type DetectorEvent, fromBytes, ProjectDetector } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { assert } from '../../platform/assert.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import type { Log } from '../../platform/log.ts';
import { minuteOf } from '../../platform/time.ts';
import type { DetectorStore } from '../live/detector-store.ts';
import type { Progress } from '../live/journal-queries.ts';
import { load, save } from '../live/offload.ts';
import { listNewProjects } from '../live/queries.ts';
import { addRebuildAttempts, deleteRebuild, findFormerState, type Rebuild } from '../live/rebuild-queries.ts';
import type { RoundInput } from '../live/take-round.ts';
import type { PastCount } from '../replay/count-pieces.ts';
import { withoutFields } from '../replay/find-incidents.ts';
import { readPastCounts } from '../replay/preview-queries.ts';
import { listDowntimes } from '../replay/read-past.ts';
import { replayCounts } from '../replay/replay-counts.ts';
import { unsettledMs, wholeMinutes } from './read-task.ts';
import { type RebuiltDetector, RecentAlarms } from './rebuild-detector.ts';

/** Further behind, a detector is made once more: a round does not wait for it. */
const MAX_BEHIND_MS = 6 * HOUR_MS;

/** A project that waits for the end of a step. */
export interface ReadyProject extends Rebuild {
  /** Null: its counts could not be gone through. */
  rebuilt: RebuiltDetector | null;
}

interface Moment {
  store: DetectorStore;
  progress: Progress;
  taken: RoundInput;
  log: Log;
}

/**
 * Puts a rebuilt detector in the place of the one that watched meanwhile, as if it had applied all rounds so far: all minutes
 * that are over now come from the stored counts, so they leave the input of the round. It is saved at once, since no round
 * contains it. Without one, the other goes on, and open incidents that nothing is attached to end.
 * @returns its alarms that opened since the other began to watch, and are of no incident
 */
export async function takeOver(
  transaction: Queryable,
  ready: ReadyProject,
  moment: Moment,
): Promise<DetectorEvent[]> {
  const { organizationId, projectId, rebuilt, sinceMs, activeMs } = ready;
  const { store, progress, taken, log } = moment;
  const { timeMs, shiftMs } = taken.passed;
  const untilMs = minuteOf(timeMs);
  const [initial] = await listNewProjects(transaction, [projectId]);
  if (!initial?.isRebuilt) return [];
  const saved = rebuilt && fromBytes(rebuilt.state);
  if (saved && untilMs - saved.stepMs > MAX_BEHIND_MS) {
    await addRebuildAttempts(transaction, [projectId], -1);
    log.info({ projectId }, 'a rebuilt detector is too far behind: it is rebuilt once more');
    return [];
  }
  await load(transaction, store, [projectId], { beforeRound: taken.id, log });
  taken.visits = taken.visits.filter((id) => id !== projectId);
  const before = store.detectors.get(projectId);
  const asked = { shiftMs, sinceMs };
  const { incidents, lateSources } = await findFormerState(transaction, organizationId, projectId, asked);
  const recent = new RecentAlarms(sinceMs, rebuilt?.opened);
  assert(!rebuilt || saved !== null, 'A rebuilt detector is of this version.');
  const detector = saved ? new ProjectDetector(saved.stepMs, DEFAULT_SETTINGS, saved) : before;
  // No field of a replayed event is known: rules about fields begin their windows after the replay.
  detector?.set(saved ? withoutFields(initial.settings) : initial.settings);
  if (saved && detector) {
    detector.adoptLateSources(before?.lateSources ?? lateSources);
    const unknownMs = untilMs - unsettledMs(detector.lateSources);
    const passing = { detector, unknownMs, untilMs, shiftMs: wholeMinutes(shiftMs), recent };
    await catchUp(transaction, ready, passing);
    detector.set(initial.settings);
    for (const delta of before?.save().early ?? []) if (delta.bucketMs >= untilMs) detector.count(delta);
    // They belong to incidents of the replay.
    detector.takeAdditionalEvents();
  }
  await deleteRebuild(transaction, projectId);
  if (!detector) return [];
  const former = { incidents, nextNumber: initial.firstIncident, attachedAtMs: untilMs, sinceMs };
  const numbers = detector.adopt(former);
  for (const { number, isResolved } of incidents) if (isResolved) detector.resolve(number);
  const own = { projectId, detector, round: progress.lastRound, activeMs };
  const { failures } = await save(transaction, store, [{ ...own, series: detector.size }], () => null);
  if (failures[0]) throw failures[0].fault;
  store.hold(own);
  if (rebuilt) {
    leaveOut(taken, projectId, untilMs);
    log.info({ projectId, series: detector.seriesCount }, 'a detector was rebuilt from stored counts');
  }
  return recent.alarms.flatMap((alarm) => {
    const incident = numbers.get(alarm.incident);
    return incident === undefined ? [] : [{ ...alarm, incident }];
  });
}

/** Leaves out the counts of minutes that are over. */
function leaveOut({ deltas, passed }: RoundInput, projectId: string, untilMs: number): void {
  const later = deltas.get(projectId)?.filter(({ bucketMs }) => bucketMs + passed.shiftMs >= untilMs) ?? [];
  if (later.length > 0) deltas.set(projectId, later);
  else deltas.delete(projectId);
}

interface CatchUp {
  detector: ProjectDetector;
  /** Beginning of the minutes whose counts may still come. */
  unknownMs: number;
  untilMs: number;
  shiftMs: number;
  recent: RecentAlarms;
}

/** Lets the minutes pass that were counted since the detector was made. */
async function catchUp(
  transaction: Queryable,
  { organizationId, projectId }: Rebuild,
  { detector, unknownMs, untilMs, shiftMs, recent }: CatchUp,
): Promise<void> {
  const range = { fromMs: detector.stepMs - shiftMs, toMs: untilMs - shiftMs };
  const counts: PastCount[] = [];
  for await (const piece of readPastCounts(transaction, organizationId, projectId, range))
    for (const count of piece) counts.push({ ...count, minuteMs: count.minuteMs + shiftMs });
  const downtimes = await listDowntimes(transaction, range);
  replayCounts({
    detector,
    counts,
    beginMs: detector.stepMs,
    toMs: untilMs,
    downtimes: [
      ...downtimes.map(([from, to]): [number, number] => [from + shiftMs, to + shiftMs]),
      [unknownMs, untilMs],
    ],
    report: recent.take,
  });
}
