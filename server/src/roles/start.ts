import { randomUUID } from 'node:crypto';
import type { CopyDatabase } from '@tocsin/embedded-postgres';
import { type Config, readConfig } from '../config.ts';
import { type Connection, createPool, type Pool } from '../database/database.ts';
import { type DatabaseState, OUTSIDE_DATABASE } from '../database/state.ts';
import type { HttpApp } from '../http/http-app.ts';
import { findDatabaseTime } from '../maintenance/maintenance-queries.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { Encryption } from '../platform/encryption/encryption.ts';
import { createLog, type Log, openStandardOutput } from '../platform/log.ts';
import type { LogDestination } from '../platform/log-destination.ts';
import { logBackgroundFailure } from '../platform/outage-log.ts';
import { type Stoppable, shutDown } from '../platform/shutdown.ts';
import { PASSWORD_COST } from '../tenancy/accounts/passwords.ts';
import { recordBuild } from './build-info.ts';
import { startEmbeddedDatabase } from './embedded-database.ts';
import { findKeys } from './encryption-keys.ts';
import { startIdleHeap } from './idle-heap.ts';
import { startIngestion } from './ingestion.ts';
import { startManagement } from './management.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { startMetricsServer } from './metrics-server.ts';
import { prepareDatabase } from './prepare-database.ts';
import type { PoolLimits, Role, RoleContext } from './role.ts';
import type { RoleName } from './role-names.ts';
import { startupBanner } from './startup-banner.ts';
import { startWorker } from './worker.ts';

/** How long the end of the process waits for the reader of its log. */
const LAST_LINES_LIMIT_MS = 1_000;

/**
 * Runs the roles until a signal ends them. `copyDatabase` is for data of an older major version of PostgreSQL.
 * @returns the exit code: 0 after a clean stop
 * @throws any error that prevents the start; the parts that were started by then are stopped
 */
export async function start(
  roleNames: RoleName[],
  environment: NodeJS.ProcessEnv,
  copyDatabase: CopyDatabase,
): Promise<number> {
  const config = readConfig(environment);
  const output = openStandardOutput(systemClock);
  const log = createLog(config.logLevel, output);
  const parts: Stoppable[] = [];
  const ended = waitForEnd(log);
  const startup = startUp(roleNames, { config, copyDatabase, output, log, parts, end: ended.end });
  try {
    // A signal ends the start at any point, even while it waits for a lock.
    await Promise.race([startup, ended.promise]);
    const exitCode = await ended.promise;
    return (await shutDown(parts, log)) ? exitCode : 1;
  } catch (error) {
    await shutDown(parts, log);
    throw error;
  } finally {
    ended.stopWaiting();
    await output.flush(LAST_LINES_LIMIT_MS);
  }
}

interface Startup {
  config: Config;
  copyDatabase: CopyDatabase;
  output: LogDestination;
  log: Log;
  /** Receives each part once it must be stopped. */
  parts: Stoppable[];
  /** Ends the process with an exit code. */
  end: (exitCode: number) => void;
}

async function startUp(roleNames: RoleName[], startup: Startup): Promise<void> {
  const { config, output, log, parts } = startup;
  const metrics = createMetrics(roleNames);
  metrics.measureLogLinesLost(() => output.linesLost);
  const database = await openDatabase(startup, metrics);
  // The data directory belongs to this process by now.
  const encryption = new Encryption(await findKeys(config));
  const context = createContext({ config, log, metrics, encryption }, database);
  parts.push({ endPool: () => context.pool.end() });
  await prepareDatabase(context);
  await recordBuild(context.metrics);
  const roles = await startRoles(roleNames, context, parts);
  const metricsServer = await startMetricsServer(context, roleNames);
  if (metricsServer) parts.push(metricsServer);
  const idleHeap = startIdleHeap(log, metrics);
  if (idleHeap) parts.push({ finishBatch: () => idleHeap.stop() });
  log.info({ roles: roleNames }, 'started');
  output.write(startupBanner(config, roles));
}

interface OpenedDatabase {
  connection: Connection;
  state: DatabaseState;
}

async function openDatabase(
  { config, copyDatabase, log, parts, end }: Startup,
  metrics: Metrics,
): Promise<OpenedDatabase> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl };
    return { connection, state: OUTSIDE_DATABASE };
  }
  const database = await startEmbeddedDatabase({ config, copyDatabase, log, metrics, onLost: () => end(1) });
  parts.push(database);
  return database;
}

function createContext(
  parts: Pick<RoleContext, 'config' | 'log' | 'metrics' | 'encryption'>,
  { connection, state }: OpenedDatabase,
): RoleContext {
  const { config, log, metrics } = parts;
  const makePool = (applicationName: string, options: PoolLimits = {}): Pool => {
    const pool = createPool({
      connection,
      applicationName,
      maxConnections: config.databasePoolSize,
      onError: (error) => logBackgroundFailure(log, applicationName, error),
      ...options,
    });
    metrics.pools.add(applicationName, pool);
    return pool;
  };
  return {
    ...parts,
    connection,
    pool: makePool('tocsin'),
    databaseState: state,
    passwordCost: PASSWORD_COST,
    createPool: makePool,
    clock: systemClock,
    monotonicMs: () => performance.now(),
    nameServers: [],
    databaseTime: findDatabaseTime,
    processId: randomUUID(),
  };
}

/** Starts the worker first, so that it runs when ingestion accepts the first event. */
async function startRoles(roleNames: RoleName[], context: RoleContext, parts: Stoppable[]): Promise<Role[]> {
  const roles: Role[] = [];
  const add = (role: Role) => {
    roles.push(role);
    parts.push(role);
  };
  let wakeWorker = () => {};
  if (roleNames.includes('worker')) {
    const worker = await startWorker(context);
    wakeWorker = worker.wake;
    add(worker);
  }
  const isSingle = context.config.singlePort;
  let ingestion: HttpApp | null = null;
  if (roleNames.includes('ingestion')) {
    const role = await startIngestion(context, () => wakeWorker());
    ingestion = role.app;
    add(role);
  }
  if (isSingle && (ingestion !== null) !== roleNames.includes('management'))
    throw new CommandError('SINGLE_PORT needs the roles management and ingestion in one process.');
  if (roleNames.includes('management')) add(await startManagement(context, isSingle ? ingestion : null));
  return roles;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Waits for the end of the process: the first signal, or a call of `end`. A terminal sends a Ctrl-C to npm and to the
 * service, and npm forwards it: so later signals must not cut the shutdown short.
 */
function waitForEnd(log: Log) {
  let end: (exitCode: number) => void = () => {};
  const promise = new Promise<number>((resolve) => (end = resolve));
  const onSignal = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    end(0);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    promise,
    end,
    stopWaiting: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
