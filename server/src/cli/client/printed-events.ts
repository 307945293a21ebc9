import type { Fields } from './request.ts';

/** Maximum time between an event's capture and its arrival for it to be printed. */
const OVERLAP_MS = 60_000;
/** Maximum remembered ids: a page of the list, so that each round reads about one page that is known already. */
const MAX_REMEMBERED = 500;

/**
 * Remembers which events were printed.
 *
 * Guarantee: `take` returns no event twice, if each call gets the events after the `horizonMs` of the moment at which
 * their list was begun, and every event after it that was not there before.
 */
export class PrintedEvents {
  /** Time of capture by id, in the order of printing. */
  readonly #remembered = new Map<string, number>();
  #horizonMs: number;

  /** @param serverTimeMs clock of the server; null: not known */
  constructor(serverTimeMs: number | null) {
    // `Date` has whole seconds.
    this.#horizonMs = (serverTimeMs ?? 0) - 1_000;
  }

  /** Time of capture up to which events are not read any more. */
  get horizonMs(): number {
    return Math.max(0, this.#horizonMs);
  }

  /** Returns the events that were not printed before, which count as printed from now on. */
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

  /** Forgets old events, which moves the horizon: nothing before it is read again. */
  #forgetOld(serverTimeMs: number | null): void {
    let newestMs = 0;
    for (const capturedAtMs of this.#remembered.values()) newestMs = Math.max(newestMs, capturedAtMs);
    // A sender's clock may be ahead: that must not hide the events of the minutes until then.
    const oldestMs = Math.min(newestMs, serverTimeMs ?? newestMs) - OVERLAP_MS;
    for (const [id, capturedAtMs] of this.#remembered) {
      if (this.#remembered.size <= MAX_REMEMBERED && capturedAtMs > oldestMs) continue;
      this.#remembered.delete(id);
      this.#horizonMs = Math.max(this.#horizonMs, capturedAtMs);
    }
    this.#horizonMs = Math.max(this.#horizonMs, oldestMs);
  }
}
