import type { ShareExceedance } from '../exposure/share-exceedance.ts';
import type { OverdueHeartbeat } from '../heartbeat/heartbeat.ts';
import type { LateReport } from '../lateness/late-reports.ts';
import type { Exceedance } from '../series/alarm-state.ts';
import type { SilenceChange } from '../series/expected-silence.ts';
import type { Resolution } from '../state/resolution.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import type { RiskRule, RiskSeries, Suppression } from '../types.ts';
import type { ErrorDelta } from './count-delta.ts';

/** Evidence for an alarm. */
export interface Anomaly {
  rule: RiskRule;
  side: Side;
  /** Events in the window; the percentage for failed payments and the share of a rule; the counted events for a rule. */
  observed: number;
  /** Expected ones in the same unit; the limit of a rule. */
  expected: number;
  windowMinutes: number;
  /** Rate a week at which chance alone brings anything as unusual in the project; null for rules, and where it is not known. */
  falseAlarmsPerWeek: number | null;
  /** Ratio of the evidence to the minimum that opens an incident. */
  strength: number;
  /** Usual minutes between two events of a regular sender; null for everything else. */
  usualMinutes: number | null;
  /** Beginning of a message of a new error group; null for everything else. */
  example: string | null;
  /** Name of the rule; missing for one without a name, and for everything else. */
  ruleName?: string;
  /** Type and source of the events that fulfilled a rule; null for everything else. */
  matched: { type: string; source: string | null } | null;
  /** Season by which the events are expected, the time of the day or the hour of the week; missing: at any time. */
  season?: 'day' | 'week';
  /** Minutes for which its series has shown nothing as unusual; missing: less than a day, or not known. */
  unseenMinutes?: number;
  /** Minutes before a silence, each with an event; missing as above. */
  filledMinutes?: number;
  /** Minutes since the last event, for a drop, or a silence of a sender that is not regular; missing: not known. */
  lastEventMinutesAgo?: number;
  /** Minutes since the last event of a regular sender, and since the next was due; missing for everything else. */
  heartbeat?: { seenMinutesAgo: number; dueMinutesAgo: number };
  /** Possible new name of the source of a silence; missing: none is known. */
  renamedTo?: string;
  /** Minutes for which the new source of errors has sent events; missing for everything else. */
  sourceMinutes?: number;
  /** Missing where counts were compared with counts alone. */
  exposure?: Exposure;
}

/** Events to which the failures of a window are compared. */
export interface Exposure {
  /** Payments, with the failed ones, or those of a rule's share; or the events of severity info and warn beside errors. */
  events: number;
  failures: number;
  /** Usual failures for one event; the limit of a rule. */
  usualShare: number;
  /** True if the failures have risen no more than the events. */
  isInProportion: boolean;
}

/** Change of the incidents of a project, or of its suppressions. `incident`: number within the project. */
export type DetectorEvent = {
  /** End of the evaluated time; a burst is evaluated before its minute is over. */
  atMs: number;
} & (
  | { kind: 'opens' | 'attaches'; incident: number; series: RiskSeries; anomaly: Anomaly }
  /** One of the incident's alarms has closed. */
  | { kind: 'detaches'; incident: number; series: RiskSeries }
  /** All have closed, and no alarm can be attached any more. */
  | { kind: 'ends'; incident: number }
  | { kind: 'suppressed'; reason: Suppression; series: RiskSeries; anomaly: Anomaly }
  /** Events that came too late to be evaluated. */
  | { kind: 'late'; late: LateReport }
);

/** Values of the fields that most anomalies do not have. */
export const NO_DETAILS = {
  falseAlarmsPerWeek: null,
  strength: 1,
  usualMinutes: null,
  example: null,
  matched: null,
} as const;

/** Returns the evidence in the counts of a series. */
export function anomalyOfSeries(
  resolution: Resolution,
  exceedance: Exceedance,
  falseAlarmsPerWeek: number | null,
): Anomaly {
  const { side, window, observed, expected, evidence, openThreshold } = exceedance;
  const { steps = resolution.windows[window] ?? 1, season, unseenMinutes, filledMinutes } = exceedance;
  return {
    ...NO_DETAILS,
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

/** Returns the evidence of payments that fail, or of errors in the traffic, more often than usual. */
export function anomalyOfShare(
  { failures, trials, minutes, usualShare, evidence, openThreshold }: ShareExceedance,
  isOfPayments: boolean,
  falseAlarmsPerWeek: number | null,
): Anomaly {
  const events = isOfPayments ? trials : trials - failures;
  const usual = isOfPayments ? usualShare : usualShare / (1 - usualShare);
  return {
    ...NO_DETAILS,
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

/** Returns the evidence of an overdue heartbeat. */
export function anomalyOfHeartbeat({
  usualMinutes,
  elapsedMinutes,
  seenMinutesAgo,
  dueMinutesAgo,
}: OverdueHeartbeat): Anomaly {
  return {
    ...NO_DETAILS,
    rule: 'silence',
    side: DOWN,
    observed: 0,
    expected: elapsedMinutes / usualMinutes,
    windowMinutes: elapsedMinutes,
    usualMinutes,
    heartbeat: { seenMinutesAgo, dueMinutesAgo },
  };
}

/** Returns the evidence of a silence in which many events were expected. */
export function anomalyOfSilence({
  expected,
  elapsedMinutes,
  strength,
  season,
}: SilenceChange & { kind: 'opens' }): Anomaly {
  return {
    ...NO_DETAILS,
    rule: 'silence',
    side: DOWN,
    observed: 0,
    expected,
    windowMinutes: elapsedMinutes,
    strength,
    ...(season && { season }),
  };
}

/** Returns the evidence of an error group that was never seen before. */
export function anomalyOfNewError({ message }: ErrorDelta): Anomaly {
  return {
    ...NO_DETAILS,
    rule: 'new_kind',
    side: UP,
    observed: 1,
    expected: 0,
    windowMinutes: 1,
    example: message,
  };
}
