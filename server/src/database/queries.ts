import type { Queryable } from './database.ts';

/** True if the server accepts no writes on this connection: a standby, or one that was made read-only. */
export async function findReadOnly(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ readOnly: boolean }>(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly"`,
  );
  return rows[0]?.readOnly === true;
}
