import type { Queryable } from '../database/database.ts';
import { bind } from '../events/where.ts';
import { type GroupConditions, wordsWhere } from './conditions.ts';

/** Of more than these, a page is found sooner in the order of the list. */
const MAX_CANDIDATES = 5_000;
/** A trigram index finds words from this length on. */
const INDEXED_CHARACTERS = 3;

/**
 * The groups that one of the conditions leaves, by an index on what hardly ever changes of a group; the other conditions are
 * still to be applied.
 * @returns null where each of them leaves many, or has no index
 */
export async function findCandidates(
  database: Queryable,
  conditions: GroupConditions,
): Promise<string[] | null> {
  if (conditions.groupId !== null) return [conditions.groupId];
  for (const candidatesOf of [ofAssignee, ofRegressed, ofNew, ofWords, ofRelease, ofSource, ofType]) {
    const values: unknown[] = [conditions.projectIds];
    const from = candidatesOf(conditions, values);
    if (from === null || (candidatesOf === ofWords && !(await hasTrigrams(database)))) continue;
    const { rows } = await database.query<{ id: string }>(`${from} LIMIT ${MAX_CANDIDATES + 1}`, values);
    if (rows.length <= MAX_CANDIDATES) return rows.map(({ id }) => id);
  }
  return null;
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

function ofWords({ words }: GroupConditions, values: unknown[]): string | null {
  const indexed = words.filter((word) => Array.from(word).length >= INDEXED_CHARACTERS);
  if (indexed.length === 0) return null;
  return `SELECT group_id AS id FROM group_texts
    WHERE project_id = ANY ($1::uuid[]) AND ${wordsWhere('words', indexed, values)}`;
}

/** Of a merged group, the one that has its events now. */
function ofRelease({ release }: GroupConditions, values: unknown[]): string | null {
  if (release === null) return null;
  return `SELECT coalesce(g.merged_into, g.id) AS id FROM group_releases AS named JOIN groups AS g ON g.id = named.group_id
    WHERE named.project_id = ANY ($1::uuid[]) AND named.release = ${bind(values, release)}`;
}

function ofSource({ source }: GroupConditions, values: unknown[]): string | null {
  if (source === null) return null;
  return `SELECT group_id AS id FROM group_texts WHERE project_id = ANY ($1::uuid[]) AND source = ${bind(values, source)}`;
}

function ofType({ type }: GroupConditions, values: unknown[]): string | null {
  if (type === null) return null;
  return `SELECT group_id AS id FROM group_texts WHERE project_id = ANY ($1::uuid[]) AND type = ${bind(values, type)}`;
}

/** Whether words have an index: the database may have refused the extension. */
async function hasTrigrams(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ has: boolean }>(
    `SELECT to_regclass('group_texts_words') IS NOT NULL AS has`,
  );
  return rows[0]?.has === true;
}
