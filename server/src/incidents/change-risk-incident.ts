import type pg from 'pg';
import { type Severity, worst } from '../events/severity.ts';
import type { Clock } from '../platform/clock.ts';
import { applyChanges, broadcastUpdate, writeNote } from './apply-changes.ts';
import { updateIncident } from './queries.ts';
import { type Evidence, type IncidentRow, MAX_ALSO_SERIES, type RiskSeries, seriesKey } from './schema.ts';

/*
 * What the service itself does to a risk incident that is not resolved. The caller holds `lockFrames` and the
 * incident's row.
 */

/**
 * Counts further events, and what joined. A worse alarm makes the incident worse, which is a change with a timeline
 * entry of its own. One broadcast.
 */
export async function addToIncident(
  transaction: pg.PoolClient,
  clock: Clock,
  before: IncidentRow,
  more: { events: number; severity: Severity; series: RiskSeries[] },
): Promise<IncidentRow> {
  const incident: IncidentRow = {
    ...before,
    eventCount: before.eventCount + more.events,
    evidence: before.evidence && withSeries(before.evidence, more.series),
    updatedAt: new Date(clock.now()),
  };
  const severity = worst(before.severity, more.severity);
  const changes = await applyChanges(transaction, clock, incident, { severity }, { userId: null });
  if (changes) return changes.incident;
  await updateIncident(transaction, incident);
  await broadcastUpdate(transaction, incident);
  return incident;
}

/** Tells an incident by something that says more, with an entry in its timeline. One broadcast. */
export async function retellIncident(
  transaction: pg.PoolClient,
  clock: Clock,
  before: IncidentRow,
  told: { title: string; severity: Severity; eventCount: number; evidence: Evidence },
): Promise<IncidentRow> {
  const { eventCount, evidence } = told;
  const { type, source } = evidence.series;
  const incident = { ...before, eventCount, evidence, type, source };
  const by = { userId: null, note: evidence.sentence };
  const { title, severity } = told;
  const changes = await applyChanges(transaction, clock, incident, { title, severity }, by);
  return changes?.incident ?? writeNote(transaction, clock, incident, evidence.sentence, null);
}

export async function resolveByItself(
  transaction: pg.PoolClient,
  clock: Clock,
  before: IncidentRow,
  note: string,
): Promise<IncidentRow> {
  const by = { userId: null, note };
  const changes = await applyChanges(transaction, clock, before, { status: 'resolved' }, by);
  return changes?.incident ?? before;
}

/** @param events that the incident counts from now on as well */
export async function noteOnIncident(
  transaction: pg.PoolClient,
  clock: Clock,
  before: IncidentRow,
  note: string,
  events: number,
): Promise<IncidentRow> {
  const incident = { ...before, eventCount: before.eventCount + events };
  return writeNote(transaction, clock, incident, note, null);
}

function withSeries(evidence: Evidence, series: RiskSeries[]): Evidence {
  const known = [evidence.series, ...evidence.alsoSeries].map(seriesKey);
  const added = series.filter((other, index) => {
    const key = seriesKey(other);
    return !known.includes(key) && series.findIndex((first) => seriesKey(first) === key) === index;
  });
  return { ...evidence, alsoSeries: [...evidence.alsoSeries, ...added].slice(0, MAX_ALSO_SERIES) };
}
