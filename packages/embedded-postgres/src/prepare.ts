import { prepareBinaries } from './cluster/binaries.ts';
import { initialiseCluster } from './cluster/cluster.ts';
import { type PostgresPackage } from './cluster/package.ts';
import { findPreviousPrograms } from './cluster/previous-programs.ts';
import { finishUpgrade, upgradeCluster } from './cluster/upgrade.ts';
import { type Connection, readConnections, writeConnections } from './data-directory/connection-file.ts';
import {
  type DataDirectory,
  readClusterVersion,
  removeUnfinishedClusters,
} from './data-directory/data-directory.ts';
import { takeOverCluster } from './data-directory/take-over.ts';
import type { HeldLock } from './lock/held-lock.ts';
import type { EmbeddedPostgresOptions } from './options.ts';
import { clearPostmasterFile, endOrphan } from './process/orphan.ts';
import { launchPostmaster } from './process/postmaster.ts';
import { launchUntilReady } from './process/readiness.ts';
import { resetPassword } from './process/reset-password.ts';
import { removeSocketDirectory } from './process/socket-directory.ts';
import { chooseIdentity, DEFAULT_UID } from './root/run-as.ts';
import { type Launch } from './running-server.ts';

/** Functions that undo the steps of a start; the last one runs first. */
export type Cleanups = (() => Promise<void>)[];

export interface OpenedDirectory {
  source: PostgresPackage;
  directory: DataDirectory;
  lock: HeldLock;
  cleanups: Cleanups;
}

/** The programs, and the cluster without anything that another server has left of its own. */
export async function takeOver(
  { source, directory, lock, cleanups }: OpenedDirectory,
  options: EmbeddedPostgresOptions,
) {
  const { log = () => {}, warn = () => {}, uid = DEFAULT_UID } = options;
  const chosen = await chooseIdentity(directory.cluster, directory.path, uid, warn);
  const binaries = await prepareBinaries(source, chosen);
  cleanups.push(() => binaries.dispose());
  await finishUpgrade(directory);
  const clusterVersion = await readClusterVersion(directory);
  const { majorVersion } = binaries;
  const previous = await findPreviousPrograms(clusterVersion, majorVersion, directory.cluster, options);
  await endOrphan(directory.cluster, log);
  const lockSocket = await lock.listen();
  await clearPostmasterFile(directory.cluster);
  const identity = clusterVersion === null ? chosen : await takeOverCluster(directory, chosen, warn);
  await removeUnfinishedClusters(directory);
  const connections = await readConnections(directory);
  if (connections !== null) await removeSocketDirectory(connections.superuser.host);
  return { binaries, clusterVersion, previous, lockSocket, identity, connections };
}

type TakenOver = Awaited<ReturnType<typeof takeOver>>;

export function createLauncher(
  { cluster }: DataDirectory,
  { binaries, identity, lockSocket }: TakenOver,
  connection: Connection,
  { log = () => {}, settings = {} }: EmbeddedPostgresOptions,
): Launch {
  return (overrides, signal) => {
    const launchOnce = () =>
      launchPostmaster({
        ...binaries,
        identity,
        cluster,
        socketDirectory: connection.host,
        settings: { ...settings, ...overrides },
        lockSocket,
        log,
      });
    return launchUntilReady(launchOnce, cluster, connection, signal);
  };
}

interface UnpreparedServer extends TakenOver {
  directory: DataDirectory;
  connection: Connection;
  launch: Launch;
}

/** Makes the cluster, or one of this major version of it; the connection file then has its password. */
export async function prepareCluster(
  {
    directory,
    connection,
    launch,
    binaries,
    clusterVersion,
    previous,
    lockSocket,
    identity,
    connections,
  }: UnpreparedServer,
  { log = () => {}, warn = () => {}, settings = {}, signal }: EmbeddedPostgresOptions,
): Promise<void> {
  const known = { superuser: connection, service: connections?.service ?? null };
  if (clusterVersion === null) {
    // The password first: a cluster with an unknown password would be of no use.
    await writeConnections(directory, known);
    const sync = settings['fsync'] !== 'off';
    const { password } = connection;
    await initialiseCluster({ ...binaries, identity, directory, password, sync, signal });
    return;
  }
  const passwordIsLost = connections === null;
  if (previous !== null) {
    const parts = { directory, binaries, identity, connection, settings, lockSocket, log, warn, signal };
    await upgradeCluster({ ...previous, ...parts, passwordIsLost });
  } else if (passwordIsLost) await resetPassword((overrides) => launch(overrides, signal), connection);
  await writeConnections(directory, known);
}
