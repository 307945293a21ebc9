import type { Transaction } from '../database/database.ts';
import { enqueueChanges } from '../outbox/enqueue-changes.ts';
import { describeSilence } from '../outbox/find-silences.ts';
import { assert } from '../platform/assert.ts';
import { confirmedTime } from '../platform/clock.ts';
import { newUuid } from '../platform/ids.ts';
import { insertFrame } from './frame-queries.ts';
import type { CreateMutation, UpdateMutation } from './mutation.ts';
import { notifiedChangeOf } from './notified-change.ts';
import type { IncidentRow } from './rows.ts';
import { insertTimelineEntry } from './timeline-queries.ts';
import { toIncident } from './to-incident.ts';
import { insertIncident, updateIncident } from './write-queries.ts';

/**
 * Writes a change of an incident: its row, its timeline and the frame that dashboards receive, together. Every change
 * by people and by the service goes through here, and nothing else writes incidents; notifications of a change go
 * into the outbox here, too. The timeline also records the silences that cover it.
 * @param transaction holds `lockFrames`, and the incident's row, or for a new one the project's row, so that the
 * project is not deleted meanwhile
 */
export async function writeIncident(
  transaction: Transaction,
  mutation: CreateMutation | UpdateMutation,
): Promise<IncidentRow> {
  const { updatedAt } = mutation.incident;
  const atMs = updatedAt.getTime();
  const incident: IncidentRow =
    mutation.kind === 'create' ? { ...mutation.incident, id: newUuid(atMs) } : mutation.incident;
  assert(
    (incident.resolvedAt !== null) === (incident.status === 'resolved'),
    'Only resolved incidents have a time of resolution.',
  );
  assert(incident.eventCount >= 0, 'The event count is negative.');
  if (mutation.kind === 'create') await insertIncident(transaction, incident);
  else await updateIncident(transaction, incident);
  for (const entry of mutation.entries) {
    await insertTimelineEntry(transaction, incident.id, {
      ...entry,
      id: newUuid(atMs),
      createdAt: updatedAt,
    });
  }
  await insertFrame(transaction, incident.organizationId, {
    projectId: incident.projectId,
    event: mutation.kind === 'create' ? 'incident_created' : 'incident_updated',
    data: toIncident(incident),
    createdAt: updatedAt,
  });
  const notified = notifiedChangeOf(mutation, incident);
  const silenced = notified
    ? await enqueueChanges(transaction, [notified], new Date(Math.min(atMs, confirmedTime(transaction))))
    : [];
  for (const { silence } of silenced) {
    await insertTimelineEntry(transaction, incident.id, {
      id: newUuid(atMs),
      userId: null,
      before: null,
      after: null,
      note: describeSilence(silence),
      createdAt: updatedAt,
    });
  }
  return incident;
}
