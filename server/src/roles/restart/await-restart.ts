import { CommandError } from '../../platform/command-error.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import type { ServiceFile } from './service-file.ts';
import { START_LIMIT_MS } from './successor.ts';

/** Maximum time until the service begins a restart that it was asked for. */
const BEGIN_LIMIT_MS = 30_000;
/** Maximum time until a restart that has begun is over; the service itself gives up before. */
const RESTART_LIMIT_MS = START_LIMIT_MS + MINUTE_MS;

export interface RestartWatch {
  /** State of the service before it was asked to restart. */
  before: ServiceFile;
  readFile: () => Promise<ServiceFile | null>;
  /** Returns true while the service uses its data directory. */
  isRunning: () => Promise<boolean>;
  /** Waits until the next look at the service. @returns the time since it was asked in milliseconds */
  wait: () => Promise<number>;
}

/**
 * Returns the service after its restart: its new process may take as long as its migrations need.
 * @throws CommandError if no restart begins or ends within its limit, and if the service ends
 */
export async function awaitRestart({
  before,
  readFile,
  isRunning,
  wait,
}: RestartWatch): Promise<ServiceFile> {
  for (;;) {
    const waitedMs = await wait();
    const now = await readFile();
    if (now !== null && now.at !== before.at && !now.isRestarting) return now;
    if (!(await isRunning())) throw new CommandError('The service has ended.');
    if (waitedMs > RESTART_LIMIT_MS)
      throw new CommandError(
        `The restart is not over after ${RESTART_LIMIT_MS / MINUTE_MS} minutes: read the log of process ${before.pid}, then stop and start the service.`,
      );
    if (waitedMs > BEGIN_LIMIT_MS && !now?.isRestarting)
      throw new CommandError(
        `No restart began within ${BEGIN_LIMIT_MS / 1_000} seconds, and the service goes on: read the log of process ${before.pid}, then run the command again.`,
      );
  }
}
