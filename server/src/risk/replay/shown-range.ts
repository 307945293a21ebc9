import { UP } from '@tocsin/detector';
import type { TimeRange } from '../../events/read-types.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { sideOf } from '../headline/opened-alarm.ts';

/** Time shown before the incident. */
const BEFORE_MS = 30 * MINUTE_MS;
const AFTER_MS = 10 * MINUTE_MS;
/** Maximum time shown after the alarm: its window and a silence may have begun days before it. */
const MAX_AFTER_ALARM_MS = 24 * HOUR_MS;

/** The longest serves the windows of sparse series and long silences, which span up to several days. */
export const INTERVALS_SECONDS = [60, 300, 900, 3_600] as const;
const MAX_POINTS = 180;

export interface ShownRange extends TimeRange {
  intervalMs: number;
}

/**
 * Range in whole intervals that are over: an unfinished one would look like a drop. The one in which a rise was found
 * is shown all the same. Of a longer time than fits, the end is shown.
 */
export function shownRange(
  { from, to, rule }: StoredEvidence,
  resolvedAt: Date | null,
  nowMs: number,
): ShownRange {
  const fromMs = Date.parse(from);
  const endMs = Math.min(
    resolvedAt ? resolvedAt.getTime() + AFTER_MS : Number.POSITIVE_INFINITY,
    Date.parse(to) + MAX_AFTER_ALARM_MS,
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
  const best = longer.reduce(
    (chosen, range) => ((chosen.toMs - chosen.fromMs) / chosen.intervalMs > MAX_POINTS ? range : chosen),
    shortest,
  );
  return { ...best, fromMs: Math.max(best.fromMs, best.toMs - MAX_POINTS * best.intervalMs) };
}
