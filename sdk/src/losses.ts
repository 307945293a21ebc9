import { oneLine } from './clean/text.ts';
import type { LossReason } from './types.ts';

/** What the console says of one loss. */
export interface Loss {
  reason: LossReason;
  /** The call, such as `capture "checkout"`. */
  subject: string;
  /** What went wrong in words or codes, such as `HTTP 400 validation_failed`. */
  detail?: string | undefined;
}

/**
 * Counts every loss and tells each in one line on `console.error`. The line never holds the API key and
 * never breaks the application, even where `console.error` throws or itself captures.
 */
export class LossLog {
  readonly #apiKey: string;
  readonly #counts = { ...NO_LOSSES };
  #printing = false;

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  lose({ reason, subject, detail = '' }: Loss): void {
    this.#counts[reason]++;
    this.print(`${this.#hideKey(subject)} was lost: ${reason}${detail && `, ${this.#hideKey(detail)}`}`);
  }

  print(text: string): void {
    // A console.error that is wired to capture would otherwise call itself without end.
    if (this.#printing) return;
    this.#printing = true;
    try {
      console.error(`[tocsin] ${text.slice(0, MAX_LINE_LENGTH)}`);
    } catch {
      // There is no other place to tell it; the count stands.
    } finally {
      this.#printing = false;
    }
  }

  counts(): Record<LossReason, number> {
    return { ...this.#counts };
  }

  /** After the text became one line, which might join the parts of a key. */
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
