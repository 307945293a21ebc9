import type { Log } from './log.ts';

const INTERVAL_MS = 1_000;
/** Longer: some twenty background tasks retry throughout an outage. */
const BACKGROUND_INTERVAL_MS = 60_000;
/** Maximum causes that are counted one by one within an interval. */
const MAX_CAUSES = 32;
const MAX_CAUSE_CHARACTERS = 300;

/**
 * Logs failures of a great many requests at once: the first of a cause at once, then one line a second with their
 * number, and no stack. An outage of hours must not fill the disk that the log is on.
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
    const cause = causeOf(`${detail} ${describe(error)}`, this.#counts);
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

interface Failures {
  /** Failures since the last line. */
  count: number;
  parts: Set<string>;
  /** Times of the last line and of the last failure. Monotonic. */
  toldMs: number;
  failedMs: number;
}

/** Failures by log, so that all background work of a process is counted together. */
const BACKGROUND = new WeakMap<Log, Map<string, Failures>>();

/**
 * Logs a failure of background work that is tried again. The first of a cause is logged with its stack; those of all
 * parts that follow are one line a minute, with their number. A cause that did not occur for a minute is logged like
 * the first time.
 */
export function logBackgroundFailure(log: Log, part: string, error: unknown): void {
  const nowMs = performance.now();
  const failures = BACKGROUND.get(log) ?? new Map<string, Failures>();
  BACKGROUND.set(log, failures);
  for (const [cause, { failedMs }] of failures)
    if (nowMs - failedMs > BACKGROUND_INTERVAL_MS) failures.delete(cause);
  const cause = causeOf(describe(error), failures);
  const known = failures.get(cause);
  if (!known) {
    failures.set(cause, { count: 0, parts: new Set(), toldMs: nowMs, failedMs: nowMs });
    log.error({ err: error, part }, 'background work failed and is tried again');
    return;
  }
  known.count++;
  known.parts.add(part);
  known.failedMs = nowMs;
  if (nowMs - known.toldMs < BACKGROUND_INTERVAL_MS) return;
  const { count, parts } = known;
  log.error(
    { cause, failures: count, parts: [...parts].toSorted() },
    'background work failed and is tried again',
  );
  Object.assign(known, { count: 0, parts: new Set(), toldMs: nowMs });
}

/** Returns the name under which a cause is counted: its beginning, or once there are many, one for all others. */
function causeOf(text: string, counted: ReadonlyMap<string, unknown>): string {
  const cause = text.slice(0, MAX_CAUSE_CHARACTERS);
  return counted.has(cause) || counted.size < MAX_CAUSES ? cause : 'other causes';
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.message}${code}`;
}
