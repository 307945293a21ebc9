import type { Transaction } from '../database/database.ts';
import { type Severity, worst } from '../events/severity.ts';
import { applyChanges, broadcastUpdate, writeNote } from './apply-changes.ts';
import { updateIncident } from './queries.ts';
import {
  type IncidentRow,
  type JoinedSeries,
  MAX_ALSO_SERIES,
  type StoredEvidence,
  seriesKey,
} from './schema.ts';
import { joinedSentence } from './wording.ts';

/*
 * What the service itself does to a risk incident that is not resolved. The caller holds `lockFrames` and the
 * incident's row.
 */

/**
 * Counts further events, and what joined: what is new gets an entry in the timeline. A worse alarm makes the incident
 * worse, which is told by the same entry. One broadcast.
 */
export async function addToIncident(
  transaction: Transaction,
  before: IncidentRow,
  more: { events: number; severity: Severity; joined: JoinedSeries[] },
): Promise<IncidentRow> {
  const { evidence, added } = withJoined(before.evidence, more.joined);
  const incident: IncidentRow = {
    ...before,
    eventCount: before.eventCount + more.events,
    evidence,
    updatedAt: new Date(transaction.now()),
  };
  const note = added.length > 0 ? joinedNote(added) : null;
  const severity = worst(before.severity, more.severity);
  const by = { userId: null, ...(note !== null && { note }) };
  const changes = await applyChanges(transaction, incident, { severity }, by);
  if (changes) return changes.incident;
  if (note !== null) return writeNote(transaction, incident, note, null);
  await updateIncident(transaction, incident);
  await broadcastUpdate(transaction, incident);
  return incident;
}

/** Tells an incident by something that says more, with an entry in its timeline. One broadcast. */
export async function retellIncident(
  transaction: Transaction,
  before: IncidentRow,
  told: { title: string; severity: Severity; eventCount: number; evidence: StoredEvidence; note?: string },
): Promise<IncidentRow> {
  const { eventCount, evidence } = told;
  const { type, source } = evidence.series;
  const incident = { ...before, eventCount, evidence, type, source };
  const note = told.note ?? evidence.sentence;
  const by = { userId: null, note };
  const { title, severity } = told;
  const changes = await applyChanges(transaction, incident, { title, severity }, by);
  return changes?.incident ?? writeNote(transaction, incident, note, null);
}

export async function resolveByItself(
  transaction: Transaction,
  before: IncidentRow,
  note: string,
): Promise<IncidentRow> {
  const by = { userId: null, note };
  const changes = await applyChanges(transaction, before, { status: 'resolved' }, by);
  return changes?.incident ?? before;
}

/** @param events that the incident counts from now on as well */
export async function noteOnIncident(
  transaction: Transaction,
  before: IncidentRow,
  note: string,
  events: number,
): Promise<IncidentRow> {
  const incident = { ...before, eventCount: before.eventCount + events };
  return writeNote(transaction, incident, note, null);
}

/** As many as an entry of the timeline names. */
const MAX_NAMED = 3;

function joinedNote(added: JoinedSeries[]): string {
  const named = added.slice(0, MAX_NAMED).map(joinedSentence);
  const others = added.length - named.length;
  return [...named, ...(others > 0 ? [`And ${others} more joined.`] : [])].join('\n');
}

/** @returns what takes part for the first time, too */
export function withJoined(
  evidence: StoredEvidence | null,
  joined: JoinedSeries[],
): { evidence: StoredEvidence | null; added: JoinedSeries[] } {
  if (!evidence) return { evidence, added: [] };
  const lead = seriesKey(evidence.series);
  const known = new Set([lead, ...evidence.alsoSeries.map(seriesKey)]);
  const rows = new Map((evidence.joined ?? []).map((row) => [seriesKey(row.series), row]));
  const added: JoinedSeries[] = [];
  for (const row of joined) {
    const key = seriesKey(row.series);
    const earlier = rows.get(key);
    if (earlier)
      rows.set(key, { ...row, at: earlier.at, from: earlier.from, peak: Math.max(earlier.peak, row.peak) });
    else if (key !== lead && rows.size < MAX_ALSO_SERIES) rows.set(key, row);
    if (known.has(key) || known.size > MAX_ALSO_SERIES) continue;
    known.add(key);
    added.push(row);
  }
  const alsoSeries = [...evidence.alsoSeries, ...added.map(({ series }) => series)];
  return { evidence: { ...evidence, alsoSeries, joined: [...rows.values()] }, added };
}
