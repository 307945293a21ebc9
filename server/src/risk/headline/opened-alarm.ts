import { type DetectorEvent, DOWN, type Side, severityOfAlarm, UP } from '@tocsin/detector';
import { type Severity, worst } from '../../events/severity.ts';
import { type AttachedSeries, type RiskRule, toSeries } from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { isoTime } from '../../platform/time.ts';
import { shortenExample, silentMinutes } from './words.ts';

/** An alarm that has opened, with its evidence. */
export type OpenedAlarm = Extract<DetectorEvent, { kind: 'opens' | 'attaches' }>;

export function worstSeverityOf(alarms: OpenedAlarm[]): Severity {
  return alarms.reduce<Severity>(
    (severity, { series, anomaly }) => worst(severity, severityOfAlarm(series, anomaly)),
    'info',
  );
}

/** The highest severity of the alarm that evidence is about. */
export function severityOfEvidence(evidence: StoredEvidence): Severity {
  const { series, rule, observed, expected, exposure, leadSeverity } = evidence;
  return leadSeverity ?? severityOfAlarm(series, { rule, side: sideOf(rule), observed, expected, exposure });
}

/**
 * The window of an alarm in clock time; a silence begins after its last event, if that is known. The window of a burst
 * ends in the future of its minute, hence the limit.
 */
export function windowOf(
  { atMs, anomaly }: Pick<OpenedAlarm, 'atMs' | 'anomaly'>,
  shiftMs: number,
  nowMs: number,
): { fromMs: number; toMs: number } {
  const endMs = atMs - shiftMs;
  const silent = silentMinutes(anomaly);
  const fromMs =
    anomaly.rule === 'silence' && silent !== undefined
      ? Math.round(endMs - silent * 60_000) + 1
      : Math.floor(endMs - anomaly.windowMinutes * 60_000);
  return { fromMs, toMs: Math.min(endMs, nowMs) };
}

/** An alarm as a series that is attached to an incident. */
export function toAttached(alarm: OpenedAlarm, shiftMs: number, nowMs: number): AttachedSeries {
  const { series, anomaly } = alarm;
  const { fromMs, toMs } = windowOf(alarm, shiftMs, nowMs);
  const observed = toShownNumber(anomaly.observed);
  return {
    ...series,
    rule: anomaly.rule,
    alarmSeverity: severityOfAlarm(series, anomaly),
    observed,
    expected: toShownNumber(anomaly.expected),
    peak: observed,
    windowSeconds: Math.round(anomaly.windowMinutes * 60),
    from: isoTime(fromMs),
    at: isoTime(toMs),
    exposure: anomaly.exposure ?? null,
    ...(anomaly.ruleName !== undefined && { ruleName: anomaly.ruleName }),
    ...(anomaly.renamedTo !== undefined && { renamedTo: anomaly.renamedTo }),
    message: anomaly.example ? shortenExample(anomaly.example) : null,
  };
}

/** Restores the alarm of an attached series, as far as its numbers allow. */
export function alarmOf(attached: AttachedSeries, shiftMs: number): OpenedAlarm {
  const { rule, observed, expected, windowSeconds, exposure, ruleName, renamedTo, message, from, at } =
    attached;
  const silent = rule === 'silence' && {
    lastEventMinutesAgo: (Date.parse(at) - Date.parse(from)) / 60_000,
  };
  return {
    kind: 'attaches',
    incident: 0,
    series: toSeries(attached),
    anomaly: {
      rule,
      side: sideOf(rule),
      observed,
      expected,
      windowMinutes: windowSeconds / 60,
      falseAlarmsPerWeek: null,
      strength: 1,
      usualMinutes: null,
      example: message,
      matched: null,
      ...(exposure && { exposure }),
      ...(ruleName !== undefined && { ruleName }),
      ...(renamedTo !== undefined && { renamedTo }),
      ...silent,
    },
    atMs: Date.parse(at) + shiftMs,
  };
}

const FALLING: RiskRule[] = ['drop', 'silence'];
/** Rules that evaluate a rate. */
const RISING: RiskRule[] = ['rise', 'failed_payments', 'error_share'];

export function sideOf(rule: RiskRule): Side {
  return FALLING.includes(rule) ? DOWN : UP;
}

/** The rules by which a series may alarm again on this side. */
export function rulesOf(side: Side): RiskRule[] {
  return side === UP ? RISING : FALLING;
}

const DIGITS = 4;

/** Rounds an expected value: it is an estimate, whose further digits would be noise. */
export function toShownNumber(value: number): number {
  return Number(value.toPrecision(DIGITS));
}
