import { randomBytes } from 'node:crypto';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import type { RestoreKind } from '../../src/backup/distrust-past.ts';
import { createProgress } from '../../src/backup/progress.ts';
import { listTables } from '../../src/backup/queries.ts';
import { openBackup } from '../../src/backup/read.ts';
import { restoreDatabase } from '../../src/backup/restore.ts';
import { writeBackup } from '../../src/backup/write.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createPool, type Pool } from '../../src/database/database.ts';
import { type Migration, parseMigration, readMigrations } from '../../src/database/migrations.ts';
import { atEnd } from '../support/at-end.ts';
import type { TestDatabase } from '../support/database.ts';
import { withDatabase } from '../support/global-setup.ts';

/** Creates an empty database, which is dropped at the end of the file. */
export async function createNewDatabase(): Promise<string> {
  const name = `tocsin_new_${randomBytes(6).toString('hex')}`;
  await administer(`CREATE DATABASE ${name}`);
  atEnd(() => administer(`DROP DATABASE ${name}`));
  return withDatabase(inject('postgresUrl'), name);
}

async function administer(sql: string): Promise<void> {
  // No session may be in the template while others copy it, nor in the database that is dropped.
  const url = process.env.DATABASE_URL ?? withDatabase(inject('postgresUrl'), 'postgres');
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Runs `work` with a pool as a command opens it: without time limits. */
export async function withPool<T>(
  connectionString: string,
  applicationName: string,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  const pool = createPool({
    connection: { connectionString },
    applicationName,
    maxConnections: 2,
    statementTimeoutMs: 0,
    onError: () => {},
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Opens such a pool until the end of the file. */
export function openDatabase(connectionString: string): TestDatabase {
  const pool = createPool({
    connection: { connectionString },
    applicationName: 'reader',
    maxConnections: 2,
    onError: () => {},
  });
  atEnd(() => pool.end());
  return { connectionString, pool };
}

/** Returns migrations of a made-up next version, for which this program is the previous one. */
export async function nextProgram(): Promise<{ expanding: Migration[]; contracting: Migration[] }> {
  const known = await readMigrations();
  const newest = Math.max(...known.map(({ version }) => version));
  const nameOf = (version: number, about: string) => `${String(version).padStart(4, '0')}_${about}.sql`;
  const expand = parseMigration(
    nameOf(newest + 1, 'expand'),
    `-- min_program: ${newest}
    ALTER TABLE events ADD COLUMN region text;
    ALTER TABLE projects ADD COLUMN region text NOT NULL DEFAULT 'eu';
    CREATE TABLE regions (name text PRIMARY KEY);`,
  );
  const contract = parseMigration(
    nameOf(newest + 2, 'contract'),
    `-- min_program: ${newest + 1}
    ALTER TABLE projects DROP COLUMN name;`,
  );
  return { expanding: [...known, expand], contracting: [...known, expand, contract] };
}

export const silent = createProgress(() => {});

/** @param beforeEnd runs while the backup's transaction is open, and all tables are read */
export async function backUp(
  connectionString: string,
  beforeEnd: () => Promise<unknown> = async () => {},
  omitsSourceMaps = false,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
    final: callbackify(beforeEnd),
  });
  await withPool(connectionString, 'tocsin-backup', (pool) =>
    writeBackup(pool, destination, { programVersion: '0.0.0', progress: silent, omitsSourceMaps }),
  );
  return Buffer.concat(chunks);
}

/** Streams bytes in small pieces: a pipe may cut anywhere. */
function streamOf(bytes: Buffer, pieceBytes = 1000): Readable {
  const pieces: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
    pieces.push(bytes.subarray(offset, offset + pieceBytes));
  }
  return Readable.from(pieces);
}

export async function restore(
  connectionString: string,
  bytes: Buffer,
  { kind = 'copy', migrations }: { kind?: RestoreKind; migrations?: Migration[] } = {},
): Promise<number> {
  const backup = await openBackup(streamOf(bytes));
  try {
    return await withPool(connectionString, 'tocsin-restore', async (pool) => {
      // The caller's own connections, which are idle then, do not count as those of a service.
      await Promise.all([pool.query('SELECT 1'), pool.query('SELECT 1')]);
      return restoreDatabase(pool, backup, silent, { kind, migrations });
    });
  } finally {
    backup.close();
  }
}

export async function readTables(connectionString: string): Promise<string[]> {
  return withPool(connectionString, 'reader', (pool) => listTables(pool));
}

/** Runs a command in this process. @returns what it printed as its result */
export async function printedBy(environment: NodeJS.ProcessEnv, parameters: string[]): Promise<string> {
  const [output, notes] = [new PassThrough(), new PassThrough()];
  const streams = { input: Readable.from([]), output, notes: notes.resume() };
  const program = await createProgram(environment, parameters[0], streams);
  await program.parseAsync(parameters, { from: 'user' });
  return text(output.end());
}
