import type { OverdueHeartbeat } from '../heartbeat/heartbeat.ts';
import type { LateReport } from '../lateness/late-reports.ts';
import type { Exceedance } from '../series/alarm-state.ts';
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
}

/** What a project's incidents have to know. `incident`: its number within the project. */
export type DetectorEvent = {
  /** The end of what was judged; a burst is judged before its minute is over. */
  atMs: number;
} & (
  | { kind: 'opens' | 'attaches'; incident: number; series: RiskSeries; anomaly: Anomaly }
  /** One of the incident's alarms has closed. */
  | { kind: 'detaches'; incident: number; series: RiskSeries }
  /** All have, and nothing can join it any more. */
  | { kind: 'ends'; incident: number }
  | { kind: 'suppressed'; reason: Suppression; series: RiskSeries; anomaly: Anomaly }
  /** Events that came too late to be judged. */
  | { kind: 'late'; late: LateReport }
);

/** Evidence in the counts of a series. */
export function anomalyOfSeries(
  series: RiskSeries,
  resolution: Resolution,
  { side, window, knownSteps, observed, expected, evidence, openThreshold }: Exceedance,
  falseAlarmsPerWeek: number | null,
): Anomaly {
  const isRatio = series.kind === 'failed_payments';
  const steps = isRatio ? knownSteps : 1;
  return {
    rule: isRatio ? 'failed_payments' : side === UP ? 'rise' : observed === 0 ? 'silence' : 'drop',
    side,
    observed: observed / steps,
    expected: expected / steps,
    windowMinutes: (resolution.windows[window] as number) * resolution.stepMinutes,
    falseAlarmsPerWeek,
    strength: evidence / openThreshold,
    usualMinutes: null,
    example: null,
    matched: null,
  };
}

/** The heartbeat of a regular sender is overdue. */
export function anomalyOfHeartbeat({ usualMinutes, elapsedMinutes }: OverdueHeartbeat): Anomaly {
  return {
    rule: 'silence',
    side: DOWN,
    observed: 0,
    expected: elapsedMinutes / usualMinutes,
    windowMinutes: elapsedMinutes,
    falseAlarmsPerWeek: null,
    strength: 1,
    usualMinutes,
    example: null,
    matched: null,
  };
}

/** An error of a group that was never seen before. */
export function anomalyOfNewError({ message }: ErrorDelta): Anomaly {
  return {
    rule: 'new_kind',
    side: UP,
    observed: 1,
    expected: 0,
    windowMinutes: 1,
    falseAlarmsPerWeek: null,
    strength: 1,
    usualMinutes: null,
    example: message,
    matched: null,
  };
}
