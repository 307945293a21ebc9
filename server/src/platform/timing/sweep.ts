const INTERVAL_MS = 250;

/** Calls a function at an interval for as long as it returns true: one timer for however many tasks wait. */
export class Sweep {
  readonly #sweep: () => boolean;
  #timer: NodeJS.Timeout | null = null;

  /** @param sweep returns true while there is something to sweep */
  constructor(sweep: () => boolean) {
    this.#sweep = sweep;
  }

  /** Begins the calls, unless they go on. */
  start(): void {
    this.#timer ??= setInterval(() => this.#run(), INTERVAL_MS).unref();
  }

  #run(): void {
    if (this.#sweep() || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}
