import { isErrorSeries, severityOfAlarm, UP } from '@tocsin/detector';
import {
  type IncidentRow,
  type JoinedSeries,
  type RiskSeries,
  type StoredEvidence,
  seriesKey,
} from '../../incidents/schema.ts';
import { isoTime } from '../../platform/time.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import type { IncidentPlan } from './plan-incidents.ts';
import { sideOf } from './rule-side.ts';
import { isClearlyWorse, urgencyOf } from './urgency.ts';

/** The alarm that gives an incident its title, series and evidence, and the reason why it does. */
export type Headline =
  /** The first of the incident. */
  | { kind: 'first'; alarm: OpenedAlarm }
  /** The incident opened with a new error; a moment later it is known to be the beginning of this. */
  | { kind: 'outgrown'; alarm: OpenedAlarm; alarms: OpenedAlarm[] }
  /** Clearly worse than the headline so far. */
  | { kind: 'worse'; alarm: OpenedAlarm };

/** A new error is outgrown only this soon after its incident opened. */
const OUTGROWING_MS = 5 * 60_000;

/** Null where the headline stays as it is, or nothing has opened. */
export function chooseHeadline(row: IncidentRow | null, plan: IncidentPlan, nowMs: number): Headline | null {
  if (plan.kind !== 'alarms' || row?.status === 'resolved') return null;
  if (!row) {
    const alarm = leadOf(plan.opened);
    return alarm && { kind: 'first', alarm };
  }
  if (row.evidence?.rule === 'new_kind' && nowMs - row.createdAt.getTime() <= OUTGROWING_MS) {
    const alarms = plan.opened.filter(({ series }) => series.kind !== 'new_kind');
    const alarm = leadOf(alarms);
    if (alarm) return { kind: 'outgrown', alarm, alarms };
  }
  const alarm = leadOf(clearlyWorseThan(row, plan.opened));
  return alarm && { kind: 'worse', alarm };
}

/** The most informative kind comes first: narrow series before sums of many. */
const ORDER: RiskSeries['kind'][] = [
  'rule',
  'events',
  'failed_payments',
  'errors',
  'new_kind',
  'other',
  'total',
];

/**
 * The most informative of alarms that opened together. Errors that are spread over many series are represented by
 * their sum where no series has half of them.
 */
export function leadOf(alarms: [OpenedAlarm, ...OpenedAlarm[]]): OpenedAlarm;
export function leadOf(alarms: OpenedAlarm[]): OpenedAlarm | null;
export function leadOf(alarms: OpenedAlarm[]): OpenedAlarm | null {
  const errors = alarms.find(({ series, anomaly }) => series.kind === 'errors' && anomaly.side === UP);
  const rank = ({ series, anomaly }: OpenedAlarm) => {
    const isPart =
      errors &&
      series.kind === 'events' &&
      anomaly.side === UP &&
      2 * anomaly.observed < errors.anomaly.observed;
    return isPart ? ORDER.length : ORDER.indexOf(series.kind);
  };
  const [lead] = alarms.toSorted(
    (left, right) => rank(left) - rank(right) || right.anomaly.strength - left.anomaly.strength,
  );
  return lead ?? null;
}

/** They are less informative than any headline. */
const LESS_INFORMATIVE: ReadonlySet<RiskSeries['kind']> = new Set(['total', 'other', 'new_kind']);

function clearlyWorseThan({ evidence, eventCount }: IncidentRow, alarms: OpenedAlarm[]): OpenedAlarm[] {
  if (!evidence) return [];
  const { series, rule, observed, expected } = evidence;
  const current = urgencyOf({
    severity: severityOfAlarm(series, { rule, side: sideOf(rule), observed, expected }),
    // Until another series is attached, all events since then belong to the rise of the headline.
    observed: rule === 'rise' && evidence.alsoSeries.length === 0 ? Math.max(observed, eventCount) : observed,
    expected,
  });
  return alarms.filter(
    ({ series: other, anomaly }) =>
      !LESS_INFORMATIVE.has(other.kind) &&
      // The sum of all errors includes those of a series, and names none.
      !(other.kind === 'errors' && isErrorSeries(series)) &&
      seriesKey(other) !== seriesKey(series) &&
      isClearlyWorse(
        urgencyOf({
          severity: severityOfAlarm(other, anomaly),
          observed: anomaly.observed,
          expected: anomaly.expected,
        }),
        current,
      ),
  );
}

/** A former headline as one of the series that take part. */
export function toFormerHeadline(evidence: StoredEvidence, { createdAt }: IncidentRow): JoinedSeries {
  const { series, rule, observed, expected, windowSeconds, from } = evidence;
  const severity = severityOfAlarm(series, { rule, side: sideOf(rule), observed, expected });
  return {
    series,
    rule,
    severity,
    observed,
    expected,
    peak: observed,
    windowSeconds,
    from,
    at: isoTime(createdAt),
  };
}
