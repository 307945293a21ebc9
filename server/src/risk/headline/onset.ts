import { UP } from '@tocsin/detector';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { minuteOf } from '../../platform/time.ts';
import type { MinuteEvents } from '../counts/lead-queries.ts';
import type { OpenedAlarm } from './opened-alarm.ts';

/** Counts that are searched for the beginning of a change. */
export interface OnsetRequest {
  counts: readonly MinuteEvents[];
  fromMs: number;
  /** Exclusive end. The current minute is included for a rise, and excluded for a drop. */
  toMs: number;
  usualPerMinute: number;
}

/** Minimum excess of a minute over the usual count, in standard deviations of a Poisson count. */
const DEVIATIONS = 2;
/** Minimum excess if next to nothing is usual: half an event. */
const MIN_EXCESS = 0.5;

/**
 * The first minute of an excess: it begins the largest sum, up to now, of the minutes' excess over the usual count
 * and two deviations of it (the maximum likelihood estimate of a change point by cumulative sums, Page 1954). Null:
 * no minute has an excess.
 */
export function findRiseOnset({ counts, fromMs, toMs, usualPerMinute }: OnsetRequest): number | null {
  const least = usualPerMinute + Math.max(MIN_EXCESS, DEVIATIONS * Math.sqrt(usualPerMinute));
  return findOnset({ counts, fromMs, toMs }, (events) => events - least);
}

/** The same for an absence: below half of the usual count. */
export function findDropOnset({ counts, fromMs, toMs, usualPerMinute }: OnsetRequest): number | null {
  return findOnset({ counts, fromMs, toMs }, (events) => usualPerMinute / 2 - events);
}

/** End of the last minute with an event; null: none has one. */
export function findSilenceOnset(counts: readonly MinuteEvents[]): number | null {
  const last = counts.findLast(({ events }) => events > 0);
  return last ? last.minuteMs + MINUTE_MS : null;
}

/** The first minute from a time on with an event; null: none has one. */
export function findFirst(counts: readonly MinuteEvents[], fromMs: number): number | null {
  const minuteMs = minuteOf(fromMs);
  return counts.find((each) => each.minuteMs >= minuteMs && each.events > 0)?.minuteMs ?? null;
}

function findOnset(
  { counts, fromMs, toMs }: Omit<OnsetRequest, 'usualPerMinute'>,
  scoreOf: (events: number) => number,
): number | null {
  const events = new Map(counts.map((each) => [each.minuteMs, each.events]));
  const firstMs = minuteOf(fromMs);
  const lastMs = minuteOf(toMs - 1);
  let best: { sum: number; minuteMs: number } | null = null;
  let sum = 0;
  for (let minuteMs = lastMs; minuteMs >= firstMs; minuteMs -= MINUTE_MS) {
    sum += scoreOf(events.get(minuteMs) ?? 0);
    // The minutes between are as usual: anything before them is another change.
    if (sum < 0 && best) break;
    if (sum > (best?.sum ?? 0)) best = { sum, minuteMs };
  }
  return best?.minuteMs ?? null;
}

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
