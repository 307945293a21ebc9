import { MINUTES_PER_DAY } from '../state/resolution.ts';
import type { KindDelta } from './count-delta.ts';

const DAY_MS = MINUTES_PER_DAY * 60_000;
/** Kinds of a project that are remembered; beyond them the one that was not seen for longest is forgotten. */
const MAX_KINDS = 5_000;
/** New kinds come in a storm of distinct messages as well: more in a day are not learned. */
const MAX_LEARNED_A_DAY = 1_000;
/** Where new kinds came on so many of the last seven days, one more is no news. */
const USUAL_DAYS = 3;
const WEEK_DAYS = 7;
/** Hexadecimal digits of a fingerprint that tell kinds apart: 48 bits are exact in a number. */
const DIGITS = 12;

/** What is remembered of a project's kinds of errors; plain JSON. */
export interface SavedKinds {
  firstMs: number;
  /** [first digits of the fingerprint as a number, day it was seen last]. */
  known: [number, number][];
  /** Days since 1970 on which a new kind came, the newest last. */
  newDays: number[];
  /** How many were learned on which day. */
  learned: { day: number; kinds: number };
}

export type KindNews = 'known' | 'new' | 'usual';

/** Tells kinds of errors that were never seen before. In the first day of a project none is new. */
export class KindWatch {
  readonly #firstMs: number;
  /** In the order in which they were seen last. */
  readonly #known: Map<number, number>;
  #newDays: number[];
  readonly #learned: { day: number; kinds: number };

  constructor(startMs: number, saved: SavedKinds | null) {
    this.#firstMs = saved?.firstMs ?? startMs;
    this.#known = new Map(saved?.known);
    this.#newDays = saved?.newDays ?? [];
    this.#learned = saved?.learned ?? { day: 0, kinds: 0 };
  }

  /** `usual`: it is new, but in this project new kinds are usual. */
  see({ fingerprint, atMs, isLate }: KindDelta): KindNews {
    const kind = Number.parseInt(fingerprint.slice(0, DIGITS), 16);
    const day = Math.floor(atMs / DAY_MS);
    const isKnown = this.#known.delete(kind);
    if (isKnown || this.#mayLearn(day)) this.#known.set(kind, day);
    if (isKnown) return 'known';
    this.#forgetOldest();
    if (isLate || atMs - this.#firstMs < DAY_MS) return 'known';
    const earlier = this.#newDays.filter((other) => other < day && other >= day - WEEK_DAYS);
    this.#newDays = [...earlier, day];
    return earlier.length >= USUAL_DAYS ? 'usual' : 'new';
  }

  get size(): number {
    return this.#known.size;
  }

  save(): SavedKinds {
    return {
      firstMs: this.#firstMs,
      known: [...this.#known],
      newDays: this.#newDays,
      learned: this.#learned,
    };
  }

  #mayLearn(day: number): boolean {
    if (this.#learned.day !== day) Object.assign(this.#learned, { day, kinds: 0 });
    return this.#learned.kinds++ < MAX_LEARNED_A_DAY;
  }

  #forgetOldest(): void {
    if (this.#known.size <= MAX_KINDS) return;
    for (const kind of this.#known.keys()) {
      this.#known.delete(kind);
      return;
    }
  }
}
