import type { Queryable } from './database.ts';

/**
 * Deletes at most `limit` rows of a table.
 * @param condition on its rows, over `$1`
 * @returns how many
 */
export async function deleteChunk(
  database: Queryable,
  [table, condition]: readonly [table: string, condition: string],
  value: unknown,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT $2))`,
    [value, limit],
  );
  return rowCount ?? 0;
}
