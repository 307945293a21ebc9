import type { Queryable } from '../../database/database.ts';
import type { RouteRow } from './route.ts';

const COLUMNS = `r.id, r.organization_id AS "organizationId", r.target_id AS "targetId",
  r.fallback_target_id AS "fallbackTargetId", r.project_id AS "projectId",
  (SELECT name FROM projects WHERE id = r.project_id) AS "projectName", r.min_severity AS "minSeverity", r.changes,
  r.max_per_week AS "maxPerWeek",
  r.created_at AS "createdAt", r.made_by_token AS "madeByToken", r.updated_at AS "updatedAt"`;

export async function listRoutes(database: Queryable, organizationId: string): Promise<RouteRow[]> {
  const { rows } = await database.query<RouteRow>(
    `SELECT ${COLUMNS} FROM notification_routes r
      WHERE organization_id = $1 AND (project_id IS NULL OR project_id IN (
        SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL))
      ORDER BY id`,
    [organizationId],
  );
  return rows;
}

export async function listRoutesById(
  database: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<RouteRow[]> {
  const { rows } = await database.query<RouteRow>(
    `SELECT ${COLUMNS} FROM notification_routes r WHERE organization_id = $1 AND id = ANY ($2::uuid[])`,
    [organizationId, ids],
  );
  return rows;
}

/** @param lock locks the row until the transaction ends */
export async function findRoute(
  database: Queryable,
  organizationId: string,
  routeId: string,
  lock?: 'lock',
): Promise<RouteRow | null> {
  const { rows } = await database.query<RouteRow>(
    `SELECT ${COLUMNS} FROM notification_routes r WHERE organization_id = $1 AND id = $2
      ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [organizationId, routeId],
  );
  return rows[0] ?? null;
}

export async function countRoutes(database: Queryable, organizationId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'SELECT count(*) AS count FROM notification_routes WHERE organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
}

type Values = Pick<
  RouteRow,
  'id' | 'targetId' | 'fallbackTargetId' | 'projectId' | 'minSeverity' | 'changes' | 'maxPerWeek'
>;

export async function insertRoute(
  database: Queryable,
  organizationId: string,
  route: Values & Pick<RouteRow, 'createdAt' | 'madeByToken'>,
): Promise<void> {
  await database.query(
    `INSERT INTO notification_routes (id, organization_id, target_id, fallback_target_id, project_id, min_severity, changes,
        created_at, updated_at, max_per_week, made_by_token)
      VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $8, $9, $10)`,
    [
      organizationId,
      route.id,
      route.targetId,
      route.fallbackTargetId,
      route.projectId,
      route.minSeverity,
      route.changes,
      route.createdAt,
      route.maxPerWeek,
      route.madeByToken,
    ],
  );
}

export async function updateRoute(
  database: Queryable,
  organizationId: string,
  route: Values & { updatedAt: Date },
): Promise<void> {
  await database.query(
    `UPDATE notification_routes SET fallback_target_id = $3, project_id = $4, min_severity = $5, changes = $6, updated_at = $7,
        max_per_week = $8
      WHERE organization_id = $1 AND id = $2`,
    [
      organizationId,
      route.id,
      route.fallbackTargetId,
      route.projectId,
      route.minSeverity,
      route.changes,
      route.updatedAt,
      route.maxPerWeek,
    ],
  );
}

export async function deleteRoute(
  database: Queryable,
  organizationId: string,
  routeId: string,
): Promise<RouteRow | null> {
  const { rows } = await database.query<RouteRow>(
    `DELETE FROM notification_routes r WHERE organization_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [organizationId, routeId],
  );
  return rows[0] ?? null;
}
