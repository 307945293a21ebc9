import { expectMinutes, isErrorSeries, usualShares } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import type { TimeRange } from '../../events/read-types.ts';
import { type RiskRule, type RiskSeries, toSeries } from '../../incidents/evidence-schema.ts';
import { sinceOf } from '../../incidents/lead.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { isoTime } from '../../platform/time.ts';
import { listMinuteCounts, type MinuteCount } from '../counts/count-queries.ts';
import { sideOf, toShownNumber } from '../headline/opened-alarm.ts';
import type { Points } from './schema.ts';
import { INTERVALS_SECONDS, type ShownRange, shownRange } from './shown-range.ts';

/** A day, and the quarter hours around the same time of it. */
const HISTORY_MS = 25 * HOUR_MS;

const MAX_ATTACHED = 8;

/** Reads the observed and the expected counts of an incident's series; nothing for one that people created. */
export async function readPoints(
  database: Queryable,
  organizationId: string,
  incident: IncidentRow,
  nowMs: number,
): Promise<Points> {
  const { evidence, projectId } = incident;
  if (!evidence) return { intervalSeconds: INTERVALS_SECONDS[0], points: [] };
  const shown = shownRange(evidence, incident.resolvedAt, nowMs);
  // With the interval that is not over.
  const toMs = shown.toMs + shown.intervalMs;
  const range = { fromMs: shown.fromMs - HISTORY_MS, toMs };
  const { series } = evidence;
  const counts = await listMinuteCounts(database, organizationId, { projectId, series }, range);
  const minutes = spread(range, counts);
  const overMinutes = (shown.toMs - range.fromMs) / MINUTE_MS;
  const over = {
    matching: minutes.matching.subarray(0, overMinutes),
    all: minutes.all.subarray(0, overMinutes),
  };
  const isFollowed = incident.resolvedAt === null && shown.toMs <= nowMs && nowMs < toMs;
  const running = isFollowed ? observe(series, minutes, overMinutes, shown) : null;
  const attached: NonNullable<Points['attached']> = [];
  // New errors have the type and source of others, whose counts are not theirs.
  const counted = evidence.alsoSeries.filter(({ kind }) => kind !== 'new_kind');
  for (const named of counted.slice(0, MAX_ATTACHED).map(toSeries)) {
    const of = await listMinuteCounts(database, organizationId, { projectId, series: named }, shown);
    const observed = [];
    const spreadOf = spread(shown, of);
    for (let first = 0; first < spreadOf.all.length; first += shown.intervalMs / MINUTE_MS)
      observed.push(observe(named, spreadOf, first, shown) ?? 0);
    attached.push({ ...named, observed });
  }
  return {
    intervalSeconds: shown.intervalMs / 1_000,
    points: toPoints(evidence, over, { shown, startMs: range.fromMs, beginMs: beginOf(incident, evidence) }),
    ...(running !== null && { running: { at: isoTime(shown.toMs), observed: running } }),
    ...(attached.length > 0 && { attached }),
  };
}

/** Beginning of the incident: later evidence may have another window. */
function beginOf(incident: IncidentRow, { from }: StoredEvidence): number {
  return Math.min(incident.createdAt.getTime(), sinceOf(incident).getTime(), Date.parse(from));
}

/** The counts of a series in an interval, from the minute `first` on; null if a share has no denominator. */
function observe(
  { kind }: RiskSeries,
  { matching, all }: Minutes,
  first: number,
  { intervalMs }: ShownRange,
): number | null {
  const sum = (values: Float64Array) =>
    values.subarray(first, first + intervalMs / MINUTE_MS).reduce((total, value) => total + value, 0);
  if (kind !== 'failed_payments') return sum(matching);
  return sum(all) === 0 ? null : (100 * sum(matching)) / sum(all);
}

interface Minutes {
  matching: Float64Array;
  all: Float64Array;
}

function spread({ fromMs, toMs }: TimeRange, counts: MinuteCount[]): Minutes {
  const length = Math.max(0, (toMs - fromMs) / MINUTE_MS);
  const minutes = { matching: new Float64Array(length), all: new Float64Array(length) };
  for (const { minuteMs, matching, all } of counts) {
    minutes.matching[(minuteMs - fromMs) / MINUTE_MS] = matching;
    minutes.all[(minuteMs - fromMs) / MINUTE_MS] = all;
  }
  return minutes;
}

interface PointsContext {
  shown: ShownRange;
  /** Beginning of the minutes. */
  startMs: number;
  /** Beginning of the incident. */
  beginMs: number;
}

function toPoints(
  evidence: StoredEvidence,
  minutes: Minutes,
  { shown, startMs, beginMs }: PointsContext,
): Points['points'] {
  const { rule, series } = evidence;
  const isShare = series.kind === 'failed_payments';
  const expected = isAbsolute(rule)
    ? null
    : agreeWithEvidence(
        expectedMinutes(evidence, minutes, {
          startMs,
          begun: Math.max(0, Math.floor((beginMs - startMs) / MINUTE_MS)),
        }),
        evidence,
        startMs,
      );
  const steps = shown.intervalMs / MINUTE_MS;
  const points: Points['points'] = [];
  for (let atMs = shown.fromMs; atMs < shown.toMs; atMs += shown.intervalMs) {
    const first = (atMs - startMs) / MINUTE_MS;
    const sum = (values: Float64Array) =>
      values.subarray(first, first + steps).reduce((total, value) => total + value, 0);
    const observed = observe(series, minutes, first, shown);
    // Without payments there is no share.
    if (observed === null) continue;
    const usual = expected ? sum(expected) / (isShare ? steps : 1) : Number.NaN;
    points.push({ at: isoTime(atMs), observed, expected: Number.isNaN(usual) ? null : toShownNumber(usual) });
  }
  return points;
}

/**
 * Expected counts of the minutes. Nothing is learned from the trouble that the chart shows.
 * @param begun first minute of the incident: counts from there on are treated as unknown
 */
function expectedMinutes(
  { series, rule }: StoredEvidence,
  minutes: Minutes,
  { startMs, begun }: { startMs: number; begun: number },
): Float64Array {
  if (series.kind === 'failed_payments') {
    const failures = minutes.matching.slice().fill(0, begun);
    const trials = minutes.all.slice().fill(0, begun);
    return usualShares({ startMs, failures, trials }).map((share) => 100 * share);
  }
  // Trouble that never occurred was expected at zero; any other new series has no past.
  const begin = isErrorSeries(series) ? 0 : minutes.all.subarray(0, begun).findIndex((count) => count > 0);
  const known = minutes.matching.slice().fill(Number.NaN, begun);
  return expectMinutes(known, { startMs, begin, side: sideOf(rule) });
}

/**
 * Aligns the expected counts with the evidence, which the live detector knew from more than these counts. From the
 * window on, minutes differ from those computed here by as much as the window's do.
 */
function agreeWithEvidence(
  expected: Float64Array,
  { series, rule, expected: ofWindow, from, to, windowSeconds }: StoredEvidence,
  startMs: number,
): Float64Array {
  const windowMinutes = windowSeconds / 60;
  const perMinute = series.kind === 'failed_payments' ? ofWindow : ofWindow / windowMinutes;
  // Without a window there is nothing to agree with.
  if (!Number.isFinite(perMinute)) return expected;
  // A silence begins with its last event, which may be long before its window.
  const windowMs = rule === 'silence' ? Date.parse(to) - windowSeconds * 1_000 : Date.parse(from);
  const first = Math.max(0, Math.round((windowMs - startMs) / MINUTE_MS));
  const end = Math.min(expected.length, first + Math.max(1, Math.round(windowMinutes)));
  const worked = expected.subarray(first, end).filter((value) => !Number.isNaN(value));
  const mean = worked.reduce((sum, value) => sum + value, 0) / worked.length;
  return expected.map((value, minute) => {
    if (minute < first) return value;
    if (minute < end) return perMinute;
    // The history is too short: the value of the evidence continues.
    return Number.isNaN(mean) || Number.isNaN(value) ? perMinute : Math.max(0, value + perMinute - mean);
  });
}

/** True if a rule sets the limit, so that nothing is expected. */
function isAbsolute(rule: RiskRule): boolean {
  return rule === 'at_least' || rule === 'above_share' || rule === 'new_kind';
}
