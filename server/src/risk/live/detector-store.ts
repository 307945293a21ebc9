import { getHeapStatistics } from 'node:v8';
import type { ProjectDetector } from '@tocsin/detector';
import type { Round } from './round.ts';

/** Bytes of a series and its parts: half within the heap, half outside. */
const SERIES_BYTES = 4_000;
/** Maximum share of the heap's limit that all detectors take. */
const HEAP_SHARE = 0.25;
/** Minimum budget: with fewer, detectors would be saved and loaded all the time. */
const MIN_SERIES = 2_000;
const MAX_SERIES = 250_000;
/** Share of the budget that remains filled after offloading, so that it makes room for more than the next project. */
const FILLED_SHARE = 0.9;

/** Number of series that a process may hold in memory, by its heap's limit. */
export function seriesBudget(heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.min(MAX_SERIES, Math.max(MIN_SERIES, Math.floor((heapBytes * HEAP_SHARE) / SERIES_BYTES)));
}

interface Use {
  /** Last round that was applied. */
  round: number;
  /** When events came last, in the detectors' time. */
  activeMs: number;
  /** Size in memory, in series. */
  series: number;
}

export interface StoredDetector extends Use {
  projectId: string;
  detector: ProjectDetector;
}

/** Detectors in memory, and their size there. `offloadColdest` offloads what is beyond the budget. */
export class DetectorStore {
  readonly maxSeries: number;
  readonly detectors = new Map<string, ProjectDetector>();
  readonly #uses = new Map<string, Use>();
  #series = 0;

  constructor(maxSeries: number) {
    this.maxSeries = maxSeries;
  }

  get series(): number {
    return this.#series;
  }

  hold({ projectId, detector, round, activeMs }: Omit<StoredDetector, 'series'>): void {
    this.detectors.set(projectId, detector);
    this.#use(projectId, { round, activeMs, series: detector.size });
  }

  /** Updates the sizes after a round was applied to these: they are new, have grown, or are deleted. */
  touch(projectIds: Iterable<string>, { id, counts, timeMs }: Pick<Round, 'id' | 'counts' | 'timeMs'>): void {
    for (const projectId of projectIds) {
      const detector = this.detectors.get(projectId);
      const known = this.#uses.get(projectId);
      if (detector) {
        const activeMs = counts[projectId] || !known ? timeMs : known.activeMs;
        this.#use(projectId, { round: id, activeMs, series: detector.size });
      } else if (known) this.release(projectId);
    }
  }

  release(projectId: string): void {
    this.detectors.delete(projectId);
    this.#series -= this.#uses.get(projectId)?.series ?? 0;
    this.#uses.delete(projectId);
  }

  /** True if the project is in memory and a round is part of it. */
  hasSeen(projectId: string, round: number): boolean {
    return (this.#uses.get(projectId)?.round ?? -1) >= round;
  }

  all(): StoredDetector[] {
    return [...this.#uses].flatMap(([projectId, use]) => {
      const detector = this.detectors.get(projectId);
      return detector ? [{ projectId, detector, ...use }] : [];
    });
  }

  /** Detectors that must be offloaded for the others to fit: those whose last events are the oldest. */
  coldest(): StoredDetector[] {
    if (this.#series <= this.maxSeries) return [];
    const coldest: StoredDetector[] = [];
    let series = this.#series;
    for (const held of this.all().toSorted((left, right) => left.activeMs - right.activeMs)) {
      if (series <= this.maxSeries * FILLED_SHARE) break;
      coldest.push(held);
      series -= held.series;
    }
    return coldest;
  }

  #use(projectId: string, use: Use): void {
    this.#series += use.series - (this.#uses.get(projectId)?.series ?? 0);
    this.#uses.set(projectId, use);
  }
}
