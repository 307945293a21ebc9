import type { Queryable } from '../database/database.ts';
import { LAST_NAMED, nameOfNumber, OTHER } from '../environments/numbers.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import { hasMuteEnded, stateAt } from './conditions.ts';
import type { GroupRow } from './group-row.ts';

/** Names of the environments of a group `g`, with those of the groups merged into it. */
const ENVIRONMENTS = `ARRAY(
    SELECT ${nameOfNumber('bit', 'g.project_id')} FROM generate_series(0, ${LAST_NAMED}) AS bit
    WHERE (SELECT bit_or(own.environments) FROM groups AS own WHERE own.id = g.id OR own.merged_into = g.id)
      & (1 << bit) <> 0 ORDER BY bit = ${OTHER.number}, bit)`;

/** Columns that a state leaves as they are. */
const OTHER_COLUMNS = `g.id, g.organization_id AS "organizationId", g.project_id AS "projectId",
  (SELECT group_prefix FROM projects WHERE id = g.project_id) AS "groupPrefix", g.number, g.fingerprint, g.title, g.culprit,
  g.type, g.source, g.severity, g.count, g.users, g.first_seen AS "firstSeen", g.last_seen AS "lastSeen",
  g.first_release AS "firstRelease", g.last_release AS "lastRelease", g.resolution, g.resolved_at AS "resolvedAt",
  g.resolved_release AS "resolvedRelease", g.regressed_at AS "regressedAt", g.assignee_id AS "assigneeId",
  g.merged_into AS "mergedInto", g.is_watched AS "isWatched",
  ${ENVIRONMENTS} AS environments`;

/** Columns as they are stored, for writers of states, which lock their groups. */
const STORED_COLUMNS = `${OTHER_COLUMNS}, g.state, g.mute_until AS "muteUntil", g.mute_until_count AS "muteUntilCount",
  g.mute_rate_count AS "muteRateCount", g.mute_rate_seconds AS "muteRateSeconds"`;

/** Columns of a group `g` for readers, with its state at a time. @param at the confirmed time, as SQL */
export function groupColumns(at: string): string {
  const unlessEnded = (column: string) => `CASE WHEN ${hasMuteEnded(at)} THEN NULL ELSE g.${column} END`;
  return `${OTHER_COLUMNS}, ${stateAt(at)} AS state, ${unlessEnded('mute_until')} AS "muteUntil",
    ${unlessEnded('mute_until_count')} AS "muteUntilCount", ${unlessEnded('mute_rate_count')} AS "muteRateCount",
    ${unlessEnded('mute_rate_seconds')} AS "muteRateSeconds"`;
}

/** The group with its state at a time. */
export async function findGroup(
  database: Queryable,
  organizationId: string,
  groupId: string,
  at: Date,
): Promise<GroupRow | null> {
  const { rows } = await database.query<GroupRow>(
    `SELECT ${groupColumns('$3')} FROM groups AS g WHERE organization_id = $1 AND id = $2 AND ${LIVE_PROJECTS}`,
    [organizationId, groupId, at],
  );
  return rows[0] ?? null;
}

/** Groups of the organization's live projects among these, merged ones included, with their states at a time. */
export async function listGroupsById(
  database: Queryable,
  organizationId: string,
  groupIds: readonly string[],
  at: Date,
): Promise<GroupRow[]> {
  const { rows } = await database.query<GroupRow>(
    `SELECT ${groupColumns('$3')} FROM groups AS g
      WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND ${LIVE_PROJECTS}`,
    [organizationId, groupIds, at],
  );
  return rows;
}

export interface CulpritRow {
  id: string;
  projectId: string;
  /** The part of a payload that has the frames. */
  payload: Record<string, unknown>;
}

/** The frames of those groups whose culprit is in a built file. */
export async function listCulpritFrames(
  database: Queryable,
  organizationId: string,
  groupIds: readonly string[],
): Promise<CulpritRow[]> {
  const { rows } = await database.query<CulpritRow>(
    `SELECT group_id AS id, project_id AS "projectId", culprit_frames AS payload FROM group_texts
      WHERE group_id = ANY ($2::uuid[]) AND culprit_frames IS NOT NULL AND ${LIVE_PROJECTS}`,
    [organizationId, groupIds],
  );
  return rows;
}

/**
 * Locks groups, as they are stored, until the transaction ends, in the order of their ids; deleted ones are left out.
 */
export async function lockGroups(database: Queryable, groupIds: readonly string[]): Promise<GroupRow[]> {
  if (groupIds.length === 0) return [];
  const { rows } = await database.query<GroupRow>({
    name: 'lock-groups',
    // The number of ids is hidden from the planner, which otherwise plans again for each: at a multiple of what the
    // lock costs.
    text: `SELECT ${STORED_COLUMNS} FROM groups AS g WHERE id = ANY ((SELECT $1::uuid[])::uuid[])
      ORDER BY id FOR NO KEY UPDATE`,
    values: [groupIds],
  });
  return rows;
}

/** The group with this number in the project, or the one that it was merged into. */
export async function findNumberedGroup(
  database: Queryable,
  projectId: string,
  number: number,
): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT DISTINCT coalesce(g.merged_into, g.id) AS id
      FROM group_fingerprints AS f JOIN groups AS g ON g.id = f.group_id
      WHERE f.project_id = $1 AND f.number = $2`,
    [projectId, number],
  );
  return rows[0]?.id ?? null;
}
