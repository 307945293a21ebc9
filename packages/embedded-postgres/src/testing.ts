import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import { copyCluster } from './cluster/testing.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { findPlace, type Place } from './lock/place.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './options.ts';
import { systemCode } from './platform/errors.ts';
import { processStart } from './process/process-table.ts';

/** Creates a directory for the current test, which is removed when it ends. */
export async function temporaryDirectory(mode = 0o700): Promise<string> {
  const directory = await makeScratchDirectory();
  await chmod(directory, mode);
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

/** A process that does nothing until the test ends. */
export async function idleProcess(identity: { uid?: number; gid?: number } = {}): Promise<ChildProcess> {
  const child = spawn('sleep', ['600'], { ...identity, cwd: '/', stdio: 'ignore' });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The pid of a process that has ended and that its parent does not reap before the test ends. */
export async function zombie(): Promise<number> {
  // The shell becomes a program that knows nothing of the child it has inherited. The child ends only then: the shell
  // itself would reap it.
  const name = '{ cat /proc/$$/comm || ps -o comm= -p $$; }';
  const script = `(until ${name} | grep -q sleep; do :; done) & echo $!; exec sleep 600`;
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(output.toString());
  await vi.waitFor(async () => expect(await processStart(pid)).toBeNull(), 10_000);
  return pid;
}

/** A lock as a killed holder leaves it, by default one that ran here. */
export async function staleLock(place?: Place): Promise<string> {
  const child = spawn('true', { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const pid = child.pid ?? 0;
  const start = await processStart(pid);
  await ended;
  const { id, host } = place ?? (await findPlace());
  const holder = { pid, start: start ?? 'ended', place: id, host, token: randomUUID() };
  return JSON.stringify({ ...holder, beat: '000000000000' });
}

/** Replaces a lock whose holder goes on renewing a file that has no name any more. */
export async function plantLock(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.planted`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** As `firstStart`, but an empty data directory gets a copy of a cluster. */
export async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (await isEmpty(options.dataDirectory)) await copyCluster(options.dataDirectory);
  return firstStart(options);
}

async function isEmpty(directory: string): Promise<boolean> {
  return readdir(directory).then(
    (names) => names.length === 0,
    (error: unknown) => systemCode(error) === 'ENOENT',
  );
}

/** A server that is stopped when the test ends, and that spares the disk. It creates its cluster if there is none. */
export async function firstStart(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ ...options, settings: { fsync: 'off', ...options.settings } });
  onTestFinished(() => server.stop());
  return server;
}

/** The first row of the answer, over a connection of its own. */
export async function query(
  connection: EmbeddedPostgres['connection'],
  sql: string,
): Promise<Record<string, unknown>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows[0] ?? {};
  } finally {
    await client.end();
  }
}

export async function postmasterPid(dataDirectory: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDirectory, 'postgres/postmaster.pid'), 'utf8'), 10);
}
