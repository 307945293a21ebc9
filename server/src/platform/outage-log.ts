import type { Log } from './log.ts';

const INTERVAL_MS = 1_000;
/** Causes told apart within an interval; those beyond count together. */
const MAX_CAUSES = 32;
const MAX_CAUSE_CHARACTERS = 300;

/**
 * Logs what fails for a great many requests at once: the first of a cause at once, then one line a second with how
 * many there were, and no stack. An outage of hours must not fill the disk that the log is on.
 */
export class OutageLog {
  readonly #log: Log;
  readonly #message: string;
  readonly #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Log, message: string) {
    this.#log = log;
    this.#message = message;
  }

  add(detail: string, error: unknown): void {
    const text = `${detail} ${describe(error)}`.slice(0, MAX_CAUSE_CHARACTERS);
    const cause = this.#counts.has(text) || this.#counts.size < MAX_CAUSES ? text : 'other causes';
    const count = this.#counts.get(cause);
    if (count === undefined) this.#log.error({ cause, requests: 1 }, this.#message);
    this.#counts.set(cause, count === undefined ? 0 : count + 1);
    this.#timer ??= setInterval(() => this.#report(), INTERVAL_MS).unref();
  }

  #report(): void {
    for (const [cause, requests] of this.#counts) {
      if (requests > 0) {
        this.#log.error({ cause, requests }, this.#message);
        this.#counts.set(cause, 0);
      } else {
        this.#counts.delete(cause);
      }
    }
    if (this.#counts.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.message}${code}`;
}
