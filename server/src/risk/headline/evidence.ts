import { UP } from '@tocsin/detector';
import type { NewestEvent } from '../../events/read-types.ts';
import {
  type AttachedSeries,
  type Evidence,
  type EvidenceGroup,
  MAX_ALSO_SERIES,
  type ReleaseShare,
  seriesKey,
} from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { LeadCount } from '../counts/count-lead.ts';
import { describeBreadth } from './breadth.ts';
import { type OpenedAlarm, toShownNumber, windowOf } from './opened-alarm.ts';
import { describePart, namedSeriesOf } from './places.ts';
import { toSentence } from './words.ts';

const SAMPLES = 10;
const CORRELATION_IDS = 5;

/** Data that evidence depends on beside its alarm. */
export interface EvidenceContext {
  newestEvents: NewestEvent[];
  shiftMs: number;
  nowMs: number;
  /** Counts of the lead; null: it is not counted, and the sentence does not say since when. */
  count: LeadCount | null;
  /** Group of the new error that the incident is about, or with which it began. */
  group: EvidenceGroup | null;
  /** Comparison of the errors' releases; null: they are not compared now. */
  release: { share: ReleaseShare | null } | null;
}

/** Evidence of an incident with this headline, to which nothing is attached yet. */
export function toEvidence(
  alarm: OpenedAlarm,
  { newestEvents, shiftMs, nowMs, count, group }: EvidenceContext,
): Evidence & StoredEvidence {
  const { series, anomaly } = alarm;
  const { fromMs, toMs } = windowOf(alarm, shiftMs, nowMs);
  const lead = count && count.lead;
  const named = namedSeriesOf(alarm, newestEvents);
  const part = named === series ? describePart(alarm, newestEvents) : null;
  return {
    ...(named !== series && { namedSeries: named }),
    ...(lead && { lead }),
    sentence: toSentence(named, anomaly, { toMs, lead }, part),
    rule: anomaly.rule,
    series,
    observed: toShownNumber(anomaly.observed),
    expected: toShownNumber(anomaly.expected),
    windowSeconds: Math.round(anomaly.windowMinutes * 60),
    // A silence has one beginning, which an earlier one of its incident may be.
    from: lead && anomaly.rule === 'silence' ? lead.since : isoTime(fromMs),
    to: isoTime(toMs),
    falseAlarmsPerWeek: anomaly.falseAlarmsPerWeek,
    exposure: anomaly.exposure ?? null,
    ...(anomaly.ruleName !== undefined && { ruleName: anomaly.ruleName }),
    ...(anomaly.renamedTo !== undefined && { renamedTo: anomaly.renamedTo }),
    alsoSeries: [],
    escalation: null,
    group,
    release: null,
    sampleEventIds: newestEvents.slice(0, SAMPLES).map(({ id }) => toId('evt', id)),
    // Users with events before an absence are not affected by it.
    correlationIds: anomaly.side === UP ? countCorrelations(newestEvents) : [],
  };
}

/** Evidence of an incident from this lead on, with the series that are attached to it. */
export function evidenceOfLead(
  lead: OpenedAlarm,
  attached: AttachedSeries[],
  context: EvidenceContext,
): Evidence & StoredEvidence {
  const evidence = attachSeries(toEvidence(lead, context), attached);
  const broad = { ...evidence, ...describeBreadth(evidence, lead, context.newestEvents) };
  return withRelease(broad, context.count?.eventCount ?? 0, context.release);
}

/** Evidence with the comparison of releases, if they were compared at this number of events. */
export function withRelease<E extends StoredEvidence>(
  evidence: E,
  eventCount: number,
  release: EvidenceContext['release'],
): E {
  return release ? { ...evidence, release: release.share, releaseComparedAt: eventCount } : evidence;
}

/** An event without a correlation stores its fingerprint instead, which identifies the fault and no affected user. */
function countCorrelations(events: NewestEvent[]): Evidence['correlationIds'] {
  const counts = new Map<string, number>();
  for (const { correlationId, fingerprint } of events) {
    if (correlationId !== fingerprint) counts.set(correlationId, (counts.get(correlationId) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((left, right) => right[1] - left[1])
    .slice(0, CORRELATION_IDS)
    .map(([correlationId, events]) => ({ correlationId, events }));
}

/**
 * Attaches series to the evidence of an incident, each once: a later alarm of a known series updates its numbers. The
 * series that names the headline does not count as attached.
 */
export function attachSeries<E extends StoredEvidence>(evidence: E, attached: AttachedSeries[]): E {
  const { series, namedSeries = series } = evidence;
  const headline = new Set([seriesKey(series), seriesKey(namedSeries)]);
  const rows = new Map(evidence.alsoSeries.map((row) => [seriesKey(row), row]));
  for (const key of headline) rows.delete(key);
  for (const row of attached) {
    const key = seriesKey(row);
    if (headline.has(key)) continue;
    const earlier = rows.get(key);
    if (earlier) rows.set(key, { ...row, ...firstOf(earlier, row) });
    else if (rows.size < MAX_ALSO_SERIES) rows.set(key, row);
  }
  return { ...evidence, alsoSeries: [...rows.values()] };
}

/** Fields of the earlier alarm of a series that a later one keeps: its beginning only if the change is the same. */
function firstOf(earlier: AttachedSeries, later: AttachedSeries) {
  const peak = Math.max(earlier.peak, later.peak);
  // A silence has the duration that its newest alarm found.
  if (later.rule === 'silence' || later.rule !== earlier.rule) return { peak };
  return { peak, at: earlier.at, from: earlier.from };
}
