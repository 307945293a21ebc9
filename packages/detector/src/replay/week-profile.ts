import { modulo } from '../state/modulo.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';

/** Factor by which earlier weeks fade in a week. */
const KEPT_A_WEEK = 0.8;
/** Information of the priors, an inverse relative variance: factors of the day differ by half, and so do weekdays. */
const PRIOR_OF_DAY = 4;
const PRIOR_OF_WEEK = 5;
/** Steps of a season that are like one of them: itself and three on either side, as many as a week has of a time of day. */
const LIKE = 7;
/** Factor of a week without a profile. */
const CONSTANT = { factor: 1, information: Number.POSITIVE_INFINITY };

/**
 * Factors of the steps of a week, by which the level is multiplied: means weighted by their information, that of each step shrunk
 * to that of its time of the day, and this to 1 (partial pooling: Gelman & Hill, 2007). Where steps divide no day, that is the
 * one of all steps; where they divide no week, or are one, each factor is 1. In another season, which stands for the week, it is
 * the one of its neighbours.
 */
export class WeekProfile {
  readonly #slots: number;
  /** Number of slots that are like one, itself among them, and slots from one of them to the next. */
  readonly #like: number;
  readonly #distance: number;
  readonly #sums: Float64Array;
  readonly #information: Float64Array;
  /** True if the last step of a slot was reported. */
  readonly #reported: Uint8Array;

  /** @param season steps of a season that stands for the week; missing: the week */
  constructor(stepMinutes: number, season?: number) {
    const slots = season ?? partsOf(MINUTES_PER_WEEK, stepMinutes);
    this.#slots = slots;
    this.#distance = season ? 1 : partsOf(MINUTES_PER_DAY, stepMinutes);
    this.#like = season ? Math.min(LIKE, season) : slots / this.#distance;
    this.#sums = new Float64Array(slots);
    this.#information = new Float64Array(slots);
    this.#reported = new Uint8Array(slots);
  }

  /** @param step number of the step, from the beginning of any week on */
  factorOf(step: number): { factor: number; information: number } {
    if (this.#slots === 1) return CONSTANT;
    let [sum, ofDay] = [PRIOR_OF_DAY, PRIOR_OF_DAY];
    const first = step - Math.floor(this.#like / 2) * this.#distance;
    for (let like = 0; like < this.#like; like++) {
      const other = modulo(first + like * this.#distance, this.#slots);
      sum += this.#sums[other] as number; // it is below the number of slots
      ofDay += this.#information[other] as number;
    }
    const slot = modulo(step, this.#slots);
    const information = PRIOR_OF_WEEK + (this.#information[slot] as number);
    return {
      factor: (PRIOR_OF_WEEK * (sum / ofDay) + (this.#sums[slot] as number)) / information,
      information,
    };
  }

  /** @returns whether the same step of the week before was reported as well: then it is usual */
  report(step: number, isReported: boolean): boolean {
    if (this.#slots === 1) return false;
    const slot = modulo(step, this.#slots);
    const wasReported = this.#reported[slot] === 1;
    this.#reported[slot] = Number(isReported);
    return wasReported;
  }

  /**
   * @param ratio count over level
   * @param information inverse variance of the ratio, for a factor of 1
   */
  learn(step: number, ratio: number, information: number): void {
    if (this.#slots === 1) return;
    const slot = modulo(step, this.#slots);
    this.#sums[slot] = KEPT_A_WEEK * (this.#sums[slot] as number) + information * ratio; // as above
    this.#information[slot] = KEPT_A_WEEK * (this.#information[slot] as number) + information;
  }
}

/** Returns the steps of a time; 1 where it is not made of whole ones. */
function partsOf(minutes: number, stepMinutes: number): number {
  return minutes % stepMinutes === 0 ? minutes / stepMinutes : 1;
}
