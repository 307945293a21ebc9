import { execFile } from 'node:child_process';
import { chmod, chown, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { initialiseCluster } from '../cluster/cluster.ts';
import { copyCluster } from '../cluster/testing.ts';
import { layOut } from '../data-directory/data-directory.ts';
import { firstStart, query, start, temporaryDirectory } from '../testing.ts';
import { removeTree } from './directory-handle.ts';
import { chooseIdentity, chooseInitialIdentity, chownTo, DEFAULT_UID, isRoot } from './run-as.ts';

const asRoot = it.skipIf(!isRoot());
const nobody = { uid: 65_534, gid: 65_534 };
const own = { uid: DEFAULT_UID, gid: DEFAULT_UID };
const root = { uid: 0, gid: 0 };

/** A stopped cluster with data, owned by nobody throughout. */
async function clusterOfNobody(): Promise<string> {
  const dataDirectory = await temporaryDirectory();
  await copyCluster(dataDirectory);
  await promisify(execFile)('chown', ['-R', '65534:65534', join(dataDirectory, 'postgres')]);
  return dataDirectory;
}

async function expectTakenOver(dataDirectory: string, uid = own.uid): Promise<void> {
  const warn = vi.fn<(message: string) => void>();
  const server = await start({ dataDirectory, uid, warn });
  expect(await query(server.connection, 'SELECT answer FROM notes')).toEqual({ answer: 42 });
  expect(warn).not.toHaveBeenCalled();
  const cluster = join(dataDirectory, 'postgres');
  for (const file of [cluster, join(cluster, 'base'), join(cluster, 'global/pg_control')])
    expect(await stat(file)).toMatchObject({ uid, gid: uid });
}

/** A program in place of `initdb` that treats the cluster as the script says. */
async function stubInitdb(script: string): Promise<string> {
  const directory = await temporaryDirectory(0o755);
  const program = join(directory, 'initdb');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return program;
}

const READ_ARGUMENTS = `for argument; do case $argument in
  --pgdata=*) data=\${argument#*=} ;; --pwfile=*) password=\${argument#*=} ;; esac; done`;

it.each(isRoot() ? [own, null] : [null])(
  'lets initdb find the cluster and its password as %j',
  async (identity) => {
    const directory = layOut(await temporaryDirectory());
    const initdb = await stubInitdb(`${READ_ARGUMENTS}\ncat "$password" > "$data/password"`);
    await initialiseCluster({ initdb, identity, directory, password: 'the password', sync: false });
    expect(await readFile(join(directory.cluster, 'password'), 'utf8')).toBe('the password');
  },
);

it('passes the password to initdb without a file name that another process could replace', async () => {
  const directory = layOut(await temporaryDirectory());
  const initdb = await stubInitdb(
    `${READ_ARGUMENTS}\ncat "$password" > "$data/password"\nls -L "$data/.." > "$data/names" 2>&1 || true`,
  );
  const identity = isRoot() ? own : null;
  await initialiseCluster({ initdb, identity, directory, password: 'the password', sync: false });
  expect(await readFile(join(directory.cluster, 'password'), 'utf8')).toBe('the password');
  expect(await readFile(join(directory.cluster, 'names'), 'utf8')).not.toContain('password\n');
  expect(await readdir(directory.path)).toEqual(['postgres']);
});

asRoot('Until it is complete, a cluster is in a directory and a group that no one else is in.', async () => {
  const directory = layOut(await temporaryDirectory(0o755));
  // The parent is looked up by the root that runs this test, through the open directory of the process.
  const initdb = await stubInitdb(`${READ_ARGUMENTS}\nid -u > "$data/uid"; id -g > "$data/gid"
    ls "$data/../" > "$data/parent" 2>&1 || true`);
  await initialiseCluster({ initdb, identity: own, directory, password: 'x', sync: false });
  const read = (name: string) => readFile(join(directory.cluster, name), 'utf8');
  expect(await read('uid')).toBe(`${nobody.uid}\n`);
  expect(await read('gid')).toBe(`${own.gid}\n`);
  expect(await read('parent')).toContain('Permission denied');
  for (const file of [directory.cluster, join(directory.cluster, 'uid')])
    expect(await stat(file)).toMatchObject(own);
});

asRoot('An identity with an account initialises its cluster itself.', async () => {
  expect(await chooseInitialIdentity(nobody)).toEqual(nobody);
  expect(await chooseInitialIdentity(own)).toEqual({ uid: nobody.uid, gid: own.gid });
});

asRoot('What is given away is the link, never the file that it leads to.', async () => {
  const directory = await temporaryDirectory();
  const secret = join(directory, 'secret');
  await writeFile(secret, '');
  await symlink(secret, join(directory, 'planted'));
  await chownTo(nobody, join(directory, 'planted'));
  expect(await stat(secret)).toMatchObject(root);
});

asRoot('A new cluster belongs to the uid that is set, which needs no account.', async () => {
  const dataDirectory = await temporaryDirectory();
  await firstStart({ dataDirectory, uid: 54_777 });
  expect(await stat(join(dataDirectory, 'postgres/PG_VERSION'))).toMatchObject({ uid: 54_777, gid: 54_777 });
});

asRoot('A cluster of nobody is taken over at the next start, with its data.', async () => {
  await expectTakenOver(await clusterOfNobody());
});

asRoot('A data directory of nobody is taken over with the cluster in it.', async () => {
  const dataDirectory = await clusterOfNobody();
  await promisify(execFile)('chown', ['-R', '65534:65534', dataDirectory]);
  await expectTakenOver(dataDirectory);
  for (const name of ['', 'connection.json', 'tocsin.lock'])
    expect(await stat(join(dataDirectory, name))).toMatchObject(own);
});

asRoot('A handover that was ended on the way is completed.', async () => {
  const dataDirectory = await clusterOfNobody();
  const cluster = join(dataDirectory, 'postgres');
  // Its root comes last; a directory changes its owner before its content.
  await chown(cluster, 0, 0);
  await chown(join(cluster, 'base'), own.uid, own.gid);
  await expectTakenOver(dataDirectory);
  const inner = await readdir(join(cluster, 'base'), { recursive: true });
  for (const name of inner) expect(await stat(join(cluster, 'base', name))).toMatchObject(own);
});

asRoot('Links that nobody has planted in its cluster lead to no file of root.', async () => {
  const dataDirectory = await clusterOfNobody();
  const secrets = await temporaryDirectory();
  const cluster = join(dataDirectory, 'postgres');
  for (const name of ['file', 'linked']) await writeFile(join(secrets, name), '');
  await mkdir(join(secrets, 'directory'));
  await symlink(join(secrets, 'file'), join(cluster, 'planted-file'));
  await symlink(join(secrets, 'directory'), join(cluster, 'base/planted-directory'));
  await link(join(secrets, 'linked'), join(cluster, 'planted-name'));
  await expectTakenOver(dataDirectory);
  for (const name of ['file', 'linked', 'directory'])
    expect(await stat(join(secrets, name))).toMatchObject(root);
});

asRoot('A cluster of another account keeps its owner.', async () => {
  const dataDirectory = await clusterOfNobody();
  await promisify(execFile)('chown', ['-R', '54888:54888', join(dataDirectory, 'postgres')]);
  await expectTakenOver(dataDirectory, 54_888);
});

asRoot('Where the system refuses the uid, PostgreSQL runs as nobody, and a warning says so.', async () => {
  const directory = layOut(await temporaryDirectory());
  const warn = vi.fn<(message: string) => void>();
  // -1, which the system never takes.
  const identity = await chooseIdentity(directory.cluster, directory.path, 4_294_967_295, warn);
  expect(identity).toMatchObject(nobody);
  expect(warn.mock.calls.join()).toMatch(/uid 4294967295.*EINVAL.*nobody.*POSTGRES_UID/);
});

it('removes a directory without following the links in it', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'kept'));
  await writeFile(join(directory, 'kept/file'), '');
  await mkdir(join(directory, 'removed/inner'), { recursive: true });
  await writeFile(join(directory, 'removed/inner/file'), '');
  await symlink(join(directory, 'kept'), join(directory, 'removed/planted'));
  await symlink(join(directory, 'kept'), join(directory, 'planted'));
  await removeTree(join(directory, 'removed'));
  await expect(removeTree(join(directory, 'planted'))).rejects.toThrow();
  expect((await readdir(directory)).toSorted()).toEqual(['kept', 'planted']);
  expect(await readdir(join(directory, 'kept'))).toEqual(['file']);
});

asRoot('Several first starts as root at the same moment all succeed.', async () => {
  const directories = await Promise.all(Array.from({ length: rounds(2, 4) }, () => temporaryDirectory()));
  const servers = await Promise.all(directories.map((dataDirectory) => firstStart({ dataDirectory })));
  for (const { connection } of servers)
    expect(await query(connection, 'SELECT 1 AS one')).toEqual({ one: 1 });
});
