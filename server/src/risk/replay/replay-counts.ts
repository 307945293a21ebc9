import type { ProjectDetector, Verdict } from '@tocsin/detector';
import { gapIn } from '../live/passed-time.ts';
import type { PastCount } from './count-pieces.ts';

const MINUTE_MS = 60_000;
/** What sends more in a minute has no beats that could be missed. */
const MOST_APART = 30;

export interface Replay {
  detector: ProjectDetector;
  /** Oldest first. */
  counts: Iterable<PastCount>;
  /** What was counted before is left out. */
  beginMs: number;
  toMs: number;
  /** Stretches of time, [from, to), whose counts say nothing. */
  gaps: [number, number][];
  report: (verdict: Verdict) => void;
}

/**
 * Has a detector go through what a project counted in the past. Nothing is known of when within a minute events came:
 * few are scattered over it, or every series with an event a minute would look like one that beats. So no minute is looked at before it is over; what a look finds is
 * found then as well.
 */
export function replayCounts({ detector, counts, beginMs, toMs, gaps, report }: Replay): void {
  const endStepsBefore = (timeMs: number) => {
    while (detector.stepMs < timeMs) {
      const endMs = detector.stepMs + MINUTE_MS;
      const isKnown = gapIn(gaps, detector.stepMs, endMs) === undefined;
      detector.endStepsBefore(endMs, isKnown).forEach(report);
    }
  };
  for (const { minuteMs, type, severity, source, count } of counts) {
    if (minuteMs < beginMs) continue;
    endStepsBefore(minuteMs);
    const delta = { type, severity, source, bucketMs: minuteMs };
    if (count > MOST_APART) detector.count({ ...delta, count, lastMs: minuteMs + MINUTE_MS - 1 });
    else for (const lastMs of scatter(minuteMs, count)) detector.count({ ...delta, count: 1, lastMs });
  }
  endStepsBefore(toMs);
}

/** Moments of a minute in their order, without order otherwise, and the same each time (a linear congruence). */
function scatter(minuteMs: number, count: number): number[] {
  let state = (minuteMs / MINUTE_MS) >>> 0;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  // The first numbers of neighbouring seeds are alike.
  for (let i = 0; i < 4; i++) next();
  return Array.from({ length: count }, () => minuteMs + Math.floor(MINUTE_MS * next())).sort(
    (left, right) => left - right,
  );
}
