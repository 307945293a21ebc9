import type { NewestEvent } from '../../incidents/event-queries.ts';
import {
  type Evidence,
  type JoinedSeries,
  MAX_ALSO_SERIES,
  type StoredEvidence,
  seriesKey,
} from '../../incidents/schema.ts';
import { joinedSentence } from '../../incidents/wording.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { type OpenedAlarm, windowOf } from './opened-alarm.ts';
import { toShownNumber } from './shown-number.ts';
import { toSentence } from './words.ts';

const SAMPLES = 10;
const CORRELATION_IDS = 5;

/** The evidence of an incident with this headline, to which nothing is attached yet. */
export function toEvidence(
  alarm: OpenedAlarm,
  newestEvents: NewestEvent[],
  shiftMs: number,
  nowMs: number,
): Evidence {
  const { series, anomaly } = alarm;
  const { fromMs, toMs } = windowOf(alarm, shiftMs, nowMs);
  return {
    sentence: toSentence(series, anomaly),
    rule: anomaly.rule,
    series,
    observed: toShownNumber(anomaly.observed),
    expected: toShownNumber(anomaly.expected),
    windowSeconds: Math.round(anomaly.windowMinutes * 60),
    from: isoTime(fromMs),
    to: isoTime(toMs),
    falseAlarmsPerWeek: anomaly.falseAlarmsPerWeek,
    alsoSeries: [],
    joined: [],
    sampleEventIds: newestEvents.slice(0, SAMPLES).map(({ id }) => toId('evt', id)),
    correlationIds: countCorrelations(newestEvents),
  };
}

/** An event without a correlation has its fingerprint in its place, which names the fault and no one affected. */
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
 * Attaches series to the evidence of an incident, each once: a later alarm of a known series updates its numbers.
 * @returns also the series that take part for the first time
 */
export function attachSeries<E extends StoredEvidence>(
  evidence: E,
  attached: JoinedSeries[],
): { evidence: E; added: JoinedSeries[] } {
  const lead = seriesKey(evidence.series);
  const known = new Set([lead, ...evidence.alsoSeries.map(seriesKey)]);
  const rows = new Map((evidence.joined ?? []).map((row) => [seriesKey(row.series), row]));
  const added: JoinedSeries[] = [];
  for (const row of attached) {
    const key = seriesKey(row.series);
    const earlier = rows.get(key);
    if (earlier)
      rows.set(key, { ...row, at: earlier.at, from: earlier.from, peak: Math.max(earlier.peak, row.peak) });
    else if (key !== lead && rows.size < MAX_ALSO_SERIES) rows.set(key, row);
    if (known.has(key) || known.size > MAX_ALSO_SERIES) continue;
    known.add(key);
    added.push(row);
  }
  const alsoSeries = [...evidence.alsoSeries, ...added.map(({ series }) => series)];
  return { evidence: { ...evidence, alsoSeries, joined: [...rows.values()] }, added };
}

/** The number of attached series that an entry of the timeline names. */
const MAX_NAMED = 3;

/** The entry of the timeline about attached series. */
export function attachedNote(added: JoinedSeries[]): string {
  const named = added.slice(0, MAX_NAMED).map(joinedSentence);
  const others = added.length - named.length;
  return [...named, ...(others > 0 ? [`And ${others} more joined.`] : [])].join('\n');
}
