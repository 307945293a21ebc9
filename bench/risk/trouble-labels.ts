import type { Random } from '@tocsin/simulation/random';
import type { Label } from './labelled-series.ts';

/** A person labels what stands out of the noise by so many standard deviations. */
const VISIBLE_DEVIATIONS = 5;
const MIN_DIFFERENCE = 5;
const TRIES = 100;

/** A stretch in which the rate of a series is multiplied. */
export interface Trouble {
  steps: number;
  factor: number;
  /** True if the factor is reached step by step, in the last one. */
  isRamp?: boolean;
}

interface Placing {
  /** How many; fewer where too few can be seen. */
  count: number;
  /** Steps without trouble at the beginning of the series, and between two troubles. */
  firstStep: number;
  apart: number;
  /** Variance over mean of a count. */
  dispersion: number;
  /** Standard deviation of the rate itself, relative to it. */
  wobble: number;
  draw: (random: Random) => Trouble;
}

/**
 * Puts trouble into the rates of a series, at random, where a person would see it: what chance brings as well is
 * no label.
 * @param rates rates of the steps: those of the trouble are changed
 */
export function addTrouble(random: Random, rates: number[], placing: Placing): Label[] {
  const { count, firstStep, apart, draw } = placing;
  const labels: Label[] = [];
  for (let tried = 0; tried < TRIES && labels.length < count; tried++) {
    const { steps, factor, isRamp = false } = draw(random);
    const factorOf = (step: number) => (isRamp ? 1 + ((factor - 1) * (step + 1)) / steps : factor);
    const from = firstStep + Math.floor((rates.length - firstStep - steps) * random.uniform());
    const label = { from, to: from + steps - 1, isDrop: factor < 1 };
    if (labels.some((other) => label.from <= other.to + apart && label.to >= other.from - apart)) continue;
    const before = rates.slice(from, from + steps);
    const during = before.map((rate, step) => rate * factorOf(step));
    if (!isVisible(sumOf(before), sumOf(during), placing)) continue;
    for (const [step, rate] of during.entries()) rates[from + step] = rate;
    labels.push(label);
  }
  return labels.sort((a, b) => a.from - b.from);
}

function isVisible(expected: number, actual: number, { dispersion, wobble }: Placing): boolean {
  const difference = Math.abs(actual - expected);
  const deviation = Math.sqrt(dispersion * expected + (wobble * expected) ** 2);
  return difference >= MIN_DIFFERENCE && difference >= VISIBLE_DEVIATIONS * deviation;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
