import { CommandError } from '../platform/command-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work`, which has to end and clear up soon after its signal aborts: at the first Ctrl-C or SIGTERM.
 * The second one ends the process at once.
 * @throws CommandError in place of whatever an interrupted work throws
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => {
    stopListening();
    controller.abort();
  };
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new CommandError('Interrupted.', { cause: error }) : error;
  } finally {
    stopListening();
  }
}
