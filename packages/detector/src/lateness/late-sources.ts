import { DAY_MS, HOUR_MS } from '../state/durations.ts';
import { addUnreported, type LateEvents, type LateReport, type Reports, takeReport } from './late-reports.ts';
import { LATE_MS } from './lateness.ts';
import {
  beginObservation,
  conclude,
  type Evaluated,
  type Observed,
  observe,
  type SourceArrivals,
} from './observed-lateness.ts';

/** Sources of a project whose lateness is followed; late events of further ones are reported together. */
export const MAX_LATE_SOURCES = 50;

/** Without an event for so long, what was seen of a source says nothing any more. */
const FORGOTTEN_MS = DAY_MS;
/** So long after a source has turned out to be steady, its series count as having been there before. */
const NEWLY_STEADY_MS = HOUR_MS;

/** Events so late are of an import, or of a sender that was offline. */
const IMPORT_LATE_MS = HOUR_MS;
/**
 * The last events of an import are hardly late: from here on they are of the import while it runs, and for `LATE_MS` after.
 * Live events are received within seconds of their capture.
 */
const IMPORT_TAIL_MS = 15_000;

/** What came late in a round, or of sources that deliver late; plain JSON. */
export interface Arrivals {
  sources: SourceArrivals[];
  /** Of sources beyond the bound. */
  others: (LateEvents & { lastMs: number }) | null;
}

interface LateSource extends Reports {
  source: string | null;
  observed: Observed;
  /** How late it usually delivers; null: it does not do so steadily, or not for long enough. */
  usualMs: number | null;
  /** Since when it is known to be steady. */
  steadySinceMs: number;
  /** Receipt of the last events of an import; missing: there were none. */
  importedMs?: number;
}

export interface SavedLateSources extends Evaluated {
  sources: LateSource[];
  others: Reports;
}

/** A source is steady from now on: events a minute of the project, with those of the source. */
export interface Steady {
  perMinute: number;
  errorsPerMinute: number;
}

/** A source that steadily delivers late, as it is reported to users. */
export interface SteadyLateSource {
  source: string | null;
  behindMs: number;
  sinceMs: number;
}

/**
 * Follows how late the sources of a project deliver. Late events are set aside, for an import is no burst; but a source
 * that is late by a nearly constant time is evaluated by receipt, as if it were not late.
 */
export class LateSources {
  readonly #sources: Map<string | null, LateSource>;
  readonly #others: Reports;
  readonly #evaluated: Evaluated;
  /** A new detector says that it knows of no source. */
  #hasChanged: boolean;

  constructor(saved?: SavedLateSources) {
    this.#sources = new Map(saved?.sources.map((source) => [source.source, source]));
    this.#others = saved?.others ?? { unreported: null, reportedMs: 0 };
    this.#evaluated = { evaluated: saved?.evaluated ?? 0, evaluatedErrors: saved?.evaluatedErrors ?? 0 };
    this.#hasChanged = saved === undefined;
  }

  /** True if an event that came so late, received at a time, is evaluated by its receipt. */
  isEvaluated(source: string | null, lateMs: number, receivedMs = Number.POSITIVE_INFINITY): boolean {
    if (lateMs <= IMPORT_TAIL_MS) return true;
    const known = this.#sources.get(source);
    if (known && known.usualMs !== null && Math.abs(lateMs - known.usualMs) <= LATE_MS) return true;
    return lateMs <= LATE_MS && receivedMs - (known?.importedMs ?? Number.NEGATIVE_INFINITY) > LATE_MS;
  }

  /** True if the lateness of all of its events is needed. */
  isFollowed(source: string | null): boolean {
    return this.#sources.has(source);
  }

  /** True if a series of this source that is new at a time may have been there before, late and not evaluated. */
  isNewlySteady(source: string | null, nowMs: number): boolean {
    const known = this.#sources.get(source);
    return known !== undefined && known.usualMs !== null && nowMs - known.steadySinceMs <= NEWLY_STEADY_MS;
  }

  /** So many events were evaluated. */
  countEvaluated(events: number, areErrors: boolean): void {
    this.#evaluated.evaluated += events;
    if (areErrors) this.#evaluated.evaluatedErrors += events;
  }

  /** @returns one for each source that is found to be steadily late */
  take({ sources, others }: Arrivals): Steady[] {
    if (others) addUnreported(this.#others, { ...others, sinceMs: others.lastMs });
    return sources.flatMap((arrivals) => this.#takeSource(arrivals) ?? []);
  }

  /** What is to be reported at a time. */
  passTime(nowMs: number): LateReport[] {
    const reports: LateReport[] = [];
    for (const source of this.#sources.values()) {
      const report = takeReport(source, nowMs);
      if (report) reports.push({ source: source.source, ...report });
    }
    const ofOthers = takeReport(this.#others, nowMs);
    if (ofOthers) reports.push(ofOthers);
    return reports;
  }

  /** The sources that are steadily late, where that has changed since it was asked last; else null. */
  takeSteady(): SteadyLateSource[] | null {
    if (!this.#hasChanged) return null;
    this.#hasChanged = false;
    return this.steady;
  }

  get steady(): SteadyLateSource[] {
    return [...this.#sources.values()].flatMap(({ source, usualMs, steadySinceMs }) =>
      usualMs === null ? [] : [{ source, behindMs: usualMs, sinceMs: steadySinceMs }],
    );
  }

  /** Sources that were found to be steady before this began. */
  adopt(sources: readonly SteadyLateSource[], nowMs: number): void {
    for (const { source, behindMs, sinceMs } of sources.slice(0, MAX_LATE_SOURCES)) {
      this.#begin(source, nowMs, { usualMs: behindMs, steadySinceMs: sinceMs });
    }
    this.#hasChanged = false;
  }

  get size(): number {
    return this.#sources.size;
  }

  save(): SavedLateSources {
    return { sources: [...this.#sources.values()], others: this.#others, ...this.#evaluated };
  }

  #takeSource(arrivals: SourceArrivals): Steady | null {
    const { source, firstMs, lastMs, late } = arrivals;
    const known =
      this.#sources.get(source) ?? this.#begin(source, firstMs, { usualMs: null, steadySinceMs: 0 });
    if (firstMs - known.observed.lastMs > FORGOTTEN_MS)
      known.observed = beginObservation(firstMs, this.#evaluated);
    if (late) addUnreported(known, { ...late, sinceMs: firstMs, lastMs });
    if (late && isImport(lastMs - late.fromMs)) known.importedMs = lastMs;
    observe(known.observed, arrivals);
    return this.#conclude(known);
  }

  #begin(
    source: string | null,
    nowMs: number,
    usual: Pick<LateSource, 'usualMs' | 'steadySinceMs'>,
  ): LateSource {
    this.#makeRoom();
    const observed = beginObservation(nowMs, this.#evaluated);
    const known = { source, observed, ...usual, unreported: null, reportedMs: 0 };
    this.#sources.set(source, known);
    return known;
  }

  /** Where enough was seen of a source: says what is usual of it, and begins to observe again. */
  #conclude(known: LateSource): Steady | null {
    const { observed, usualMs: before } = known;
    const conclusion = conclude(observed, this.#evaluated);
    if (!conclusion) return null;
    const { isLate, usualMs, perMinute, errorsPerMinute } = conclusion;
    known.observed = beginObservation(observed.lastMs, this.#evaluated);
    known.usualMs = usualMs;
    if ((before === null) === (usualMs !== null)) known.steadySinceMs = observed.lastMs;
    if (before !== usualMs) this.#hasChanged = true;
    if (!isLate && known.unreported === null) this.#sources.delete(known.source);
    return usualMs !== null && before === null ? { perMinute, errorsPerMinute } : null;
  }

  /** The one that was not heard of for longest gives its place away. */
  #makeRoom(): void {
    if (this.#sources.size < MAX_LATE_SOURCES) return;
    const oldest = [...this.#sources.values()].reduce((first, other) =>
      other.observed.lastMs < first.observed.lastMs ? other : first,
    );
    this.#sources.delete(oldest.source);
    if (oldest.usualMs !== null) this.#hasChanged = true;
    if (oldest.unreported) addUnreported(this.#others, oldest.unreported);
  }
}

/** True if events that are not evaluated, since they came so late, are of an import. */
export function isImport(lateMs: number): boolean {
  return lateMs > IMPORT_LATE_MS;
}

/** True if events that came so late are the last of an import, where their source is importing. */
export function isImportTail(lateMs: number): boolean {
  return lateMs > IMPORT_TAIL_MS;
}
