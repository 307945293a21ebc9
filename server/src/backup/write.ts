import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import type { Pool } from '../database/database.ts';
import { findSchemaState } from '../database/migrate.ts';
import { listApplied } from '../database/migration-queries.ts';
import { withOwnConnection } from '../database/own-connection.ts';
import { isUndefinedTable } from '../database/sql-state.ts';
import { listEventPartitions } from '../events/partition-queries.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { encodeFrames, FORMAT_VERSION, type Footer, type FrameKind, type Header, MAGIC } from './format.ts';
import type { Progress } from './progress.ts';
import {
  findIdRange,
  findLastIdentity,
  hasTable,
  type IdRange,
  listColumns,
  listTables,
  streamRows,
} from './queries.ts';
import { BACKED_UP_TABLES, SOURCE_MAP_TABLES, TRANSIENT_TABLES } from './tables.ts';

/** Most of the time is spent on compression: higher levels slow it down more than they shrink it. */
const GZIP_LEVEL = 4;

/** Snapshots that may be taken until all partitions of one are there. */
const MAX_SNAPSHOTS = 10;

export interface BackupOptions {
  programVersion: string;
  progress: Progress;
  /** Source of the backup's time. */
  clock?: Clock;
  signal?: AbortSignal;
  /** `any`: also an older schema, as long as this program knows all of its tables. */
  schema?: 'current' | 'any';
  /** True: the tables of source maps are left empty. */
  omitsSourceMaps?: boolean;
}

/**
 * Writes all durable tables, as they were at one moment, while the service may continue to write. Holds a few pieces
 * of 64 KiB in memory, whatever the size of the database. Ends `destination`.
 * @returns the number of written rows
 * @throws CommandError for a database whose schema is not the one of this program, MigrationError
 */
export async function writeBackup(
  pool: Pool,
  destination: Writable,
  options: BackupOptions,
): Promise<number> {
  if (options.schema === 'any') await assertTablesAreKnown(pool);
  else await assertSchemaIsCurrent(pool);
  return withOwnConnection(pool, async (client) => {
    const header = await beginSnapshot(client, options);
    const footer: Footer['tables'] = [];
    const bytes = checksummed(listFrames(client, header, footer, options), footer);
    await writeCompressed(bytes, destination, options.signal);
    return footer.reduce((sum, table) => sum + table.rows, 0);
  });
}

async function writeCompressed(
  bytes: AsyncIterable<Buffer>,
  destination: Writable,
  signal: AbortSignal | undefined,
): Promise<void> {
  let notWritten: Error | undefined;
  destination.once('error', (error) => (notWritten = error));
  try {
    await pipeline(bytes, createGzip({ level: GZIP_LEVEL }), destination, signal ? { signal } : {});
  } catch (error) {
    if (error !== notWritten || signal?.aborted) throw error;
    throw new CommandError(`The backup cannot be written: ${notWritten?.message}.`, { cause: error });
  }
}

async function assertSchemaIsCurrent(pool: Pool): Promise<void> {
  const { pending, newer } = await findSchemaState(pool);
  if (newer.length > 0) {
    // Tables that this program does not know would be missing from its backup.
    throw new CommandError(
      `The schema of the database is newer than this program (${newer.join(', ')}): back up with the version that migrated it.`,
    );
  }
  if (pending.length === 0) return;
  const applied = await listApplied(pool);
  throw new CommandError(
    applied.length === 0
      ? 'There is nothing to back up: the database holds no Tocsin data.'
      : `The schema of the database is older than this program (pending: ${pending.join(', ')}): run \`tocsin migrate\` first, or back up with the version that the service runs.`,
  );
}

/** A table that a later migration removes would be missing from the backup. */
async function assertTablesAreKnown(pool: Pool): Promise<void> {
  const known = new Set<string>([...BACKED_UP_TABLES, ...TRANSIENT_TABLES]);
  const unknown = (await listTables(pool)).filter((table) => !known.has(table));
  if (unknown.length === 0) return;
  throw new CommandError(
    `The database has tables that this version does not know (${unknown.join(', ')}): back up with the version that made them, and restore.`,
  );
}

/**
 * Takes the snapshot and the locks that keep its partitions. One that is gone by then may have moved to the archive, which the snapshot
 * does not know yet: another one is taken.
 */
async function beginSnapshot(
  client: pg.ClientBase,
  { programVersion, clock = systemClock }: BackupOptions,
): Promise<Header> {
  for (let attempt = 1; ; attempt++) {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    try {
      return await makeHeader(client, programVersion, clock.now());
    } catch (error) {
      if (!isUndefinedTable(error) || attempt === MAX_SNAPSHOTS) throw error;
      await client.query('ROLLBACK');
    }
  }
}

/** Makes the header by the first query of the transaction, which takes the snapshot. */
async function makeHeader(client: pg.ClientBase, program: string, nowMs: number): Promise<Header> {
  const migrations = (await listApplied(client)).map(({ version, name, checksum }) => ({
    version,
    name,
    checksum,
  }));
  const tables = await listColumns(client, BACKED_UP_TABLES);
  const ranges: IdRange[] = [];
  for (const partition of await listEventPartitions(client)) {
    const range = await findIdRange(client, partition);
    if (range) ranges.push(range);
  }
  const [earliest, latest] = [ranges[0], ranges.at(-1)];
  return {
    format: FORMAT_VERSION,
    program,
    createdAt: new Date(nowMs).toISOString(),
    migrations,
    tables,
    eventIds: earliest && latest ? { first: earliest.first, last: latest.last } : null,
  };
}

interface Piece {
  kind: FrameKind;
  content: Buffer;
}

/** Yields everything but the footer; `footer` is filled on the way. */
async function* listFrames(
  client: pg.ClientBase,
  header: Header,
  footer: Footer['tables'],
  { progress, omitsSourceMaps = false }: BackupOptions,
): AsyncGenerator<Piece> {
  const omitted = new Set<string>(omitsSourceMaps ? SOURCE_MAP_TABLES : []);
  yield { kind: 'H', content: Buffer.from(JSON.stringify(header)) };
  for (const { name, columns } of header.tables) {
    yield { kind: 'T', content: Buffer.from(name) };
    // Partition by partition: a lock on the whole table would keep the service from making new ones.
    const parts = name === 'events' ? await listEventPartitions(client) : [name];
    let rows = 0;
    for (const part of parts) {
      if (omitted.has(part) || !(await hasTable(client, part))) continue;
      const stream = streamRows(client, { name: part, columns });
      for await (const content of stream as AsyncIterable<Buffer>) {
        progress.advance(name, content.length);
        yield { kind: 'D', content };
      }
      // The number of rows arrives after the last of them: once another query is answered, it is known.
      await client.query('SELECT');
      rows += stream.rowCount;
    }
    footer.push({ name, rows, lastIdentity: await findLastIdentity(client, name) });
    yield { kind: 'E', content: Buffer.alloc(0) };
  }
}

async function* checksummed(pieces: AsyncIterable<Piece>, tables: Footer['tables']): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(MAGIC);
  yield MAGIC;
  for await (const { kind, content } of pieces) {
    for (const bytes of encodeFrames(kind, content)) {
      hash.update(bytes);
      yield bytes;
    }
  }
  const footer: Footer = { tables, sha256: hash.digest('hex') };
  yield* encodeFrames('F', Buffer.from(JSON.stringify(footer)));
}
