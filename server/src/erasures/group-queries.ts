import type { Queryable } from '../database/database.ts';
import { isFound } from '../groups/keep/known-groups.ts';
import { MAX_KNOWN_USERS } from '../groups/limits.ts';
import { shortHash, userHash } from '../releases/event-columns.ts';

interface GroupScan {
  /** Fingerprint after which the scan continues; null: it begins. */
  after: string | null;
  limit: number;
  /** Text within a title, culprit or the searched words; null: none. */
  text: string | null;
  /** Name of a user whom the group knows; null: none. */
  user: string | null;
}

/** Groups with a text or a user, among those of the next fingerprints of a project. */
export async function listGroupsWith(
  database: Queryable,
  projectId: string,
  { after, limit, text, user }: GroupScan,
): Promise<{ last: string | null; groupIds: string[] }> {
  const { rows } = await database.query<{ last: string | null; groupIds: string[] }>(
    `WITH part AS MATERIALIZED (
        SELECT fingerprint, group_id FROM group_fingerprints
        WHERE project_id = $1 AND ($2::text IS NULL OR fingerprint > $2) ORDER BY fingerprint LIMIT $3
      )
      SELECT (SELECT fingerprint FROM part ORDER BY fingerprint DESC LIMIT 1) AS last, ARRAY(
          SELECT DISTINCT g.id FROM part JOIN groups AS g ON g.id = part.group_id
            LEFT JOIN group_texts AS t ON t.group_id = g.id
          WHERE strpos(concat_ws(' ', g.title, g.culprit, t.words), $4) > 0
            OR ${isFound(`group_users AS u WHERE u.group_id = g.id AND u.user_hash = ${userHash('$5::text')}`)}
          ORDER BY g.id
        ) AS "groupIds"`,
    [projectId, after, limit, text, user],
  );
  return rows[0] ?? { last: null, groupIds: [] };
}

export interface GroupTexts {
  id: string;
  title: string;
  culprit: string | null;
  words: string | null;
}

/** The texts of groups, which are locked in the order of their ids. */
export async function lockGroupTexts(
  transaction: Queryable,
  projectId: string,
  groupIds: readonly string[],
): Promise<GroupTexts[]> {
  const { rows } = await transaction.query<GroupTexts>(
    `SELECT g.id, g.title, g.culprit, (SELECT words FROM group_texts AS t WHERE t.group_id = g.id) AS words
      FROM groups AS g WHERE g.id = ANY ($2::uuid[]) AND g.project_id = $1 ORDER BY g.id FOR NO KEY UPDATE OF g`,
    [projectId, groupIds],
  );
  return rows;
}

export async function updateGroupTexts(
  transaction: Queryable,
  projectId: string,
  { id, title, culprit, words }: GroupTexts,
): Promise<void> {
  await transaction.query(
    `WITH searched AS (
        UPDATE group_texts SET words = $5 WHERE group_id = $2 AND project_id = $1 AND $5::text IS NOT NULL
      )
      UPDATE groups SET title = $3, culprit = $4 WHERE id = $2 AND project_id = $1`,
    [projectId, id, title, culprit, words],
  );
}

/** Makes locked groups forget a user, as far as they count users exactly. @returns the groups that knew the user */
export async function deleteGroupUser(
  transaction: Queryable,
  projectId: string,
  groupIds: readonly string[],
  user: string,
): Promise<string[]> {
  const { rows } = await transaction.query<{ id: string }>(
    `WITH removed AS (
        DELETE FROM group_users WHERE group_id = ANY ($2::uuid[]) AND project_id = $1
          AND user_hash = ${userHash('$3::text')} RETURNING group_id
      ), counted AS (
        UPDATE groups SET users = users - 1
        WHERE id IN (SELECT group_id FROM removed) AND users BETWEEN 1 AND ${MAX_KNOWN_USERS}
      )
      SELECT group_id AS id FROM removed`,
    [projectId, groupIds, user],
  );
  return rows.map(({ id }) => id);
}

/** Makes releases forget a user as the first one that their events name. */
export async function updateFirstUsers(database: Queryable, projectId: string, user: string): Promise<void> {
  await database.query(
    `UPDATE releases SET first_user = NULL WHERE project_id = $1 AND first_user = ${shortHash(userHash('$2::text'))}`,
    [projectId, user],
  );
}
