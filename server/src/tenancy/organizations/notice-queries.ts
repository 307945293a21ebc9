import type { Queryable } from '../../database/database.ts';
import type { NoticeKind, NoticeRow } from './notice-schema.ts';

/** Maximum notices of a user; a new one replaces the oldest, and none about a person is replaced by one of the service. */
const MAX_NOTICES = 20;
const MEMBERSHIP_KINDS: NoticeKind[] = ['member_added', 'member_removed'];
/** Kinds of what the service itself found. */
const SERVICE_KINDS: NoticeKind[] = [
  'environment_unwatched',
  'dead_letters',
  'quota_exceeded',
  'database_rewound',
];

export async function insertNotice(
  database: Queryable,
  userId: string,
  notice: Omit<NoticeRow, 'refused' | 'lost'>,
): Promise<void> {
  if (MEMBERSHIP_KINDS.includes(notice.kind)) {
    await deleteMembershipNotices(database, userId, notice.organizationId, [
      ...MEMBERSHIP_KINDS,
      ...SERVICE_KINDS,
    ]);
  }
  await database.query(
    `INSERT INTO notices (id, user_id, kind, organization_id, organization_name, actor_id, actor_name, project_id,
        project_name, environment, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      notice.id,
      userId,
      notice.kind,
      notice.organizationId,
      notice.organizationName,
      notice.actorId,
      notice.actorName,
      notice.projectId,
      notice.projectName,
      notice.environment,
      notice.createdAt,
    ],
  );
  await database.query(
    `DELETE FROM notices WHERE id IN (
        SELECT id FROM notices WHERE user_id = $1 ORDER BY kind = ANY($3), id DESC OFFSET $2)`,
    [userId, MAX_NOTICES, SERVICE_KINDS],
  );
}

/** Deletes what users have above the maximum, of all of them: `insertNotice` does it for one. */
export async function deleteSurplusNotices(database: Queryable): Promise<void> {
  await database.query(
    `DELETE FROM notices n USING (
        SELECT id, row_number() OVER (PARTITION BY user_id ORDER BY kind = ANY($2), id DESC) AS place FROM notices
      ) AS placed
      WHERE placed.id = n.id AND placed.place > $1`,
    [MAX_NOTICES, SERVICE_KINDS],
  );
}

/** Newest first. */
export async function listNotices(database: Queryable, userId: string): Promise<NoticeRow[]> {
  const { rows } = await database.query<NoticeRow>(
    `SELECT id, kind, organization_id AS "organizationId", organization_name AS "organizationName",
        actor_id AS "actorId", actor_name AS "actorName",
        project_id AS "projectId", project_name AS "projectName", environment, created_at AS "createdAt",
        CASE WHEN kind = 'quota_exceeded' THEN (
          SELECT coalesce(sum(w.refused), 0)::bigint FROM quota_windows w
          WHERE w.project_id = notices.project_id AND w.over_since >= notices.created_at) END AS refused,
        CASE WHEN kind = 'database_rewound' THEN (
          SELECT value::jsonb FROM settings WHERE name = 'rewind') END AS lost
      FROM notices WHERE user_id = $1 ORDER BY id DESC`,
    [userId],
  );
  return rows;
}

/** @returns true if there was one */
export async function deleteNotice(database: Queryable, userId: string, noticeId: string): Promise<boolean> {
  const { rowCount } = await database.query('DELETE FROM notices WHERE user_id = $1 AND id = $2', [
    userId,
    noticeId,
  ]);
  return rowCount !== 0;
}

/** Deletes the notices about the membership in an organization: only the latest one is valid. */
export async function deleteMembershipNotices(
  database: Queryable,
  userId: string,
  organizationId: string,
  kinds = MEMBERSHIP_KINDS,
): Promise<void> {
  await database.query('DELETE FROM notices WHERE user_id = $1 AND organization_id = $2 AND kind = ANY($3)', [
    userId,
    organizationId,
    kinds,
  ]);
}

export async function deleteNoticesAbout(
  database: Queryable,
  userId: string,
  organizationId: string,
): Promise<void> {
  await database.query('DELETE FROM notices WHERE user_id = $1 AND organization_id = $2', [
    userId,
    organizationId,
  ]);
}

/** Deletes the notices of a kind about a project: it is no longer so. */
export async function deleteProjectNotices(
  database: Queryable,
  organizationId: string,
  { projectId, kind }: { projectId: string; kind: NoticeKind },
): Promise<void> {
  await database.query('DELETE FROM notices WHERE organization_id = $1 AND project_id = $2 AND kind = $3', [
    organizationId,
    projectId,
    kind,
  ]);
}

/** Deletes the notices that an environment of a project is not watched: it was switched. */
export async function deleteEnvironmentNotices(
  database: Queryable,
  organizationId: string,
  { projectId, name }: { projectId: string; name: string },
): Promise<void> {
  await database.query(
    'DELETE FROM notices WHERE organization_id = $1 AND project_id = $2 AND environment = $3',
    [organizationId, projectId, name],
  );
}
