import pg from 'pg';
import type { Connection } from '../data-directory/connection-file.ts';

/** Of PostgreSQL itself. Nothing of ours is in them; other programs expect them to be there. */
const OWN_DATABASES = [
  { name: 'postgres', isTemplate: false },
  { name: 'template1', isTemplate: true },
];

/**
 * Makes the databases of PostgreSQL itself anew where they were connected to: from then on autovacuum visits each of them as
 * often as ours, though they are empty, which takes a multiple of what all other processes of an idle server take. One that
 * nobody has connected to is left alone.
 */
export async function leaveUnvisited(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  // A connection that breaks also rejects what waits for it.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string; visited: boolean }>(
      `SELECT datname AS name, xact_commit + xact_rollback > 0 AS visited FROM pg_stat_database WHERE datname = ANY ($1)`,
      [OWN_DATABASES.map(({ name }) => name)],
    );
    for (const { name, isTemplate } of OWN_DATABASES) {
      const found = rows.find((row) => row.name === name);
      if (found && !found.visited) continue;
      // Complete before the old one goes: an older version of this program connects to `postgres`.
      const replacement = `${name}_new`;
      await client.query(`DROP DATABASE IF EXISTS ${replacement}`);
      await client.query(`CREATE DATABASE ${replacement} TEMPLATE template0`);
      if (found) {
        if (isTemplate) await client.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
        await client.query(`DROP DATABASE ${name}`);
      }
      await client.query(`ALTER DATABASE ${replacement} RENAME TO ${name}`);
      if (isTemplate) await client.query(`ALTER DATABASE ${name} IS_TEMPLATE true`);
    }
  } finally {
    await client.end();
  }
}
