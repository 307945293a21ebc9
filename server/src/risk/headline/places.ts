import { eventsSeries, UP } from '@tocsin/detector';
import type { NewestEvent } from '../../incidents/event-queries.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import type { OpenedAlarm } from './opened-alarm.ts';

type Alarm = Pick<OpenedAlarm, 'series' | 'anomaly'>;

/** Minimum share of the events that names their place. */
const MOST = 0.5;
/** A part with this share of a sum shows the same numbers. */
const NEARLY_ALL = 0.9;
/** A single event is no change of its source. */
const MIN_EVENTS = 2;

/**
 * The series that names an alarm: in a rise of all events or errors, the one that nearly all newest events belong to.
 * It may have opened no alarm of its own.
 */
export function namedSeriesOf({ series, anomaly }: Alarm, newestEvents: NewestEvent[]): RiskSeries {
  if (!isRisenSum(series, anomaly)) return series;
  const [first] = countBy(newestEvents, ({ type, severity, source }) =>
    JSON.stringify([type, severity, source]),
  );
  if (!first || first.count < NEARLY_ALL * newestEvents.length) return series;
  const { type, severity, source } = first.event;
  return eventsSeries(type, severity, source);
}

/**
 * The series that names the place of an alarm: in a sum, the narrowest part that has more than half of the newest
 * events.
 */
export function placeOf({ series, anomaly }: Alarm, newestEvents: NewestEvent[]): RiskSeries {
  if (!isRisenSum(series, anomaly)) return series;
  const keys: ((event: NewestEvent) => Pick<RiskSeries, 'type' | 'severity' | 'source'>)[] = [
    ({ type, severity, source }) => ({ type, severity, source }),
    ({ severity, source }) => ({ type: null, severity, source }),
    ({ source }) => ({ type: null, severity: null, source }),
  ];
  for (const keyOf of keys) {
    const [first] = countBy(newestEvents, (event) => JSON.stringify(keyOf(event)));
    const place = first && first.count > MOST * newestEvents.length ? keyOf(first.event) : null;
    if (place && (place.type !== null || place.source !== null))
      return { kind: 'rule', fingerprint: null, ...place };
  }
  return series;
}

/**
 * The sources of errors that have more than is expected of all sources together, the worst first: their change is
 * certain. The newest events stand for those of the window.
 */
export function changedSourcesOf({ series, anomaly }: Alarm, newestEvents: NewestEvent[]): string[] {
  if (series.kind !== 'errors' || !isRisenSum(series, anomaly)) return [];
  const scale = anomaly.observed / newestEvents.length;
  return countBy(newestEvents, ({ source }) => JSON.stringify(source))
    .filter(({ count }) => count >= MIN_EVENTS && scale * count > anomaly.expected)
    .flatMap(({ event: { source } }) => source ?? []);
}

function isRisenSum({ kind }: RiskSeries, { side, rule }: OpenedAlarm['anomaly']): boolean {
  return (kind === 'total' || kind === 'errors') && side === UP && rule !== 'at_least';
}

/** Counts events by key, most first, each with the first of its events. */
function countBy(events: NewestEvent[], keyOf: (event: NewestEvent) => string) {
  const counts = new Map<string, { event: NewestEvent; count: number }>();
  for (const event of events) {
    const known = counts.get(keyOf(event));
    if (known) known.count++;
    else counts.set(keyOf(event), { event, count: 1 });
  }
  return [...counts.values()].toSorted((left, right) => right.count - left.count);
}

/** Minimum number of sources that are counted; fewer are named one by one. */
export const MIN_SOURCES = 3;

/** Counts the sources of an incident's series. */
export function countSources(all: RiskSeries[]): number {
  return sourcesOf(all).length;
}

export function sourcesOf(all: RiskSeries[]): string[] {
  return [...new Set(all.flatMap(({ source }) => source ?? []))];
}
