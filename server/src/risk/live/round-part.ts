import { MAX_AHEAD_STEPS, type ProjectDetector, STEP_MS } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { type DueVisits, findDueVisits } from './due-visits.ts';
import { type CompleteTime, stepOf } from './find-passed-time.ts';
import { DISORDER_MS, MAX_INBOX_ENTRIES, MAX_INBOX_ROWS, takeInboxBefore } from './inbox/inbox.ts';
import { type InboxDelta, type InboxError, takeInbox } from './inbox/queries.ts';
import type { Progress } from './journal-queries.ts';
import { endOfSteps, type PassedTime } from './passed-time.ts';

export type Detectors = ReadonlyMap<string, ProjectDetector>;

/** Input of a round, before its projects are known. */
export interface Part {
  passed: PassedTime;
  downtimes: [number, number][];
  /** True if the stream contains more. */
  hasMore: boolean;
  /** True if it covers only a part of the time up to now: further rounds must follow at once. */
  isBehind: boolean;
  rows: number;
  deltas: InboxDelta[];
  errors: InboxError[];
  due: DueVisits;
}

export async function takeAll(
  transaction: Queryable,
  progress: Progress,
  complete: CompleteTime,
  inboxFromId: number,
): Promise<Part> {
  // A row that became visible late, with a low id, must not be left out of its step.
  const fromId = stepOf(complete.passed) > stepOf(progress) ? 0 : inboxFromId;
  const { newestMs, ...taken } = await takeInbox(transaction, fromId, MAX_INBOX_ROWS, MAX_INBOX_ENTRIES);
  const passed = taken.hasMore ? passUntil(complete.passed, progress, newestMs) : complete.passed;
  const due = await findDueVisits(transaction, passed.timeMs);
  return { ...taken, passed, downtimes: complete.downtimes, due, isBehind: false };
}

/**
 * Covers a part of the time, and leaves in the stream what the detectors could not keep until its time comes. Due
 * offloaded projects are evaluated before, while time stands still: so none of them falls further behind than one
 * round covers.
 */
export async function takePart(
  transaction: Queryable,
  detectors: Detectors,
  { timeMs, shiftMs, mostMs }: PassedTime & { mostMs: number },
  complete: CompleteTime,
): Promise<Part> {
  // If clocks were set back before, the last part of the way makes up for it.
  const lostMs = shiftMs - complete.passed.shiftMs;
  const downtimes = complete.downtimes.map(([from, to]): [number, number] => [from + lostMs, to + lostMs]);
  const waiting = { passed: { timeMs, shiftMs }, downtimes: [], rows: 0, deltas: [], errors: [] };
  const due = await findDueVisits(transaction, timeMs);
  if (due.projectIds.some((id) => !detectors.has(id)))
    return { ...waiting, due, hasMore: true, isBehind: complete.isPresent };
  const endMs = Math.min(complete.passed.timeMs, endOfSteps(timeMs, mostMs, downtimes));
  const aheadMs = MAX_AHEAD_STEPS * STEP_MS;
  const { untilMs, ...taken } = await takeInboxBefore(transaction, {
    fromMs: timeMs - shiftMs,
    endMs: endMs - shiftMs,
    // A burst is detected even while time stands still.
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

/** While the stream contains more, time passes up to the newest entry taken from it. */
function passUntil(complete: PassedTime, { timeMs, shiftMs }: PassedTime, newestMs: number): PassedTime {
  const outMs = newestMs + shiftMs - DISORDER_MS;
  return { timeMs: Math.max(timeMs, Math.min(complete.timeMs, outMs)), shiftMs };
}
