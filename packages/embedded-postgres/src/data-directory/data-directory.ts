import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, systemCode } from '../platform/errors.ts';
import { removeTree } from '../root/directory-handle.ts';
import { readIfThere } from './files.ts';

/** Paths below the service's data directory. */
export interface DataDirectory {
  path: string;
  lock: string;
  /** File with the password and the socket's directory. */
  connection: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
}

/** Prefix of a cluster that is not complete yet; random letters follow. */
export const UNFINISHED_CLUSTER_PREFIX = 'postgres.unfinished-';

export function layOut(path: string): DataDirectory {
  return {
    path,
    lock: join(path, 'tocsin.lock'),
    connection: join(path, 'connection.json'),
    cluster: join(path, 'postgres'),
  };
}

/** Directory beside the cluster, while a cluster of a newer major version is filled from it. */
export function nextCluster(directory: DataDirectory): string {
  return join(directory.path, 'postgres.next');
}

/** As `nextCluster`, complete: it replaces the cluster. */
export function upgradedCluster(directory: DataDirectory): string {
  return join(directory.path, 'postgres.upgraded');
}

/** @throws EmbeddedPostgresError `data_directory_unusable` */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const directory = layOut(await realpath(path));
    await readdir(directory.path);
    return directory;
  } catch (error) {
    throw unusable(path, error);
  }
}

/** The major version of PostgreSQL that created the cluster; null if there is none yet. */
export async function readClusterVersion(directory: DataDirectory): Promise<string | null> {
  const version = await readIfThere(join(directory.cluster, 'PG_VERSION'));
  if (version !== null) return version.trim();
  const content = await readdir(directory.cluster).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  if (content.length === 0) return null;
  throw new EmbeddedPostgresError(
    'incompatible_data',
    `${directory.cluster} holds files, but is no PostgreSQL data directory. Move them away, or choose another directory.`,
  );
}

/** Removes what an interrupted `initdb` has left. For the holder of the lock. */
export async function removeUnfinishedClusters(directory: DataDirectory): Promise<void> {
  const names = await readdir(directory.path);
  for (const name of names.filter((name) => name.startsWith(UNFINISHED_CLUSTER_PREFIX))) {
    // If an `initdb` that has outlived its service still writes, the next start removes the rest.
    await removeTree(join(directory.path, name)).catch(() => {});
  }
}

export function unusable(path: string, error: unknown): EmbeddedPostgresError {
  const reason = error instanceof Error ? error.message : String(error);
  return new EmbeddedPostgresError(
    'data_directory_unusable',
    `The data directory ${path} cannot be used: ${reason}. Start as its owner, or choose another directory.`,
    { cause: error },
  );
}
