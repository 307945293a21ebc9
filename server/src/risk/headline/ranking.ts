import { isErrorSeries, severityOfAlarm } from '@tocsin/detector';
import { SEVERITIES } from '../../events/severities.ts';
import type { Severity } from '../../events/severity.ts';
import type { RiskRule, RiskSeries } from '../../incidents/evidence-schema.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import { countSources, MIN_SOURCES } from './places.ts';

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

/** The part of an alarm that decides which of two is worse. */
export interface Badness {
  severity: Severity;
  /** Observed divided by expected, or the reverse; at least 1. */
  ratio: number;
}

/** Minimum factor between two ratios for which an incident gets another headline. */
const CLEARLY = 1.5;

/**
 * Ratio of observed and expected. One event is added to both, since a ratio of few events is mostly chance: 3 where
 * 0.01 are expected are 4 times as many, not 300 times.
 */
export function ratioOf({
  rule,
  observed,
  expected,
}: {
  rule: RiskRule;
  observed: number;
  expected: number;
}): number {
  // There is nothing to compare the first occurrence with.
  if (rule === 'new_kind') return 1;
  const ratio = (observed + 1) / (expected + 1);
  return Math.max(1, rule === 'drop' || rule === 'silence' ? 1 / ratio : ratio);
}

/** Compares by severity, then by ratio. */
export function isClearlyWorse({ severity, ratio }: Badness, than: Badness): boolean {
  const difference = SEVERITIES.indexOf(severity) - SEVERITIES.indexOf(than.severity);
  return difference === 0 ? ratio >= CLEARLY * than.ratio : difference > 0;
}
