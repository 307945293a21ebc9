import {
  FreeSpace,
  findPackage,
  findRunningPostgres,
  layOut,
  readClusterVersion,
} from '@tocsin/embedded-postgres';
import type { Config } from '../config.ts';
import { CommandError } from '../platform/command-error.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import { describeState, type EmbeddedDatabase, registerEmbeddedMetrics } from './embedded-database.ts';
import type { Metrics } from './metrics.ts';

/** Half of the time that a PostgreSQL which ended is away at least. */
const INTERVAL_MS = 250;

/**
 * Uses the embedded PostgreSQL of the process before this one, which goes on keeping it, and follows its state.
 * @throws CommandError if it is not there, or this program has another major version of it
 */
export async function joinEmbeddedDatabase({
  config: { dataDirectory },
  log,
  metrics,
}: {
  config: Config;
  log: Log;
  metrics: Metrics;
}): Promise<EmbeddedDatabase> {
  const connection = await findRunningPostgres(dataDirectory);
  if (connection === null) throw new CommandError('The embedded PostgreSQL does not run.');
  const [running, { version }] = [await readClusterVersion(layOut(dataDirectory)), await findPackage()];
  if (!version.startsWith(`${running}.`))
    throw new CommandError(
      `The embedded PostgreSQL that runs is ${running}, this version has ${version}: stop and start the service.`,
    );
  // Its keeper logs what changes.
  const space = new FreeSpace({
    dataDirectory,
    log: log.child({}, { level: 'silent' }),
    keepsReserve: false,
  });
  const server = { isDown: false, restarts: 0 };
  const loop = new Loop({
    name: 'embedded database',
    round: async () => {
      const isDown = (await findRunningPostgres(dataDirectory)) === null;
      if (server.isDown && !isDown) server.restarts++;
      server.isDown = isDown;
      await space.measure();
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
    log,
    metrics,
  });
  loop.start();
  registerEmbeddedMetrics(metrics.registry, space, server);
  return { connection, state: describeState(space, server), stopDatabase: () => loop.stop() };
}
