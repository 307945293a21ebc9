/** Events that were captured longer than this before their receipt are late: they say nothing about now. */
export const LATE_MS = 5 * 60_000;

const BIN_MS = 10_000;
const MAX_BINS = 128;

/** How many events came how late; plain JSON. */
export type SavedLateness = [bin: number, events: number][];

/**
 * A histogram of lateness in bins of 10 seconds, bounded. Of more bins than it holds, the outermost are merged from the
 * lighter end, so the quartiles stay exact unless the bins lie further apart than any steady delivery.
 */
export class Lateness {
  readonly #bins: Map<number, number>;

  constructor(saved: SavedLateness = []) {
    this.#bins = new Map(saved);
  }

  /** The earliest and the latest, in milliseconds; both NaN while there are none. */
  get range(): { leastMs: number; mostMs: number } {
    const sorted = this.#sorted();
    const [least, most] = [sorted[0]?.[0] ?? Number.NaN, sorted.at(-1)?.[0] ?? Number.NaN];
    return { leastMs: least * BIN_MS, mostMs: most * BIN_MS };
  }

  add(lateMs: number, events: number): void {
    this.#addToBin(Math.round(lateMs / BIN_MS), events);
    this.#bound();
  }

  merge(others: SavedLateness): void {
    for (const [bin, events] of others) this.#addToBin(bin, events);
    this.#bound();
  }

  /** In milliseconds. */
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

  #addToBin(bin: number, events: number): void {
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + events);
  }

  #sorted(): SavedLateness {
    return [...this.#bins].toSorted(([left], [right]) => left - right);
  }

  #bound(): void {
    if (this.#bins.size <= MAX_BINS) return;
    const sorted = this.#sorted();
    let [first, last] = [0, sorted.length - 1];
    while (last - first >= MAX_BINS) {
      const [lowest, second] = [sorted[first], sorted[first + 1]];
      const [beforeLast, highest] = [sorted[last - 1], sorted[last]];
      if (!lowest || !second || !beforeLast || !highest) return;
      if (lowest[1] <= highest[1]) {
        second[1] += lowest[1];
        first++;
      } else {
        beforeLast[1] += highest[1];
        last--;
      }
    }
    this.#bins.clear();
    for (const [bin, events] of sorted.slice(first, last + 1)) this.#bins.set(bin, events);
  }
}
