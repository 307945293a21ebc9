import type { Queryable } from '../../database/database.ts';
import type { Severity } from '../../events/severity.ts';
import type { GroupRow } from '../../groups/group-row.ts';
import { groupColumns } from '../../groups/queries.ts';
import { INCIDENT_COLUMNS } from '../../incidents/queries.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { toId } from '../../platform/ids.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';
import type { MessageProject } from './message.ts';

/** The incidents of the organization's live projects among these. */
export async function listIncidentsById(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND ${LIVE_PROJECTS}`,
    [organizationId, ids],
  );
  return rows;
}

/** The group with its state at a time; for a merged group, the one that it was merged into. */
export async function findMessageGroup(
  database: Queryable,
  organizationId: string,
  id: string,
  at: Date,
): Promise<GroupRow | null> {
  const { rows } = await database.query<GroupRow>(
    `SELECT ${groupColumns('$3')} FROM groups AS g
      WHERE organization_id = $1 AND ${LIVE_PROJECTS}
        AND id = (SELECT coalesce(merged_into, id) FROM groups WHERE organization_id = $1 AND id = $2)`,
    [organizationId, id, at],
  );
  return rows[0] ?? null;
}

export async function findMessageProject(
  database: Queryable,
  organizationId: string,
  id: string,
): Promise<MessageProject | null> {
  const { rows } = await database.query<MessageProject>(
    'SELECT id, name, environment FROM projects WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL',
    [organizationId, id],
  );
  return rows[0] ? { ...rows[0], id: toId('proj', rows[0].id) } : null;
}

/** The service's last entry in the timeline of an incident. By the incident, which was checked before. */
export async function findServiceNote(database: Queryable, incidentId: string): Promise<string | null> {
  const { rows } = await database.query<{ note: string }>(
    `SELECT note FROM incident_timeline
      WHERE incident_id = $1 AND user_id IS NULL AND note IS NOT NULL ORDER BY id DESC LIMIT 1`,
    [incidentId],
  );
  return rows[0]?.note ?? null;
}

/**
 * The service's entry about the last change of an incident's severity; null if a person changed it. By the incident,
 * which was checked before.
 */
export async function findSeverityNote(database: Queryable, incidentId: string): Promise<string | null> {
  const { rows } = await database.query<{ note: string | null }>(
    `SELECT CASE WHEN user_id IS NULL THEN note END AS note FROM incident_timeline
      WHERE incident_id = $1 AND before ? 'severity' ORDER BY id DESC LIMIT 1`,
    [incidentId],
  );
  return rows[0]?.note ?? null;
}

/** The title and severity with which an incident opened. By the incident, which was checked before. */
export async function findOpening(
  database: Queryable,
  incidentId: string,
): Promise<{ title: string; severity: Severity } | null> {
  const { rows } = await database.query<{ title: string; severity: Severity }>(
    `SELECT after ->> 'title' AS title, after ->> 'severity' AS severity FROM (
        SELECT after FROM incident_timeline WHERE incident_id = $1 ORDER BY id LIMIT 1) AS first
      WHERE after ? 'title' AND after ? 'severity'`,
    [incidentId],
  );
  return rows[0] ?? null;
}

/** The name of the user who investigates; null: no user does, or the account was deleted. */
export async function findUserName(database: Queryable, userId: string): Promise<string | null> {
  const { rows } = await database.query<{ name: string }>('SELECT name FROM users WHERE id = $1', [userId]);
  return rows[0]?.name ?? null;
}
