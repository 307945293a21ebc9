import type { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import type { Label, LabelledSeries } from './labelled-series.ts';
import { addTrouble, type Trouble } from './trouble-labels.ts';

const HOURS_A_WEEK = 168;
const CRASH_WEEKS = 12;

/**
 * Crashes of an app an hour, for twelve weeks: they follow its use through day and week, each weekly release has a level of
 * its own, and bad releases, broken backends and outages of the app are the labels.
 */
export function createAppCrashes(random: Random): LabelledSeries {
  const mean = 2 * 100 ** random.uniform();
  const depth = 0.3 + 0.4 * random.uniform();
  const quietest = 24 * random.uniform();
  const weekend = 0.7 + 0.6 * random.uniform();
  const dispersion = 1.5 + 3 * random.uniform();
  const releases = Array.from({ length: CRASH_WEEKS + 1 }, () => Math.exp(0.2 * random.normal()));
  const rates = Array.from({ length: CRASH_WEEKS * HOURS_A_WEEK }, (_, hour) => {
    const ofDay = 1 - depth * Math.cos((2 * Math.PI * (hour - quietest)) / 24);
    const isWeekend = Math.floor(hour / 24) % 7 >= 5;
    const release = releases[Math.floor(hour / HOURS_A_WEEK + 0.4)] ?? 1;
    return mean * ofDay * (isWeekend ? weekend : 1) * release;
  });
  const labels = addTrouble(random, rates, {
    count: 6 + Math.floor(5 * random.uniform()),
    firstStep: HOURS_A_WEEK,
    apart: 48,
    dispersion,
    wobble: 0.1,
    draw: drawCrashes,
  });
  const counts = rates.map((rate) => random.count(rate, dispersion));
  return { startMs: START_MS, stepMinutes: 60, counts, labels };
}

function drawCrashes(random: Random): Trouble {
  const kind = random.uniform();
  const upTo = (low: number, high: number) => low + (high - low) * random.uniform();
  // A release that crashes until the next one; a backend that is broken; the app does not start.
  if (kind < 0.4) return { steps: Math.round(upTo(6, 24)), factor: upTo(2.5, 6) };
  if (kind < 0.8) return { steps: Math.round(upTo(1, 4)), factor: upTo(4, 15) };
  return { steps: Math.round(upTo(3, 8)), factor: upTo(0, 0.15) };
}

const RIDE_WEEKS = 28;
const HALF_HOURS_A_DAY = 48;
const RIDES = 15_000;
/** Rides by the hour of the day, over their mean; a weekend's night goes on until four. */
const WORKDAY = [
  0.65, 0.45, 0.32, 0.25, 0.25, 0.3, 0.65, 1.0, 1.2, 1.2, 1.1, 1.12, 1.18, 1.15, 1.2, 1.15, 1.0, 1.2, 1.45,
  1.5, 1.4, 1.38, 1.3, 1.0,
];
const WEEKEND = [
  1.4, 1.25, 1.05, 0.85, 0.55, 0.3, 0.3, 0.38, 0.55, 0.8, 0.98, 1.08, 1.18, 1.2, 1.18, 1.15, 1.1, 1.2, 1.32,
  1.35, 1.22, 1.2, 1.25, 1.3,
];

/** Rides of taxis in a city in half an hour, for 28 weeks: holidays, a storm, a night out and a marathon are its five labels. */
export function createRides(random: Random): LabelledSeries {
  const length = RIDE_WEEKS * 7 * HALF_HOURS_A_DAY;
  let [ofDay, wobble] = [0, 0];
  const rates = Array.from({ length }, (_, step) => {
    if (step % HALF_HOURS_A_DAY === 0) ofDay = 0.05 * random.normal();
    wobble = 0.85 * wobble + 0.02 * random.normal();
    const hour = (step % HALF_HOURS_A_DAY) / 2;
    const profile = Math.floor(step / HALF_HOURS_A_DAY) % 7 >= 5 ? WEEKEND : WORKDAY;
    const [before, after] = [profile[Math.floor(hour)] ?? 1, profile[(Math.floor(hour) + 1) % 24] ?? 1];
    return RIDES * (before + (after - before) * (hour % 1)) * Math.exp(ofDay + wobble);
  });
  const labels = addDisruptions(random, rates);
  return { startMs: START_MS, stepMinutes: 30, counts: rates.map((rate) => random.count(rate, 20)), labels };
}

/** Each in weeks of its own, none in the first four. */
function addDisruptions(random: Random, rates: number[]): Label[] {
  const disruptions = [
    { fromHour: 0, hours: 24, factor: 0.6 },
    { fromHour: 0, hours: 48, factor: 0.5 },
    { fromHour: 12, hours: 24, factor: 0.1 },
    { fromHour: 0, hours: 4, factor: 1.7 },
    { fromHour: 10, hours: 6, factor: 1.4 },
  ];
  const weeksEach = Math.floor((RIDE_WEEKS - 4) / disruptions.length);
  return disruptions.map(({ fromHour, hours, factor }, index) => {
    const day = 7 * (4 + index * weeksEach) + Math.floor(7 * (weeksEach - 1) * random.uniform());
    const from = day * HALF_HOURS_A_DAY + 2 * fromHour;
    const to = from + 2 * hours - 1;
    for (let step = from; step <= to; step++) rates[step] = (rates[step] ?? 0) * factor;
    return { from, to, isDrop: factor < 1 };
  });
}
