import type { Queryable } from '../database/database.ts';
import { bind } from '../events/where.ts';
import { type GroupConditions, wordsWhere } from './conditions.ts';

/** Maximum candidates: of more, a page is found sooner in the order of the list. */
const MAX_CANDIDATES = 5_000;
/** Minimum length of words that a trigram index finds. */
const INDEXED_CHARACTERS = 3;

/**
 * Finds the groups that one of the conditions leaves, by an index on a column that hardly ever changes; the other
 * conditions are still to be applied.
 * @returns null if each of them leaves many, or has no such index
 */
export async function findCandidates(
  database: Queryable,
  conditions: GroupConditions,
): Promise<string[] | null> {
  if (conditions.groupIds !== null) return conditions.groupIds;
  for (const candidatesOf of [ofAssignee, ofRegressed, ofNew, ofRelease, ofSource, ofType]) {
    const values: unknown[] = [conditions.projectIds];
    const candidates = candidatesOf(conditions, values);
    const ids = candidates && (await listFew(database, candidates, values));
    if (ids) return candidatesOf === ofRelease ? listHeads(database, ids) : ids;
  }
  return null;
}

/**
 * Finds the groups with these words by their trigrams. For frequent words that costs more than to scan some thousand
 * groups: if the planner expects more than are listed, it is not tried.
 */
export async function findByWords(
  database: Queryable,
  { projectIds, words }: GroupConditions,
): Promise<string[] | null> {
  const indexed = words.filter((word) => Array.from(word).length >= INDEXED_CHARACTERS);
  if (indexed.length === 0 || !(await hasTrigrams(database))) return null;
  const values: unknown[] = [projectIds];
  const candidates = `SELECT group_id AS id FROM group_texts
    WHERE project_id = ANY ($1::uuid[]) AND ${wordsWhere('words', indexed, values)}`;
  if ((await estimateRows(database, candidates, values)) > MAX_CANDIDATES) return null;
  return listFew(database, candidates, values);
}

async function listFew(database: Queryable, candidates: string, values: unknown[]): Promise<string[] | null> {
  const { rows } = await database.query<{ id: string }>(`${candidates} LIMIT ${MAX_CANDIDATES + 1}`, values);
  return rows.length > MAX_CANDIDATES ? null : rows.map(({ id }) => id);
}

/** Estimates rows by the planner's statistics, which have some thousand groups as a sample. */
async function estimateRows(database: Queryable, query: string, values: unknown[]): Promise<number> {
  const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    `EXPLAIN (FORMAT json) ${query}`,
    values,
  );
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/** The groups that have the events of these now, after merges. */
async function listHeads(database: Queryable, groupIds: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT DISTINCT coalesce(merged_into, id) AS id FROM groups WHERE id = ANY ($1::uuid[])',
    [groupIds],
  );
  return rows.map(({ id }) => id);
}

function ofAssignee({ assigneeId }: GroupConditions, values: unknown[]): string | null {
  if (assigneeId === null || assigneeId === 'none') return null;
  return `SELECT id FROM groups WHERE project_id = ANY ($1::uuid[]) AND assignee_id = ${bind(values, assigneeId)}`;
}

function ofRegressed({ isRegressed }: GroupConditions): string | null {
  return isRegressed
    ? 'SELECT id FROM groups WHERE project_id = ANY ($1::uuid[]) AND regressed_at IS NOT NULL'
    : null;
}

function ofNew({ firstSeenAfter }: GroupConditions, values: unknown[]): string | null {
  if (firstSeenAfter === null) return null;
  return `SELECT id FROM groups WHERE project_id = ANY ($1::uuid[]) AND state = ANY (enum_range(NULL::group_state))
    AND first_seen > ${bind(values, firstSeenAfter)}`;
}

function ofRelease({ release }: GroupConditions, values: unknown[]): string | null {
  if (release === null) return null;
  return `SELECT group_id AS id FROM group_releases
    WHERE project_id = ANY ($1::uuid[]) AND release = ${bind(values, release)}`;
}

function ofSource({ source }: GroupConditions, values: unknown[]): string | null {
  if (source === null) return null;
  return `SELECT group_id AS id FROM group_texts WHERE project_id = ANY ($1::uuid[]) AND source = ${bind(values, source)}`;
}

function ofType({ type }: GroupConditions, values: unknown[]): string | null {
  if (type === null) return null;
  return `SELECT group_id AS id FROM group_texts WHERE project_id = ANY ($1::uuid[]) AND type = ${bind(values, type)}`;
}

/** True if words have an index: the database may have refused the extension. */
async function hasTrigrams(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ has: boolean }>(
    `SELECT to_regclass('group_texts_words') IS NOT NULL AS has`,
  );
  return rows[0]?.has === true;
}
