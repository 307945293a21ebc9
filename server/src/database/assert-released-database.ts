import { type Connection, createPool } from './database.ts';
import { listApplied } from './migration-queries.ts';
import { assertReleased } from './migrations.ts';

/**
 * Refuses a database that no released version has created, by reading alone.
 * @throws MigrationError
 */
export async function assertReleasedDatabase(connection: Connection): Promise<void> {
  const onError = () => {};
  const pool = createPool({ connection, applicationName: 'tocsin-check', maxConnections: 1, onError });
  try {
    assertReleased(await listApplied(pool));
  } finally {
    await pool.end();
  }
}
