import { FIXED_NUMBERS } from '../environments/numbers.ts';
import type { Severity } from '../events/severity.ts';
import { all, bind, escapeLike } from '../events/where.ts';
import type { GroupState } from './schema.ts';

/** Conditions on groups: every one that is not null must hold. */
export interface GroupConditions {
  /** Live projects of the organization. */
  projectIds: readonly string[];
  state: GroupState | null;
  release: string | null;
  /** Folded name. */
  environment: string | null;
  source: string | null;
  type: string | null;
  severity: Severity | null;
  minSeverity: Severity | null;
  /** UUID, or `none`: groups without one. */
  assigneeId: string | null;
  firstSeenAfter: Date | null;
  isRegressed: boolean;
  words: string[];
  /** Groups by their key; null: any key. */
  groupIds: string[] | null;
  /** Confirmed time of the states. */
  at: Date;
}

/**
 * True if the time of a group `g` to be muted has passed: it is open for every reader, before the worker writes that.
 * @param at the confirmed time, as SQL
 */
export function hasMuteEnded(at: string): string {
  return `(g.state = 'muted' AND g.mute_until <= ${at})`;
}

/** State of a group `g` at a time. @param at the confirmed time, as SQL */
export function stateAt(at: string): string {
  return `CASE WHEN ${hasMuteEnded(at)} THEN 'open' ELSE g.state END`;
}

/** The conditions beside project and state, on a group `g`. */
export function filterWhere(conditions: GroupConditions, values: unknown[]): string[] {
  const where: string[] = [];
  const { assigneeId, firstSeenAfter } = conditions;
  if (conditions.source !== null) where.push(`g.source = ${bind(values, conditions.source)}`);
  if (conditions.type !== null) where.push(`g.type = ${bind(values, conditions.type)}`);
  if (conditions.severity !== null) where.push(`g.severity = ${bind(values, conditions.severity)}`);
  if (conditions.minSeverity !== null) where.push(`g.severity >= ${bind(values, conditions.minSeverity)}`);
  if (assigneeId === 'none') where.push('g.assignee_id IS NULL');
  else if (assigneeId !== null) where.push(`g.assignee_id = ${bind(values, assigneeId)}`);
  if (firstSeenAfter !== null) where.push(`g.first_seen > ${bind(values, firstSeenAfter)}`);
  if (conditions.isRegressed)
    where.push(`g.regressed_at IS NOT NULL AND ${stateAt(bind(values, conditions.at))} = 'open'`);
  if (conditions.words.length > 0) {
    const held = wordsWhere('t.words', conditions.words, values);
    where.push(`EXISTS (SELECT FROM group_texts AS t WHERE t.group_id = g.id AND ${held} OFFSET 0)`);
  }
  if (conditions.environment !== null) {
    const { environment } = conditions;
    const name = bind(values, environment);
    const has = (
      group: string,
    ) => `${group}.environments & coalesce((SELECT 1 << e.number FROM environments AS e
      WHERE e.project_id = ${group}.project_id AND e.name = ${name}), ${bitOf(environment)}) <> 0`;
    where.push(`(${has('g')} OR coalesce(
      (SELECT true FROM groups AS merged WHERE merged.merged_into = g.id AND ${has('merged')} LIMIT 1), false))`);
  }
  if (conditions.release !== null) {
    const release = bind(values, conditions.release);
    // By one row of an index each: EXISTS may be planned as a hash of the whole table.
    where.push(`coalesce(
      (SELECT true FROM group_releases AS named
        WHERE named.project_id = g.project_id AND named.release = ${release} AND named.group_id = g.id),
      (SELECT true FROM groups AS merged JOIN group_releases AS named
          ON named.project_id = g.project_id AND named.release = ${release} AND named.group_id = merged.id
        WHERE merged.merged_into = g.id LIMIT 1), false)`);
  }
  return where;
}

/** Bit of an environment that has the same number in every project; of others 0. */
function bitOf(environment: string): number {
  const number = FIXED_NUMBERS.get(environment);
  return number === undefined ? 0 : 1 << number;
}

/** All of these words, in any order and case. */
export function wordsWhere(column: string, words: readonly string[], values: unknown[]): string {
  return all(words.map((word) => `${column} ILIKE ${bind(values, `%${escapeLike(word)}%`)}`));
}
