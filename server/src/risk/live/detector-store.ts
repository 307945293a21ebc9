import { getHeapStatistics } from 'node:v8';
import type { ProjectDetector } from '@tocsin/detector';
import type { Round } from './round.ts';

/** Of a series, with what belongs to it: half within the heap, half outside. */
const SERIES_BYTES = 4_000;
/** Detectors take so much of the heap's limit, in all. */
const HEAP_SHARE = 0.25;
/** Fewer would be saved and loaded all the time, more take more than a second of each minute. */
const MIN_SERIES = 2_000;
const MAX_SERIES = 250_000;
/** What is put away makes room for more than the next project. */
const FILLED_SHARE = 0.9;

/** How many series a process holds in memory: what it may allocate is what it was given. */
export function seriesBudget(heapBytes = getHeapStatistics().heap_size_limit): number {
  return Math.min(MAX_SERIES, Math.max(MIN_SERIES, Math.floor((heapBytes * HEAP_SHARE) / SERIES_BYTES)));
}

interface Use {
  /** The last round that was applied. */
  round: number;
  /** When events came last, in the detectors' time. */
  activeMs: number;
  /** What it takes in memory. */
  series: number;
}

export interface Held extends Use {
  projectId: string;
  detector: ProjectDetector;
}

/** The detectors in memory, and what they take of it. What is beyond the budget is put away by `putAwayColdest`. */
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

  hold({ projectId, detector, round, activeMs }: Omit<Held, 'series'>): void {
    this.detectors.set(projectId, detector);
    this.#use(projectId, { round, activeMs, series: detector.size });
  }

  /** A round was applied to these: they are new, have grown, or are gone. */
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

  /** Whether it is in memory and a round is part of it. */
  hasSeen(projectId: string, round: number): boolean {
    return (this.#uses.get(projectId)?.round ?? -1) >= round;
  }

  all(): Held[] {
    return [...this.#uses].flatMap(([projectId, use]) => {
      const detector = this.detectors.get(projectId);
      return detector ? [{ projectId, detector, ...use }] : [];
    });
  }

  /** Those that have to go for the others to fit: where events came last, the longest ago. */
  coldest(): Held[] {
    if (this.#series <= this.maxSeries) return [];
    const coldest: Held[] = [];
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
