import type { Queryable } from './database.ts';

/** True if the server accepts no writes on this connection: a standby, or one that was made read-only. */
export async function findReadOnly(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ readOnly: boolean }>(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly"`,
  );
  return rows[0]?.readOnly === true;
}

interface Replication {
  /** True if commits wait for standbys. */
  isSynchronous: boolean;
  /** Number of standbys that each commit waits for or may wait for; -1: the role may not see them. */
  standbys: number;
}

export async function findReplication(database: Queryable): Promise<Replication> {
  const { rows } = await database.query<Replication>(
    `SELECT current_setting('synchronous_standby_names') <> '' AS "isSynchronous",
        CASE WHEN pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') THEN (
          SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')
        ) ELSE -1 END AS standbys`,
  );
  return rows[0] ?? { isSynchronous: false, standbys: -1 };
}
