import { prepareBinaries } from './cluster/binaries.ts';
import { initialiseCluster } from './cluster/cluster.ts';
import { findPackage, type PostgresPackage } from './cluster/package.ts';
import { findPreviousPrograms, type PreviousProgramsOptions } from './cluster/previous-programs.ts';
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
import { EmbeddedPostgresError, systemCode } from './platform/errors.ts';
import type { HeldLock } from './lock/held-lock.ts';
import { acquireLock, type LockOptions } from './lock/lock.ts';
import { clearPostmasterFile, endOrphan } from './process/orphan.ts';
import { remakeOwnDatabases } from './process/own-databases.ts';
import { type Exit, launchPostmaster } from './process/postmaster.ts';
import { isPostmasterOf, readPostmasterFile } from './process/postmaster-file.ts';
import { launchUntilReady } from './process/readiness.ts';
import { resetPassword } from './process/reset-password.ts';
import { prepareServiceRole } from './process/service-role.ts';
import { makeSocketDirectory, removeSocketDirectory } from './process/socket-directory.ts';
import { chooseIdentity, DEFAULT_UID } from './root/run-as.ts';

export interface EmbeddedPostgres {
  /** Connection settings for node-pg: a Unix socket. Its role owns the database, and is no superuser. */
  connection: Connection;
  /** The same for a superuser: for maintenance alone. */
  maintenance: Connection;
  /**
   * Stops the server by a fast shutdown; resolves when it is gone and the data directory free. May be called again.
   */
  stop(): Promise<void>;
  /** Resolves if the current server ends without `stop()` having been called; `stop()` then only cleans up. */
  readonly exited: Promise<Exit>;
  /** Resolves when another process has taken over the data directory: the server is ended, and must not run again. */
  readonly lost: Promise<void>;
  /** Last output of the server. */
  lastLines(): string;
  /**
   * Starts the server again after it has ended by itself, at the same address.
   * @throws EmbeddedPostgresError `start_failed`; or the signal's reason, with nothing left running
   */
  relaunch(signal: AbortSignal): Promise<void>;
}

export interface EmbeddedPostgresOptions extends PreviousProgramsOptions {
  dataDirectory: string;
  /** Receives PostgreSQL's log, line by line; never a password. */
  log?: (line: string) => void;
  /** Receives messages for the person who starts the service, in sentences. */
  warn?: (message: string) => void;
  /** PostgreSQL settings that override ours. */
  settings?: Record<string, string>;
  /** Aborts a start in progress, which then rejects with the signal's reason and leaves nothing running. */
  signal?: AbortSignal;
  /** Location of the programs; by default the npm package for this machine. */
  source?: PostgresPackage;
  /** Uid under which it runs for root, if neither cluster nor data directory belong to another account. */
  uid?: number;
  /** How other users of the data directory are detected; the defaults suit real use. */
  lock?: Pick<LockOptions, 'place' | 'renewEveryMs' | 'silenceMs'>;
}

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

interface Opened {
  source: PostgresPackage;
  directory: DataDirectory;
  lock: HeldLock;
  cleanups: Cleanups;
}

async function start(
  { source, directory, lock, cleanups }: Opened,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log = () => {}, warn = () => {}, settings = {}, signal } = options;
  signal?.throwIfAborted();
  const chosen = await chooseIdentity(directory.cluster, directory.path, options.uid ?? DEFAULT_UID, warn);
  const binaries = await prepareBinaries(source, chosen);
  cleanups.push(() => binaries.dispose());
  await finishUpgrade(directory);
  const clusterVersion = await readClusterVersion(directory);
  const previous = await findPreviousPrograms(
    clusterVersion,
    binaries.majorVersion,
    directory.cluster,
    options,
  );

  await endOrphan(directory.cluster, log);
  const lockSocket = await lock.listen();
  await clearPostmasterFile(directory.cluster);
  const identity = clusterVersion === null ? chosen : await takeOverCluster(directory, chosen, warn);
  await removeUnfinishedClusters(directory);
  const previousConnections = await readConnections(directory);
  if (previousConnections !== null) await removeSocketDirectory(previousConnections.superuser.host);

  const socketDirectory = await makeSocketDirectory(identity);
  cleanups.push(() => removeSocketDirectory(socketDirectory));
  const password = previousConnections?.superuser.password ?? newPassword();
  const servicePassword = previousConnections?.service?.password ?? newPassword();
  const connection = { host: socketDirectory, port: PORT, user: SUPERUSER, password, database: DATABASE };
  const launch = (overrides: Record<string, string>, launchSignal: AbortSignal | undefined) => {
    const launchOnce = () =>
      launchPostmaster({
        ...binaries,
        identity,
        cluster: directory.cluster,
        socketDirectory,
        settings: { ...settings, ...overrides },
        lockSocket,
        log,
      });
    return launchUntilReady(launchOnce, directory.cluster, connection, launchSignal);
  };
  signal?.throwIfAborted();
  if (clusterVersion === null) {
    // The password first: a cluster with an unknown password would be of no use.
    await writeConnections(directory, { superuser: connection, service: null });
    const sync = settings['fsync'] !== 'off';
    await initialiseCluster({
      ...binaries,
      identity,
      directory,
      password,
      sync,
      signal,
    });
  } else {
    const passwordIsLost = previousConnections === null;
    if (previous !== null) {
      const parts = { directory, binaries, identity, connection, settings, lockSocket, log, warn, signal };
      await upgradeCluster({ ...previous, ...parts, passwordIsLost });
    } else if (passwordIsLost) await resetPassword((overrides) => launch(overrides, signal), connection);
    await writeConnections(directory, { superuser: connection, service: null });
  }
  let postmaster = await launch({}, signal);
  cleanups.push(() => postmaster.stop());
  await prepareServiceRole(connection, servicePassword);
  const service = asService(connection, servicePassword);
  await writeConnections(directory, { superuser: connection, service });
  // Only in a cluster that this start has created: an older one may have users' data in a database that had a
  // connection.
  if (clusterVersion === null) {
    const remaking = setTimeout(
      () => void remakeOwnDatabases(connection).catch(() => {}),
      REMAKING_DELAY_MS,
    ).unref();
    cleanups.push(async () => clearTimeout(remaking));
  }
  let isLost = false;
  void lock.lost.then(() => {
    isLost = true;
    warn(`Another process has taken over ${directory.path}: PostgreSQL is ended at once.`);
    postmaster.abort();
  });

  let stopping: Promise<void> | undefined;
  return {
    connection: service,
    maintenance: connection,
    stop: () => (stopping ??= cleanUp(cleanups)),
    get exited() {
      return postmaster.exited.then((exit) => (stopping === undefined ? exit : new Promise<never>(() => {})));
    },
    lost: lock.lost,
    lastLines: () => postmaster.lastLines(),
    relaunch: async (relaunchSignal) => {
      await endOrphan(directory.cluster, log);
      await clearPostmasterFile(directory.cluster);
      if (isLost) return;
      postmaster = await launch({}, relaunchSignal);
      if (isLost) postmaster.abort();
    },
  };
}

function toUserError(error: unknown, directory: DataDirectory, signal: AbortSignal | undefined): unknown {
  if (error instanceof EmbeddedPostgresError || signal?.aborted) return error;
  // Errors of the file system name the file; any other error is a bug of ours and stays as it is.
  return systemCode(error) === null ? error : unusable(directory.path, error);
}
