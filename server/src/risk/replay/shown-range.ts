import { UP } from '@tocsin/detector';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import type { TimeRange } from '../counts/count-queries.ts';
import { sideOf } from '../headline/opened-alarm.ts';

/** Time shown before the incident. */
const BEFORE_MS = 30 * MINUTE_MS;
const AFTER_MS = 10 * MINUTE_MS;
const MAX_DURATION_MS = 24 * HOUR_MS;

/** The longest serves the windows of sparse series, which span up to several days. */
export const INTERVALS_SECONDS = [60, 300, 900, 3_600] as const;
const MAX_POINTS = 180;

export interface ShownRange extends TimeRange {
  intervalMs: number;
}

/**
 * Range in whole intervals that are over: an unfinished one would look like a drop. The one in which a rise was found
 * is shown all the same.
 */
export function shownRange(
  { from, to, rule }: StoredEvidence,
  resolvedAt: Date | null,
  nowMs: number,
): ShownRange {
  const fromMs = Date.parse(from);
  const endMs = Math.min(
    resolvedAt ? resolvedAt.getTime() + AFTER_MS : Number.POSITIVE_INFINITY,
    Math.max(fromMs + MAX_DURATION_MS, Date.parse(to)),
    nowMs,
  );
  const [shortest, ...longer] = INTERVALS_SECONDS.map((seconds): ShownRange => {
    const intervalMs = seconds * 1_000;
    const found = sideOf(rule) === UP ? Math.ceil(Date.parse(to) / intervalMs) : 0;
    return {
      intervalMs,
      fromMs: Math.floor((fromMs - BEFORE_MS) / intervalMs) * intervalMs,
      toMs:
        Math.max(found, Math.min(Math.ceil(endMs / intervalMs), Math.floor(nowMs / intervalMs))) * intervalMs,
    };
  }) as [ShownRange, ...ShownRange[]];
  return longer.reduce(
    (best, range) => ((best.toMs - best.fromMs) / best.intervalMs > MAX_POINTS ? range : best),
    shortest,
  );
}
