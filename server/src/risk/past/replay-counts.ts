import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Verdict } from '../detector/finding.ts';
import type { ProjectDetector } from '../detector/project-detector.ts';
import type { PastCount } from './preview-queries.ts';

const MINUTE_MS = 60_000;
/** Requests of others wait no longer for their turn. */
const LONGEST_TURN_MS = 10;

export interface Replay {
  detector: ProjectDetector;
  /** Oldest first, none from before the detector's step. */
  counts: AsyncIterable<PastCount[]>;
  toMs: number;
  /** Stretches of time, [from, to), whose counts say nothing. */
  gaps: [number, number][];
  /** Ends the work when nobody waits for it any more. */
  signal: AbortSignal;
  report: (verdict: Verdict) => void;
}

/**
 * Has a detector go through what a project counted in the past. Nothing is known of when within a minute events came:
 * the last of each series counts as of its end. So no minute is looked at before it is over; what a look finds is
 * found then as well.
 */
export async function replayCounts({ detector, counts, toMs, gaps, signal, report }: Replay): Promise<void> {
  let turnBeganMs = performance.now();
  const endStepsBefore = async (timeMs: number) => {
    while (detector.stepMs < timeMs) {
      const endMs = detector.stepMs + MINUTE_MS;
      const isKnown = !gaps.some(([gapFromMs, gapToMs]) => gapFromMs < endMs && gapToMs > detector.stepMs);
      detector.endStepsBefore(endMs, isKnown).forEach(report);
      if (performance.now() - turnBeganMs < LONGEST_TURN_MS) continue;
      await othersTurn();
      signal.throwIfAborted();
      turnBeganMs = performance.now();
    }
  };
  for await (const piece of counts) {
    for (const { minuteMs, type, severity, source, count } of piece) {
      await endStepsBefore(minuteMs);
      detector.count({ type, severity, source, count, bucketMs: minuteMs, lastMs: minuteMs + MINUTE_MS - 1 });
    }
  }
  await endStepsBefore(toMs);
}
