import { prepareBinaries } from './cluster/binaries.ts';
import { initialiseCluster } from './cluster/cluster.ts';
import { findPackage, type PostgresPackage } from './cluster/package.ts';
import { findPreviousPrograms } from './cluster/previous-programs.ts';
import { finishUpgrade, upgradeCluster } from './cluster/upgrade.ts';
import {
  asService,
  type Connection,
  DATABASE,
  newPassword,
  PORT,
  readConnections,
  SUPERUSER,
  writeConnections,
} from './data-directory/connection-file.ts';
import {
  type DataDirectory,
  layOut,
  openDataDirectory,
  readClusterVersion,
  removeUnfinishedClusters,
  unusable,
} from './data-directory/data-directory.ts';
import { findLastWrite } from './data-directory/last-write.ts';
import { takeOverCluster } from './data-directory/take-over.ts';
import type { HeldLock } from './lock/held-lock.ts';
import { acquireLock } from './lock/lock.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './options.ts';
import { EmbeddedPostgresError, systemCode } from './platform/errors.ts';
import { clearPostmasterFile, endOrphan } from './process/orphan.ts';
import { remakeOwnDatabases } from './process/own-databases.ts';
import { launchPostmaster } from './process/postmaster.ts';
import { isPostmasterOf, readPostmasterFile } from './process/postmaster-file.ts';
import { launchUntilReady } from './process/readiness.ts';
import { resetPassword } from './process/reset-password.ts';
import { prepareServiceRole } from './process/service-role.ts';
import { makeSocketDirectory, removeSocketDirectory } from './process/socket-directory.ts';
import { chooseIdentity, DEFAULT_UID } from './root/run-as.ts';
import { followServer, type Launch, type Server } from './running-server.ts';

/**
 * Starts a PostgreSQL that belongs to this process, on data that this process alone uses until it stops; the first
 * time, it creates the database.
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { signal, warn = () => {} } = options;
  const source = options.source ?? (await findPackage());
  const directory = await openDataDirectory(options.dataDirectory);
  const cleanups: Cleanups = [];
  try {
    const lastWrite = () => findLastWrite(directory.cluster);
    const lock = await acquireLock(directory.lock, { ...options.lock, signal, warn, lastWrite });
    cleanups.push(() => lock.release());
    return await start({ source, directory, lock, cleanups }, options);
  } catch (error) {
    await cleanUp(cleanups);
    throw toUserError(error, directory, options.signal);
  }
}

/** The connection to the database of a server that is already running on this data directory, or null. */
export async function findRunningPostgres(dataDirectory: string): Promise<Connection | null> {
  const directory = layOut(dataDirectory);
  const file = await readPostmasterFile(directory.cluster);
  if (file?.status !== 'ready' || !(await isPostmasterOf(directory.cluster, file.pid))) return null;
  const connections = await readConnections(directory);
  return connections && (connections.service ?? connections.superuser);
}

/** Delay until the first start has migrated the database and is ready. */
const REMAKING_DELAY_MS = 20_000;

/** Functions that undo the steps of a start; the last one runs first. */
type Cleanups = (() => Promise<void>)[];

async function cleanUp(cleanups: Cleanups): Promise<void> {
  for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop()) await next();
}

interface OpenedDirectory {
  source: PostgresPackage;
  directory: DataDirectory;
  lock: HeldLock;
  cleanups: Cleanups;
}

async function start(opened: OpenedDirectory, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, lock, cleanups } = opened;
  const { signal } = options;
  signal?.throwIfAborted();
  const taken = await takeOver(opened, options);
  const socketDirectory = await makeSocketDirectory(taken.identity);
  cleanups.push(() => removeSocketDirectory(socketDirectory));
  const { superuser, service } = taken.connections ?? {};
  const password = superuser?.password ?? newPassword();
  const connection = { host: socketDirectory, port: PORT, user: SUPERUSER, password, database: DATABASE };
  const launch = createLauncher(directory, taken, connection, options);
  signal?.throwIfAborted();
  await prepareCluster({ ...taken, directory, connection, launch }, options);
  const postmaster = await launch({}, signal);
  const server: Server = { directory, connection, launch, postmaster, isLost: false };
  cleanups.push(() => server.postmaster.stop());
  if (taken.clusterVersion !== null) await options.assertUsable?.(connection);
  const servicePassword = service?.password ?? newPassword();
  await prepareServiceRole(connection, servicePassword);
  await writeConnections(directory, {
    superuser: connection,
    service: asService(connection, servicePassword),
  });
  // Only in a cluster that this start has created: an older one may have users' data in a database that had a
  // connection.
  if (taken.clusterVersion === null) {
    const remaking = setTimeout(
      () => void remakeOwnDatabases(connection).catch(() => {}),
      REMAKING_DELAY_MS,
    ).unref();
    cleanups.push(async () => clearTimeout(remaking));
  }
  return followServer(
    server,
    { service: asService(connection, servicePassword), lock, cleanUp: () => cleanUp(cleanups) },
    options,
  );
}

/** The programs, and the cluster without anything that another server has left of its own. */
async function takeOver(
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

function createLauncher(
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
async function prepareCluster(
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

function toUserError(error: unknown, directory: DataDirectory, signal: AbortSignal | undefined): unknown {
  if (error instanceof EmbeddedPostgresError || signal?.aborted) return error;
  // Errors of the file system name the file; any other error is a bug of ours and stays as it is.
  return systemCode(error) === null ? error : unusable(directory.path, error);
}
