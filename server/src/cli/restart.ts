import { setTimeout as delay } from 'node:timers/promises';
import { findHolder } from '@tocsin/embedded-postgres';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { CommandError } from '../platform/command-error.ts';
import { awaitRestart } from '../roles/restart/await-restart.ts';
import { readServiceFile, type ServiceFile } from '../roles/restart/service-file.ts';

const POLL_INTERVAL_MS = 100;

/** `tocsin restart` */
export function defineRestart(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('restart')
    .description('Restart the service that uses DATA_DIR: no connection is refused, no request is cut.')
    .addHelpText(
      'after',
      `
A new process takes over the listening sockets; it has the environment of the old one. If it does not start, the
old one goes on. With DATABASE_URL, send SIGHUP to the process instead: kill -HUP PID.

Example, after an update of the program:
  $ tocsin restart`,
    )
    .action(async () => {
      const { databaseUrl, dataDirectory } = readConfig(environment);
      if (databaseUrl)
        throw new CommandError(
          'With DATABASE_URL, send SIGHUP to the process that is to restart: kill -HUP PID.',
        );
      const before = await findService(dataDirectory);
      if (before === null) throw new CommandError(`No service that is seen from here uses ${dataDirectory}.`);
      process.kill(before.pid, 'SIGUSR2');
      const startMs = performance.now();
      const { servingPid, problem } = await awaitRestart({
        before,
        readFile: () => readServiceFile(dataDirectory),
        isRunning: async () => (await findHolder(dataDirectory)) === before.pid,
        wait: async () => {
          await delay(POLL_INTERVAL_MS);
          return performance.now() - startMs;
        },
      });
      if (problem !== null)
        throw new CommandError(
          `The service goes on as process ${servingPid}, since the new one failed: ${problem}.`,
        );
      process.stdout.write(`Process ${servingPid} serves now.\n`);
    });
}

/** Returns the service that runs; null for a directory that nothing uses, or a command such as `tocsin restore`. */
async function findService(dataDirectory: string): Promise<ServiceFile | null> {
  const service = await readServiceFile(dataDirectory);
  return service !== null && service.pid === (await findHolder(dataDirectory)) ? service : null;
}
