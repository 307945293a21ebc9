import type { Queryable } from '../database/database.ts';
import type { Severity } from '../events/severity.ts';
import { all, bind } from '../events/where.ts';
import { findByWords, findCandidates } from './candidate-queries.ts';
import { filterWhere, type GroupConditions, hasMuteEnded, stateAt } from './conditions.ts';
import type { GroupRow } from './group-row.ts';
import { valueOf } from './page.ts';
import { groupColumns } from './queries.ts';
import type { GroupSort, GroupState } from './schema.ts';

export interface GroupPageRequest {
  sort: GroupSort;
  /** Last group of the previous page, as it was then. */
  after: { value: number; id: string } | null;
  limit: number;
  /** Approximate maximum of scanned groups. */
  maxScanned?: number;
}

export interface GroupPage {
  rows: GroupRow[];
  /** Where the next page begins; null: this is the last one. */
  last: GroupRow | null;
  /** Number of groups that were scanned before the page was full; null: it is complete. */
  scanned: number | null;
}

/** Minimum severity of the index `groups_last_seen_warn`. */
const INDEXED_MIN_SEVERITY: Severity = 'warn';
/** Maximum groups scanned for a page, if many groups pass the filters but are rare in the order of the list. */
const MAX_SCANNED = 20_000;
/** Shares of these that are scanned in one round after the other, and the attempt before each. */
const ROUNDS = [
  { share: 0.05, findBefore: findCandidates },
  { share: 0.2, findBefore: () => null },
  { share: 0.75, findBefore: findByWords },
];

/** The rounds before the last one scan a quarter of all, and half of them is on the safe side. */
const FILLING = 2;

const STATES: readonly GroupState[] = ['open', 'resolved', 'muted'];

/** True if the indexes serve all conditions. */
export function isGroupListIndexed(conditions: GroupConditions, sort: GroupSort): boolean {
  const { minSeverity } = conditions;
  const isOfIndex = minSeverity === INDEXED_MIN_SEVERITY && sort === 'last_seen';
  return filterWhere({ ...conditions, minSeverity: isOfIndex ? null : minSeverity }, []).length === 0;
}

/**
 * Lists groups, the largest first. If one condition leaves few groups by its own index, the others are checked among
 * these, else in the order of the list: in rounds, each further down than the one before. A condition that many
 * groups meet fills the page in the first one, and a project or state in which none does is read no further than
 * that.
 */
export async function listGroups(
  database: Queryable,
  organizationId: string,
  conditions: GroupConditions,
  page: GroupPageRequest,
): Promise<GroupPage> {
  const { limit, maxScanned = MAX_SCANNED } = page;
  const parts = statesOf(conditions).length * Math.max(1, conditions.projectIds.length);
  const rows: GroupRow[] = [];
  let { after } = page;
  let edge: GroupRow | null = null;
  for (const { share, findBefore } of ROUNDS) {
    // As many again as were scanned fill the page in the last round: that costs less than a search by words.
    const isFilling = rows.length >= limit / FILLING;
    const candidates = isFilling ? null : await findBefore(database, conditions);
    if (candidates) return listCandidates(database, organizationId, conditions, { ...page, candidates });
    const bound = Math.max(limit + 1, Math.floor((maxScanned * share) / parts));
    const wanted = { ...page, limit: limit - rows.length, after, bound };
    const round = await scanRound(database, organizationId, conditions, wanted);
    for (const row of round.rows) rows.push(row);
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), last: rows[limit - 1] ?? null, scanned: null };
    ({ edge } = round);
    if (!edge) return { rows, last: null, scanned: null };
    after = { value: valueOf(page.sort, edge), id: edge.id };
  }
  return { rows, last: edge, scanned: maxScanned };
}

async function listCandidates(
  database: Queryable,
  organizationId: string,
  conditions: GroupConditions,
  { sort, after, limit, candidates }: GroupPageRequest & { candidates: string[] },
): Promise<GroupPage> {
  const { projectIds, at } = conditions;
  const values: unknown[] = [organizationId, projectIds, statesOf(conditions), candidates, at];
  const where = [...afterWhere(sort, after, values), ...filterWhere(conditions, values)];
  const { rows } = await database.query<GroupRow>(
    `SELECT ${groupColumns('$5')} FROM groups AS g
      WHERE g.id = ANY ($4::uuid[]) AND g.organization_id = $1 AND g.project_id = ANY ($2::uuid[])
        AND ${stateAt('$5')} = ANY ($3::group_state[]) AND g.merged_into IS NULL AND ${all(where)}
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
 * Scans one round. Each project and state has its part of an index, of which no more than the limit is read. If it
 * ends a part early, nothing is known behind its last group: so the round ends at the largest of these. Groups that
 * are open because their mute has ended, which no worker has written yet, are read beside the parts.
 */
async function scanRound(
  database: Queryable,
  organizationId: string,
  conditions: GroupConditions,
  { sort, after, limit, bound }: GroupPageRequest & { bound: number },
): Promise<{ rows: GroupRow[]; edge: GroupRow | null }> {
  const { projectIds, at } = conditions;
  const values: unknown[] = [organizationId, projectIds, statesOf(conditions), at];
  const filter = all(filterWhere(conditions, values));
  const order = `ORDER BY g.${sort} DESC, g.id DESC`;
  const shared = [
    'g.merged_into IS NULL',
    ...severityWhere(conditions, sort),
    ...afterWhere(sort, after, values),
  ];
  const ofPart = ['g.project_id = part.project_id', 'g.state = part.state', ...shared];
  if (conditions.state === 'muted') ofPart.push(`${hasMuteEnded('$4')} IS NOT TRUE`);
  // The order of the list has them among all muted groups, of which there may be many: the index by the end of mutes
  // finds them.
  const ended = `UNION ALL (SELECT g.*, true, false FROM groups AS g WHERE g.id = ANY (ARRAY(
      SELECT id FROM groups AS g WHERE g.organization_id = $1 AND ${hasMuteEnded('$4')}
    )) AND g.project_id = ANY ($2::uuid[]) AND ${all([...shared, filter])} ${order} LIMIT ${limit + 1})`;
  const { rows } = await database.query<ScannedRow>(
    `SELECT ${groupColumns('$4')}, g.is_found AS "isFound", g.is_edge AS "isEdge"
      FROM (
        SELECT g.* FROM (
          SELECT id AS project_id, state FROM projects CROSS JOIN unnest($3::group_state[]) AS state
          WHERE organization_id = $1 AND deleted_at IS NULL AND id = ANY ($2::uuid[])
        ) AS part CROSS JOIN LATERAL (
          SELECT * FROM (
            SELECT g.*, ${filter} AS is_found, row_number() OVER () = ${bound} AS is_edge
            FROM (SELECT * FROM groups AS g WHERE ${all(ofPart)} ${order} LIMIT ${bound}) AS g
          ) AS g WHERE is_found OR is_edge LIMIT ${limit + 1}
        ) AS g ${isOpen(conditions) ? ended : ''}
      ) AS g ${order}`,
    values,
  );
  const edgeAt = rows.findIndex(({ isEdge }) => isEdge);
  const known = edgeAt < 0 ? rows : rows.slice(0, edgeAt + 1);
  return { rows: known.filter(({ isFound }) => isFound), edge: rows[edgeAt] ?? null };
}

function statesOf(conditions: GroupConditions): readonly GroupState[] {
  if (isOpen(conditions)) return ['open'];
  return conditions.state ? [conditions.state] : STATES;
}

/** True if the conditions leave open groups alone. */
function isOpen({ state, isRegressed }: GroupConditions): boolean {
  return state === 'open' || (state === null && isRegressed);
}

/** In the text, for the index of warnings and worse: the planner compares it with the condition of the index. */
function severityWhere({ severity, minSeverity }: GroupConditions, sort: GroupSort): string[] {
  const least = severity ?? minSeverity;
  const isOfIndex = sort === 'last_seen' && least !== null && least !== 'info';
  return isOfIndex ? [`g.severity >= '${INDEXED_MIN_SEVERITY}'`] : [];
}

function afterWhere(sort: GroupSort, after: GroupPageRequest['after'], values: unknown[]): string[] {
  if (!after) return [];
  const value = sort === 'last_seen' || sort === 'first_seen' ? new Date(after.value) : after.value;
  const type = value instanceof Date ? 'timestamptz' : 'bigint';
  return [`(g.${sort}, g.id) < (${bind(values, value)}::${type}, ${bind(values, after.id)}::uuid)`];
}

/** The groups of all live projects with the newest events, with their states at a time. */
export async function listNewestGroups(
  database: Queryable,
  organizationId: string,
  limit: number,
  at: Date,
): Promise<GroupRow[]> {
  const { rows } = await database.query<GroupRow>({
    name: 'list-newest-groups',
    text: `SELECT ${groupColumns('$4')}
      FROM projects AS p CROSS JOIN unnest($2::group_state[]) AS state CROSS JOIN LATERAL (
        SELECT * FROM groups WHERE project_id = p.id AND groups.state = state.state AND merged_into IS NULL
        ORDER BY last_seen DESC, id DESC LIMIT $3
      ) AS g
      WHERE p.organization_id = $1 AND p.deleted_at IS NULL ORDER BY g.last_seen DESC, g.id DESC LIMIT $3`,
    values: [organizationId, STATES, limit, at],
  });
  return rows;
}
