import { advance, type CountDelta, type DetectorEvent, type ProjectDetector } from '@tocsin/detector';
import { MINUTE_MS } from '../../platform/durations.ts';
import type { PastCount } from './count-pieces.ts';

/** A series with more events in a minute has no heartbeat that could be missed. */
const MAX_SCATTERED = 30;

export interface Replay {
  detector: ProjectDetector;
  /** Counts, oldest first. */
  counts: Iterable<PastCount>;
  /** Counts before it are left out. */
  beginMs: number;
  toMs: number;
  /** Intervals [from, to) in which no process accepted events, in ascending order. */
  downtimes: [number, number][];
  report: (event: DetectorEvent) => void;
}

/** Moves a detector through the past counts of a project. */
export function replayCounts({ detector, counts, beginMs, toMs, downtimes, report }: Replay): void {
  const deltas = spread(counts, beginMs);
  for (const detectorEvents of advance(detector, deltas, { untilMs: toMs, gaps: downtimes }))
    detectorEvents.forEach(report);
}

/**
 * The time of an event within its minute is unknown. The events of a minute with few are scattered over it: one count
 * for each minute would make every series with an event a minute look like a regular heartbeat.
 */
function* spread(counts: Iterable<PastCount>, beginMs: number): Generator<CountDelta, void> {
  for (const { minuteMs, type, severity, source, count } of counts) {
    if (minuteMs < beginMs) continue;
    const delta = { type, severity, source, bucketMs: minuteMs };
    if (count > MAX_SCATTERED) yield { ...delta, count, lastMs: minuteMs + MINUTE_MS - 1 };
    else for (const lastMs of scatter(minuteMs, count)) yield { ...delta, count: 1, lastMs };
  }
}

/** Times within a minute, ascending and pseudo-random: a linear congruential generator, seeded with the minute. */
function scatter(minuteMs: number, count: number): number[] {
  let state = (minuteMs / MINUTE_MS) >>> 0;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  // The first numbers of neighbouring seeds are correlated.
  for (let i = 0; i < 4; i++) next();
  return Array.from({ length: count }, () => minuteMs + Math.floor(MINUTE_MS * next())).sort(
    (left, right) => left - right,
  );
}
