import { UP } from '@tocsin/detector';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { minuteOf } from '../../platform/time.ts';
import type { MinuteEvents } from '../counts/lead-queries.ts';
import { findDropOnset, findFirst, findRiseOnset, findSilenceOnset } from './onset.ts';
import type { OpenedAlarm } from './opened-alarm.ts';

/** Minimum time before the window that showed an excess in which its beginning is searched. */
const MIN_BEFORE_MS = HOUR_MS / 2;
const MAX_BEFORE_MS = 24 * HOUR_MS;

export interface OnsetTimes {
  /** Beginning of the alarm's window. */
  windowFromMs: number;
  nowMs: number;
}

/** Beginning of the counts that are searched for the onset of an alarm. */
export function searchFrom({ anomaly }: Pick<OpenedAlarm, 'anomaly'>, { windowFromMs }: OnsetTimes): number {
  const windowMs = anomaly.windowMinutes * MINUTE_MS;
  return windowFromMs - Math.min(MAX_BEFORE_MS, Math.max(MIN_BEFORE_MS, windowMs));
}

/** The minute of an alarm's onset, by the counts of its lead; else that of its window. */
export function onsetOf(
  { anomaly }: Pick<OpenedAlarm, 'anomaly'>,
  counts: readonly MinuteEvents[],
  times: OnsetTimes,
): number {
  const { windowFromMs, nowMs } = times;
  const fromMs = searchFrom({ anomaly }, times);
  const found = ONSETS[anomaly.rule]({
    counts,
    fromMs,
    windowFromMs,
    nowMs,
    usualPerMinute: usualPerMinute(anomaly),
  });
  return found ?? minuteOf(windowFromMs);
}

interface Search extends OnsetTimes {
  counts: readonly MinuteEvents[];
  fromMs: number;
  usualPerMinute: number;
}

const ofRise = ({ nowMs, ...search }: Search) => findRiseOnset({ ...search, toMs: nowMs + 1 });
const ofFirst = ({ counts, windowFromMs }: Search) => findFirst(counts, windowFromMs);

const ONSETS: Record<OpenedAlarm['anomaly']['rule'], (search: Search) => number | null> = {
  rise: ofRise,
  failed_payments: ofRise,
  error_share: ofRise,
  at_least: ofFirst,
  new_kind: ofFirst,
  // The current minute has not received all of its events.
  drop: ({ nowMs, ...search }) => findDropOnset({ ...search, toMs: minuteOf(nowMs) }),
  silence: ({ counts }) => findSilenceOnset(counts),
};

/** Usual events a minute; for shares, usual failures. */
function usualPerMinute({ rule, expected, windowMinutes, exposure, side }: OpenedAlarm['anomaly']): number {
  const isShare = rule === 'failed_payments' || rule === 'error_share';
  if (isShare && side === UP) return exposure ? (exposure.usualShare * exposure.events) / windowMinutes : 0;
  return expected / windowMinutes;
}
