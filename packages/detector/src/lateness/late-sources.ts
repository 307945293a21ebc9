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

/** Maximum sources of a project whose lateness is followed; late events of further ones are reported together. */
export const MAX_LATE_SOURCES = 50;

/** Time without an event after which the observations of a source are forgotten. */
const FORGOTTEN_MS = DAY_MS;
/** Time after a source has turned out to be steady for which its new series count as older. */
const NEWLY_STEADY_MS = HOUR_MS;

/** Lateness beyond which events are of an import, or of a sender that was offline. */
const IMPORT_LATE_MS = HOUR_MS;
/**
 * Lateness beyond which events are of an import while it runs, and for `LATE_MS` after: its last events are hardly late.
 * Live events are received within seconds of their capture.
 */
const IMPORT_TAIL_MS = 15_000;

/** Late events of a round, and all events of sources that deliver late; plain JSON. */
export interface Arrivals {
  sources: SourceArrivals[];
  /** Late events of sources beyond `MAX_LATE_SOURCES`. */
  others: (LateEvents & { lastMs: number }) | null;
}

interface LateSource extends Reports {
  source: string | null;
  observed: Observed;
  /** Usual lateness; null: it is not steady, or not for long enough. */
  usualMs: number | null;
  /** Time since which it is known to be steady. */
  steadySinceMs: number;
  /** Receipt of the last events of an import; missing: there were none. */
  importedMs?: number;
}

export interface SavedLateSources extends Evaluated {
  sources: LateSource[];
  others: Reports;
}

/** Events a minute of a project with those of a source that is steady from now on. */
export interface Steady {
  perMinute: number;
  errorsPerMinute: number;
}

/** Steadily late source, as it is reported to users. */
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
  /** True if the steady sources are to be reported; a new detector reports that there are none. */
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

  /** True if the lateness of all events of a source is needed. */
  isFollowed(source: string | null): boolean {
    return this.#sources.has(source);
  }

  /** True if a series of this source that is new at a time may have been there before, late and not evaluated. */
  isNewlySteady(source: string | null, nowMs: number): boolean {
    const known = this.#sources.get(source);
    return known !== undefined && known.usualMs !== null && nowMs - known.steadySinceMs <= NEWLY_STEADY_MS;
  }

  countEvaluated(events: number, areErrors: boolean): void {
    this.#evaluated.evaluated += events;
    if (areErrors) this.#evaluated.evaluatedErrors += events;
  }

  /** @returns an element for each source that is found to be steadily late */
  take({ sources, others }: Arrivals): Steady[] {
    if (others) addUnreported(this.#others, { ...others, sinceMs: others.lastMs });
    return sources.flatMap((arrivals) => this.#takeSource(arrivals) ?? []);
  }

  /** Returns the reports that are due at a time. */
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

  /** Returns the steadily late sources if they have changed since the last call, else null. */
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

  /** Takes over sources that were found to be steady before. */
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

  /** Takes the conclusion about a source that was observed for long enough, and begins to observe it again. */
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

  /** Forgets the source whose last event is the oldest, where all places are taken. */
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

/** True if events that came so late are of an import. */
export function isImport(lateMs: number): boolean {
  return lateMs > IMPORT_LATE_MS;
}

/** True if events that came so late are the last of an import, where their source is importing. */
export function isImportTail(lateMs: number): boolean {
  return lateMs > IMPORT_TAIL_MS;
}
