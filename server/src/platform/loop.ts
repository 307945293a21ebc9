import type { Log } from './log.ts';
import type { LoopMetrics } from './loop-metrics.ts';

export interface LoopOptions {
  name: string;
  /** One round of work; `again`: there is more to do; `at once`: and it need not wait for the least time to pass. */
  round: () => Promise<'again' | 'at once' | 'idle'>;
  /** How long to wait after an idle round, unless woken. */
  idleDelayMs: number;
  /** The least time from the beginning of one round to the beginning of the next (0: none). */
  minIntervalMs?: number;
  log: Log;
  metrics: { loops: LoopMetrics };
}

const MAX_FAILURE_DELAY_MS = 5_000;

/**
 * Runs rounds of work one after the other until it is stopped. A round that fails is logged and tried again
 * with growing delays; `wake()` ends the waiting; `stop()` resolves once the round under way has finished.
 */
export class Loop {
  readonly #options: LoopOptions;
  #running: Promise<void> | null = null;
  #stopping = false;
  #woken = false;
  #endWait: (() => void) | null = null;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#endWait?.();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#endWait?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { name, round, idleDelayMs, minIntervalMs = 0, log, metrics } = this.#options;
    metrics.loops.add(name);
    let failures = 0;
    while (!this.#stopping) {
      const startedAt = performance.now();
      this.#woken = false;
      let delayMs: number;
      let outcome: Awaited<ReturnType<typeof round>>;
      try {
        outcome = await round();
        delayMs = outcome === 'idle' ? idleDelayMs : 0;
        failures = 0;
        metrics.loops.recordSuccess(name);
      } catch (error) {
        delayMs = Math.min(100 * 2 ** failures++, MAX_FAILURE_DELAY_MS);
        metrics.loops.recordFailure(name);
        log.error({ err: error, loop: name, retryInMs: delayMs }, 'a round of background work failed');
        // A hint must not turn a failing round into a busy one.
        await this.#wait(delayMs, false);
        continue;
      }
      const restMs = outcome === 'at once' ? 0 : minIntervalMs - (performance.now() - startedAt);
      if (restMs > 0) await this.#wait(restMs, false);
      if (delayMs > 0) await this.#wait(Math.max(0, delayMs - Math.max(0, restMs)), true);
    }
  }

  async #wait(delayMs: number, wakeable: boolean): Promise<void> {
    if (this.#stopping || (wakeable && this.#woken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#endWait = () => {
        if (!wakeable && !this.#stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endWait = null;
  }
}
