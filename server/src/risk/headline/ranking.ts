import { isErrorSeries, severityOfAlarm } from '@tocsin/detector';
import { SEVERITIES } from '../../events/severities.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { countSources, MIN_SOURCES } from './breadth.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import { ratioOf } from './worse.ts';

/** The part of an alarm that relates it to a sum. */
export interface Change {
  series: RiskSeries;
  anomaly: Pick<OpenedAlarm['anomaly'], 'rule' | 'side' | 'observed' | 'expected' | 'windowMinutes'>;
}

/**
 * True if a series is a part of a sum and makes up half of its change or more, by the events a minute: then it says
 * all that the sum says, and where.
 */
export function isPartOf({ series, anomaly }: Change, sum: Change): boolean {
  const isErrors = series.kind === 'errors' || series.severity === 'error' || series.severity === 'critical';
  const isPart =
    sum.series.kind === 'total'
      ? series.kind === 'events' || series.kind === 'errors'
      : sum.series.kind === 'errors' && series.kind === 'events' && isErrors;
  return isPart && anomaly.side === sum.anomaly.side && 2 * perMinute({ series, anomaly }) >= perMinute(sum);
}

function perMinute({ anomaly: { observed, expected, windowMinutes } }: Change): number {
  return Math.abs(observed - expected) / windowMinutes;
}

/** Kinds of equal severity, the most informative first. */
const ORDER: RiskSeries['kind'][] = [
  'rule',
  'errors',
  'events',
  'failed_payments',
  'new_kind',
  'other',
  'total',
];

/**
 * The worst of alarms that opened together: by severity, then by kind and ratio. A sum of which one of them makes up
 * half comes after all others, unless several sources change with it; so do errors in proportion to traffic that has
 * risen.
 */
export function leadOf(alarms: [OpenedAlarm, ...OpenedAlarm[]]): OpenedAlarm;
export function leadOf(alarms: OpenedAlarm[]): OpenedAlarm | null;
export function leadOf(alarms: OpenedAlarm[]): OpenedAlarm | null {
  const rated = alarms.map((alarm) => ({ alarm, marks: RANKS.map((rank) => rank(alarm, alarms)) }));
  const [lead] = rated.toSorted((left, right) => compare(left.marks, right.marks));
  return lead?.alarm ?? null;
}

/** Criteria in order, the first difference decides: the larger rank leads. */
const RANKS: readonly ((alarm: OpenedAlarm, all: OpenedAlarm[]) => number)[] = [
  (alarm, all) => (isExplained(alarm, all) ? 0 : 1),
  ({ series, anomaly }) => SEVERITIES.indexOf(severityOfAlarm(series, anomaly)),
  ({ series }) => -ORDER.indexOf(series.kind),
  ({ anomaly }) => ratioOf(anomaly),
  ({ anomaly }) => anomaly.strength,
];

function compare(left: readonly number[], right: readonly number[]): number {
  const place = left.findIndex((mark, index) => mark !== right[index]);
  return place === -1 ? 0 : (right[place] ?? 0) - (left[place] ?? 0);
}

function isExplained(alarm: OpenedAlarm, alarms: OpenedAlarm[]): boolean {
  const { exposure, side } = alarm.anomaly;
  if (exposure?.isInProportion)
    return alarms.some(({ series, anomaly }) => anomaly.rule === 'rise' && !isErrorSeries(series));
  const changing = alarms.filter(({ anomaly }) => anomaly.side === side);
  if (countSources(changing.map(({ series }) => series)) >= MIN_SOURCES) return false;
  return alarms.some((other) => isPartOf(other, alarm));
}
