import type { Queryable } from '../database/database.ts';
import type { Severity } from '../events/severity.ts';
import { all, bind } from '../events/where.ts';
import { findCandidates } from './candidate-queries.ts';
import { filterWhere, type GroupConditions } from './conditions.ts';
import { GROUP_COLUMNS } from './queries.ts';
import type { GroupRow, GroupSort, GroupState } from './schema.ts';

export interface GroupPageRequest {
  sort: GroupSort;
  /** The last group of the page before, as it was then. */
  after: { value: number; id: string } | null;
  limit: number;
  /** How many groups are looked at, at most about. */
  maxScanned?: number;
}

export interface GroupPage {
  rows: GroupRow[];
  /** Where the next page begins; null: this is the last one. */
  last: GroupRow | null;
  /** How many groups were looked at before the page was full; null: it is complete. */
  scanned: number | null;
}

/** Of the index `groups_last_seen_warn`. */
const INDEXED_MIN_SEVERITY: Severity = 'warn';
/** Looked at for a page, where the filters leave many groups but these are rare in the order of the list. */
const MAX_SCANNED = 50_000;
/** Of one project and state, however many there are. */
const MIN_SCANNED = 100;

const STATES: readonly GroupState[] = ['open', 'resolved', 'muted'];

/** Whether the indexes serve all conditions. */
export function isGroupListIndexed(conditions: GroupConditions, sort: GroupSort): boolean {
  const { minSeverity } = conditions;
  const isOfIndex = minSeverity === INDEXED_MIN_SEVERITY && sort === 'last_seen';
  return (minSeverity === null || isOfIndex) && filterWhere(conditions, []).length === 0;
}

/** The largest first: of few candidates where one condition leaves few, else in the order of the list. */
export async function listGroups(
  database: Queryable,
  organizationId: string,
  conditions: GroupConditions,
  page: GroupPageRequest,
): Promise<GroupPage> {
  const candidates =
    isGroupListIndexed(conditions, page.sort) && conditions.groupId === null
      ? null
      : await findCandidates(database, conditions);
  return candidates
    ? listCandidates(database, organizationId, conditions, { ...page, candidates })
    : scanGroups(database, organizationId, conditions, page);
}

async function listCandidates(
  database: Queryable,
  organizationId: string,
  conditions: GroupConditions,
  { sort, after, limit, candidates }: GroupPageRequest & { candidates: string[] },
): Promise<GroupPage> {
  const values: unknown[] = [organizationId, conditions.projectIds, statesOf(conditions), candidates];
  const where = [
    ...severityWhere(conditions, sort),
    ...afterWhere(sort, after, values),
    ...filterWhere(conditions, values),
  ];
  const { rows } = await database.query<GroupRow>(
    `SELECT ${GROUP_COLUMNS} FROM groups AS g
      WHERE g.id = ANY ($4::uuid[]) AND g.organization_id = $1 AND g.project_id = ANY ($2::uuid[])
        AND g.state = ANY ($3::group_state[]) AND g.merged_into IS NULL AND ${all(where)}
      ORDER BY g.${sort} DESC, g.id DESC LIMIT ${limit + 1}`,
    values,
  );
  return {
    rows: rows.slice(0, limit),
    last: rows.length > limit ? (rows[limit - 1] ?? null) : null,
    scanned: null,
  };
}

type ScannedRow = GroupRow & { isFound: boolean; isEdge: boolean };

/**
 * Each project and state has its part of an index, and no more of it is read than the page holds, or the bound allows. Where
 * it ends a part early, nothing is known behind its last group: so the page ends at the largest of these.
 */
async function scanGroups(
  database: Queryable,
  organizationId: string,
  conditions: GroupConditions,
  { sort, after, limit, maxScanned = MAX_SCANNED }: GroupPageRequest,
): Promise<GroupPage> {
  const states = statesOf(conditions);
  const bound = Math.max(
    MIN_SCANNED,
    Math.floor(maxScanned / (states.length * Math.max(1, conditions.projectIds.length))),
  );
  const values: unknown[] = [organizationId, conditions.projectIds, states];
  const filter = all(filterWhere(conditions, values));
  const where = [
    'g.project_id = part.project_id',
    'g.state = part.state',
    'g.merged_into IS NULL',
    ...severityWhere(conditions, sort),
    ...afterWhere(sort, after, values),
  ];
  const { rows } = await database.query<ScannedRow>(
    `SELECT ${GROUP_COLUMNS}, g.is_found AS "isFound", g.is_edge AS "isEdge"
      FROM (
        SELECT id AS project_id, state FROM projects CROSS JOIN unnest($3::group_state[]) AS state
        WHERE organization_id = $1 AND deleted_at IS NULL AND id = ANY ($2::uuid[])
      ) AS part CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT g.*, ${filter} AS is_found, row_number() OVER () = ${bound} AS is_edge
          FROM (
            SELECT * FROM groups AS g WHERE ${all(where)} ORDER BY g.${sort} DESC, g.id DESC LIMIT ${bound}
          ) AS g
        ) AS g WHERE is_found OR is_edge LIMIT ${limit + 1}
      ) AS g
      ORDER BY g.${sort} DESC, g.id DESC`,
    values,
  );
  const edgeAt = rows.findIndex(({ isEdge }) => isEdge);
  const known = edgeAt < 0 ? rows : rows.slice(0, edgeAt + 1);
  const found = known.filter(({ isFound }) => isFound);
  if (found.length > limit)
    return { rows: found.slice(0, limit), last: found[limit - 1] ?? null, scanned: null };
  const edge = rows[edgeAt];
  return { rows: found, last: edge ?? null, scanned: edge ? bound : null };
}

function statesOf({ state }: GroupConditions): readonly GroupState[] {
  return state ? [state] : STATES;
}

/** In the text: the planner compares it with the condition of the index. */
function severityWhere({ severity, minSeverity }: GroupConditions, sort: GroupSort): string[] {
  if (minSeverity !== null) return [`g.severity >= '${minSeverity}'`];
  const isOfIndex = sort === 'last_seen' && severity !== null && severity !== 'info';
  return isOfIndex ? [`g.severity >= '${INDEXED_MIN_SEVERITY}'`] : [];
}

function afterWhere(sort: GroupSort, after: GroupPageRequest['after'], values: unknown[]): string[] {
  if (!after) return [];
  const value = sort === 'last_seen' || sort === 'first_seen' ? new Date(after.value) : after.value;
  const type = value instanceof Date ? 'timestamptz' : 'bigint';
  return [`(g.${sort}, g.id) < (${bind(values, value)}::${type}, ${bind(values, after.id)}::uuid)`];
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
