import { lstat, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asService, type Connection, newPassword } from '../data-directory/connection-file.ts';
import { type DataDirectory, nextCluster, upgradedCluster } from '../data-directory/data-directory.ts';
import { syncDirectory } from '../data-directory/files.ts';
import { measureFreeBytes } from '../data-directory/free-space.ts';
import { EmbeddedPostgresError, systemCode } from '../platform/errors.ts';
import { endOrphan } from '../process/orphan.ts';
import { launchPostmaster } from '../process/postmaster.ts';
import { launchUntilReady } from '../process/readiness.ts';
import { resetPassword } from '../process/reset-password.ts';
import { prepareServiceRole } from '../process/service-role.ts';
import { makeSocketDirectory, removeSocketDirectory } from '../process/socket-directory.ts';
import { removeTree } from '../root/directory-handle.ts';
import type { Identity } from '../root/run-as.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { initialiseCluster } from './cluster.ts';
import type { PostgresPackage } from './package.ts';

const GIB = 1024 ** 3;

/** Copies all data from one database into an empty one, and compares the counts; rejects if they differ. */
export type CopyDatabase = (from: Connection, to: Connection, signal?: AbortSignal) => Promise<void>;

/** Returns the free bytes of a directory's file system. */
export type MeasureFree = (directory: string) => Promise<number>;

export interface UpgradeOptions {
  directory: DataDirectory;
  /** Major version of the cluster, and its programs. */
  from: string;
  source: PostgresPackage;
  binaries: Binaries;
  identity: Identity;
  connection: Connection;
  /** True if the password of the connection is not the one of the cluster. */
  passwordIsLost: boolean;
  settings: Record<string, string>;
  lockSocket: number | null;
  copyDatabase: CopyDatabase;
  measureFree?: MeasureFree;
  log: (line: string) => void;
  warn: (message: string) => void;
  signal: AbortSignal | undefined;
}

/**
 * Creates a cluster of a newer major version from the cluster, which is kept beside it. For the holder of the lock.
 * After any interruption the cluster stays as it is, in its place, until the new one is complete, and the next start
 * starts over or, after that, puts the new one in place.
 */
export async function upgradeCluster(options: UpgradeOptions): Promise<void> {
  const { directory, from, binaries, warn } = options;
  const to = binaries.majorVersion;
  // Its server, if a service was killed in the middle of this.
  await endOrphan(nextCluster(directory), options.log);
  await discard(nextCluster(directory));
  await discard(upgradedCluster(directory));
  await assertRoom(directory, options.measureFree ?? measureFreeBytes);
  warn(`The data was made by PostgreSQL ${from}: it is copied for PostgreSQL ${to}, which takes a while.`);
  try {
    await fillNextCluster(options);
  } catch (error) {
    // It takes room, and the next start creates it again.
    await discard(nextCluster(directory)).catch(() => {});
    throw error;
  }
  await rename(nextCluster(directory), upgradedCluster(directory));
  await syncDirectory(directory.path);
  const kept = await findFreeName(`${directory.cluster}-${from}`);
  await rename(directory.cluster, kept);
  await finishUpgrade(directory);
  warn(
    `The data is now that of PostgreSQL ${to}. ${kept} holds it as it was: remove it when you need it no more.`,
  );
}

/** Puts a cluster in place that was complete when the upgrade to it was interrupted. For the holder of the lock. */
export async function finishUpgrade(directory: DataDirectory): Promise<void> {
  if (await exists(directory.cluster)) return;
  if (!(await exists(upgradedCluster(directory)))) return;
  await rename(upgradedCluster(directory), directory.cluster);
  await syncDirectory(directory.path);
}

async function fillNextCluster(options: UpgradeOptions): Promise<void> {
  const { directory, source, binaries, identity, connection, settings, copyDatabase, signal } = options;
  const cleanups: (() => Promise<void>)[] = [];
  const cleanUp = async () => {
    for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop()) await next();
  };
  try {
    const previousBinaries = await prepareBinaries(source, identity);
    cleanups.push(() => previousBinaries.dispose());
    const next = { ...directory, cluster: nextCluster(directory) };
    const sync = settings['fsync'] !== 'off';
    const { password } = connection;
    await initialiseCluster({ ...binaries, identity, directory: next, password, sync, signal });

    const run = async (programs: Binaries, cluster: string, overrides: Record<string, string> = {}) => {
      const socketDirectory = await makeSocketDirectory(identity);
      cleanups.push(() => removeSocketDirectory(socketDirectory));
      const own = { ...connection, host: socketDirectory };
      const launch = (more: Record<string, string>) =>
        launchUntilReady(
          () =>
            launchPostmaster({
              ...programs,
              identity,
              cluster,
              socketDirectory,
              settings: { ...settings, ...overrides, ...more },
              lockSocket: options.lockSocket,
              log: options.log,
            }),
          cluster,
          own,
          signal,
        );
      if (options.passwordIsLost && cluster === directory.cluster) await resetPassword(launch, own);
      const postmaster = await launch({});
      cleanups.push(() => postmaster.stop());
      return own;
    };
    const previous = await run(previousBinaries, directory.cluster);
    const present = await run(binaries, next.cluster);
    // The role that copies owns what it creates.
    const servicePassword = newPassword();
    await prepareServiceRole(present, servicePassword);
    await copyDatabase(previous, asService(present, servicePassword), signal);
  } finally {
    // The new one is on the disk when it has stopped.
    await cleanUp();
  }
}

/** Both clusters exist side by side, and the new one writes a log as well. */
async function assertRoom(directory: DataDirectory, measureFree: MeasureFree): Promise<void> {
  const neededBytes = Math.ceil((await sizeOf(directory.cluster)) * 1.2) + GIB;
  const freeBytes = await measureFree(directory.path);
  if (freeBytes >= neededBytes) return;
  throw new EmbeddedPostgresError(
    'upgrade_failed',
    `To copy ${directory.cluster} for a newer major version of PostgreSQL takes ${inGib(neededBytes)} GiB; ` +
      `${directory.path} has ${inGib(freeBytes)} GiB free. Make room and start again: nothing was changed.`,
  );
}

function inGib(bytes: number): string {
  return (bytes / GIB).toFixed(1);
}

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== 'pg_wal') bytes += await sizeOf(path);
    else if (entry.isFile()) bytes += (await lstat(path)).size;
  }
  return bytes;
}

async function discard(cluster: string): Promise<void> {
  if (await exists(cluster)) await removeTree(cluster);
}

async function findFreeName(name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}.${number}`;
    if (!(await exists(candidate))) return candidate;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
