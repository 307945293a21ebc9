import { findPackage } from './cluster/package.ts';
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
import { type DataDirectory, layOut, openDataDirectory, unusable } from './data-directory/data-directory.ts';
import { findLastWrite } from './data-directory/last-write.ts';
import { acquireLock } from './lock/lock.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './options.ts';
import { EmbeddedPostgresError, systemCode } from './platform/errors.ts';
import { type Cleanups, createLauncher, type OpenedDirectory, prepareCluster, takeOver } from './prepare.ts';
import { remakeOwnDatabases } from './process/own-databases.ts';
import { isPostmasterOf, readPostmasterFile } from './process/postmaster-file.ts';
import { prepareServiceRole } from './process/service-role.ts';
import { makeSocketDirectory, removeSocketDirectory } from './process/socket-directory.ts';
import { followServer, type Server } from './running-server.ts';

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

async function cleanUp(cleanups: Cleanups): Promise<void> {
  for (let next = cleanups.pop(); next !== undefined; next = cleanups.pop()) await next();
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

function toUserError(error: unknown, directory: DataDirectory, signal: AbortSignal | undefined): unknown {
  if (error instanceof EmbeddedPostgresError || signal?.aborted) return error;
  // Errors of the file system name the file; any other error is a bug of ours and stays as it is.
  return systemCode(error) === null ? error : unusable(directory.path, error);
}
