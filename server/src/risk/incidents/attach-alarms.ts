import { severityOfAlarm } from '@tocsin/detector';
import { SEVERITIES } from '../../events/severities.ts';
import { type Severity, worst } from '../../events/severity.ts';
import {
  type AttachedSeries,
  type Evidence,
  type RiskSeries,
  seriesKey,
} from '../../incidents/evidence-schema.ts';
import { type IncidentMutation, updateIncident } from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { escalationSentence } from '../../incidents/wording.ts';
import { attachedNote, attachSeries } from '../headline/evidence.ts';
import {
  type OpenedAlarm,
  severityOfEvidence,
  toAttached,
  worstSeverityOf,
} from '../headline/opened-alarm.ts';
import { sourcesOf } from '../headline/places.ts';
import { leadOf } from '../headline/ranking.ts';
import { type ChangeContext, toRows } from './change-context.ts';

/**
 * Attaches alarms to an incident. Series that are new to it get an entry, and so does a worse severity: one for both.
 */
export function attachAlarms(
  row: IncidentRow,
  opened: OpenedAlarm[],
  context: ChangeContext,
): IncidentMutation {
  const severity = worst(row.severity, worstSeverityOf(opened));
  const { evidence } = row;
  if (!evidence) return updateIncident(row, { severity }, { userId: null, note: null }, context.nowMs);
  const attached = attachSeries(evidence, toRows(opened, context));
  const after = { ...row, evidence: attached.evidence };
  return noteAttached(row, after, { opened, added: attached.added, severity, context });
}

/** Writes one entry about all changes of attached series; a worse one in another place comes first. */
export function noteAttached(
  row: IncidentRow,
  after: IncidentRow,
  change: {
    opened: OpenedAlarm[];
    added: AttachedSeries[];
    severity: IncidentRow['severity'];
    title?: string;
    context: ChangeContext;
  },
): IncidentMutation {
  const { opened, added, severity, title = row.title, context } = change;
  const found = findEscalation(row, opened, context);
  const key = found && seriesKey(found.alarm.series);
  const named = added.filter((attached) => seriesKey(attached) !== key);
  const note =
    named.length > 0 || found ? attachedNote(named, found?.escalation ?? null, newBreadth(row, after)) : null;
  const evidence =
    after.evidence && found ? { ...after.evidence, escalation: found.escalation } : after.evidence;
  return updateIncident({ ...after, evidence }, { title, severity }, { userId: null, note }, context.nowMs);
}

/** Number of sources by now; null if no source is new: those that the sentence counts are known. */
function newBreadth(row: IncidentRow, after: IncidentRow): number | null {
  const sources = knownSources(after);
  return sources.size > knownSources(row).size ? sources.size : null;
}

function knownSources({ evidence }: IncidentRow): Set<string> {
  if (!evidence) return new Set();
  const { countedSources = [] } = evidence;
  return new Set([...countedSources, ...sourcesOf([evidence.series, ...evidence.alsoSeries])]);
}

/**
 * Finds an alarm that is worse than its incident so far, and in another place: the two may be unrelated.
 * @returns null if none of the alarms is
 */
function findEscalation(
  { severity, evidence }: IncidentRow,
  opened: OpenedAlarm[],
  { shiftMs, nowMs }: { shiftMs: number; nowMs: number },
): { alarm: OpenedAlarm; escalation: NonNullable<Evidence['escalation']> } | null {
  if (!evidence) return null;
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
  return { alarm, escalation: { at: attached.at, sentence, severity: attached.alarmSeverity } };
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
