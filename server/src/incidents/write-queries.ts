import type { Queryable } from '../database/database.ts';
import type { IncidentRow } from './rows.ts';

export async function insertIncident(database: Queryable, incident: IncidentRow): Promise<void> {
  await database.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, event_count, evidence,
        type, source, previous_incident_id, created_at, updated_at, resolved_at, risk_number,
        title_origin, investigator_id, schedule_id, links)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [
      incident.id,
      incident.organizationId,
      incident.projectId,
      incident.title,
      incident.severity,
      incident.status,
      incident.origin,
      incident.eventCount,
      incident.evidence && JSON.stringify(incident.evidence),
      incident.type,
      incident.source,
      incident.previousIncidentId,
      incident.createdAt,
      incident.updatedAt,
      incident.resolvedAt,
      incident.riskNumber,
      incident.titleOrigin,
      incident.investigatorId,
      incident.scheduleId,
      JSON.stringify(incident.links),
    ],
  );
}

export async function updateIncident(database: Queryable, incident: IncidentRow): Promise<void> {
  await database.query(
    `UPDATE incidents SET title = $3, severity = $4, status = $5, event_count = $6, updated_at = $7, resolved_at = $8,
        evidence = $9, risk_number = $10, type = $11, source = $12, title_origin = $13, investigator_id = $14,
        links = $15
      WHERE organization_id = $1 AND id = $2`,
    [
      incident.organizationId,
      incident.id,
      incident.title,
      incident.severity,
      incident.status,
      incident.eventCount,
      incident.updatedAt,
      incident.resolvedAt,
      incident.evidence && JSON.stringify(incident.evidence),
      incident.riskNumber,
      incident.type,
      incident.source,
      incident.titleOrigin,
      incident.investigatorId,
      JSON.stringify(incident.links),
    ],
  );
}
