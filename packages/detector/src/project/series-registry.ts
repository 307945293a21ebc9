import type { SeriesGroup } from '../group/series-group.ts';
import { DAY_MS, MINUTE_MS } from '../state/durations.ts';
import type { RiskSeries } from '../types.ts';
import type { CountDelta } from './count-delta.ts';
import {
  eventsKey,
  eventsSeries,
  isErrorSeries,
  isTraffic,
  OTHER,
  slotKeyOf,
  TOTAL,
  weightOf,
} from './series-key.ts';

/** Maximum series of a project; events beyond them count as one series. */
export const MAX_SERIES = 500;
/** Time without an event after which a series gives its index to a new one. */
const INACTIVE_MS = DAY_MS;

export interface SavedRegistry {
  series: RiskSeries[];
  lastEventMs: number[];
  fullUntilMs: number;
  maxSeries: number;
}

export interface RegistryHooks {
  /** True if a series can lose its index. */
  mayReplace: (index: number) => boolean;
  onReplaced: (index: number) => void;
}

/** Indices of the series of a project in its group. */
export class SeriesRegistry {
  readonly #group: SeriesGroup;
  readonly #hooks: RegistryHooks;
  readonly #series: RiskSeries[];
  readonly #lastEventMs: number[];
  readonly #indices: Map<string, number>;
  /** Time before which no free index is searched for: a storm of events would search at each. */
  #fullUntilMs: number;
  #maxSeries: number;

  constructor(group: SeriesGroup, hooks: RegistryHooks, saved?: SavedRegistry) {
    this.#group = group;
    this.#hooks = hooks;
    this.#series = saved?.series ?? [];
    this.#lastEventMs = saved?.lastEventMs ?? [];
    this.#fullUntilMs = saved?.fullUntilMs ?? 0;
    this.#maxSeries = saved?.maxSeries ?? MAX_SERIES;
    this.#indices = new Map(this.#series.map((series, index) => [slotKeyOf(series), index]));
  }

  get size(): number {
    return this.#series.length;
  }

  /** Number of series up to which a new one gets an index of its own. Existing series stay beyond it. */
  get maxSeries(): number {
    return this.#maxSeries;
  }

  limit(maxSeries: number): void {
    this.#maxSeries = Math.min(MAX_SERIES, maxSeries);
  }

  /** All series, by index. */
  get all(): readonly RiskSeries[] {
    return this.#series;
  }

  seriesAt(index: number): RiskSeries {
    return this.#series[index] as RiskSeries; // every index of the group is one of the registry
  }

  /** Returns the time of the last event of a series, or of the parts of a sum; null: not known. */
  lastEventMsOf(index: number): number | null {
    const { kind } = this.seriesAt(index);
    let lastMs = this.#lastEventOf(index);
    // Only sums have parts to look through.
    if (kind === 'events') return lastMs === 0 ? null : lastMs;
    this.#series.forEach((part, at) => {
      const counts = kind === 'total' || (kind === 'errors' && isErrorSeries(part));
      if (counts || (kind === 'failed_payments' && part.type === 'payment'))
        lastMs = Math.max(lastMs, this.#lastEventOf(at));
    });
    return lastMs === 0 ? null : lastMs;
  }

  /** Returns the indices of the series of severity info and warn, by source. */
  trafficBySource(): Map<string | null, number[]> {
    const bySource = new Map<string | null, number[]>();
    for (const [index, series] of this.#series.entries()) {
      if (series.kind !== 'events' || isErrorSeries(series)) continue;
      const indices = bySource.get(series.source);
      if (indices) indices.push(index);
      else bySource.set(series.source, [index]);
    }
    return bySource;
  }

  /** Returns the index of a series that is never replaced, from its first event on; null before. */
  indexOf(series: RiskSeries): number | null {
    return this.#indices.get(slotKeyOf(series)) ?? null;
  }

  /** Returns the index of the series that events belong to; null where it has none. */
  indexOfEvents({ type, severity, source }: CountDelta): number | null {
    return this.#indices.get(eventsKey(type, severity, source)) ?? null;
  }

  /** True if half of the series that events belong to, or more, are of a type. */
  isCommonType(type: string): boolean {
    let [all, ofType] = [0, 0];
    for (const series of this.#series) {
      if (series.kind !== 'events') continue;
      all++;
      if (series.type === type) ofType++;
    }
    return 2 * ofType >= all;
  }

  /** True if events of severity info or warn have come, or events beyond the limit, which may be such. */
  hasTraffic(): boolean {
    return this.#series.some((series) => series.kind !== TOTAL.kind && isTraffic(series));
  }

  /** True if another source sends events of the type of a series. */
  hasOtherSource({ type, source }: RiskSeries): boolean {
    return this.#series.some(
      (series) => series.kind === 'events' && series.type === type && series.source !== source,
    );
  }

  /** Returns the index of a series that is never replaced, and adds it where it has none. */
  ensure(series: RiskSeries): number {
    return this.indexOf(series) ?? this.#add(series);
  }

  /**
   * Returns the index of the series that events belong to, which may be `OTHER`, and adds it where it has none.
   * @param mayBeOld true if a new series may have existed before: it does not count as having been silent
   */
  ensureForEvents(delta: CountDelta, mayBeOld: boolean): number {
    const { type, severity, source, lastMs } = delta;
    const index =
      this.indexOfEvents(delta) ?? this.#allocate(eventsSeries(type, severity, source), lastMs, mayBeOld);
    if (lastMs > this.#lastEventOf(index)) this.#lastEventMs[index] = lastMs;
    return index;
  }

  save(): SavedRegistry {
    return {
      series: this.#series,
      lastEventMs: this.#lastEventMs,
      fullUntilMs: this.#fullUntilMs,
      maxSeries: this.#maxSeries,
    };
  }

  #allocate(series: RiskSeries, nowMs: number, mayBeOld: boolean): number {
    if (this.#series.length < this.#maxSeries) return this.#add(series, mayBeOld);
    const index = this.#findInactive(nowMs);
    if (index === undefined) return this.ensure(OTHER);
    this.#indices.delete(slotKeyOf(this.seriesAt(index)));
    this.#indices.set(slotKeyOf(series), index);
    this.#series[index] = series;
    const isErrors = isErrorSeries(series);
    this.#group.replace(index, { weight: weightOf(series, index), isErrorSeries: isErrors, mayBeOld });
    this.#hooks.onReplaced(index);
    return index;
  }

  #add(series: RiskSeries, mayBeOld = false): number {
    const weight = weightOf(series, this.#series.length);
    const index = this.#group.add({ weight, isErrorSeries: isErrorSeries(series), mayBeOld });
    this.#series.push(series);
    this.#lastEventMs.push(0);
    this.#indices.set(slotKeyOf(series), index);
    if (index > 0) this.#group.setWeight(0, weightOf(TOTAL, index));
    return index;
  }

  #findInactive(nowMs: number): number | undefined {
    if (nowMs < this.#fullUntilMs) return undefined;
    let oldest: number | undefined;
    this.#series.forEach(({ kind }, index) => {
      if (kind !== 'events' || !this.#hooks.mayReplace(index)) return;
      if (oldest === undefined || this.#lastEventOf(index) < this.#lastEventOf(oldest)) oldest = index;
    });
    if (oldest !== undefined && nowMs - this.#lastEventOf(oldest) >= INACTIVE_MS) return oldest;
    this.#fullUntilMs = nowMs + MINUTE_MS;
    return undefined;
  }

  #lastEventOf(index: number): number {
    return this.#lastEventMs[index] as number; // there is one for each series
  }
}
