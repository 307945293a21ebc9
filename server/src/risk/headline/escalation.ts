import { severityOfAlarm } from '@tocsin/detector';
import { SEVERITIES } from '../../events/severities.ts';
import { type Severity, worst } from '../../events/severity.ts';
import {
  type AttachedSeries,
  type Evidence,
  type RiskSeries,
  seriesKey,
} from '../../incidents/evidence-schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import { escalationSentence } from '../../incidents/wording.ts';
import { type OpenedAlarm, severityOfEvidence, toAttached } from './opened-alarm.ts';
import { leadOf } from './ranking.ts';

/**
 * Finds an alarm that is worse than its incident so far, and in another place: the two may be unrelated.
 * @returns null if none of the alarms is
 */
export function findEscalation(
  { severity }: Pick<IncidentRow, 'severity'>,
  evidence: StoredEvidence,
  opened: OpenedAlarm[],
  { shiftMs, nowMs }: { shiftMs: number; nowMs: number },
): { series: RiskSeries; escalation: NonNullable<Evidence['escalation']> } | null {
  const known = [evidence.series, ...evidence.alsoSeries];
  // A person may have lowered the severity of the known series.
  const before = worst(severity, severityOfEvidence(evidence));
  const alarm = leadOf(
    opened.filter(
      (each) =>
        isWorse(severityOfAlarm(each.series, each.anomaly), before) && isElsewhere(placeOf(each), known),
    ),
  );
  if (!alarm) return null;
  const attached = toAttached(alarm, shiftMs, nowMs);
  const sentence = escalationSentence({ ...attached, ...placeOf(alarm) });
  return {
    series: alarm.series,
    escalation: { at: attached.at, sentence, severity: attached.alarmSeverity },
  };
}

/**
 * Finds the known series that raises the severity of its incident, also one that a person has lowered; null: none does,
 * or a new one is worse.
 * @param escalated series that is reported as worse in another place; null: none is
 */
export function findRise(
  { severity }: Pick<IncidentRow, 'severity'>,
  evidence: StoredEvidence,
  opened: AttachedSeries[],
  escalated: RiskSeries | null,
): AttachedSeries | null {
  const known = new Set([evidence.series, ...evidence.alsoSeries].map(seriesKey));
  if (escalated) known.delete(seriesKey(escalated));
  const after = opened.reduce((highest, { alarmSeverity }) => worst(highest, alarmSeverity), severity);
  if (after === severity) return null;
  return opened.find((each) => known.has(seriesKey(each)) && each.alarmSeverity === after) ?? null;
}

function isWorse(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(than);
}

type Place = Pick<RiskSeries, 'type' | 'source'>;

/** Place of an alarm; for a rule, that of the events which fulfilled it. */
function placeOf({ series: { type, source }, anomaly: { matched } }: OpenedAlarm): Place {
  return { type: matched?.type ?? type, source: matched?.source ?? source };
}

/** True if none of the known series has the source, or, without a source, the type. Sums have no place. */
function isElsewhere({ type, source }: Place, known: Place[]): boolean {
  const located = known.filter((each) => each.source !== null || each.type !== null);
  if (located.length === 0 || (type === null && source === null)) return false;
  return located.every((each) => (source === null ? each.type !== type : each.source !== source));
}
