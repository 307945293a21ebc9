import type { ShareExceedance } from '../exposure/share-exceedance.ts';
import type { OverdueHeartbeat } from '../heartbeat/heartbeat.ts';
import type { LateReport } from '../lateness/late-reports.ts';
import type { Exceedance } from '../series/alarm-state.ts';
import type { SilenceChange } from '../series/expected-silence.ts';
import type { Resolution } from '../state/resolution.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import type { RiskRule, RiskSeries, Suppression } from '../types.ts';
import type { ErrorDelta } from './count-delta.ts';

/** What speaks for an alarm. */
export interface Anomaly {
  rule: RiskRule;
  side: Side;
  /** Events in the window; of failed payments, how many of 100; of a rule, what it counted. */
  observed: number;
  /** In the same unit; of a rule, how many it asks for. */
  expected: number;
  windowMinutes: number;
  /** How often per week chance alone brings something as unusual in the whole project; null for rules, and while nothing is known. */
  falseAlarmsPerWeek: number | null;
  /** The evidence over the least that opens an incident. */
  strength: number;
  /** Between two events of a regular sender; null for everything else. */
  usualMinutes: number | null;
  /** The beginning of a message of a new kind; null for everything else. */
  example: string | null;
  /** The events that fulfilled a rule; null for everything else. */
  matched: { type: string; source: string | null } | null;
  /** What is expected at this time of the day, or hour of the week; missing: at any. */
  season?: 'day' | 'week';
  /** For how long its series has shown nothing as unusual; missing: for less than a day, or that is not known. */
  unseenMinutes?: number;
  /** Of a silence: for how long before it no minute was without an event; missing as above. */
  filledMinutes?: number;
  /** Of a drop, or a silence of any other sender: how long ago its last event came; missing: not known. */
  lastEventMinutesAgo?: number;
  /** Of a regular sender: how long ago its last event came, and the next was due. Missing for everything else. */
  heartbeat?: { seenMinutesAgo: number; dueMinutesAgo: number };
  /** Name that the source of a silence may have been given; missing: none is known. */
  renamedTo?: string;
  /** Of errors of a source that is new: for how long it has sent events. Missing for everything else. */
  sourceMinutes?: number;
  /** Missing where counts were compared with counts alone. */
  exposure?: Exposure;
}

/** What the failures of a window are compared with. */
export interface Exposure {
  /** Payments, with those that failed; of errors, the events of severity info and warn beside them. */
  events: number;
  failures: number;
  /** Failures for one event, usually. */
  usualShare: number;
  /** True if the failures have risen no more than the events. */
  isInProportion: boolean;
}

/** What a project's incidents have to know. `incident`: its number within the project. */
export type DetectorEvent = {
  /** The end of what was evaluated; a burst is evaluated before its minute is over. */
  atMs: number;
} & (
  | { kind: 'opens' | 'attaches'; incident: number; series: RiskSeries; anomaly: Anomaly }
  /** One of the incident's alarms has closed. */
  | { kind: 'detaches'; incident: number; series: RiskSeries }
  /** All have, and nothing can join it any more. */
  | { kind: 'ends'; incident: number }
  | { kind: 'suppressed'; reason: Suppression; series: RiskSeries; anomaly: Anomaly }
  /** Events that came too late to be evaluated. */
  | { kind: 'late'; late: LateReport }
);

/** Fields that most anomalies leave out. */
export const UNSAID = {
  falseAlarmsPerWeek: null,
  strength: 1,
  usualMinutes: null,
  example: null,
  matched: null,
} as const;

/** Evidence in the counts of a series. */
export function anomalyOfSeries(
  resolution: Resolution,
  exceedance: Exceedance,
  falseAlarmsPerWeek: number | null,
): Anomaly {
  const { side, window, observed, expected, evidence, openThreshold } = exceedance;
  const { steps = resolution.windows[window] ?? 1, season, unseenMinutes, filledMinutes } = exceedance;
  return {
    ...UNSAID,
    rule: side === UP ? 'rise' : observed === 0 ? 'silence' : 'drop',
    side,
    observed,
    expected,
    windowMinutes: steps * resolution.stepMinutes,
    falseAlarmsPerWeek,
    strength: evidence / openThreshold,
    ...(season && { season }),
    ...(unseenMinutes !== undefined && { unseenMinutes }),
    ...(filledMinutes !== undefined && { filledMinutes }),
  };
}

/** More payments fail than usual, or more errors come with the traffic. */
export function anomalyOfShare(
  { failures, trials, minutes, usualShare, evidence, openThreshold }: ShareExceedance,
  isOfPayments: boolean,
  falseAlarmsPerWeek: number | null,
): Anomaly {
  const events = isOfPayments ? trials : trials - failures;
  const usual = isOfPayments ? usualShare : usualShare / (1 - usualShare);
  return {
    ...UNSAID,
    rule: isOfPayments ? 'failed_payments' : 'error_share',
    side: UP,
    observed: isOfPayments ? (100 * failures) / trials : failures,
    expected: isOfPayments ? 100 * usual : events * usual,
    windowMinutes: minutes,
    falseAlarmsPerWeek,
    strength: evidence / openThreshold,
    exposure: { events, failures, usualShare: usual, isInProportion: false },
  };
}

/** The heartbeat of a regular sender is overdue. */
export function anomalyOfHeartbeat({
  usualMinutes,
  elapsedMinutes,
  seenMinutesAgo,
  dueMinutesAgo,
}: OverdueHeartbeat): Anomaly {
  return {
    ...UNSAID,
    rule: 'silence',
    side: DOWN,
    observed: 0,
    expected: elapsedMinutes / usualMinutes,
    windowMinutes: elapsedMinutes,
    usualMinutes,
    heartbeat: { seenMinutesAgo, dueMinutesAgo },
  };
}

/** Nothing came for as long as many events were expected. */
export function anomalyOfSilence({
  expected,
  elapsedMinutes,
  strength,
  season,
}: SilenceChange & { kind: 'opens' }): Anomaly {
  return {
    ...UNSAID,
    rule: 'silence',
    side: DOWN,
    observed: 0,
    expected,
    windowMinutes: elapsedMinutes,
    strength,
    ...(season && { season }),
  };
}

/** An error of a group that was never seen before. */
export function anomalyOfNewError({ message }: ErrorDelta): Anomaly {
  return {
    ...UNSAID,
    rule: 'new_kind',
    side: UP,
    observed: 1,
    expected: 0,
    windowMinutes: 1,
    example: message,
  };
}
