import pg from 'pg';
import type { Connection } from '../data-directory/connection-file.ts';

/** Databases of PostgreSQL itself: other programs expect them to exist. */
const OWN_DATABASES = [
  { name: 'postgres', isTemplate: false },
  { name: 'template1', isTemplate: true },
];

/**
 * Replaces PostgreSQL's own databases by new ones, for a new cluster, in which they are empty: their contents are lost.
 * Autovacuum starts a worker for each database that has ever had a connection, as often as for ours, though there is nothing
 * to do. A database that has had no connection is kept.
 */
export async function remakeOwnDatabases(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  // A connection that breaks also rejects what waits for it.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_stat_database WHERE datname = ANY ($1) AND xact_commit + xact_rollback > 0`,
      [OWN_DATABASES.map(({ name }) => name)],
    );
    for (const { name, isTemplate } of OWN_DATABASES) {
      if (!rows.some((row) => row.name === name)) continue;
      const [made, replaced] = [`${name}_new`, `${name}_old`];
      await client.query(`CREATE DATABASE ${made} TEMPLATE template0 IS_TEMPLATE ${isTemplate}`);
      // In one transaction: without them a later version could not upgrade the cluster.
      await client.query(
        `BEGIN;
        ALTER DATABASE ${name} RENAME TO ${replaced};
        ALTER DATABASE ${made} RENAME TO ${name};
        ALTER DATABASE ${replaced} IS_TEMPLATE false;
        COMMIT`,
      );
      await client.query(`DROP DATABASE ${replaced}`);
    }
  } finally {
    await client.end();
  }
}
