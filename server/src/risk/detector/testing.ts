import type { Change } from './alarm.ts';
import { momentOf } from './envelope.ts';
import { paceOf } from './pace.ts';
import { createSeries, look, step } from './series-detector.ts';
import type { SeriesMemory } from './series-memory.ts';

const MINUTE_MS = 60_000;
/** A Monday. */
export const START_MS = Date.UTC(2026, 0, 5);

/** Random numbers in [0, 1) that are the same at each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A Poisson count; by the normal distribution where the mean is large. */
export function poisson(random: () => number, mean: number): number {
  if (mean > 50) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = -1;
  for (let product = 1; product > Math.exp(-mean); count++) product *= 1 - random();
  return Math.max(0, count);
}

export type Timed = Change & { minute: number };

/** A series that is alone, watched minute by minute. */
export class Watched {
  minute = 0;
  readonly changes: Timed[] = [];
  memory: SeriesMemory;
  readonly #surroundings = { pace: paceOf(1), lent: null, budgetAWeek: 1 };
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
    this.memory = createSeries(this.#surroundings, 1);
  }

  /** @param mean events a minute, or what they are at a minute; NaN where nothing is known */
  run(minutes: number, mean: number | ((minute: number) => number)): Timed[] {
    const from = this.changes.length;
    for (let i = 0; i < minutes; i++) {
      const rate = typeof mean === 'number' ? mean : mean(this.minute);
      this.step(Number.isNaN(rate) ? Number.NaN : poisson(this.#random, rate));
    }
    return this.changes.slice(from);
  }

  step(count: number): void {
    for (const change of step(this.memory, this.#now(), count)) {
      this.changes.push({ ...change, minute: this.minute });
    }
    this.minute++;
  }

  look(countSoFar: number): Change[] {
    return look(this.memory, this.#now(), countSoFar);
  }

  #now() {
    return { ...this.#surroundings, moment: momentOf(paceOf(1), START_MS + this.minute * MINUTE_MS) };
  }
}

export function opened(changes: Change[]): Change[] {
  return changes.filter(({ kind }) => kind === 'opens');
}
