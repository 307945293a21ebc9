import type { Fields } from './request.ts';

/** How late an event may arrive after it was captured and still be printed. */
const OVERLAP_MS = 60_000;
/** The ids that are remembered: a page of the list, so that each round reads about one page that is known already. */
const MAX_REMEMBERED = 500;

/**
 * Which events were printed.
 *
 * Guarantee: `take` returns no event twice, if each call gets events after the `horizonMs` of the moment at which their
 * list was begun, and every event after it that was not there before.
 */
export class PrintedEvents {
  /** When each was captured, by its id, in the order of printing. */
  readonly #remembered = new Map<string, number>();
  #horizonMs: number;

  /** @param serverTimeMs the clock of the server; null: not known */
  constructor(serverTimeMs: number | null) {
    // `Date` has whole seconds.
    this.#horizonMs = (serverTimeMs ?? 0) - 1_000;
  }

  /** Events that were captured until then are not asked for any more. */
  get horizonMs(): number {
    return Math.max(0, this.#horizonMs);
  }

  /** Those of the events that were not printed before, which count as printed from now on. */
  take(events: Fields[], serverTimeMs: number | null): Fields[] {
    const fresh: Fields[] = [];
    for (const event of events) {
      const id = String(event['id']);
      if (this.#remembered.has(id)) continue;
      this.#remembered.set(id, Date.parse(String(event['capturedAt'])));
      fresh.push(event);
    }
    this.#forgetOld(serverTimeMs);
    return fresh;
  }

  /** What is forgotten moves the horizon, behind which nothing is read again. */
  #forgetOld(serverTimeMs: number | null): void {
    let newestMs = 0;
    for (const capturedAtMs of this.#remembered.values()) newestMs = Math.max(newestMs, capturedAtMs);
    // The clock of a sender may be ahead: that is not to hide the events of the minutes until then.
    const oldestMs = Math.min(newestMs, serverTimeMs ?? newestMs) - OVERLAP_MS;
    for (const [id, capturedAtMs] of this.#remembered) {
      if (this.#remembered.size <= MAX_REMEMBERED && capturedAtMs > oldestMs) continue;
      this.#remembered.delete(id);
      this.#horizonMs = Math.max(this.#horizonMs, capturedAtMs);
    }
    this.#horizonMs = Math.max(this.#horizonMs, oldestMs);
  }
}
