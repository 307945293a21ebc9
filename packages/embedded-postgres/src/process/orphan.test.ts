import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { scaled } from '../../../../server/test/support/time-scale.ts';
import type { EmbeddedPostgres } from '../options.ts';
import { DEFAULT_UID, isRoot } from '../root/run-as.ts';
import {
  idleProcess,
  plantLock,
  postmasterPid,
  query,
  staleLock,
  start,
  temporaryDirectory,
  zombie,
} from '../testing.ts';
import { endOrphan } from './orphan.ts';
import { isPostmasterOf } from './postmaster-file.ts';
import { exists, processStart } from './process-table.ts';

/** A server whose service is, by its lock, dead. */
async function orphan(): Promise<{ dataDirectory: string; pid: number; server: EmbeddedPostgres }> {
  const dataDirectory = await temporaryDirectory();
  const server = await start({ dataDirectory });
  await query(server.connection, 'UPDATE notes SET answer = 43');
  await plantLock(join(dataDirectory, 'tocsin.lock'), await staleLock());
  return { dataDirectory, pid: await postmasterPid(dataDirectory), server };
}

/** A stopped cluster with the file that a server with this pid would have left, had it been killed. */
async function abandoned(fileOf: (running: string) => string): Promise<string> {
  const dataDirectory = await temporaryDirectory();
  const server = await start({ dataDirectory });
  await query(server.connection, 'UPDATE notes SET answer = 43');
  const path = join(dataDirectory, 'postgres/postmaster.pid');
  const content = await readFile(path, 'utf8');
  await server.stop();
  await writeFile(path, fileOf(content), { mode: 0o600 });
  const { uid, gid } = await stat(join(dataDirectory, 'postgres'));
  await chown(path, uid, gid);
  return dataDirectory;
}

async function expectData(server: EmbeddedPostgres): Promise<void> {
  expect(await query(server.connection, 'SELECT answer FROM notes')).toEqual({ answer: 43 });
}

it('stops the server of a killed service, and serves its data by a new one', async () => {
  const { dataDirectory, pid, server } = await orphan();
  const next = await start({ dataDirectory });
  expect(exists(pid)).toBe(false);
  expect(await server.exited).toMatchObject({ code: 0 });
  await expect(stat(server.connection.host)).rejects.toThrow('ENOENT');
  await expectData(next);
});

it('stops the server of a killed service though clients are still connected', async () => {
  const { dataDirectory, server } = await orphan();
  const client = new pg.Client(server.connection);
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN; LOCK TABLE notes');
  await expectData(await start({ dataDirectory }));
});

it('ends a server that ignores signals by force', async () => {
  const { dataDirectory, pid, server } = await orphan();
  process.kill(pid, 'SIGSTOP');
  const log = vi.fn<(line: string) => void>();
  await endOrphan(join(dataDirectory, 'postgres'), log, { SIGINT: 1, SIGQUIT: 1, SIGKILL: scaled(15_000) });
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await expectData(await start({ dataDirectory }));
  expect(log.mock.calls.join('\n')).toMatch(/SIGINT[^]*SIGQUIT[^]*SIGKILL/);
});

it('waits for processes that a killed server has left', async () => {
  const { dataDirectory, pid, server } = await orphan();
  const client = new pg.Client(server.connection);
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const leftover = rows[0]?.pid ?? 0;
  // It cannot notice that its server is gone before it is continued.
  process.kill(leftover, 'SIGSTOP');
  process.kill(pid, 'SIGKILL');
  const lines: string[] = [];
  const log = (line: string) => {
    if (/pre-existing shared memory/.test(line) && lines.push(line) === 2) process.kill(leftover, 'SIGCONT');
  };
  await expectData(await start({ dataDirectory, log }));
  expect(lines.length).toBeGreaterThanOrEqual(2);
});

it('starts beside another process that has the pid of a dead server, and lets it live', async () => {
  // As root, it is not our process but one of the user that PostgreSQL runs as: another user's it would ignore.
  const owner = await stat(await temporaryDirectory());
  const identity = isRoot() ? { uid: DEFAULT_UID, gid: DEFAULT_UID } : { uid: owner.uid, gid: owner.gid };
  const stranger = await idleProcess(identity);
  const dataDirectory = await abandoned((file) => file.replace(/^\d+/, String(stranger.pid)));
  await expectData(await start({ dataDirectory }));
  expect(await processStart(stranger.pid ?? 0)).not.toBeNull();
});

it('starts though a dead server has become a zombie', async () => {
  const pid = await zombie();
  const dataDirectory = await abandoned((file) => file.replace(/^\d+/, String(pid)));
  await expectData(await start({ dataDirectory }));
});

it.each(['', 'torn', '-'])('starts over a torn file of a dead server (%j)', async (content) => {
  await expectData(await start({ dataDirectory: await abandoned(() => content) }));
});

it('does not mistake the server of one cluster for that of another', async () => {
  const [one, other] = [await temporaryDirectory(), await temporaryDirectory()];
  await start({ dataDirectory: one });
  await start({ dataDirectory: other });
  expect(await isPostmasterOf(join(one, 'postgres'), await postmasterPid(one))).toBe(true);
  expect(await isPostmasterOf(join(one, 'postgres'), await postmasterPid(other))).toBe(false);
  expect(await isPostmasterOf(join(one, 'postgres'), process.pid)).toBe(false);
});
