import { once } from 'node:events';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SUPERUSER } from '../data-directory/connection-file.ts';
import { type DataDirectory, UNFINISHED_CLUSTER_PREFIX } from '../data-directory/data-directory.ts';
import { syncDirectory } from '../data-directory/files.ts';
import { EmbeddedPostgresError, USE_DATABASE_URL } from '../platform/errors.ts';
import { LastLines, readLines } from '../process/log-lines.ts';
import { runOnCluster } from '../process/run-binary.ts';
import { chownCluster } from '../root/chown-tree.ts';
import { removeTree, withDirectory } from '../root/directory-handle.ts';
import { chooseInitialIdentity, chownTo, type Identity } from '../root/run-as.ts';

export interface InitialiseOptions {
  initdb: string;
  identity: Identity;
  /** The cluster is created at `directory.cluster`. */
  directory: DataDirectory;
  password: string;
  /** False skips the writing to the disk, for clusters that need not survive a power cut. */
  sync: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Creates the cluster. It is created beside its place and moved there when it is complete and on the disk, so that
 * after any interruption there is a whole cluster or none. For root it is created in a directory that no other user
 * may enter, and belongs to the identity when it is complete.
 */
export async function initialiseCluster(options: InitialiseOptions): Promise<void> {
  const { directory, identity, sync } = options;
  const unfinished = await mkdtemp(join(directory.path, UNFINISHED_CLUSTER_PREFIX));
  try {
    await withDirectory(unfinished, async (own) => {
      // Without /proc the programs find the cluster by its path.
      if (process.platform !== 'linux') await own.file.chmod(0o711);
      const cluster = own.at('cluster');
      await mkdir(cluster, { mode: 0o700 });
      const initialIdentity = await chooseInitialIdentity(identity);
      await chownTo(initialIdentity, cluster);
      const passwordFile = await openPassword(own.at('password'), options.password, initialIdentity);
      try {
        await runInitdb({ ...options, identity: initialIdentity, cluster, passwordFile });
      } finally {
        await passwordFile.close();
      }
      if (identity !== null && initialIdentity !== null && identity.uid !== initialIdentity.uid)
        await chownCluster(identity, cluster, initialIdentity.uid);
      await rename(cluster, directory.cluster);
    });
    if (sync) await syncDirectory(directory.path);
  } finally {
    await removeTree(unfinished);
  }
}

/**
 * Opens the password for `initdb`, in a file that has no name any more: so no other process can replace it, or make
 * us change the owner of a file that is not ours.
 */
async function openPassword(path: string, password: string, reader: Identity): Promise<FileHandle> {
  const file = await open(path, 'wx', 0o600);
  try {
    if (reader !== null) await file.chown(reader.uid, reader.gid);
    await file.writeFile(password);
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } finally {
    await file.close();
    await unlink(path);
  }
}

const NO_ACCOUNT = /could not look up effective user ID/;
const NO_ACCOUNT_HINT = `The user must have an account (/etc/passwd). Start as one that has, or ${USE_DATABASE_URL}.`;

async function runInitdb(
  options: InitialiseOptions & { cluster: string; passwordFile: FileHandle },
): Promise<void> {
  const args = (cluster: string, [inherited]: string[]) => [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${inherited}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.sync ? [] : ['--no-sync']),
  ];
  const { initdb, identity, cluster, passwordFile, signal } = options;
  const child = await runOnCluster({
    program: initdb,
    identity,
    cluster,
    args,
    inherits: [passwordFile.fd],
  });
  const output = new LastLines();
  readLines(child.stdout, (line) => output.add(line));
  readLines(child.stderr, (line) => output.add(line));
  const cancel = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    signal?.throwIfAborted();
    if (code !== 0) throw new Error(`initdb ended with ${killedBy ?? code}:\n${output.toString()}`);
  } catch (error) {
    signal?.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const hint = NO_ACCOUNT.test(reason) ? `\n${NO_ACCOUNT_HINT}` : '';
    const message = `The database could not be initialised: ${reason}${hint}`;
    throw new EmbeddedPostgresError('initdb_failed', message, { cause: error });
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
