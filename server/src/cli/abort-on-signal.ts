import { CommandError } from '../platform/command-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work` with a signal that aborts at the first Ctrl-C, SIGTERM or SIGHUP; `work` must then clean up and end.
 * The second one ends the process at once.
 * @throws CommandError in place of any error of an aborted `work`
 */
export async function abortOnSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
