import { isatty } from 'node:tty';
import type { Log } from '../../platform/log.ts';

export interface Signals {
  /** Resolves to the exit code when the process is to end. */
  ended: Promise<number>;
  end: (exitCode: number) => void;
  /** Answers further signals for a restart in another way. */
  passOnRestarts: (restart: () => void) => void;
  stopFollowing: () => void;
}

const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Follows the signals to this process. The first one that ends it counts: a terminal sends a Ctrl-C to npm and to the
 * service, and npm forwards it, so later signals must not cut the shutdown short. SIGHUP restarts, as SIGUSR2 does, but for
 * a process in a terminal: there it says that the terminal was closed.
 */
export function followSignals(
  log: Log,
  onRestart: () => void,
  isInTerminal = [0, 1, 2].some((fd) => isatty(fd)),
): Signals {
  let end: (exitCode: number) => void = () => {};
  let restart = onRestart;
  const ended = new Promise<number>((resolve) => (end = resolve));
  const stop = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    end(0);
  };
  const startAnew = () => restart();
  const listeners = new Map<NodeJS.Signals, (signal: NodeJS.Signals) => void>([
    ...END_SIGNALS.map((signal) => [signal, stop] as const),
    ['SIGHUP', isInTerminal ? stop : startAnew],
    ['SIGUSR2', startAnew],
  ]);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    ended,
    end,
    passOnRestarts: (next) => (restart = next),
    stopFollowing: () => {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}
