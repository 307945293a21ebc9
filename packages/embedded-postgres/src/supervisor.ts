import type { EmbeddedPostgres } from './options.ts';
import type { Log } from './platform/log.ts';

export interface SupervisorOptions {
  log: Log;
  /** Called before each attempt to start the server again. */
  prepare: () => Promise<void>;
  /** Called when the data belongs to another process: the server is not started again. */
  onLost: () => void;
  delays?: SupervisorDelays;
}

export interface SupervisorDelays {
  firstMs: number;
  mostMs: number;
  /** Run time after which a server counts as stable: the next delay is the first one. */
  steadyMs: number;
}

const DELAYS: SupervisorDelays = { firstMs: 500, mostMs: 30_000, steadyMs: 60_000 };

/**
 * Starts PostgreSQL again whenever it ends by itself (killed for its memory, without room for its log), with delays
 * that double from attempt to attempt. Meanwhile all queries fail as they do with any database that is away, and the
 * pools reconnect afterwards: the address stays the same.
 */
export class Supervisor {
  readonly #postgres: EmbeddedPostgres;
  readonly #options: SupervisorOptions;
  readonly #delays: SupervisorDelays;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #isDown = false;
  #restarts = 0;
  #attempts = 0;
  #endWait: (() => void) | null = null;

  constructor(postgres: EmbeddedPostgres, options: SupervisorOptions) {
    this.#postgres = postgres;
    this.#options = options;
    this.#delays = options.delays ?? DELAYS;
    this.#running = this.#run();
    void postgres.lost.then(() => {
      if (this.#stopping.signal.aborted) return;
      this.#isDown = true;
      this.#endSupervision();
      options.log.fatal('another process has taken over the data directory: this one ends');
      options.onLost();
    });
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Number of restarts. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Tries at once: the next attempt is likely to succeed. */
  wake(): void {
    this.#endWait?.();
  }

  /** Ends the supervision and then the server. */
  async stop(): Promise<void> {
    this.#endSupervision();
    await this.#running;
    await this.#postgres.stop();
  }

  #endSupervision(): void {
    this.#stopping.abort();
    this.#endWait?.();
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    const stopped = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
    while (!signal.aborted) {
      const startedAt = performance.now();
      const exit = await Promise.race([this.#postgres.exited, stopped]);
      if (exit === null) return;
      this.#isDown = true;
      if (performance.now() - startedAt > this.#delays.steadyMs) this.#attempts = 0;
      const lastLines = this.#postgres.lastLines();
      log.error({ ...exit, lastLines }, 'the embedded PostgreSQL ended by itself: it is started again');
      while (!signal.aborted && !(await this.#tryRestart()));
    }
  }

  /** @returns true if the server runs */
  async #tryRestart(): Promise<boolean> {
    const { log, prepare } = this.#options;
    const { signal } = this.#stopping;
    const { firstMs, mostMs } = this.#delays;
    await this.#wait(Math.min(firstMs * 2 ** this.#attempts++, mostMs));
    if (signal.aborted) return false;
    try {
      await prepare();
      await this.#postgres.relaunch(signal);
    } catch (error) {
      if (!signal.aborted)
        log.error({ err: error }, 'the embedded PostgreSQL could not be started again yet');
      return false;
    }
    this.#restarts++;
    this.#isDown = false;
    log.warn('the embedded PostgreSQL runs again');
    return true;
  }

  async #wait(delayMs: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endWait = null;
  }
}
