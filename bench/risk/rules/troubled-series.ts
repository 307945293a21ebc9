import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import type { LabelledSeries } from '../labelled-series.ts';
import { addTrouble, type Trouble } from '../trouble-labels.ts';
import { createRhythm, createWander } from '../web-service.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Lengths of a step, in minutes, and of a series, in weeks. */
export const STEPS = [1, 5, 30, 60] as const;
const WEEKS: Record<(typeof STEPS)[number], number> = { 1: 3, 5: 4, 30: 9, 60: 12 };
/** Every rule knows a week then. */
const JUDGED_FROM_MINUTES = 8 * DAY;
const MIN_TROUBLES = 4;
const MAX_TROUBLES = 32;
/** The longest trouble, and the time between two, in minutes. */
const MAX_TROUBLE_MINUTES = { short: 6 * HOUR, long: 16 * HOUR };
const APART_MINUTES = { short: 4 * HOUR, long: 16 * HOUR };

export interface TroubledSeries extends LabelledSeries {
  /** Counts of the minutes that the steps consist of. */
  minutes: Uint32Array;
  /** First step that is judged. */
  judgedFrom: number;
}

type Between = (low: number, high: number) => number;
type LogRate = (minute: number) => number;

/**
 * Counts of a usual rate a minute, of three kinds: with a rhythm of days and weeks, without, and with both a rhythm
 * and bursts; the level of all wanders over days and weeks. Each has several troubles: rises, drops, silences and ramps of one step up to 6
 * hours, at long steps up to 16, where a person would see them.
 */
export function createTroubledSeries(stepMinutes: number, perMinute: number, seed: number): TroubledSeries {
  const random = new Random(Math.imul(seed, 2_654_435_761) ^ Math.round(1_000 * perMinute * stepMinutes));
  const between = (low: number, high: number) => low + (high - low) * random.uniform();
  const scale = perMinute * stepMinutes * Math.exp(between(-1, 1));
  const kind = KINDS[Math.floor(KINDS.length * random.uniform())] ?? KINDS[0];
  const { logRate, wobble } = kind(random, between, stepMinutes);
  const ofDays = createWander(random, between(0.02, 0.12), DAY / stepMinutes);
  const ofWeeks = createWander(random, between(0.1, 0.4), (14 * DAY) / stepMinutes);
  const weeks = WEEKS[stepMinutes as keyof typeof WEEKS] ?? WEEKS[60];
  const rates = Array.from(
    { length: (weeks * 7 * DAY) / stepMinutes },
    (_, step) => scale * Math.exp(logRate(step * stepMinutes) + ofDays() + ofWeeks()),
  );
  const dispersion = 1 + 3 * random.uniform() ** 2;
  const length = stepMinutes < 30 ? 'short' : 'long';
  const judgedFrom = JUDGED_FROM_MINUTES / stepMinutes;
  const labels = addTrouble(random, rates, {
    count: Math.round(MIN_TROUBLES * (MAX_TROUBLES / MIN_TROUBLES) ** between(0, 1)),
    firstStep: judgedFrom,
    apart: APART_MINUTES[length] / stepMinutes,
    dispersion,
    wobble,
    draw: troublesOf(random, between, MAX_TROUBLE_MINUTES[length] / stepMinutes),
  });
  const minutes = new Uint32Array(rates.length * stepMinutes);
  // Negative binomials of one dispersion add up to such a one.
  for (let i = 0; i < minutes.length; i++)
    minutes[i] = random.count((rates[Math.floor(i / stepMinutes)] ?? 0) / stepMinutes, dispersion);
  const counts = rates.map((_, step) =>
    minutes.subarray(step * stepMinutes, (step + 1) * stepMinutes).reduce((sum, count) => sum + count, 0),
  );
  return { startMs: START_MS, stepMinutes, counts, labels, minutes, judgedFrom };
}

interface Kind {
  logRate: LogRate;
  /** Standard deviation of the rate beside its rhythm, relative to it. */
  wobble: number;
}

type CreateKind = (random: Random, between: Between, stepMinutes: number) => Kind;

const KINDS: [CreateKind, CreateKind, CreateKind] = [
  (_random, between) => {
    const rhythm = createRhythm(between);
    return { logRate: (minute) => Math.log(rhythm(minute)), wobble: 0.05 };
  },
  () => ({ logRate: () => 0, wobble: 0.05 }),
  (random, between, stepMinutes) => {
    const rhythm = createRhythm(between);
    const sigma = between(0.2, 0.5);
    const burst = createWander(random, sigma, between(HOUR, 6 * HOUR) / stepMinutes);
    return { logRate: (minute) => Math.log(rhythm(minute)) + burst(), wobble: sigma };
  },
];

/**
 * Draws half of them as rises, two tenths as drops, one as a silence and two as ramps, of which one in four goes down. The
 * troubles of a series are of one sort, as failures recur: rises and lengths are around those that are usual in it.
 */
function troublesOf(random: Random, between: Between, maxSteps: number): () => Trouble {
  const usualSteps = maxSteps ** between(0, 1);
  const usualRise = 2 * 50 ** between(0, 1);
  const rise = () => 1.3 + usualRise * Math.exp(0.5 * random.normal());
  return () => {
    const steps = Math.min(maxSteps, Math.ceil(usualSteps * Math.exp(0.7 * random.normal())));
    const kind = between(0, 10);
    if (kind < 5) return { steps, factor: rise() };
    if (kind < 7) return { steps, factor: between(0.05, 0.7) };
    if (kind < 8) return { steps, factor: 0 };
    return { steps: Math.max(2, steps), isRamp: true, factor: kind < 9.5 ? rise() : between(0, 0.5) };
  };
}
