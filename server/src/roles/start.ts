import { setTimeout as delay } from 'node:timers/promises';
import type { CopyDatabase } from '@tocsin/embedded-postgres';
import { type Config, readConfig } from '../config.ts';
import { ListeningSockets } from '../http/sockets/listening-sockets.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog, type Log, openStandardOutput } from '../platform/log.ts';
import { REPLACED, shutDown } from '../platform/shutdown.ts';
import { isoTime } from '../platform/time.ts';
import { readInheritedDescriptors } from './restart/inherited-descriptors.ts';
import { findKeeper, type KeeperPipe, ServingLine } from './restart/keeper.ts';
import { Restart, type RestartOptions } from './restart/restart.ts';
import { readServiceFile, writeServiceFile } from './restart/service-file.ts';
import { followSignals, type Signals } from './restart/signals.ts';
import { KEEPER, type Successor, tellReady } from './restart/successor.ts';
import type { RoleName } from './role-names.ts';
import { type Parts, startUp } from './start-up.ts';

/** How long the end of the process waits for the reader of its log. */
const LAST_LINES_LIMIT_MS = 1_000;
/** How long a process that is to end finishes the requests that it had when another one took its place. */
const LAST_REQUESTS_LIMIT_MS = 3_000;

/**
 * Runs the roles until a signal ends them. After a restart another process does, and this one keeps the embedded database.
 * `copyDatabase` is for data of an older major version of PostgreSQL.
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
  const inherited = readInheritedDescriptors(environment, process.pid);
  const keeper = findKeeper(inherited);
  const sockets = new ListeningSockets(inherited.filter(({ name }) => name !== KEEPER));
  const parts: Parts = { serving: [], kept: [] };
  const restart = new Restart({
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? '', 'start', ...roleNames],
    environment,
    listSockets: () => sockets.descriptors(),
    keeper,
    log,
    record: recordService(config, keeper),
  });
  const signals = followSignals(log, () => void restart.request());
  void keeper?.gone.then(() => {
    log.error('the process that was started first has ended: this one ends');
    signals.end(1);
  });
  const { end } = signals;
  const startup = startUp(roleNames, { config, copyDatabase, output, log, parts, end, sockets, keeper });
  try {
    // A signal ends the start at any point, even while it waits for a lock.
    if ((await Promise.race([startup, signals.ended])) === undefined) {
      await restart.allow();
      tellReady();
    }
    const next = await Promise.race([restart.replaced, signals.ended]);
    if (typeof next === 'object') return await leave(next, { keeper, log, parts, signals });
    await restart.forbid();
    const isClean = await shutDown([...parts.serving, ...parts.kept], log);
    const exitCode = isClean ? next : 1;
    keeper?.tellEnded(process.pid, exitCode);
    return exitCode;
  } catch (error) {
    await shutDown([...parts.serving, ...parts.kept], log);
    throw error;
  } finally {
    signals.stopFollowing();
    await output.flush(LAST_LINES_LIMIT_MS);
  }
}

interface Leaving {
  keeper: KeeperPipe | null;
  log: Log;
  parts: Parts;
  signals: Signals;
}

/**
 * Finishes the requests of a process in whose place another one serves. The first of the line then stays until the last one
 * ends: the system knows the service by its id, and the embedded database is its child.
 */
async function leave(successor: Successor, { keeper, log, parts, signals }: Leaving): Promise<number> {
  const left = shutDown(parts.serving, log, REPLACED);
  if (keeper || !successor.pipe) {
    await Promise.race([left, keeper?.gone]);
    return 0;
  }
  const line = new ServingLine(successor.pid, successor.pipe);
  signals.passOnRestarts(() => line.signal('SIGUSR2'));
  void left.then(() => globalThis.gc?.());
  const stopped = signals.ended.then(async (exitCode) => {
    await line.stop();
    return exitCode;
  });
  const exitCode = await Promise.race([line.ended, stopped]);
  await Promise.race([left, delay(LAST_REQUESTS_LIMIT_MS)]);
  return (await shutDown(parts.kept, log)) ? exitCode : 1;
}

/** Returns what records the process that serves, for `tocsin restart`; with another database than the embedded one nothing. */
function recordService(
  { databaseUrl, dataDirectory }: Config,
  keeper: KeeperPipe | null,
): RestartOptions['record'] {
  if (databaseUrl) return async () => {};
  return async (state) => {
    const first = keeper ? (await readServiceFile(dataDirectory))?.pid : null;
    const pid = first ?? process.pid;
    await writeServiceFile(dataDirectory, { ...state, pid, at: isoTime(systemClock.now()) });
  };
}
