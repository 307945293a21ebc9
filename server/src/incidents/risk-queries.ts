import type { Queryable } from '../database/database.ts';
import { mergedGroupIds } from '../events/group-queries.ts';
import type { RiskRule, RiskSeries } from './evidence-schema.ts';
import { INCIDENT_COLUMNS } from './queries.ts';
import type { IncidentRow } from './rows.ts';
import type { StoredLead } from './stored-evidence.ts';

/** The incident with a detector's number, locked until the transaction ends. */
export async function findIncidentByNumber(
  database: Queryable,
  organizationId: string,
  projectId: string,
  riskNumber: number,
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND risk_number = $3 FOR UPDATE`,
    [organizationId, projectId, riskNumber],
  );
  return rows[0] ?? null;
}

/** Incidents by their numbers, read without waiting for transactions that change them. */
export async function listIncidentsByNumber(
  database: Queryable,
  projectId: string,
  riskNumbers: readonly number[],
): Promise<Map<number, IncidentRow>> {
  const { rows } = await database.query<IncidentRow & { number: number }>(
    `SELECT ${INCIDENT_COLUMNS}, risk_number AS number FROM incidents
      WHERE organization_id = (SELECT organization_id FROM projects WHERE id = $1) AND project_id = $1
        AND risk_number = ANY ($2::int[])`,
    [projectId, riskNumbers],
  );
  return new Map(rows.map(({ number, ...row }) => [number, row]));
}

/** Incidents of the detector that no person has taken on, locked until the transaction ends. */
export async function listOpenRiskIncidents(
  database: Queryable,
  organizationId: string,
  projectId: string,
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND risk_number IS NOT NULL AND status = 'open'
      ORDER BY id FOR UPDATE`,
    [organizationId, projectId],
  );
  return rows;
}

/**
 * Incidents of the detector that are unresolved, or were resolved in the last minutes, sorted by id; locked until the
 * transaction ends. Those of projects that are being deleted are left out.
 */
export async function listIncidentsToCount(
  database: Queryable,
  { afterId, limit, now }: { afterId: string | null; limit: number; now: Date },
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE evidence IS NOT NULL AND (status <> 'resolved' OR resolved_at >= $2::timestamptz - interval '3 minutes')
        AND ($1::uuid IS NULL OR id > $1)
        AND EXISTS (SELECT FROM projects WHERE id = incidents.project_id AND deleted_at IS NULL)
      ORDER BY id LIMIT $3 FOR UPDATE`,
    [afterId, now, limit],
  );
  return rows;
}

/** The groups that lead an incident: that of a new error, and the one with most of the events. */
export function groupsOfLead(lead: StoredLead | null): string[] {
  const { groupId = null, main = null } = lead ?? {};
  return [...new Set([groupId, main?.groupId ?? null])].filter((id) => id !== null);
}

/** SQL: one of the groups in the array $n, or one merged with it, leads an incident; for an organization in `$1`. */
export const sharesGroup = (place: string) => {
  // The id of a group that retention has removed is still compared.
  const groupIds = `(${place}::uuid[] || ${mergedGroupIds(`${place}::uuid[]`)})::text[]`;
  return `(evidence #>> '{lead,groupId}' = ANY (${groupIds}) OR evidence #>> '{lead,main,groupId}' = ANY (${groupIds}))`;
};

/**
 * Incidents led by a group that is merged with some groups, or with one that was merged with them before; sorted by
 * id, locked until the transaction ends. They are few: a group leads the incident that it opened.
 */
export async function listIncidentsLedBy(
  database: Queryable,
  organizationId: string,
  projectId: string,
  groupIds: readonly string[],
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND evidence IS NOT NULL AND ${sharesGroup('$3')}
      ORDER BY id FOR UPDATE`,
    [organizationId, projectId, groupIds],
  );
  return rows;
}

const IS_REOPENED = `EXISTS (SELECT 1 FROM incident_timeline t
          WHERE t.incident_id = incidents.id AND t.before ->> 'status' = 'resolved')`;

/** The newest resolved incident with the same lead, or with a shared group. */
export async function findLastResolvedOf(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { series, groupIds }: { series: RiskSeries; groupIds: string[] },
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND status = 'resolved'
        AND (evidence -> 'series' = $3::jsonb OR ${sharesGroup('$4')})
      ORDER BY id DESC LIMIT 1`,
    [organizationId, projectId, JSON.stringify(series), groupIds],
  );
  return rows[0] ?? null;
}

/**
 * The newest unresolved incident of exactly this series, by one of some rules, except those whose numbers the
 * detector still has open: one under investigation, or one whose resolution was undone. Locked until the transaction
 * ends.
 */
export async function findOngoingOf(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { series, rules, exceptNumbers }: { series: RiskSeries; rules: RiskRule[]; exceptNumbers: number[] },
): Promise<IncidentRow | null> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND project_id = $2 AND (status = 'investigating' OR status = 'open' AND ${IS_REOPENED})
        AND risk_number IS NOT NULL AND risk_number <> ALL ($5)
        AND evidence -> 'series' = $3::jsonb AND evidence ->> 'rule' = ANY ($4)
      ORDER BY id DESC LIMIT 1 FOR UPDATE`,
    [organizationId, projectId, JSON.stringify(series), rules, exceptNumbers],
  );
  return rows[0] ?? null;
}
