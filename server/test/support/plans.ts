import type { Queryable } from '../../src/database/database.ts';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** Runs statements, keeps their plans, and returns no rows. */
export function explain(database: Queryable, plans: PlanNode[]): Queryable {
  const query = async (text: string, values: unknown[]) => {
    const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT json) ${text}`,
      values,
    );
    plans.push(...rows.map((row) => row['QUERY PLAN'][0].Plan));
    return { rows: [] };
  };
  return { query: query as unknown as Queryable['query'] };
}

/** Number of rows that a plan reads from tables, those that it leaves out included. */
export function rowsReadOf(plan: PlanNode, table: RegExp): number {
  const isRead = /Scan/.test(plan['Node Type']) && table.test(plan['Relation Name'] ?? '');
  const left = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = isRead ? (plan['Actual Rows'] + left) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsReadOf(part, table), own);
}
