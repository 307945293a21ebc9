import type { Queryable } from '../../database/database.ts';
import type { Severity } from '../../events/severity.ts';
import type { IncidentChanges } from '../../incidents/schema.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';

/** Maximum entries of a preview: further ones are left out, and the preview says so. */
export const MAX_ENTRIES = 20_000;

export interface PastEntry {
  incidentId: string;
  projectId: string;
  /** Current severity. */
  severity: Severity;
  scheduleId: string | null;
  userId: string | null;
  before: IncidentChanges | null;
  after: IncidentChanges | null;
  at: Date;
}

/** Timelines of incidents since a time, oldest first. @param projectId null: all projects */
export async function listPastEntries(
  database: Queryable,
  organizationId: string,
  { projectId, since }: { projectId: string | null; since: Date },
): Promise<PastEntry[]> {
  const { rows } = await database.query<PastEntry>(
    `SELECT t.incident_id AS "incidentId", i.project_id AS "projectId", i.severity, i.schedule_id AS "scheduleId", t.user_id AS "userId", t.before, t.after,
        t.created_at AS at
      FROM incidents i JOIN incident_timeline t ON t.incident_id = i.id
      WHERE i.organization_id = $1 AND i.${LIVE_PROJECTS} AND ($2::uuid IS NULL OR i.project_id = $2)
        AND i.updated_at >= $3 AND t.created_at >= $3
      ORDER BY t.created_at, t.id LIMIT ${MAX_ENTRIES}`,
    [organizationId, projectId, since],
  );
  return rows;
}

export interface PastGroup {
  groupId: string;
  projectId: string;
  severity: Severity;
  at: Date;
}

/** Groups that began since a time, oldest first. */
export async function listPastGroups(
  database: Queryable,
  organizationId: string,
  { projectId, since }: { projectId: string | null; since: Date },
): Promise<PastGroup[]> {
  const { rows } = await database.query<PastGroup>(
    `SELECT id AS "groupId", project_id AS "projectId", severity, first_seen AS at FROM groups
      WHERE organization_id = $1 AND ${LIVE_PROJECTS} AND ($2::uuid IS NULL OR project_id = $2)
        AND state = ANY (enum_range(NULL::group_state)) AND first_seen >= $3 AND number > 0
      ORDER BY first_seen, id LIMIT ${MAX_ENTRIES}`,
    [organizationId, projectId, since],
  );
  return rows;
}

/** Groups that reappeared after a resolution since a time, oldest first: regressions that the service found. */
export async function listPastRegressions(
  database: Queryable,
  organizationId: string,
  { projectId, since }: { projectId: string | null; since: Date },
): Promise<PastGroup[]> {
  const { rows } = await database.query<PastGroup>(
    `SELECT h.group_id AS "groupId", h.project_id AS "projectId", g.severity, h.created_at AS at
      FROM group_history h JOIN groups g ON g.id = h.group_id
      WHERE h.organization_id = $1 AND h.${LIVE_PROJECTS} AND ($2::uuid IS NULL OR h.project_id = $2) AND h.created_at >= $3
        AND h.user_id IS NULL AND h.before ->> 'state' = 'resolved' AND h.after ->> 'state' = 'open'
      ORDER BY h.created_at, h.id LIMIT ${MAX_ENTRIES}`,
    [organizationId, projectId, since],
  );
  return rows;
}
