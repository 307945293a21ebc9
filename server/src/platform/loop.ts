import type { Log } from './log.ts';
import type { LoopMetrics } from './loop-metrics.ts';
import { logBackgroundFailure } from './outage-log.ts';

/** A loop as its owner declares it; the role that runs it adds the rest. */
export interface LoopDeclaration {
  name: string;
  /**
   * Runs one round of work. `again`: there is more to do; `at once`: there is, and it need not wait for the minimum
   * interval; `done`: it did something, and knows of no more; `idle`: there was nothing to do. `stopping` ends a long
   * round.
   */
  round: (stopping: AbortSignal) => Promise<'again' | 'at once' | 'done' | 'idle'>;
  /** Wait after a round that knows of nothing more, unless woken; a function is called each time. */
  idleDelayMs: number | (() => number);
  /**
   * Minimum time from the beginning of a round that did something to the beginning of the next (0: none); a function
   * receives the duration of that round. After an idle round `wake()` begins the next one at once.
   */
  minIntervalMs?: number | ((tookMs: number) => number);
}

export interface LoopOptions extends LoopDeclaration {
  log: Log;
  metrics: { loops: LoopMetrics };
}

const MAX_FAILURE_DELAY_MS = 5_000;

/**
 * Runs rounds of work one after the other until it is stopped. A round that fails is logged and tried again with
 * growing delays; `wake()` ends the waiting; `stop()` resolves once the round in progress has finished.
 */
export class Loop {
  readonly #options: LoopOptions;
  #running: Promise<void> | null = null;
  readonly #stopping = new AbortController();
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
    this.#stopping.abort();
    this.#endWait?.();
    await this.#running;
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    const { name, round, idleDelayMs, minIntervalMs = 0, log, metrics } = this.#options;
    metrics.loops.add(name);
    let failures = 0;
    // Earliest time of the next round.
    let restsUntil = Number.NEGATIVE_INFINITY;
    while (!this.#isStopping) {
      const startedAt = performance.now();
      this.#woken = false;
      let outcome: Awaited<ReturnType<typeof round>>;
      try {
        outcome = await round(this.#stopping.signal);
        failures = 0;
        metrics.loops.recordSuccess(name);
      } catch (error) {
        const delayMs = Math.min(100 * 2 ** failures++, MAX_FAILURE_DELAY_MS);
        metrics.loops.recordFailure(name);
        logBackgroundFailure(log, name, error);
        // A hint must not turn a failing round into a busy loop.
        await this.#wait(delayMs, false);
        continue;
      }
      const tookMs = performance.now() - startedAt;
      if (outcome === 'again' || outcome === 'done')
        restsUntil = startedAt + (typeof minIntervalMs === 'number' ? minIntervalMs : minIntervalMs(tookMs));
      if (outcome === 'idle' || outcome === 'done')
        await this.#wait(typeof idleDelayMs === 'number' ? idleDelayMs : idleDelayMs(), true);
      const restMs = outcome === 'at once' ? 0 : restsUntil - performance.now();
      if (restMs > 0) await this.#wait(restMs, false);
    }
  }

  async #wait(delayMs: number, wakeable: boolean): Promise<void> {
    if (this.#isStopping || (wakeable && this.#woken)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#endWait = () => {
        if (!wakeable && !this.#isStopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endWait = null;
  }
}
