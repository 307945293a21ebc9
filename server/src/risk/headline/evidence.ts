import { UP } from '@tocsin/detector';
import type { NewestEvent } from '../../incidents/event-queries.ts';
import {
  type AttachedSeries,
  type Evidence,
  type EvidenceGroup,
  MAX_ALSO_SERIES,
  seriesKey,
} from '../../incidents/evidence-schema.ts';
import type { StoredEvidence, StoredLead } from '../../incidents/stored-evidence.ts';
import { joinedSentence } from '../../incidents/wording.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { type OpenedAlarm, toShownNumber, windowOf } from './opened-alarm.ts';
import { MIN_SOURCES, namedSeriesOf } from './places.ts';
import { toSentence } from './words.ts';

const SAMPLES = 10;
const CORRELATION_IDS = 5;

/** Data that evidence depends on beside its alarm. */
interface EvidenceContext {
  newestEvents: NewestEvent[];
  shiftMs: number;
  nowMs: number;
  /** Counts of the lead; null: it is not counted, and the sentence does not say since when. */
  count: { lead: StoredLead } | null;
}

/** Evidence of an incident with this headline, to which nothing is attached yet. */
export function toEvidence(
  alarm: OpenedAlarm,
  { newestEvents, shiftMs, nowMs, count }: EvidenceContext,
): Evidence & StoredEvidence {
  const { series, anomaly } = alarm;
  const { fromMs, toMs } = windowOf(alarm, shiftMs, nowMs);
  const named = namedSeriesOf(alarm, newestEvents);
  return {
    ...(named !== series && { namedSeries: named }),
    ...(count && { lead: count.lead }),
    sentence: toSentence(named, anomaly, { fromMs, toMs, sinceMs: count && Date.parse(count.lead.since) }),
    rule: anomaly.rule,
    series,
    observed: toShownNumber(anomaly.observed),
    expected: toShownNumber(anomaly.expected),
    windowSeconds: Math.round(anomaly.windowMinutes * 60),
    from: isoTime(fromMs),
    to: isoTime(toMs),
    falseAlarmsPerWeek: anomaly.falseAlarmsPerWeek,
    exposure: anomaly.exposure ?? null,
    alsoSeries: [],
    escalation: null,
    group: null,
    release: null,
    sampleEventIds: newestEvents.slice(0, SAMPLES).map(({ id }) => toId('evt', id)),
    // Users with events before an absence are not affected by it.
    correlationIds: anomaly.side === UP ? countCorrelations(newestEvents) : [],
  };
}

/** Evidence with the group of the new error that it is about, or with which its incident began. */
export function keepGroup<E extends StoredEvidence>(
  evidence: E,
  earlier: StoredEvidence | null,
  opened: EvidenceGroup | null,
): E {
  return { ...evidence, group: earlier?.group ?? opened };
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
 * @returns also the series that take part for the first time
 */
export function attachSeries<E extends StoredEvidence>(
  evidence: E,
  attached: AttachedSeries[],
): { evidence: E; added: AttachedSeries[] } {
  const { series, namedSeries = series } = evidence;
  const headline = new Set([seriesKey(series), seriesKey(namedSeries)]);
  const rows = new Map(evidence.alsoSeries.map((row) => [seriesKey(row), row]));
  for (const key of headline) rows.delete(key);
  const added: AttachedSeries[] = [];
  for (const row of attached) {
    const key = seriesKey(row);
    if (headline.has(key)) continue;
    const earlier = rows.get(key);
    if (earlier) rows.set(key, { ...row, ...firstOf(earlier, row) });
    else if (rows.size < MAX_ALSO_SERIES) {
      rows.set(key, row);
      added.push(row);
    }
  }
  const alsoSeries = [...rows.values()];
  return { evidence: { ...evidence, alsoSeries }, added };
}

/** Fields of the earlier alarm of a series that a later one keeps. */
function firstOf(earlier: AttachedSeries, later: AttachedSeries) {
  return { peak: Math.max(earlier.peak, later.peak), at: earlier.at, from: earlier.from };
}

/** Maximum attached series that a timeline entry names. */
const MAX_NAMED = 3;

/**
 * Timeline entry about attached series, one of which may be unrelated to the incident so far.
 * @param sources their number by now; null if none is new
 */
export function attachedNote(
  added: AttachedSeries[],
  escalation: Evidence['escalation'],
  sources: number | null,
): string {
  const sentences = added.map(joinedSentence);
  const named = escalation ? [escalation.sentence, ...sentences] : sentences;
  const others = named.length - MAX_NAMED;
  const more = others > 0 ? [`And ${others} more joined.`] : [];
  const breadth = sources !== null && sources >= MIN_SOURCES ? [`${sources} sources by now.`] : [];
  return [...named.slice(0, MAX_NAMED), ...more, ...breadth].join('\n');
}
