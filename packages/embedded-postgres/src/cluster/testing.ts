import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { madeOnce } from '@tocsin/simulation/made-once';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import pg from 'pg';
import { SERVICE_ROLE } from '../data-directory/connection-file.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { isRoot } from '../root/run-as.ts';

const SOURCES = ['../', '../../package.json'].map((source) => new URL(source, import.meta.url));

/** Half of a new cluster are the files of the templates, which only `CREATE DATABASE` reads. */
const STATEMENTS = [
  'CREATE TABLE notes AS SELECT 42 AS answer',
  `ALTER TABLE notes OWNER TO ${SERVICE_ROLE}`,
  ...['template0', 'template1'].flatMap((name) => [
    `ALTER DATABASE ${name} IS_TEMPLATE false`,
    `DROP DATABASE ${name}`,
  ]),
];

let archive: Promise<Uint8Array> | undefined;

/**
 * Puts a stopped cluster into an empty data directory, with the owner that it has after a first start and a table `notes` whose
 * `answer` is 42. It has no template databases.
 */
export async function copyCluster(dataDirectory: string): Promise<void> {
  archive ??= readArchive();
  const bytes = await archive;
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const child = spawn('tar', ['-x', '-p', '-f', '-', '-C', dataDirectory], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(bytes);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The cluster cannot be copied: tar ended with ${code}.`);
}

async function readArchive(): Promise<Uint8Array> {
  const name = `embedded-postgres-${isRoot() ? 'root' : 'user'}`;
  return gunzipSync(await madeOnce({ name, sources: SOURCES }, makeArchive));
}

async function makeArchive(): Promise<Uint8Array> {
  const dataDirectory = await makeScratchDirectory();
  try {
    const server = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off' } });
    try {
      const client = new pg.Client(server.maintenance);
      await client.connect();
      for (const statement of STATEMENTS) await client.query(statement);
      await client.end();
    } finally {
      await server.stop();
    }
    const args = ['-c', '-z', '-f', '-', '-C', dataDirectory, 'postgres', 'connection.json'];
    const { stdout } = await promisify(execFile)('tar', args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
    return stdout;
  } finally {
    await rm(dataDirectory, { recursive: true, force: true });
  }
}
