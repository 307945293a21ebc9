import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { canEnter, DEFAULT_UID, isRoot, isTamperProof } from '../root/run-as.ts';
import { firstStart, query, start, temporaryDirectory } from '../testing.ts';
import { prepareBinaries } from './binaries.ts';
import { findPackage, type PostgresPackage } from './package.ts';
import { copyCluster } from './testing.ts';

const asRoot = it.skipIf(!isRoot());
const asOrdinaryUser = it.skipIf(isRoot());
const nobody = { uid: 65_534, gid: 65_534 };
const own = { uid: DEFAULT_UID, gid: DEFAULT_UID };
const identity = isRoot() ? own : null;

/**
 * A package as npm leaves it if it may not run the install script: without a link.
 * @param withShare false: without most of its files, which a program that only prints its version does not read
 */
async function packageWithoutLinks(parent: string, withShare = false): Promise<PostgresPackage> {
  const { directory, version } = await findPackage();
  const copy = join(parent, 'package');
  const filter = async (path: string) =>
    (withShare || !path.endsWith('/native/share')) && !(await lstat(path)).isSymbolicLink();
  await cp(directory, copy, { recursive: true, filter });
  return { directory: copy, version };
}

/** A temporary directory like the system's, which the code under test then uses. */
async function ownTmpdir(): Promise<string> {
  const directory = join(await temporaryDirectory(0o711), 'tmp');
  await mkdir(directory);
  await chmod(directory, 0o1777);
  vi.stubEnv('TMPDIR', directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  return directory;
}

async function runs(program: string): Promise<void> {
  const { stdout } = await promisify(execFile)(program, ['--version'], identity ?? {});
  expect(stdout).toMatch(/PostgreSQL\) 18/);
}

it('makes links that npm has not made once, though several processes begin at once', async () => {
  const source = await packageWithoutLinks(await temporaryDirectory(0o755));
  const all = await Promise.all([1, 2, 3].map(() => prepareBinaries(source, identity)));
  for (const binaries of all) {
    expect(binaries.postgres).toBe(join(source.directory, 'native/bin/postgres'));
    await runs(binaries.initdb);
  }
  const library = join(source.directory, 'native/lib');
  const inode = (await stat(join(library, 'libpq.so.5'))).ino;
  const names = await readdir(library);
  await prepareBinaries(source, identity);
  expect((await stat(join(library, 'libpq.so.5'))).ino).toBe(inode);
  expect(await readdir(library)).toEqual(names);
});

asOrdinaryUser('A package without links that cannot be written is copied.', async () => {
  const tmpdir = await ownTmpdir();
  const source = await packageWithoutLinks(await temporaryDirectory());
  const library = join(source.directory, 'native/lib');
  await chmod(library, 0o555);
  onTestFinished(() => chmod(library, 0o755));
  const binaries = await prepareBinaries(source, null);
  expect(binaries.postgres.startsWith(tmpdir)).toBe(true);
  await runs(binaries.postgres);
});

asRoot('Below a directory of root alone, a database is made and served all the same.', async () => {
  const tmpdir = await ownTmpdir();
  const parent = await temporaryDirectory(0o700);
  const source = await packageWithoutLinks(parent, true);
  const dataDirectory = join(parent, 'data');
  const first = await firstStart({ dataDirectory, source });
  expect(await query(first.connection, 'SELECT 1 AS one')).toEqual({ one: 1 });
  expect(await stat(join(dataDirectory, 'postgres'))).toMatchObject(own);
  await first.stop();

  const [copy] = (await readdir(tmpdir)).filter((name) => name.startsWith('tocsin-postgres-'));
  const copied = (await stat(join(tmpdir, copy ?? ''))).ino;
  await start({ dataDirectory, source });
  expect((await stat(join(tmpdir, copy ?? ''))).ino).toBe(copied);
});

asRoot('A copy that has lost a file, or holds a broken one, is completed.', async () => {
  await ownTmpdir();
  const source = await packageWithoutLinks(await temporaryDirectory(0o700));
  const { postgres, initdb } = await prepareBinaries(source, nobody);
  await rm(postgres);
  await writeFile(initdb, '#!/bin/sh\n');
  const mask = process.umask(0o077);
  onTestFinished(() => void process.umask(mask));
  const [again] = await Promise.all([prepareBinaries(source, nobody), prepareBinaries(source, nobody)]);
  expect(again.postgres).toBe(postgres);
  await runs(postgres);
  await runs(initdb);
});

asRoot(
  'A copy that somebody else has planted is never run, and what replaces it is removed afterwards.',
  async () => {
    const tmpdir = await ownTmpdir();
    const source = await packageWithoutLinks(await temporaryDirectory(0o700));
    const { postgres } = await prepareBinaries(source, nobody);
    const copies = async () => (await readdir(tmpdir)).filter((name) => name.startsWith('tocsin-postgres-'));
    const [name = ''] = await copies();
    const plants: (() => Promise<unknown>)[] = [
      () => chown(join(tmpdir, name), nobody.uid, nobody.gid),
      () => chmod(join(tmpdir, name), 0o777),
      () => rm(join(tmpdir, name), { recursive: true }).then(() => symlink('/', join(tmpdir, name))),
      () => rm(join(tmpdir, name)).then(() => writeFile(join(tmpdir, name), '')),
    ];
    for (const plant of plants) {
      await plant();
      const binaries = await prepareBinaries(source, nobody);
      expect(binaries.postgres).not.toBe(postgres);
      await runs(binaries.postgres);
      await binaries.dispose();
      expect(await copies()).toEqual([name]);
    }
  },
);

asRoot(
  'The server runs as the owner of the data directory, who can start it himself the next time.',
  async () => {
    const passwd = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
    const account = passwd.find(([name, , uid]) => name !== 'nobody' && Number(uid) > 0);
    const owner = { uid: Number(account?.[2]), gid: Number(account?.[3]) };
    const dataDirectory = await temporaryDirectory();
    await chown(dataDirectory, owner.uid, owner.gid);
    await firstStart({ dataDirectory });
    for (const file of ['postgres', 'postgres/PG_VERSION', 'connection.json', 'tocsin.lock']) {
      expect(await stat(join(dataDirectory, file))).toMatchObject(owner);
    }
  },
);

asRoot(
  'An owner of the data directory who has no account is replaced by the uid for PostgreSQL.',
  async () => {
    const dataDirectory = await temporaryDirectory();
    await chown(dataDirectory, 54_321, 54_321);
    await firstStart({ dataDirectory });
    expect(await stat(join(dataDirectory, 'postgres/PG_VERSION'))).toMatchObject(own);
  },
);

asRoot('A cluster that has been given to root is given back.', async () => {
  const dataDirectory = await temporaryDirectory();
  await copyCluster(dataDirectory);
  await promisify(execFile)('chown', ['-R', '0:0', dataDirectory]);
  await start({ dataDirectory });
  expect(await stat(join(dataDirectory, 'postgres/PG_VERSION'))).toMatchObject(own);
});

asRoot('Whether another user can enter a directory depends on all those above it.', async () => {
  const directory = await temporaryDirectory(0o711);
  const inner = await mkdtemp(join(directory, 'inner-'));
  expect(await canEnter(directory, nobody)).toBe(true);
  expect(await canEnter(inner, nobody)).toBe(false);
  await chown(inner, nobody.uid, nobody.gid);
  expect(await canEnter(inner, nobody)).toBe(true);
  await chmod(directory, 0o700);
  expect(await canEnter(inner, nobody)).toBe(false);
});

it('treats a directory below one that other users may change as unsafe', async () => {
  const directory = await temporaryDirectory(0o755);
  const inner = join(directory, 'inner');
  await mkdir(inner);
  expect(await isTamperProof(inner)).toBe(true);
  await chmod(directory, 0o777);
  expect(await isTamperProof(inner)).toBe(false);
  await chmod(directory, 0o1777);
  expect(await isTamperProof(inner)).toBe(true);
  await chmod(inner, 0o775);
  expect(await isTamperProof(inner)).toBe(false);
});

it('names DATABASE_URL for a package whose programs do not run here, and copies nothing', async () => {
  const tmpdir = await ownTmpdir();
  const directory = await temporaryDirectory(0o755);
  await mkdir(join(directory, 'native/bin'), { recursive: true });
  for (const name of ['initdb', 'postgres']) {
    await writeFile(join(directory, 'native/bin', name), '#!/lib/ld-of-another-system\n', { mode: 0o755 });
  }
  await expect(prepareBinaries({ directory, version: '18.4.0' }, identity)).rejects.toMatchObject({
    code: 'unsupported_platform',
    message: expect.stringContaining('DATABASE_URL') as unknown,
  });
  expect((await readdir(tmpdir)).filter((name) => name.startsWith('tocsin-postgres-'))).toEqual([]);
});
