import type { Transaction } from '../database/database.ts';
import type { Severity } from '../events/severity.ts';
import { newUuid } from '../platform/ids.ts';
import { insertFrame, insertIncident, insertTimelineEntry } from './queries.ts';
import { type Evidence, type IncidentRow, type Status, toIncident } from './schema.ts';

export interface NewIncidentInput {
  organizationId: string;
  projectId: string;
  title: string;
  severity: Severity;
  status: Exclude<Status, 'resolved'>;
  /** Who creates it; null: the risk worker, which then says why. */
  userId: string | null;
  risk: RiskCause | null;
}

interface RiskCause {
  number: number;
  type: string | null;
  source: string | null;
  eventCount: number;
  evidence: Evidence;
  previousIncidentId: string | null;
}

/**
 * The one way in which incidents come into being: the row, the first timeline entry and the broadcast, in
 * the caller's transaction, which holds `lockFrames` and the project's row (so that it is not deleted meanwhile).
 */
export async function createIncident(
  transaction: Transaction,
  input: NewIncidentInput,
): Promise<IncidentRow> {
  const now = transaction.now();
  const createdAt = new Date(now);
  const { organizationId, projectId, title, severity, status, risk } = input;
  const incident: IncidentRow = {
    id: newUuid(now),
    organizationId,
    projectId,
    title,
    titleOrigin: risk ? 'generated' : 'person',
    severity,
    status,
    origin: risk ? 'risk' : 'manual',
    eventCount: risk?.eventCount ?? 0,
    evidence: risk?.evidence ?? null,
    type: risk?.type ?? null,
    source: risk?.source ?? null,
    previousIncidentId: risk?.previousIncidentId ?? null,
    riskNumber: risk?.number ?? null,
    createdAt,
    updatedAt: createdAt,
    resolvedAt: null,
  };
  await insertIncident(transaction, incident);
  await insertTimelineEntry(transaction, incident.id, {
    id: newUuid(now),
    createdAt,
    userId: input.userId,
    before: null,
    after: { status, title, severity },
    note: risk?.evidence.sentence ?? null,
  });
  await insertFrame(transaction, organizationId, {
    projectId,
    event: 'incident_created',
    data: toIncident(incident),
    createdAt,
  });
  return incident;
}
