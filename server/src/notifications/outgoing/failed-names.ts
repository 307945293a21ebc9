const MEMORY_MS = 30_000;
const MAX_NAMES = 10_000;

/** Names whose look-up has failed within half a minute, each with its error. */
export class FailedNames<Failure extends Error> {
  readonly #monotonicMs: () => number;
  /** Sorted by the time of failure. */
  readonly #failures = new Map<string, { error: Failure; untilMs: number }>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** @throws the error of the look-up */
  assertNone(host: string): void {
    const failure = this.#failures.get(host);
    if (failure && failure.untilMs > this.#monotonicMs()) throw failure.error;
  }

  add(host: string, error: Failure): void {
    this.#failures.delete(host);
    this.#failures.set(host, { error, untilMs: this.#monotonicMs() + MEMORY_MS });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_NAMES && oldest !== undefined) this.#failures.delete(oldest);
  }
}
