import { STEP_MS } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { listLivenessIntervals } from '../../queue/liveness-queries.ts';
import { findBacklog } from '../../queue/queries.ts';
import type { Progress } from './journal-queries.ts';
import {
  advanceClock,
  completeUntil,
  findDowntimes,
  findUnknownTimes,
  type PassedTime,
} from './passed-time.ts';

export interface CompleteTime {
  passed: PassedTime;
  /** Times before it whose counts say nothing, [from, to) in milliseconds. */
  downtimes: [number, number][];
  /** True if an ingestion process runs: otherwise the time stands still. */
  isPresent: boolean;
}

/** Maximum lead of the intake's clocks over this process's, within which no step is noticed late. */
const CLOCK_MARGIN_MS = 5_000;

/**
 * True if, by the clock of this process, the step of the last round lasts for a while yet, so that nothing has to be
 * read to know it. False if the clock was set back or stands before the step.
 */
export function isFarFromStepEnd(progress: Progress, nowMs: number): boolean {
  const sinceStartMs = nowMs + progress.shiftMs - stepOf(progress) * STEP_MS;
  return sinceStartMs >= 0 && sinceStartMs < STEP_MS - CLOCK_MARGIN_MS;
}

/**
 * True if a step has ended since the last round. Reads the queue only if one would have ended without its backlog.
 */
export async function isStepOver(database: Queryable, progress: Progress): Promise<boolean> {
  const isOver = async (backlogAge: typeof findBacklogAge) =>
    stepOf((await findPassedTime(database, progress, backlogAge)).passed) > stepOf(progress);
  return (await isOver(async () => 0)) && (await isOver(findBacklogAge));
}

/** The time up to which all received events are in the stream, and the unknown times before it. */
export async function findPassedTime(
  database: Queryable,
  progress: Progress,
  backlogAge = findBacklogAge,
): Promise<CompleteTime> {
  // From the beginning of the current step: its end must know a downtime in its first half.
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
  const downtimes = findUnknownTimes(intervals, stepStartMs - shiftMs, passed.timeMs - shiftMs);
  return {
    passed,
    isPresent: true,
    downtimes: downtimes.map(([from, to]) => [from + shiftMs, to + shiftMs]),
  };
}

/** Age of the whole queue, in milliseconds. */
async function findBacklogAge(database: Queryable): Promise<number> {
  return (await findBacklog(database, 0)).ageSeconds * 1_000;
}

/** Number of the step that a time lies in. */
export function stepOf({ timeMs }: PassedTime): number {
  return Math.floor(timeMs / STEP_MS);
}
