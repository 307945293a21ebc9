import type { Queryable } from '../database/database.ts';
import type { Severity } from '../events/severity.ts';
import { all, bind, escapeLike } from '../events/where.ts';
import { GROUP_COLUMNS } from './queries.ts';
import type { GroupRow, GroupSort, GroupState } from './schema.ts';

/** Which groups: every condition that is not null must hold. */
export interface GroupConditions {
  /** Live ones of the organization. */
  projectIds: readonly string[];
  state: GroupState | null;
  release: string | null;
  source: string | null;
  type: string | null;
  severity: Severity | null;
  minSeverity: Severity | null;
  /** UUID, or `none`: groups without one. */
  assigneeId: string | null;
  firstSeenAfter: Date | null;
  isRegressed: boolean;
  words: string[];
  /** By its number. */
  groupId: string | null;
}

export interface GroupPage {
  sort: GroupSort;
  /** The last group of the page before, as it was then. */
  after: { value: number; id: string } | null;
  limit: number;
}

/** Of the index `groups_last_seen_warn`. */
const INDEXED_MIN_SEVERITY: Severity = 'warn';

const STATES: readonly GroupState[] = ['open', 'resolved', 'muted'];

/** Whether the indexes serve all conditions. */
export function isGroupListIndexed(conditions: GroupConditions, sort: GroupSort): boolean {
  const { minSeverity } = conditions;
  const isOfIndex = minSeverity === INDEXED_MIN_SEVERITY && sort === 'last_seen';
  return (minSeverity === null || isOfIndex) && filterWhere(conditions, []).length === 0;
}

/**
 * Largest first; one more than `limit`, so that the caller sees whether there is a next page. Each project and state has
 * its part of an index, and no more of it is read than the page holds.
 */
export async function listGroups(
  database: Queryable,
  organizationId: string,
  conditions: GroupConditions,
  { sort, after, limit }: GroupPage,
): Promise<GroupRow[]> {
  const values: unknown[] = [
    organizationId,
    conditions.projectIds,
    conditions.state ? [conditions.state] : STATES,
  ];
  const where = [
    'g.project_id = part.project_id',
    'g.state = part.state',
    'g.merged_into IS NULL',
    // In the text: the planner compares it with the condition of the index.
    conditions.minSeverity === null ? 'true' : `g.severity >= '${conditions.minSeverity}'`,
    all(filterWhere(conditions, values)),
  ];
  if (conditions.groupId !== null) where.push(`g.id = ${bind(values, conditions.groupId)}`);
  if (after) {
    const value = sort === 'last_seen' || sort === 'first_seen' ? new Date(after.value) : after.value;
    const type = value instanceof Date ? 'timestamptz' : 'bigint';
    where.push(`(g.${sort}, g.id) < (${bind(values, value)}::${type}, ${bind(values, after.id)}::uuid)`);
  }
  const { rows } = await database.query<GroupRow>(
    `SELECT ${GROUP_COLUMNS}
      FROM (
        SELECT id AS project_id, state FROM projects CROSS JOIN unnest($3::group_state[]) AS state
        WHERE organization_id = $1 AND deleted_at IS NULL AND id = ANY ($2::uuid[])
      ) AS part CROSS JOIN LATERAL (
        SELECT * FROM groups AS g WHERE ${all(where)} ORDER BY g.${sort} DESC, g.id DESC LIMIT ${limit + 1}
      ) AS g
      ORDER BY g.${sort} DESC, g.id DESC LIMIT ${limit + 1}`,
    values,
  );
  return rows;
}

/** Of all live projects, those that had events last. */
export async function listNewestGroups(
  database: Queryable,
  organizationId: string,
  limit: number,
): Promise<GroupRow[]> {
  const { rows } = await database.query<GroupRow>({
    name: 'list-newest-groups',
    text: `SELECT ${GROUP_COLUMNS}
      FROM projects AS p CROSS JOIN unnest($2::group_state[]) AS state CROSS JOIN LATERAL (
        SELECT * FROM groups WHERE project_id = p.id AND groups.state = state.state AND merged_into IS NULL
        ORDER BY last_seen DESC, id DESC LIMIT $3
      ) AS g
      WHERE p.organization_id = $1 AND p.deleted_at IS NULL ORDER BY g.last_seen DESC, g.id DESC LIMIT $3`,
    values: [organizationId, STATES, limit],
  });
  return rows;
}

function filterWhere(conditions: GroupConditions, values: unknown[]): string[] {
  const where: string[] = [];
  const { assigneeId, firstSeenAfter } = conditions;
  if (conditions.source !== null) where.push(`g.source = ${bind(values, conditions.source)}`);
  if (conditions.type !== null) where.push(`g.type = ${bind(values, conditions.type)}`);
  if (conditions.severity !== null) where.push(`g.severity = ${bind(values, conditions.severity)}`);
  if (assigneeId === 'none') where.push('g.assignee_id IS NULL');
  else if (assigneeId !== null) where.push(`g.assignee_id = ${bind(values, assigneeId)}`);
  if (firstSeenAfter !== null) where.push(`g.first_seen > ${bind(values, firstSeenAfter)}`);
  if (conditions.isRegressed) where.push(`g.regressed_at IS NOT NULL AND g.state = 'open'`);
  for (const word of conditions.words)
    where.push(`concat_ws(' ', g.title, g.culprit) ILIKE ${bind(values, `%${escapeLike(word)}%`)}`);
  if (conditions.release !== null) {
    const release = bind(values, conditions.release);
    where.push(`EXISTS (
        SELECT FROM group_releases AS named
        WHERE named.project_id = g.project_id AND named.release = ${release}
          AND (named.group_id = g.id OR named.group_id IN (SELECT id FROM groups WHERE merged_into = g.id)))`);
  }
  return where;
}

/** The group with this number in one of these projects. */
export async function findNumberedGroup(
  database: Queryable,
  projectIds: readonly string[],
  number: number,
): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT g.id FROM group_fingerprints AS f JOIN groups AS g ON g.id = coalesce(
        (SELECT merged_into FROM groups WHERE id = f.group_id), f.group_id)
      WHERE f.project_id = ANY ($1::uuid[]) AND f.number = $2 ORDER BY g.last_seen DESC LIMIT 1`,
    [projectIds, number],
  );
  return rows[0]?.id ?? null;
}
