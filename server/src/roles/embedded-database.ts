import { type CopyDatabase, FreeSpace, Supervisor, startEmbeddedPostgres } from '@tocsin/embedded-postgres';
import { Counter, Gauge } from 'prom-client';
import type { Config } from '../config.ts';
import { assertReleasedDatabase } from '../database/assert-released-database.ts';
import type { Connection } from '../database/database.ts';
import type { DatabaseState } from '../database/state.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Stoppable } from '../platform/shutdown.ts';
import type { Metrics } from './metrics.ts';

const SPACE_INTERVAL_MS = 5_000;
const WATCHFUL_SPACE_INTERVAL_MS = 1_000;

export interface EmbeddedDatabase extends Stoppable {
  connection: Connection;
  state: DatabaseState;
}

interface EmbeddedDatabaseOptions {
  config: Config;
  copyDatabase: CopyDatabase;
  log: Log;
  metrics: Metrics;
  /** Called when another process has taken over the data directory: this one must end. */
  onLost: () => void;
}

/** Starts the embedded PostgreSQL, restarts it when it ends by itself, and watches its disk space. */
export async function startEmbeddedDatabase({
  config,
  copyDatabase,
  log,
  metrics,
  onLost,
}: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { dataDirectory } = config;
  const space = new FreeSpace({ dataDirectory, log });
  await space.makeRoom();
  const postgres = await startEmbeddedPostgres({
    dataDirectory,
    uid: config.postgresUid,
    copyDatabase,
    assertUsable: assertReleasedDatabase,
    log: (line) => log.debug({ line }, 'postgres'),
    warn: (message) => log.warn(message),
  });
  const supervisor = new Supervisor(postgres, { log, prepare: () => space.makeRoom(), onLost });
  const spaceLoop = new Loop({
    name: 'free space',
    round: async () => {
      const wasLow = space.isLow;
      const soon = await space.measure();
      if (wasLow && !space.isLow) supervisor.wake();
      return soon ? 'again' : 'idle';
    },
    idleDelayMs: SPACE_INTERVAL_MS,
    minIntervalMs: WATCHFUL_SPACE_INTERVAL_MS,
    log,
    metrics,
  });
  spaceLoop.start();
  registerEmbeddedMetrics(metrics.registry, space, supervisor);

  return {
    connection: postgres.connection,
    state: describeState(space, supervisor),
    stopDatabase: async () => {
      await Promise.all([spaceLoop.stop(), supervisor.stop()]);
    },
  };
}

export function describeState(
  space: Pick<FreeSpace, 'isLow' | 'isScarce'>,
  server: Pick<Supervisor, 'isDown'>,
): DatabaseState {
  const findOutage = () => (server.isDown ? 'PostgreSQL is being restarted.' : null);
  return {
    findOutage,
    findIntakeRefusal: () =>
      findOutage() ??
      (space.isLow ? 'The disk is nearly full: no events are accepted until it has room.' : null),
    hasRoomToStore: () => !space.isScarce,
  };
}

/** The metrics that only a process with an embedded database has. */
export function registerEmbeddedMetrics(
  registry: Metrics['registry'],
  space: Pick<FreeSpace, 'freeBytes'>,
  supervisor: Pick<Supervisor, 'restarts'>,
): void {
  const free = new Gauge({
    name: 'tocsin_data_directory_free_bytes',
    help: 'Free space of the file system that holds DATA_DIR',
    registers: [],
    collect() {
      this.set(space.freeBytes ?? Number.NaN);
    },
  });
  const restarts = new Counter({
    name: 'tocsin_postgres_restarts_total',
    help: 'Times that the embedded PostgreSQL was started again after it had ended by itself',
    registers: [],
    collect() {
      this.reset();
      this.inc(supervisor.restarts);
    },
  });
  for (const metric of [free, restarts]) registry.registerMetric(metric);
}
