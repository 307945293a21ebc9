import { worst } from '../../events/severity.ts';
import { type AttachedSeries, seriesKey } from '../../incidents/evidence-schema.ts';
import { type IncidentMutation, updateIncident } from '../../incidents/mutation.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { sourcesOf } from '../headline/breadth.ts';
import { attachedNote, attachSeries } from '../headline/evidence.ts';
import { type OpenedAlarm, worstSeverityOf } from '../headline/opened-alarm.ts';
import { type ChangeContext, toRows } from './change-context.ts';
import { findEscalation } from './escalation.ts';

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
