import { LOSS_LINE_INTERVAL_MS } from './clean/limits.ts';
import { oneLine } from './clean/text.ts';
import type { Runtime } from './runtime.ts';
import type { LossReason } from './types.ts';

/** One loss, as the console reports it. */
export interface Loss {
  reason: LossReason;
  /** Lost call, such as `capture "checkout"`. */
  subject: string;
  /** Cause in words or codes, such as `HTTP 400 validation_failed`. */
  detail?: string | undefined;
}

/**
 * Counts every loss, and reports it on `console.error`: the first in a line of its own, those within the second after it
 * in one line with their number by reason, and so on while there are any. A line never holds the API key and never
 * breaks the application, even where `console.error` throws or itself captures.
 */
export class LossLog {
  readonly #apiKey: string;
  readonly #startTimer: Runtime['startTimer'];
  readonly #counts = { ...NO_LOSSES };
  /** Number of losses since the last line by reason; null if the next one gets its own line. */
  #unreported: Map<LossReason, number> | null = null;
  #lastUnreported: Loss | null = null;
  #printing = false;

  constructor(apiKey: string, { startTimer }: Pick<Runtime, 'startTimer'>) {
    this.#apiKey = apiKey;
    this.#startTimer = startTimer;
  }

  lose(loss: Loss): void {
    this.#counts[loss.reason]++;
    // A console.error that is wired to capture: a line about it would lead to another one forever.
    if (this.#printing) return;
    if (this.#unreported) {
      this.#unreported.set(loss.reason, (this.#unreported.get(loss.reason) ?? 0) + 1);
      this.#lastUnreported = loss;
      return;
    }
    this.#waitForMore();
    this.print(this.#describe(loss));
  }

  #waitForMore(): void {
    this.#unreported = new Map();
    this.#startTimer(LOSS_LINE_INTERVAL_MS, () => this.#reportMore());
  }

  #reportMore(): void {
    const [counts, last] = [this.#unreported, this.#lastUnreported];
    [this.#unreported, this.#lastUnreported] = [null, null];
    if (!counts || !last) return;
    this.#waitForMore();
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const byReason = [...counts].map(([reason, count]) => `${reason} ${count}`).join(', ');
    this.print(
      total === 1
        ? this.#describe(last)
        : `${total} more calls were lost (${byReason}); the last: ${this.#describe(last)}`,
    );
  }

  #describe({ reason, subject, detail = '' }: Loss): string {
    return `${this.#hideKey(subject)} was lost: ${reason}${detail && `, ${this.#hideKey(detail)}`}`;
  }

  print(text: string): void {
    // A console.error that is wired to capture would otherwise call itself without end.
    if (this.#printing) return;
    this.#printing = true;
    try {
      console.error(`[tocsin] ${text.slice(0, MAX_LINE_LENGTH)}`);
    } catch {
      // There is no other place to report it; it stays counted.
    } finally {
      this.#printing = false;
    }
  }

  counts(): Record<LossReason, number> {
    return { ...this.#counts };
  }

  /** Hides the API key. Called after the text became one line, which might join the parts of a key. */
  #hideKey(text: string): string {
    const line = oneLine(text);
    return this.#apiKey === '' ? line : line.replaceAll(this.#apiKey, '[API key]');
  }
}

const MAX_LINE_LENGTH = 600;

const NO_LOSSES: Record<LossReason, number> = {
  no_api_key: 0,
  invalid_base_url: 0,
  closed: 0,
  queue_full: 0,
  unauthorized: 0,
  refused: 0,
  rate_limited: 0,
  server_error: 0,
  timeout: 0,
  network: 0,
  invalid_response: 0,
  internal: 0,
};
