import type { CountDelta } from './count-delta.ts';
import { eventsKey } from './series-key.ts';
import { MAX_SERIES, type SeriesRegistry } from './series-registry.ts';

/** Counts of steps that have not begun yet, and the series that begin with them. */
export class EarlyCounts {
  readonly #registry: SeriesRegistry;
  #deltas: CountDelta[] = [];
  readonly #newKeys = new Set<string>();

  constructor(registry: SeriesRegistry, saved: CountDelta[] = []) {
    this.#registry = registry;
    for (const delta of saved) this.add(delta);
  }

  get size(): number {
    return this.#deltas.length;
  }

  get newSeries(): number {
    return this.#newKeys.size;
  }

  /** True if these events belong to a series that begins with one of these counts. */
  has(delta: CountDelta): boolean {
    return this.#newKeys.has(eventsKey(delta.type, delta.severity, delta.source));
  }

  add(delta: CountDelta): void {
    this.#deltas.push(delta);
    if (delta.isLate || delta.isOther || this.#newKeys.size >= MAX_SERIES) return;
    if (this.#registry.indexOfEvents(delta) === null)
      this.#newKeys.add(eventsKey(delta.type, delta.severity, delta.source));
  }

  take(): CountDelta[] {
    const taken = this.#deltas;
    this.#deltas = [];
    this.#newKeys.clear();
    return taken;
  }

  save(): CountDelta[] {
    return this.#deltas;
  }
}
