import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SUPERUSER } from './connection-file.ts';
import { type DataDirectory, UNFINISHED_CLUSTER_PREFIX } from './data-directory.ts';
import { EmbeddedPostgresError, USE_DATABASE_URL } from './errors.ts';
import { syncDirectory } from './files.ts';
import { LastLines, readLines } from './log-lines.ts';
import { giveTo, type Identity } from './run-as.ts';
import { runOnCluster } from './run-binary.ts';
import { PASSWORD_FILE } from './socket-directory.ts';

export interface InitialiseOptions {
  initdb: string;
  identity: Identity;
  directory: DataDirectory;
  socketDirectory: string;
  password: string;
  /** False spares the writing to the disk, for clusters that need not survive a power cut. */
  sync: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Makes the cluster. It is made beside its place and moved there when it is complete and on the disk, so that
 * whatever ends us on the way, there is a whole cluster or none.
 */
export async function initialiseCluster(options: InitialiseOptions): Promise<void> {
  const { directory, identity, sync } = options;
  const unfinished = await mkdtemp(join(directory.path, UNFINISHED_CLUSTER_PREFIX));
  const passwordFile = join(options.socketDirectory, PASSWORD_FILE);
  try {
    await giveTo(identity, unfinished);
    await writeFile(passwordFile, options.password, { flag: 'wx', mode: 0o600 });
    await giveTo(identity, passwordFile);
    await runInitdb({ ...options, unfinished, passwordFile });
    await rename(unfinished, directory.cluster);
    if (sync) await syncDirectory(directory.path);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(unfinished, { recursive: true, force: true });
  }
}

const NO_ACCOUNT = /could not look up effective user ID/;
const NO_ACCOUNT_HINT = `The user must have an account (/etc/passwd). Start as one that has, or ${USE_DATABASE_URL}.`;

async function runInitdb(
  options: InitialiseOptions & { unfinished: string; passwordFile: string },
): Promise<void> {
  const args = (cluster: string) => [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${options.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(options.sync ? [] : ['--no-sync']),
  ];
  const { initdb, identity, unfinished, signal } = options;
  const child = await runOnCluster({ program: initdb, identity, cluster: unfinished, args, stdin: 'ignore' });
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
