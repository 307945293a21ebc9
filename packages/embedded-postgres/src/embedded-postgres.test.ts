import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { findPackage } from './cluster/package.ts';
import { findRunningPostgres } from './embedded-postgres.ts';
import { exists } from './process/process-table.ts';
import {
  firstStart,
  plantLock,
  postmasterPid,
  query,
  staleLock,
  start,
  temporaryDirectory,
} from './testing.ts';

it('makes a durable UTF-8 database at the first start, reached only by a Unix socket and a password', async () => {
  const dataDirectory = join(await temporaryDirectory(), 'nested/data');
  const lines: string[] = [];
  const server = await firstStart({
    dataDirectory,
    settings: { fsync: 'on' },
    log: (line) => lines.push(line),
  });
  const { connection } = server;

  expect(connection).toMatchObject({ user: 'tocsin_service', database: 'tocsin' });
  expect(await query(connection, 'CREATE TABLE notes (text text)')).toEqual({});
  expect(
    await query(
      connection,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('listen_addresses') AS addresses, current_setting('server_encoding') AS encoding,
         current_setting('wal_level') AS wal, current_setting('jit') AS jit,
         datlocprovider AS provider, datlocale AS locale FROM pg_database WHERE datname = 'tocsin'`,
    ),
  ).toEqual({
    fsync: 'on',
    commit: 'on',
    addresses: '',
    encoding: 'UTF8',
    wal: 'minimal',
    jit: 'off',
    provider: 'b',
    locale: 'C.UTF-8',
  });
  await expect(query({ ...connection, password: 'wrong' }, 'SELECT 1')).rejects.toMatchObject({
    code: '28P01',
  });

  expect((await stat(dataDirectory)).mode & 0o077).toBe(0);
  expect((await stat(connection.host)).mode & 0o077).toBe(0);
  for (const file of ['connection.json', 'tocsin.lock']) {
    expect((await stat(join(dataDirectory, file))).mode & 0o777).toBe(0o600);
  }
  expect(lines.join('\n')).toContain('ready to accept connections');
  expect(lines.join('\n')).not.toContain(connection.password);
});

it('leaves nothing behind when it stops, and finds its data at the next start', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start({ dataDirectory });
  const pid = await postmasterPid(dataDirectory);
  await query(first.connection, 'UPDATE notes SET answer = 43');
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();

  expect(exists(pid)).toBe(false);
  expect(existsSync(first.connection.host)).toBe(false);
  expect((await readdir(dataDirectory)).toSorted()).toEqual(['connection.json', 'postgres']);

  const second = await start({ dataDirectory });
  expect(await query(second.connection, 'SELECT answer FROM notes')).toEqual({ answer: 43 });
});

it('starts the server without our environment, in a session of its own', async () => {
  const dataDirectory = await temporaryDirectory();
  const { maintenance: connection } = await start({ dataDirectory });
  if (process.platform !== 'linux') return;
  const pid = await postmasterPid(dataDirectory);
  const environment = await query(
    connection,
    `SELECT encode(pg_read_binary_file('/proc/${pid}/environ'), 'escape') AS text`,
  );
  expect(environment['text']).toBe(String.raw`LC_ALL=C\000PATH=/usr/bin:/bin\000`);
  const session = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ')[3];
  expect(Number(session)).toBe(pid);
});

it('refuses a second start on the same data directory, without harm to the first', async () => {
  const dataDirectory = await temporaryDirectory();
  const { connection } = await start({ dataDirectory });
  await expect(start({ dataDirectory })).rejects.toMatchObject({
    code: 'already_running',
    message: expect.stringContaining(`process ${process.pid}`) as unknown,
  });
  expect(await query(connection, 'SELECT 1 AS one')).toEqual({ one: 1 });
});

it('refuses a start in another container on the same data directory, and changes nothing', async () => {
  const dataDirectory = await temporaryDirectory();
  const place = { id: 'another container', host: 'blue' };
  const { connection } = await start({ dataDirectory, lock: { place } });
  const files = async () =>
    Promise.all(
      ['connection.json', 'postgres/postmaster.pid'].map((name) => readFile(join(dataDirectory, name))),
    );
  const before = await files();
  // By its pid, it would be alive in both cases: here the two are even one process.
  await expect(start({ dataDirectory })).rejects.toMatchObject({
    code: 'already_running',
    message: expect.stringContaining('on host blue, in another container') as unknown,
  });
  expect(await files()).toEqual(before);
  expect(await query(connection, 'SELECT 1 AS one')).toEqual({ one: 1 });
  expect((await readdir(dataDirectory)).toSorted()).toEqual([
    'connection.json',
    'postgres',
    'tocsin.lock',
    'tocsin.sock',
  ]);
});

it('ends a server at once when its lock has been taken over', async () => {
  const dataDirectory = await temporaryDirectory();
  const warn = vi.fn<(message: string) => void>();
  const server = await start({ dataDirectory, warn, lock: { renewEveryMs: 20 } });
  const successor = await staleLock();
  await rm(join(dataDirectory, 'tocsin.sock'));
  await plantLock(join(dataDirectory, 'tocsin.lock'), successor);
  await server.exited;
  expect(warn.mock.calls.join()).toContain('has taken over');
  await server.stop();
  expect(await readFile(join(dataDirectory, 'tocsin.lock'), 'utf8')).toBe(successor);
});

it('finds a running server by its data directory, and no stopped one', async () => {
  const dataDirectory = await temporaryDirectory();
  expect(await findRunningPostgres(join(dataDirectory, 'missing'))).toBeNull();
  expect(await findRunningPostgres(dataDirectory)).toBeNull();
  const server = await start({ dataDirectory });
  expect(await findRunningPostgres(dataDirectory)).toEqual(server.connection);
  await server.stop();
  expect(await findRunningPostgres(dataDirectory)).toBeNull();
});

it('reports a server that ends by itself, and not one that is stopped', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start({ dataDirectory });
  process.kill(await postmasterPid(dataDirectory), 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await first.stop();

  const second = await start({ dataDirectory });
  const reported = vi.fn();
  void second.exited.then(reported);
  await second.stop();
  await new Promise(setImmediate);
  expect(reported).not.toHaveBeenCalled();
});

it('leaves nothing running and the directory free after a cancelled start', async () => {
  const dataDirectory = await temporaryDirectory();
  const reason = new Error('called off');

  // A line may be read from the log after the start is over: then there is nothing to abort. Another start has the first line in time.
  const tooLate = 'it was ready already';
  for (const [moment, outcomes] of [
    ['starting PostgreSQL', [reason]],
    ['ready to accept', [reason, tooLate]],
  ] as const) {
    const cancel = async () => {
      const controller = new AbortController();
      const log = (line: string) => line.includes(moment) && controller.abort(reason);
      return firstStart({ dataDirectory, signal: controller.signal, log }).then(
        async (server) => {
          await server.stop();
          return tooLate;
        },
        (error: unknown) => error,
      );
    };
    await expect.poll(cancel).toBeOneOf([...outcomes]);
    expect(existsSync(join(dataDirectory, 'postgres/postmaster.pid'))).toBe(false);
    expect(existsSync(join(dataDirectory, 'tocsin.lock'))).toBe(false);
  }
  const during = new AbortController();
  const fresh = await temporaryDirectory();
  const calledOff = firstStart({ dataDirectory: fresh, signal: during.signal });
  await vi.waitFor(async () => expect((await readdir(fresh)).join()).toContain('unfinished'), {
    interval: 1,
  });
  during.abort(reason);
  await expect(calledOff).rejects.toBe(reason);
  expect(await readdir(fresh)).toEqual(['connection.json']);
  await firstStart({ dataDirectory: fresh });
});

it('restarts an initialisation that was killed', async () => {
  const dataDirectory = await temporaryDirectory();
  await mkdir(join(dataDirectory, 'postgres.unfinished-abc/base'), { recursive: true });
  await writeFile(join(dataDirectory, 'postgres.unfinished-abc/PG_VERSION'), '18\n');
  const host = await mkdtemp(join(tmpdir(), 'tocsin-pg-'));
  await writeFile(join(dataDirectory, 'connection.json'), JSON.stringify({ host, password: 'secret' }));
  const { maintenance } = await firstStart({ dataDirectory });
  expect(maintenance.password).toBe('secret');
  expect((await readdir(dataDirectory)).toSorted()).toEqual([
    'connection.json',
    'postgres',
    'tocsin.lock',
    'tocsin.sock',
  ]);
  expect(existsSync(host)).toBe(false);
});

it('leaves data of another major version, and files that are no cluster, unchanged', async () => {
  const dataDirectory = await temporaryDirectory();
  await mkdir(join(dataDirectory, 'postgres'));
  await writeFile(join(dataDirectory, 'postgres/family-photo.jpg'), '');
  await expect(start({ dataDirectory })).rejects.toMatchObject({ code: 'incompatible_data' });
  await writeFile(join(dataDirectory, 'postgres/PG_VERSION'), '15\n');
  await expect(start({ dataDirectory })).rejects.toMatchObject({
    code: 'incompatible_data',
    message: expect.stringMatching(/PostgreSQL 15.*PostgreSQL 18/) as unknown,
  });
  expect(await readdir(dataDirectory)).toEqual(['postgres']);
});

it('reports the output of a server that refuses to start, and frees the directory', async () => {
  const dataDirectory = await temporaryDirectory();
  await expect(start({ dataDirectory, settings: { shared_buffers: 'plenty' } })).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringMatching(/invalid value for parameter "shared_buffers"/) as unknown,
  });
  await start({ dataDirectory });
});

it('resets a lost password', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start({ dataDirectory });
  await first.stop();
  await writeFile(join(dataDirectory, 'connection.json'), '{');
  const second = await start({ dataDirectory });
  expect(second.connection.password).not.toBe(first.connection.password);
  expect(await query(second.connection, 'SELECT 1 AS one')).toEqual({ one: 1 });
});

it('tells the user of a machine without a package to set DATABASE_URL', async () => {
  await expect(findPackage('plan9-mips')).rejects.toMatchObject({
    code: 'unsupported_platform',
    message: expect.stringContaining('DATABASE_URL to a PostgreSQL 15 or later') as unknown,
  });
});

it('names the fault if a data directory cannot be made or read', async () => {
  const parent = await temporaryDirectory();
  await writeFile(join(parent, 'file'), '');
  await expect(start({ dataDirectory: join(parent, 'file/data') })).rejects.toMatchObject({
    code: 'data_directory_unusable',
  });
});

it('passes over a temporary directory with a long path', async () => {
  const long = join(await temporaryDirectory(0o755), 'x'.repeat(90));
  await mkdir(long);
  await chmod(long, 0o1777);
  vi.stubEnv('TMPDIR', long);
  onTestFinished(() => void vi.unstubAllEnvs());
  const dataDirectory = join(long, 'data');
  const { connection } = await firstStart({ dataDirectory });
  expect(connection.host.length).toBeLessThan(60);
});

it('serves as a role that is no superuser, and owns the database and everything in it', async () => {
  const { connection, maintenance } = await firstStart({ dataDirectory: await temporaryDirectory() });
  expect(
    await query(
      connection,
      `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, pg_has_role('pg_read_all_stats', 'USAGE') AS stats,
         pg_has_role('pg_signal_backend', 'USAGE') AS signals,
         (SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()) AS database,
         (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'public') AS schema
       FROM pg_roles WHERE rolname = current_user`,
    ),
  ).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
    stats: true,
    signals: true,
    database: 'tocsin_service',
    schema: 'tocsin_service',
  });
  for (const refused of [
    `COPY (SELECT 1) TO PROGRAM 'true'`,
    `SELECT pg_read_file('postgresql.conf')`,
    'CREATE ROLE another SUPERUSER',
    `ALTER ROLE tocsin PASSWORD 'known'`,
    'ALTER SYSTEM SET fsync = off',
    'SET ROLE tocsin',
  ])
    await expect(query(connection, refused), refused).rejects.toMatchObject({ code: '42501' });
  expect(connection.password).not.toBe(maintenance.password);
});
