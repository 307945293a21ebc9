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

/** A copy of a test's database as it is, dropped at the end of the test file. The connections of the first end. */
export async function copyTestDatabase({ pool }: TestDatabase): Promise<TestDatabase> {
  const {
    rows: [first],
  } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  const name = first?.name ?? '';
  await administer(
    inject('postgresUrl'),
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
  const { drop, ...database } = await copyDatabase(name);
  atEnd(drop);
  return database;
}

/** A migrated database that the end of the run drops, where nothing does before. */
export function createDatabase(from: DatabaseTemplate): Promise<DroppableDatabase> {
  return copyDatabase(inject(from));
}

type DroppableDatabase = TestDatabase & { drop: () => Promise<void> };

async function copyDatabase(template: string): Promise<DroppableDatabase> {
  const url = inject('postgresUrl');
  const name = `${inject('templateDatabase')}_${randomBytes(6).toString('hex')}`;
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
