import { DAY_MS, WEEK_MS } from '../state/durations.ts';
import type { ErrorDelta, KnownError } from './count-delta.ts';

/** Maximum remembered error groups of a project; beyond them the one that was seen longest ago is forgotten. */
const MAX_GROUPS = 5_000;
/** Maximum groups that are learned in a day: a storm of distinct messages makes new groups as well. */
const MAX_LEARNED_PER_DAY = 1_000;
/** Number of the last seven days with new groups that make a project noisy: another one is not reported. */
const NOISY_DAYS = 3;
const WEEK_DAYS = WEEK_MS / DAY_MS;
/** Hexadecimal digits of a fingerprint that identify a group: 48 bits are exact in a number. */
const DIGITS = 12;

/** Error groups of a project; plain JSON. */
export interface SavedErrorGroups {
  firstMs: number;
  /** Known groups: [first digits of the fingerprint as a number, day it was seen last]. */
  known: [number, number][];
  /** Days since 1970 on which a new group came, the newest last. */
  newDays: number[];
  /** Number of groups that were learned on the last day. */
  learned: { day: number; groups: number };
  /** Last day on which an error had an earlier fingerprint; missing where none had. */
  earlierDay?: number;
}

/** Novelty of an error group. `noisy`: it is new, but in this project new groups are usual. */
export type Novelty = 'known' | 'new' | 'noisy';

/** Finds error groups that were never seen before. In the first day of a project none is new. */
export class NewErrorDetector {
  readonly #firstMs: number;
  /** Last days by group, in the order in which the groups were seen last. */
  readonly #known: Map<number, number>;
  #newDays: number[];
  readonly #learned: { day: number; groups: number };
  #earlierDay: number | undefined;

  constructor(startMs: number, saved: SavedErrorGroups | null) {
    this.#firstMs = saved?.firstMs ?? startMs;
    this.#known = new Map(saved?.known);
    this.#newDays = saved?.newDays ?? [];
    this.#learned = saved?.learned ?? { day: 0, groups: 0 };
    this.#earlierDay = saved?.earlierDay;
  }

  recordError({ fingerprint, earlierFingerprints = [], atMs, isLate }: ErrorDelta): Novelty {
    const group = groupOf(fingerprint);
    const day = Math.floor(atMs / DAY_MS);
    if (earlierFingerprints.length > 0) this.#earlierDay = day;
    const isKnown =
      this.#known.delete(group) || earlierFingerprints.some((earlier) => this.#known.has(groupOf(earlier)));
    if (isKnown || this.#mayLearn(day)) this.#known.set(group, day);
    this.#forgetOldest(day);
    if (isKnown) return 'known';
    if (isLate || atMs - this.#firstMs < DAY_MS) return 'known';
    const earlier = this.#newDays.filter((other) => other < day && other >= day - WEEK_DAYS);
    this.#newDays = [...earlier, day];
    return earlier.length >= NOISY_DAYS ? 'noisy' : 'new';
  }

  /** Makes errors known, beyond the limit of a day. @param errors each as it was seen last, the oldest first */
  adopt(errors: readonly KnownError[]): void {
    for (const { fingerprint, atMs } of errors) {
      const [group, day] = [groupOf(fingerprint), Math.floor(atMs / DAY_MS)];
      this.#known.delete(group);
      this.#known.set(group, day);
      this.#forgetOldest(day);
    }
  }

  get size(): number {
    return this.#known.size;
  }

  save(): SavedErrorGroups {
    return {
      firstMs: this.#firstMs,
      known: [...this.#known],
      newDays: this.#newDays,
      learned: this.#learned,
      ...(this.#earlierDay !== undefined && { earlierDay: this.#earlierDay }),
    };
  }

  #mayLearn(day: number): boolean {
    if (this.#learned.day !== day) Object.assign(this.#learned, { day, groups: 0 });
    return this.#learned.groups++ < MAX_LEARNED_PER_DAY;
  }

  #forgetOldest(day: number): void {
    // For a week after the last error with an earlier fingerprint each group may take two places.
    const isDoubled = this.#earlierDay !== undefined && day <= this.#earlierDay + WEEK_DAYS;
    const maxGroups = isDoubled ? 2 * MAX_GROUPS : MAX_GROUPS;
    for (const group of this.#known.keys()) {
      if (this.#known.size <= maxGroups) return;
      this.#known.delete(group);
    }
  }
}

function groupOf(fingerprint: string): number {
  return Number.parseInt(fingerprint.slice(0, DIGITS), 16);
}
