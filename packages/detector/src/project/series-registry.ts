import { MINUTES_PER_DAY } from '../state/resolution.ts';
import type { RiskSeries } from '../types.ts';
import type { CountDelta } from './count-delta.ts';
import type { SeriesGroup } from './series-group.ts';
import { eventsOf, isTrouble, nameOfEvents, OTHER, placeNameOf, TOTAL, weightOf } from './series-key.ts';

/** Series of a project that are told apart; what comes beyond them is watched as one. */
export const MAX_SERIES = 500;
/** What was silent for so long gives its place to what is new. */
const DEAD_MS = MINUTES_PER_DAY * 60_000;

export interface SavedPlaces {
  keys: RiskSeries[];
  lastMs: number[];
  fullUntilMs: number;
  /** Missing: `MAX_SERIES`. */
  maxSeries?: number;
}

/** Which series of a project has which number in its group. */
export class SeriesPlaces {
  readonly #group: SeriesGroup;
  readonly #keys: RiskSeries[];
  readonly #lastMs: number[];
  readonly #numbers: Map<string, number>;
  /** Until then no place becomes free: it is not looked for at each event of a storm. */
  #fullUntilMs: number;
  #maxSeries: number;

  constructor(group: SeriesGroup, saved?: SavedPlaces) {
    this.#group = group;
    this.#keys = saved?.keys ?? [];
    this.#lastMs = saved?.lastMs ?? [];
    this.#fullUntilMs = saved?.fullUntilMs ?? 0;
    this.#maxSeries = saved?.maxSeries ?? MAX_SERIES;
    this.#numbers = new Map(this.#keys.map((key, number) => [placeNameOf(key), number]));
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Up to how many series a new one gets a place of its own. What is watched already stays, also beyond it. */
  get maxSeries(): number {
    return this.#maxSeries;
  }

  limit(maxSeries: number): void {
    this.#maxSeries = Math.min(MAX_SERIES, maxSeries);
  }

  keyOf(number: number): RiskSeries {
    return this.#keys[number] as RiskSeries;
  }

  /** The number of a series that is always kept, from its first event on; null before. */
  findKept(key: RiskSeries): number | null {
    return this.#numbers.get(placeNameOf(key)) ?? null;
  }

  /** The number of the series that events belong to; null where it has none. */
  findKnown({ type, severity, source }: CountDelta): number | null {
    return this.#numbers.get(nameOfEvents(type, severity, source)) ?? null;
  }

  keep(key: RiskSeries): number {
    return this.#numbers.get(placeNameOf(key)) ?? this.#add(key);
  }

  /**
   * The number of the series that events belong to, which may be the one for all others.
   * @param mayBeOld a series that is new may have been there before: it does not count as having been silent
   * @param mayReplace whether a series can lose its place; @param onReplaced is told which one did
   */
  find(
    { type, severity, source, lastMs }: CountDelta,
    mayBeOld: boolean,
    mayReplace: (number: number) => boolean,
    onReplaced: (number: number) => void,
  ): number {
    const number =
      this.#numbers.get(nameOfEvents(type, severity, source)) ??
      this.#place(eventsOf(type, severity, source), lastMs, mayBeOld, mayReplace, onReplaced);
    if (lastMs > this.#lastOf(number)) this.#lastMs[number] = lastMs;
    return number;
  }

  save(): SavedPlaces {
    const limit = this.#maxSeries < MAX_SERIES && { maxSeries: this.#maxSeries };
    return { keys: this.#keys, lastMs: this.#lastMs, fullUntilMs: this.#fullUntilMs, ...limit };
  }

  #place(
    key: RiskSeries,
    nowMs: number,
    mayBeOld: boolean,
    mayReplace: (number: number) => boolean,
    onReplaced: (number: number) => void,
  ): number {
    if (this.#keys.length < this.#maxSeries) return this.#add(key, mayBeOld);
    const number = this.#replaceDead(key, nowMs, mayBeOld, mayReplace);
    if (number === undefined) return this.keep(OTHER);
    onReplaced(number);
    return number;
  }

  #add(key: RiskSeries, mayBeOld = false): number {
    const number = this.#group.add(weightOf(key, this.#keys.length), isTrouble(key), mayBeOld);
    this.#keys.push(key);
    this.#lastMs.push(0);
    this.#numbers.set(placeNameOf(key), number);
    if (number > 0) this.#group.setWeight(0, weightOf(TOTAL, number));
    return number;
  }

  #replaceDead(
    key: RiskSeries,
    nowMs: number,
    mayBeOld: boolean,
    mayReplace: (number: number) => boolean,
  ): number | undefined {
    if (nowMs < this.#fullUntilMs) return undefined;
    let oldest: number | undefined;
    this.#keys.forEach(({ kind }, number) => {
      if (kind !== 'events' || !mayReplace(number)) return;
      if (oldest === undefined || this.#lastOf(number) < this.#lastOf(oldest)) oldest = number;
    });
    if (oldest === undefined || nowMs - this.#lastOf(oldest) < DEAD_MS) {
      this.#fullUntilMs = nowMs + 60_000;
      return undefined;
    }
    this.#numbers.delete(placeNameOf(this.keyOf(oldest)));
    this.#numbers.set(placeNameOf(key), oldest);
    this.#keys[oldest] = key;
    this.#group.replace(oldest, weightOf(key, oldest), isTrouble(key), mayBeOld);
    return oldest;
  }

  #lastOf(number: number): number {
    return this.#lastMs[number] as number;
  }
}
