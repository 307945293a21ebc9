import { DOWN } from '@tocsin/detector';
import type { Current } from '../../incidents/current-values.ts';
import {
  type AttachedSeries,
  type RiskRule,
  type RiskSeries,
  toSeries,
} from '../../incidents/evidence-schema.ts';
import { firstMinuteOf } from '../../incidents/lead.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/durations.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import { rulesOf, toShownNumber } from '../headline/opened-alarm.ts';
import type { SeriesMinute } from './queries.ts';

/** Length of "now": the current minute and those before it, as far as the incident had begun. */
const WINDOW_MINUTES = 5;
/** Maximum attached series that are followed by the minute. */
const MAX_SERIES = 8;
/** Maximum time in which the peak of an incident is searched: the last day. */
const MAX_PEAK_MS = DAY_MS;
/** Minimum change between two windows, in standard deviations of Poisson counts, beside the minimum share. */
const TREND_DEVIATIONS = 2;
const TREND_SHARE = 0.2;

/** Counts that the current values of an incident are computed from. */
export interface CurrentRequest {
  attached: AttachedSeries[];
  /** The headline, the attached series, then the denominator of the headline. */
  series: [RiskSeries, ...RiskSeries[]];
  /** Beginning of the counts of all series. */
  recentFromMs: number;
  /** Beginning of the counts of the headline. */
  peakFromMs: number;
  toMs: number;
}

/** Returns null if the counts do not identify the series of the headline. */
export function requestOf(evidence: StoredEvidence, sinceMs: number, nowMs: number): CurrentRequest | null {
  const { series } = evidence;
  if (series.kind === 'other') return null;
  const attached = evidence.alsoSeries.filter(({ kind }) => isCounted(kind)).slice(0, MAX_SERIES);
  const minuteMs = minuteOf(nowMs);
  const begunMs = firstMinuteOf(evidence.rule, sinceMs);
  return {
    attached,
    series: [series, ...attached, wholeOf(series)],
    recentFromMs: minuteMs - (2 * WINDOW_MINUTES - 1) * MINUTE_MS,
    peakFromMs: Math.max(begunMs, minuteMs - MAX_PEAK_MS),
    toMs: minuteMs + MINUTE_MS,
  };
}

/** Returns false for series whose events the counts do not tell from others: those of a group have the type and source of others. */
function isCounted(kind: RiskSeries['kind']): boolean {
  return kind !== 'other' && kind !== 'new_kind';
}

/** Denominator of a series: all payments for payments, all events of its source for anything else. */
function wholeOf({ kind, source }: RiskSeries): RiskSeries {
  const any = { kind: 'rule', type: null, severity: null, source: null, fingerprint: null } as const;
  return kind === 'failed_payments' ? { ...any, type: 'payment' } : { ...any, source };
}

/**
 * Computes the current values of an incident's series.
 * @param recent counts of the request's series since `recentFromMs`
 * @param headline counts of the first series since `peakFromMs`
 */
export function toCurrent(
  evidence: StoredEvidence,
  request: CurrentRequest,
  { recent, headline }: { recent: SeriesMinute[]; headline: SeriesMinute[] },
  nowMs: number,
): Omit<Current, 'release'> {
  const window = windowOf(request, request.peakFromMs, nowMs);
  const observed = countOf(recent, 0, window.fromMs);
  const all = countOf(recent, request.series.length - 1, window.fromMs);
  return {
    at: isoTime(nowMs),
    windowSeconds: Math.round(window.windowMs / 1_000),
    ...valuesOf(evidence, recent, 0, window),
    peak: peakOf(evidence.rule, headline, request, nowMs),
    share: isShare(evidence.series) && all > 0 ? toShownNumber((100 * observed) / all) : null,
    series: request.attached.map((attached, place) => {
      const begunMs = firstMinuteOf(attached.rule, Date.parse(attached.from));
      const values = valuesOf(attached, recent, place + 1, windowOf(request, begunMs, nowMs));
      return { ...toSeries(attached), ...values };
    }),
  };
}

interface Window {
  fromMs: number;
  windowMs: number;
  /** Beginning of the later half: the trend compares it with what came before. */
  trendFromMs: number;
  middleMs: number;
  nowMs: number;
}

/** @param begunMs minute in which the series began to be unusual: another one may lead since */
function windowOf(
  { recentFromMs, toMs }: Pick<CurrentRequest, 'recentFromMs' | 'toMs'>,
  begunMs: number,
  nowMs: number,
): Window {
  const fromMs = Math.max(toMs - WINDOW_MINUTES * MINUTE_MS, Math.min(begunMs, toMs - MINUTE_MS));
  // A minute that has just begun has few events: its count is compared with that of a whole one.
  const windowMs = Math.max(MINUTE_MS, nowMs - fromMs);
  // Since it began: compared with the time before it, every rise would be "rising" for ten minutes. In the first
  // two minutes there is nothing else to compare with.
  const trendFromMs = Math.max(recentFromMs, begunMs);
  const halfMs = minuteOf((trendFromMs + nowMs) / 2);
  return halfMs > trendFromMs
    ? { fromMs, windowMs, trendFromMs, middleMs: halfMs, nowMs }
    : { fromMs, windowMs, trendFromMs: recentFromMs, middleMs: fromMs, nowMs };
}

/** Fields of an alarm, of the headline or attached, that the current values need. */
type Alarm = Pick<AttachedSeries, 'rule' | 'expected' | 'windowSeconds'>;

function valuesOf(alarm: Alarm, recent: SeriesMinute[], index: number, window: Window) {
  const { fromMs, windowMs, trendFromMs, middleMs, nowMs } = window;
  const observed = countOf(recent, index, fromMs);
  const later = countOf(recent, index, middleMs);
  const perMinute = (observed * MINUTE_MS) / windowMs;
  return {
    observed,
    perMinute: toShownNumber(perMinute),
    expected: expectedOf(alarm, windowMs),
    trend: trendOf(
      { events: later, lengthMs: nowMs - middleMs },
      { events: countOf(recent, index, trendFromMs) - later, lengthMs: middleMs - trendFromMs },
    ),
  };
}

/** Events that were expected in as long a window when the alarm opened; null for rules and shares. */
function expectedOf({ rule, expected, windowSeconds }: Alarm, windowMs: number): number | null {
  return COUNTED.has(rule) ? toShownNumber((expected * windowMs) / (1_000 * windowSeconds)) : null;
}

const COUNTED: ReadonlySet<RiskRule> = new Set(['rise', 'drop', 'silence']);

function countOf(minutes: SeriesMinute[], index: number, fromMs: number): number {
  return minutes.reduce(
    (sum, minute) => (minute.index === index && minute.minuteMs >= fromMs ? sum + minute.events : sum),
    0,
  );
}

interface WindowCount {
  events: number;
  lengthMs: number;
}

/** Compares two Poisson counts by the difference of their rates, whose variance is the sum of theirs. */
export function trendOf(now: WindowCount, before: WindowCount): Current['trend'] {
  if (before.lengthMs <= 0) return 'steady';
  const scale = now.lengthMs / before.lengthMs;
  const usual = before.events * scale;
  const difference = now.events - usual;
  const deviation = Math.sqrt(now.events + before.events * scale ** 2);
  if (Math.abs(difference) <= Math.max(TREND_DEVIATIONS * deviation, TREND_SHARE * usual)) return 'steady';
  return difference > 0 ? 'rising' : 'falling';
}

/** The minute with the most events; for an absence, the whole minute with the fewest. */
function peakOf(
  rule: RiskRule,
  minutes: SeriesMinute[],
  { peakFromMs, toMs }: CurrentRequest,
  nowMs: number,
): Current['peak'] {
  const counts = new Map(minutes.map(({ minuteMs, events }) => [minuteMs, events]));
  const isDrop = rulesOf(DOWN).includes(rule);
  let peak: { events: number; minuteMs: number } | null = null;
  for (let minuteMs = peakFromMs; minuteMs < toMs; minuteMs += MINUTE_MS) {
    const events = counts.get(minuteMs) ?? 0;
    if (isDrop && minuteMs + MINUTE_MS > nowMs) break;
    if (!peak || (isDrop ? events < peak.events : events > peak.events)) peak = { events, minuteMs };
  }
  return peak && { perMinute: peak.events, at: isoTime(peak.minuteMs) };
}

/** True if the series should be rare in the whole, so that its share is shown. */
function isShare({ kind, severity }: RiskSeries): boolean {
  return kind === 'failed_payments' || kind === 'errors' || severity === 'error' || severity === 'critical';
}
