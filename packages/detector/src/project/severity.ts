import { type Side, UP } from '../state/side.ts';
import { type RiskSeries, SEVERITIES, type Severity } from '../types.ts';
import type { Anomaly, Exposure } from './anomaly.ts';

/** Factor from which a rise, and part down to which a drop, is more than a warning. */
const ERROR = { rise: 3, drop: 0.5 };
const CRITICAL = { rise: 10, drop: 0.1 };

/** Returns the severity of an effect. */
export function severityOf(side: Side, observed: number, expected: number): Severity {
  const reaches = ({ rise, drop }: typeof ERROR) =>
    side === UP ? observed >= rise * expected : observed <= drop * expected;
  if (reaches(CRITICAL)) return 'critical';
  return reaches(ERROR) ? 'error' : 'warn';
}

/**
 * Returns the severity of an alarm: that of its effect, capped by that of the events. Missing events have none: those of one
 * series are an error at most, those of the whole project critical.
 */
export function severityOfAlarm(
  series: RiskSeries,
  anomaly: Pick<Anomaly, 'rule' | 'side' | 'observed' | 'expected'> & { exposure?: Exposure | null },
): Severity {
  const { rule, side, observed, expected, exposure } = anomaly;
  if (rule === 'new_kind') return 'warn';
  if (rule === 'at_least' || rule === 'above_share') return series.severity ?? 'error';
  const size = severityOf(side, observed, expected);
  const effect = exposure && rule === 'rise' ? mildest(size, severityBesideTraffic(exposure)) : size;
  return mildest(effect, worstOf(series, side));
}

/** Returns the worst severity of an alarm of counts or shares. */
export function worstOf({ kind, severity }: RiskSeries, side: Side): Severity {
  if (side === UP) return severity ?? CAPS[kind];
  return kind === 'total' ? 'critical' : 'error';
}

/** Returns the severity of the errors that the traffic does not explain. In proportion to it they are a warning. */
function severityBesideTraffic({ isInProportion, failures, events, usualShare }: Exposure): Severity {
  return isInProportion ? 'warn' : severityOf(UP, failures, usualShare * events);
}

const CAPS: Record<RiskSeries['kind'], Severity> = {
  events: 'critical',
  total: 'warn',
  errors: 'error',
  other: 'warn',
  failed_payments: 'critical',
  new_kind: 'warn',
  rule: 'critical',
};

export function isWorse(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(than);
}

function mildest(left: Severity, right: Severity): Severity {
  return isWorse(right, left) ? left : right;
}
