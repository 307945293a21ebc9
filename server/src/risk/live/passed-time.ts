import { MAX_UNKNOWN_STEPS, STEP_MS } from '@tocsin/detector';
import { LIVENESS_TOLERANCE_MS, type LivenessInterval } from '../../queue/liveness-queries.ts';

/** Time of the detectors, and how far it is ahead of the clocks. */
export interface PassedTime {
  timeMs: number;
  /** Above 0 after clocks were set back: the detectors' time is monotonic. */
  shiftMs: number;
}

/** Maximum time between the receipt of an event and its insertion into the queue. */
const SETTLING_MS = 1_000;
/** If clocks are set back by less than this, the detectors' time stands still until they have caught up. */
const MAX_WAIT_MS = 30_000;
/** A larger step means that clocks were set forward, or that the service was down. */
const LEAP_MS = 60_000;

/**
 * The time up to which all received events have left the queue, by the clocks that stamp events; null while no
 * process accepts events.
 * @param backlogAgeMs age of the oldest batch in the queue; 0: it is empty
 */
export function completeUntil(intervals: LivenessInterval[], backlogAgeMs: number): number | null {
  const current = intervals.filter(({ isCurrent }) => isCurrent);
  if (current.length === 0) return null;
  const untilMs = current.reduce((first, { untilMs }) => Math.min(first, untilMs), Number.POSITIVE_INFINITY);
  return untilMs - backlogAgeMs - SETTLING_MS;
}

/**
 * @param clockMs current result of `completeUntil`
 * @param downtimeMs sum of the downtimes until then: a clock that was set forward shows as downtime
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
 * The intervals [from, to) in milliseconds in which no process accepted events. A pause of at most
 * `LIVENESS_TOLERANCE_MS` between two liveness reports is no downtime.
 */
export function findDowntimes(
  intervals: LivenessInterval[],
  fromMs: number,
  toMs: number,
): [number, number][] {
  const downtimes: [number, number][] = [];
  let aliveUntilMs = fromMs;
  for (const { sinceMs, untilMs } of intervals.toSorted((left, right) => left.sinceMs - right.sinceMs)) {
    if (untilMs < fromMs || sinceMs >= toMs) continue;
    if (sinceMs - aliveUntilMs > LIVENESS_TOLERANCE_MS) downtimes.push([aliveUntilMs, sinceMs]);
    aliveUntilMs = Math.max(aliveUntilMs, untilMs);
  }
  if (toMs - aliveUntilMs > LIVENESS_TOLERANCE_MS) downtimes.push([aliveUntilMs, toMs]);
  return downtimes;
}

/**
 * The intervals [from, to) whose counts say nothing, in ascending order and apart from each other: downtimes, and times in
 * which a single process may have received what it could not store.
 */
export function findUnknownTimes(
  intervals: LivenessInterval[],
  fromMs: number,
  toMs: number,
): [number, number][] {
  const losses = intervals
    .map(({ untilMs, lostUntilMs }): [number, number] => [
      Math.max(untilMs, fromMs),
      Math.min(lostUntilMs ?? fromMs, toMs),
    ])
    .filter(([from, to]) => from < to);
  const times = [...findDowntimes(intervals, fromMs, toMs), ...losses].toSorted(
    ([left], [right]) => left - right,
  );
  const united: [number, number][] = [];
  for (const [from, to] of times) {
    const last = united.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else united.push([from, to]);
  }
  return united;
}

const MAX_UNKNOWN_MS = MAX_UNKNOWN_STEPS * STEP_MS;

/**
 * The end of the steps of a round that begins at a time. Of a downtime longer than `MAX_UNKNOWN_STEPS` the detectors
 * evaluate only so many steps, so it counts as so many and is never split between rounds.
 * @param mostMs length of the steps that the round evaluates
 * @param downtimes in ascending order
 */
export function endOfSteps(fromMs: number, mostMs: number, downtimes: [number, number][]): number {
  let atMs = Math.floor(fromMs / STEP_MS) * STEP_MS;
  let leftMs = mostMs;
  for (const [downFromMs, downToMs] of downtimes) {
    const beginMs = Math.max(downFromMs, atMs);
    if (downToMs - beginMs <= MAX_UNKNOWN_MS) continue;
    if (beginMs - atMs >= leftMs) break;
    leftMs = Math.max(0, leftMs - (beginMs - atMs) - MAX_UNKNOWN_MS);
    atMs = Math.ceil(downToMs / STEP_MS) * STEP_MS;
  }
  return atMs + leftMs;
}

/** Beyond this number the oldest downtimes are merged into one, with the time between them. */
const MAX_PAST_DOWNTIMES = 500;

/** The past downtimes, and the parts of new ones within the steps that end now: [from, to) in milliseconds. */
export function addPastDowntimes(
  pastDowntimes: [number, number][],
  downtimes: [number, number][],
  [fromMs, toMs]: [number, number],
): [number, number][] {
  const more = downtimes
    .map(([from, to]): [number, number] => [Math.max(from, fromMs), Math.min(to, toMs)])
    .filter(([from, to]) => from < to);
  const all = [...pastDowntimes, ...more];
  const [first] = all;
  const last = all[all.length - MAX_PAST_DOWNTIMES];
  if (!first || !last) return all;
  return [[first[0], last[1]], ...all.slice(all.length - MAX_PAST_DOWNTIMES + 1)];
}
