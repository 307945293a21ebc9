import {
  type Arrivals,
  type LateEvents,
  Lateness,
  MAX_LATE_SOURCES,
  type SourceArrivals,
} from '@tocsin/detector';

interface EventArrivals {
  source: string | null;
  lateMs: number;
  /** Time of receipt. */
  firstMs: number;
  lastMs: number;
  events: number;
  /** Null: the events are evaluated. */
  late: { capturedMs: number; areErrors: boolean } | null;
}

interface SourceSum extends Omit<SourceArrivals, 'lateness'> {
  lateness: Lateness;
}

/** Sums of how late the events of a project's sources came in a round; for late sources, up to a maximum number. */
export class ArrivalSums {
  readonly #isFollowed: (source: string | null) => boolean;
  readonly #sources = new Map<string | null, SourceSum>();
  #others: Arrivals['others'] = null;

  constructor(isFollowed: (source: string | null) => boolean) {
    this.#isFollowed = isFollowed;
  }

  add(arrived: EventArrivals): void {
    const { source, lateMs, firstMs, lastMs, events, late } = arrived;
    const sum = this.#find(arrived);
    if (!sum) {
      if (late) this.#others = { ...merge(this.#others, late.capturedMs, events), lastMs };
      return;
    }
    sum.lateness.add(lateMs, events);
    sum.events += events;
    sum.firstMs = Math.min(sum.firstMs, firstMs);
    sum.lastMs = Math.max(sum.lastMs, lastMs);
    this.#sources.set(source, sum);
    if (!late) return;
    const errors = (sum.late?.errors ?? 0) + (late.areErrors ? events : 0);
    sum.late = { ...merge(sum.late, late.capturedMs, events), errors };
  }

  /** Returns null if nothing came late, and no source is followed. */
  take(): Arrivals | null {
    if (this.#sources.size === 0 && !this.#others) return null;
    const sources = [...this.#sources.values()].map((sum) => ({ ...sum, lateness: sum.lateness.save() }));
    return { sources, others: this.#others };
  }

  #find({ source, firstMs, lastMs, late }: EventArrivals): SourceSum | null {
    const known = this.#sources.get(source);
    if (known) return known;
    const isFollowed = this.#isFollowed(source);
    if (!isFollowed && (!late || this.#sources.size >= MAX_LATE_SOURCES)) return null;
    return { source, lateness: new Lateness(), events: 0, firstMs, lastMs, late: null };
  }
}

function merge(sum: LateEvents | null, capturedMs: number, events: number): LateEvents {
  return {
    events: events + (sum?.events ?? 0),
    fromMs: Math.min(capturedMs, sum?.fromMs ?? capturedMs),
    toMs: Math.max(capturedMs, sum?.toMs ?? capturedMs),
  };
}
