import { PRIOR_EVENTS, PRIOR_MINUTES } from '../series/level.ts';
import { MINUTES_PER_DAY } from '../state/resolution.ts';

/** Memories of the level in minutes, and their minimum in steps: the slower one is the prior of the faster. */
const MEMORIES = [
  { minutes: 14 * MINUTES_PER_DAY, minSteps: 24 },
  { minutes: MINUTES_PER_DAY, minSteps: 12 },
];
/** The slower memory counts for at most as much as this many events (times the dispersion). */
const PRIOR_WEIGHT = 30;

/** Expected count of a step of mean factor: the model of `series/level.ts` with two memories, a day and two weeks. */
export class LongLevel {
  level = 0;
  /** Shape of its gamma distribution: the events that it rests on. */
  shape = 0;
  readonly #priorSteps: number;
  readonly #memories: { keptAStep: number; sum: number; time: number }[];

  constructor(stepMinutes: number) {
    this.#priorSteps = PRIOR_MINUTES / stepMinutes;
    this.#memories = MEMORIES.map(({ minutes, minSteps }) => ({
      keptAStep: Math.exp(-1 / Math.max(minSteps, minutes / stepMinutes)),
      sum: 0,
      time: 0,
    }));
    this.#predict(1);
  }

  /** Returns an independent copy. */
  copy(): LongLevel {
    const copy = new LongLevel(PRIOR_MINUTES / this.#priorSteps);
    for (const [index, { sum, time }] of this.#memories.entries())
      Object.assign(copy.#memories[index] ?? {}, { sum, time });
    copy.level = this.level;
    copy.shape = this.shape;
    return copy;
  }

  /** Takes the count of a step of a factor; an unknown one has no events and the factor 0. */
  learn(count: number, factor: number, dispersion: number): void {
    for (const memory of this.#memories) {
      memory.sum = memory.keptAStep * memory.sum + count;
      memory.time = memory.keptAStep * memory.time + factor;
    }
    this.#predict(dispersion);
  }

  #predict(dispersion: number): void {
    let [shape, time] = [PRIOR_EVENTS, PRIOR_EVENTS * this.#priorSteps];
    for (const memory of this.#memories) {
      const weight = Math.min(PRIOR_WEIGHT * dispersion, shape);
      time = (weight / shape) * time + memory.time;
      shape = weight + memory.sum;
    }
    this.level = shape / time;
    this.shape = shape;
  }
}
