import type { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import type { LabelledSeries } from './labelled-series.ts';
import { addTrouble, type Trouble } from './trouble-labels.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEKS = 4;
const LENGTH = WEEKS * 7 * DAY;
/** Requests a minute, by logarithm. */
const SCALES = [5, 5_000] as const;
const MAX_LABELS = 18;
const MIN_LABELS = 2;
/** A day to learn from, and time in which an incident can end. */
const FIRST_LABEL = DAY;
const APART = HOUR;

/**
 * Requests of a web service a minute, for four weeks: a daily and a weekly rhythm, a level that grows, shifts and wanders,
 * and negative binomial counts. Unless it is calm it has 2 to 18 incidents, most of them a drop of one minute.
 */
export function createWebService(random: Random, isCalm: boolean): LabelledSeries & { scale: number } {
  const between = (low: number, high: number) => low + (high - low) * random.uniform();
  const scale = SCALES[0] * (SCALES[1] / SCALES[0]) ** random.uniform();
  const rhythm = createRhythm(between);
  const slow = createWander(random, between(0.02, 0.1), 6 * HOUR);
  const wobble = between(0.005, 0.03);
  const fast = createWander(random, wobble, 15);
  const drift = createDrift(random, between);
  const dispersion = 1 + 4 * random.uniform() ** 2;
  const rates = Array.from(
    { length: LENGTH },
    (_, minute) => scale * rhythm(minute) * Math.exp(slow() + fast() + drift(minute)),
  );
  const labels = isCalm
    ? []
    : addTrouble(random, rates, {
        count: Math.floor(between(MIN_LABELS, MAX_LABELS + 1)),
        firstStep: FIRST_LABEL,
        apart: APART,
        dispersion,
        wobble,
        draw: drawTrouble,
      });
  const counts = rates.map((rate) => random.count(rate, dispersion));
  return { startMs: START_MS, stepMinutes: 1, counts, labels, scale };
}

type Between = (low: number, high: number) => number;

/** Two waves a day, of mean 1, and weekends of their own. */
export function createRhythm(between: Between): (minute: number) => number {
  const depth = between(0.1, 0.75);
  const second = between(0, 0.25) * depth;
  const quietest = between(1, 6) * HOUR;
  const weekend = between(0.5, 1.1);
  return (minute) => {
    const angle = (2 * Math.PI * (minute - quietest)) / DAY;
    const isWeekend = Math.floor((minute - quietest) / DAY) % 7 >= 5;
    return (1 - depth * Math.cos(angle) + second * Math.cos(2 * angle)) * (isWeekend ? weekend : 1);
  };
}

/** The logarithm of a rate: a first-order autoregression. */
export function createWander(random: Random, sigma: number, steps: number): () => number {
  const keep = Math.exp(-1 / steps);
  let state = sigma * random.normal();
  return () => {
    state = keep * state + sigma * Math.sqrt(1 - keep * keep) * random.normal();
    return state;
  };
}

/** The logarithm of a level that grows or shrinks over the weeks, and moves to another one up to three times. */
function createDrift(random: Random, between: Between): (minute: number) => number {
  const growth = between(-0.1, 0.3);
  const shifts = Array.from({ length: Math.floor(4 * random.uniform()) }, () => ({
    from: LENGTH * random.uniform(),
    minutes: between(10, 3 * HOUR),
    by: 0.15 * random.normal(),
  }));
  return (minute) =>
    shifts.reduce(
      (sum, { from, minutes, by }) => sum + by * Math.min(1, Math.max(0, (minute - from) / minutes)),
      (growth * minute) / LENGTH,
    );
}

/** Seven in ten last a minute, four in five are drops. */
function drawTrouble(random: Random): Trouble {
  const steps = random.uniform() < 0.7 ? 1 : 2 + Math.floor(4 * random.uniform());
  const isDrop = random.uniform() < 0.8;
  return { steps, factor: isDrop ? 0.6 * random.uniform() : 1.6 + 2.4 * random.uniform() };
}
