import { MAX_UNKNOWN_STEPS, STEP_MS } from '@tocsin/detector';
import { LIVENESS_TOLERANCE_MS, type LivenessInterval } from '../../queue/liveness-queries.ts';

/** Up to when time has passed for the detectors, and how far their time is ahead of the clocks. */
export interface PassedTime {
  timeMs: number;
  /** Above 0 after clocks were set back: for the detectors time only goes on. */
  shiftMs: number;
}

/** What was received before is in the queue after so long. */
const SETTLING_MS = 1_000;
/** Clocks that are set back by less are waited for. */
const MAX_WAIT_MS = 30_000;
/** More than this is no passing of time, but clocks that were set forward (or a service that was down). */
const LEAP_MS = 60_000;

/**
 * Up to when everything that was received has come out of the queue, by the clocks that stamp events; null while
 * no process takes any in.
 * @param backlogAgeMs how long the oldest batch has stood in the queue; 0: it is empty
 */
export function completeUntil(intervals: LivenessInterval[], backlogAgeMs: number): number | null {
  const current = intervals.filter(({ isCurrent }) => isCurrent);
  if (current.length === 0) return null;
  const untilMs = current.reduce((first, { untilMs }) => Math.min(first, untilMs), Number.POSITIVE_INFINITY);
  return untilMs - backlogAgeMs - SETTLING_MS;
}

/**
 * @param clockMs what `completeUntil` says now
 * @param downtimeMs for how long of the time until then no process took events in: only that can be a clock that leapt
 */
export function advanceClock(
  { timeMs, shiftMs }: PassedTime,
  clockMs: number,
  downtimeMs: number,
): PassedTime {
  const now = clockMs + shiftMs;
  if (now < timeMs - MAX_WAIT_MS) return { timeMs, shiftMs: timeMs - clockMs };
  if (now > timeMs + LEAP_MS && shiftMs > 0) {
    const taken = Math.min(shiftMs, now - timeMs, downtimeMs);
    return { timeMs: now - taken, shiftMs: shiftMs - taken };
  }
  return { timeMs: Math.max(timeMs, now), shiftMs };
}

/**
 * The stretches of time in which no process took events in: [from, to) in milliseconds. What lies between two
 * signs of life of processes counts as present while it is short.
 */
export function findGaps(intervals: LivenessInterval[], fromMs: number, toMs: number): [number, number][] {
  const gaps: [number, number][] = [];
  let aliveUntilMs = fromMs;
  for (const { sinceMs, untilMs } of intervals.toSorted((left, right) => left.sinceMs - right.sinceMs)) {
    if (untilMs < fromMs || sinceMs >= toMs) continue;
    if (sinceMs - aliveUntilMs > LIVENESS_TOLERANCE_MS) gaps.push([aliveUntilMs, sinceMs]);
    aliveUntilMs = Math.max(aliveUntilMs, untilMs);
  }
  if (toMs - aliveUntilMs > LIVENESS_TOLERANCE_MS) gaps.push([aliveUntilMs, toMs]);
  return gaps;
}

const MAX_UNKNOWN_MS = MAX_UNKNOWN_STEPS * STEP_MS;

/**
 * The end of the steps that a round goes through from a time on, as far as so much is known; a stretch in which nothing
 * is known and of which most is left out is gone through as a whole.
 * @param gaps in ascending order
 */
export function endOfSteps(fromMs: number, mostMs: number, gaps: [number, number][]): number {
  let atMs = Math.floor(fromMs / STEP_MS) * STEP_MS;
  let leftMs = mostMs;
  for (const [gapFromMs, gapToMs] of gaps) {
    const beginMs = Math.max(gapFromMs, atMs);
    if (gapToMs - beginMs <= MAX_UNKNOWN_MS) continue;
    if (beginMs - atMs >= leftMs) break;
    leftMs = Math.max(0, leftMs - (beginMs - atMs) - MAX_UNKNOWN_MS);
    atMs = Math.ceil(gapToMs / STEP_MS) * STEP_MS;
  }
  return atMs + leftMs;
}

/** More gaps than these count as one with the time between them. */
const MAX_PAST_GAPS = 500;

/** The gaps of the past, and those within the steps that end now: [from, to) in milliseconds. */
export function addPastGaps(
  pastGaps: [number, number][],
  gaps: [number, number][],
  [fromMs, toMs]: [number, number],
): [number, number][] {
  const more = gaps
    .map(([from, to]): [number, number] => [Math.max(from, fromMs), Math.min(to, toMs)])
    .filter(([from, to]) => from < to);
  const all = [...pastGaps, ...more];
  const [first] = all;
  const last = all[all.length - MAX_PAST_GAPS];
  if (!first || !last) return all;
  return [[first[0], last[1]], ...all.slice(all.length - MAX_PAST_GAPS + 1)];
}
