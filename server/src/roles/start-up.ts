import { randomUUID } from 'node:crypto';
import type { CopyDatabase } from '@tocsin/embedded-postgres';
import type { Config } from '../config.ts';
import { type Connection, createPool, type Pool } from '../database/database.ts';
import { type DatabaseState, OUTSIDE_DATABASE } from '../database/state.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { ListeningSockets } from '../http/sockets/listening-sockets.ts';
import { findDatabaseTime } from '../maintenance/maintenance-queries.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { Encryption } from '../platform/encryption/encryption.ts';
import type { Log } from '../platform/log.ts';
import type { LogDestination } from '../platform/log-destination.ts';
import { Loop } from '../platform/loop.ts';
import { logBackgroundFailure } from '../platform/outage-log.ts';
import type { Stoppable } from '../platform/shutdown.ts';
import { PASSWORD_COST } from '../tenancy/accounts/passwords.ts';
import { recordBuild } from './build-info.ts';
import { createDatabaseWatch, type DatabaseWatch } from './database-watch.ts';
import { startEmbeddedDatabase } from './embedded-database.ts';
import { findKeys } from './encryption-keys.ts';
import { startIdleHeap } from './idle-heap.ts';
import { startIngestion } from './ingestion.ts';
import { joinEmbeddedDatabase } from './joined-database.ts';
import { startManagement } from './management.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { startMetricsServer } from './metrics-server.ts';
import { prepareDatabase } from './prepare-database.ts';
import type { KeeperPipe } from './restart/keeper.ts';
import type { PoolLimits, Role, RoleContext } from './role.ts';
import type { RoleName } from './role-names.ts';
import { startupBanner } from './startup-banner.ts';
import { startWorker } from './worker.ts';

/** Parts of the process, each once it must be stopped. */
export interface Parts {
  /** Parts that a new process has, too. */
  serving: Stoppable[];
  /** Parts that the first process of a line keeps for the others. */
  kept: Stoppable[];
}

export interface Startup {
  config: Config;
  copyDatabase: CopyDatabase;
  output: LogDestination;
  log: Log;
  parts: Parts;
  /** Ends the process with an exit code. */
  end: (exitCode: number) => void;
  sockets: ListeningSockets;
  keeper: KeeperPipe | null;
}

/** Starts everything that the roles need, and the roles. */
export async function startUp(roleNames: RoleName[], startup: Startup): Promise<void> {
  const { config, output, log, parts, sockets } = startup;
  const metrics = createMetrics(roleNames);
  metrics.measureLogLinesLost(() => output.linesLost);
  const database = await openDatabase(startup, metrics);
  // The data directory belongs to this process by now.
  const encryption = new Encryption(await findKeys(config));
  const databaseWatch = await createDatabaseWatch({ clock: systemClock, log, metrics, roleNames }, config);
  const context = createContext({ config, log, metrics, encryption, sockets }, database, databaseWatch);
  parts.serving.push({ endPool: () => context.pool.end() });
  await prepareDatabase(context);
  parts.serving.push(databaseWatch.start(context.createLoop, context.pool));
  await recordBuild(context.metrics);
  const roles = await startRoles(roleNames, context, parts.serving);
  const metricsServer = await startMetricsServer(context, roleNames);
  if (metricsServer) parts.serving.push(metricsServer);
  const idleHeap = startIdleHeap(log, metrics);
  if (idleHeap) parts.serving.push({ finishBatch: () => idleHeap.stop() });
  log.info({ roles: roleNames }, 'started');
  output.write(startupBanner(config, roles));
}

interface OpenedDatabase {
  connection: Connection;
  state: DatabaseState;
}

async function openDatabase(
  { config, copyDatabase, log, parts, end, keeper }: Startup,
  metrics: Metrics,
): Promise<OpenedDatabase> {
  if (config.databaseUrl) {
    const connection = { connectionString: config.databaseUrl };
    return { connection, state: OUTSIDE_DATABASE };
  }
  if (keeper) {
    const joined = await joinEmbeddedDatabase({ config, log, metrics });
    parts.serving.push(joined);
    return joined;
  }
  const database = await startEmbeddedDatabase({ config, copyDatabase, log, metrics, onLost: () => end(1) });
  parts.kept.push(database);
  return database;
}

function createContext(
  parts: Pick<RoleContext, 'config' | 'log' | 'metrics' | 'encryption' | 'sockets'>,
  { connection, state }: OpenedDatabase,
  { positions }: DatabaseWatch,
): RoleContext {
  const { config, log, metrics } = parts;
  const makePool = (applicationName: string, options: PoolLimits = {}): Pool => {
    const pool = createPool({
      connection,
      applicationName,
      maxConnections: config.databasePoolSize,
      onError: (error) => logBackgroundFailure(log, applicationName, error),
      ...options,
      positions,
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
    waitFactor: 1,
    createPool: makePool,
    createLoop: (declaration) => new Loop({ ...declaration, log, metrics }),
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
