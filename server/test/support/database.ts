import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createPool, type Pool } from '../../src/database/database.ts';
import { atEnd } from './at-end.ts';
import { withDatabase } from './global-setup.ts';

export interface TestDatabase {
  connectionString: string;
  pool: Pool;
}

type DatabaseTemplate = 'templateDatabase' | 'preparedDatabase';

/**
 * A migrated database of the test file's own, dropped at its end. A connection that is still open then is a
 * leak, and fails the file.
 */
export async function createTestDatabase(
  template: DatabaseTemplate = 'templateDatabase',
): Promise<TestDatabase> {
  const { drop, ...database } = await createDatabase(template);
  atEnd(drop);
  return database;
}

/** A migrated database that the end of the run drops, where nothing does before. */
export async function createDatabase(
  from: DatabaseTemplate,
): Promise<TestDatabase & { drop: () => Promise<void> }> {
  const url = inject('postgresUrl');
  const template = inject(from);
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  // Copied past the buffers, which are full of pages that would have to be written first.
  await administer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const connectionString = withDatabase(url, name);
  const pool = createPool({
    connection: { connectionString },
    applicationName: 'tocsin-test',
    maxConnections: 5,
    onError: () => {},
  });
  const drop = async () => {
    await pool.end();
    await administer(url, `DROP DATABASE ${name}`);
  };
  return { connectionString, pool, drop };
}

async function administer(url: string, sql: string): Promise<void> {
  const database = process.env.DATABASE_URL
    ? decodeURIComponent(new URL(process.env.DATABASE_URL).pathname.slice(1)) || 'postgres'
    : 'postgres';
  const client = new pg.Client(withDatabase(url, database));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
