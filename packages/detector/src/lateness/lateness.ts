import { MINUTE_MS } from '../state/durations.ts';

/** Time from capture to receipt beyond which events are late. */
export const LATE_MS = 5 * MINUTE_MS;

const BIN_MS = 10_000;
const MAX_BINS = 128;

/** Numbers of events by lateness; plain JSON. */
export type SavedLateness = [bin: number, events: number][];

/**
 * Bounded histogram of lateness in bins of 10 seconds. Excess bins are merged from the lighter end, so the quartiles stay exact
 * unless the bins lie further apart than those of any steady delivery.
 */
export class Lateness {
  #bins: Map<number, number>;

  constructor(saved: SavedLateness = []) {
    this.#bins = new Map(saved);
  }

  /** Largest lateness, in milliseconds; NaN without events. */
  get mostMs(): number {
    return (this.#sorted().at(-1)?.[0] ?? Number.NaN) * BIN_MS;
  }

  add(lateMs: number, events: number): void {
    this.merge([[Math.round(lateMs / BIN_MS), events]]);
  }

  merge(others: SavedLateness): void {
    for (const [bin, events] of others) this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + events);
    this.#bound();
  }

  /** Returns the quartiles in milliseconds. */
  quartiles(): { low: number; median: number; high: number } {
    const sorted = this.#sorted();
    const events = sorted.reduce((sum, [, more]) => sum + more, 0);
    const at = (part: number) => {
      let before = 0;
      for (const [bin, more] of sorted) {
        before += more;
        if (before >= part * events) return bin * BIN_MS;
      }
      return Number.NaN;
    };
    return { low: at(0.25), median: at(0.5), high: at(0.75) };
  }

  save(): SavedLateness {
    return [...this.#bins];
  }

  #sorted(): SavedLateness {
    return [...this.#bins].toSorted(([left], [right]) => left - right);
  }

  #bound(): void {
    if (this.#bins.size <= MAX_BINS) return;
    const sorted = this.#sorted();
    while (sorted.length > MAX_BINS) {
      const isFirstLighter = eventsOf(sorted[0]) <= eventsOf(sorted.at(-1));
      const merged = isFirstLighter ? sorted.shift() : sorted.pop();
      const outermost = sorted.at(isFirstLighter ? 0 : -1);
      if (outermost) outermost[1] += eventsOf(merged);
    }
    this.#bins = new Map(sorted);
  }
}

const eventsOf = (bin: SavedLateness[number] | undefined) => bin?.[1] ?? 0;
