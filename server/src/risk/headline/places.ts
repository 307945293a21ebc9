import { eventsSeries, UP } from '@tocsin/detector';
import type { NewestEvent } from '../../events/read-types.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { quote } from '../../incidents/wording.ts';
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
  const [first] = countBy(newestEvents, ({ type, severity, source }) => ({ type, severity, source }));
  if (!first || first.count < NEARLY_ALL * newestEvents.length) return series;
  const { type, severity, source } = first.key;
  return eventsSeries(type, severity, source);
}

type Place = Pick<RiskSeries, 'type' | 'severity' | 'source'>;

/**
 * The series that names the place of an alarm: in a sum, the narrowest part that has more than half of the newest
 * events.
 */
export function placeOf({ series, anomaly }: Alarm, newestEvents: NewestEvent[]): RiskSeries {
  if (!isRisenSum(series, anomaly)) return series;
  const ofSum = series.kind === 'errors' ? 'error' : null;
  const keys: ((event: NewestEvent) => Place)[] = [
    ({ type, severity, source }) => ({ type, severity, source }),
    ({ severity, source }) => ({ type: null, severity, source }),
    ({ source }) => ({ type: null, severity: ofSum, source }),
  ];
  for (const keyOf of keys) {
    const [first] = countBy(newestEvents, keyOf);
    if (!first || first.count <= MOST * newestEvents.length) continue;
    if (first.key.type !== null || first.key.source !== null)
      return { kind: 'rule', fingerprint: null, ...first.key };
  }
  return series;
}

/**
 * The source, or else the type, that certainly has more than half of a sum's excess, even if all that is usual is of
 * it: "27 of 29 in `api`". Null: none has. The newest events stand for those of the window.
 */
export function describePart({ series, anomaly }: Alarm, newestEvents: NewestEvent[]): string | null {
  if (!isRisenSum(series, anomaly)) return null;
  const { observed, expected } = anomaly;
  const all = newestEvents.length;
  const isMost = (count: number) => (count / all) * observed - expected > MOST * (observed - expected);
  const of = (count: number) =>
    `${count.toLocaleString('en')} of ${all === observed ? '' : 'the newest '}${all.toLocaleString('en')}`;
  const [ofSource] = countBy(newestEvents, ({ source }) => source);
  if (ofSource && ofSource.key !== null && isMost(ofSource.count))
    return `${of(ofSource.count)} in ${quote(ofSource.key)}`;
  const [ofType] = countBy(newestEvents, ({ type }) => type);
  return ofType && isMost(ofType.count) ? `${of(ofType.count)} of type ${quote(ofType.key)}` : null;
}

/**
 * The sources of errors that have more than is expected of all sources together, the worst first: their change is
 * certain. The newest events stand for those of the window.
 */
export function changedSourcesOf({ series, anomaly }: Alarm, newestEvents: NewestEvent[]): string[] {
  if (series.kind !== 'errors' || !isRisenSum(series, anomaly)) return [];
  const scale = anomaly.observed / newestEvents.length;
  return countBy(newestEvents, ({ source }) => source)
    .filter(({ count }) => count >= MIN_EVENTS && scale * count > anomaly.expected)
    .flatMap(({ key }) => key ?? []);
}

function isRisenSum({ kind }: RiskSeries, { side, rule }: OpenedAlarm['anomaly']): boolean {
  return (kind === 'total' || kind === 'errors') && side === UP && rule !== 'at_least';
}

/** Counts events by key, most first. */
function countBy<Key>(events: NewestEvent[], keyOf: (event: NewestEvent) => Key) {
  const counts = new Map<string, { key: Key; count: number }>();
  for (const event of events) {
    const key = keyOf(event);
    const known = counts.get(JSON.stringify(key));
    if (known) known.count++;
    else counts.set(JSON.stringify(key), { key, count: 1 });
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
