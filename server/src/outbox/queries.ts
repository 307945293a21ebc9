import { CHANNELS } from '../database/channels.ts';
import type { Queryable } from '../database/database.ts';
import type { KnownMessages, RouteDecision, RouteRule, SubjectChange } from './decide-delivery.ts';

/** The routes of organizations, oldest first. */
export async function listRouteRules(
  database: Queryable,
  organizationIds: readonly string[],
): Promise<RouteRule[]> {
  const { rows } = await database.query<RouteRule>({
    name: 'list-route-rules',
    text: `SELECT r.id, r.organization_id AS "organizationId", r.target_id AS "targetId", r.project_id AS "projectId",
        r.min_severity AS "minSeverity", r.changes, t.disabled_at IS NULL AS "isTargetEnabled"
      FROM notification_routes r JOIN notification_targets t ON t.id = r.target_id
      WHERE r.organization_id = ANY ($1::uuid[]) ORDER BY r.organization_id, r.id`,
    values: [organizationIds],
  });
  return rows;
}

/** Messages that targets were sent about subjects, or will be: by the ids of both with a space between. */
export async function listKnownSubjects(
  database: Queryable,
  targetIds: readonly string[],
  subjectIds: readonly string[],
): Promise<Map<string, KnownMessages>> {
  const { rows } = await database.query<{ targetId: string; subjectId: string; hasEditable: boolean }>({
    name: 'list-known-subjects',
    text: `SELECT target_id AS "targetId", subject_id AS "subjectId", bool_or(editable) AS "hasEditable" FROM (
        SELECT target_id, subject_id, remote IS NOT NULL AS editable FROM notification_threads
        WHERE target_id = ANY ($1::uuid[]) AND subject_id = ANY ($2::uuid[])
        UNION ALL
        SELECT target_id, subject_id, true FROM deliveries
        WHERE target_id = ANY ($1::uuid[]) AND subject_id = ANY ($2::uuid[]) AND state = 'pending'
      ) AS known GROUP BY 1, 2`,
    values: [targetIds, subjectIds],
  });
  return new Map(
    rows.map(({ targetId, subjectId, hasEditable }) => [
      `${targetId} ${subjectId}`,
      { hasMessage: true, hasEditable },
    ]),
  );
}

export interface NewDelivery {
  id: string;
  changeId: string;
  routeId: string;
  targetId: string;
  change: SubjectChange;
}

/**
 * Stores changes with the routes' decisions, and their deliveries, which are due at once. A target that is deleted
 * meanwhile gets none: the change of an incident or a group must not fail by it.
 */
export async function insertChanges(
  database: Queryable,
  changes: readonly { id: string; change: SubjectChange; decisions: readonly RouteDecision[] }[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const toRow = ({ change }: { change: SubjectChange }) => ({
    organization_id: change.organizationId,
    project_id: change.projectId,
    subject_kind: change.subjectKind,
    subject_id: change.subjectId,
    change: change.change,
    severity: change.severity,
    at: change.at,
  });
  await database.query({
    name: 'insert-notification-changes',
    text: `WITH changed AS (
        INSERT INTO notification_changes (id, organization_id, project_id, subject_kind, subject_id, change, severity,
          decisions, created_at)
        SELECT id, organization_id, project_id, subject_kind, subject_id, change, severity, decisions, at
        FROM jsonb_to_recordset($1::jsonb) AS c (id uuid, organization_id uuid, project_id uuid, subject_kind text,
          subject_id uuid, change text, severity severity, decisions jsonb, at timestamptz)
      ), enqueued AS (
        INSERT INTO deliveries (id, organization_id, project_id, target_id, route_id, change_id, subject_kind, subject_id,
          change, severity, state, due_at, created_at)
        SELECT d.id, d.organization_id, d.project_id, d.target_id, d.route_id, d.change_id, d.subject_kind, d.subject_id,
          d.change, d.severity, 'pending', d.at, d.at
        FROM jsonb_to_recordset($2::jsonb) AS d (id uuid, organization_id uuid, project_id uuid, target_id uuid,
            route_id uuid, change_id uuid, subject_kind text, subject_id uuid, change text, severity severity, at timestamptz)
          JOIN notification_targets t ON t.id = d.target_id
        FOR KEY SHARE OF t
        ON CONFLICT DO NOTHING
      )
      SELECT pg_notify($3, '')`,
    values: [
      JSON.stringify(changes.map((each) => ({ id: each.id, decisions: each.decisions, ...toRow(each) }))),
      JSON.stringify(
        deliveries.map((each) => ({
          id: each.id,
          target_id: each.targetId,
          route_id: each.routeId,
          change_id: each.changeId,
          ...toRow(each),
        })),
      ),
      CHANNELS.deliveries,
    ],
  });
}
