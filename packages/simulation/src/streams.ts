import type { Kind } from './stream.ts';
import { deploys, differingDays, hawkes, logNormalAr, switching, zeroInflated } from './unsteady-streams.ts';

const DAY = 1_440;
const WEEK = 7 * DAY;

/** Series of a simulated project, evenly spread (by logarithm) over these means a minute. */
export const SERIES = 30;
const MIN_MEAN = 0.001;
const MAX_MEAN = 10_000;

export function meanOf(series: number): number {
  return MIN_MEAN * (MAX_MEAN / MIN_MEAN) ** ((series + 0.5) / SERIES);
}

export type KindName = keyof typeof KINDS;

export const KINDS = {
  Poisson: (random, mean) => (_, factor) => random.poisson(mean * factor),
  'NB φ 1–24': (random, mean) => {
    const dispersion = 24 ** random.uniform();
    return (_, factor) => random.count(mean * factor, dispersion);
  },
  'NB φ 24': (random, mean) => (_, factor) => random.count(mean * factor, 24),
  'daily and weekly cycle': (random, mean) => {
    const depth = 0.9 * random.uniform();
    const phase = DAY * random.uniform();
    const weekly = 0.3 * random.uniform();
    return (minute, factor) => {
      const day = 1 + depth * Math.sin((2 * Math.PI * (minute + phase)) / DAY);
      const week = 1 + weekly * Math.sin((2 * Math.PI * minute) / WEEK);
      return random.count(mean * day * week * factor, 2);
    };
  },
  'Cox σ 0.5, 10 min': cox(0.5, 10),
  'Cox σ 1, 10 min': cox(1, 10),
  'Cox σ 0.5, 4 h': cox(0.5, 240),
  'Cox σ 1, 4 h': cox(1, 240),
  // Each burst of events is sampled: a tenth of a bursty stream.
  thinned: (random, mean) => {
    const whole = cox(0.5, 60)(random, 10 * mean);
    return (minute, factor) => random.poisson((whole(minute, 1) * factor) / 10);
  },
  'working hours': (random, mean) => (minute, factor) => {
    const hour = (minute % DAY) / 60;
    const isOpen = Math.floor(minute / DAY) % 7 < 5 && hour >= 9 && hour < 17;
    return random.count(mean * (isOpen ? 1 : 0.02) * factor, 1.5);
  },
  Hawkes: hawkes(0.7, 10),
  'two states': switching({ factor: 0.7, minutes: 120 }, { factor: 1.9, minutes: 40 }),
  'days that differ': differingDays(0.25),
  'zero-inflated': zeroInflated(0.2, 0.5),
  deploys: deploys(0.22, 2),
  'AR(1) σ 0.5, 45 min': logNormalAr(0.5, 45),
  'AR(1) σ 0.5, 24 h': logNormalAr(0.5, DAY),
} satisfies Record<string, Kind>;

/** In the order of `KINDS`, which the seeds of projects depend on; those are its only keys. */
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** Poisson around a log-normal rate that wanders. */
function cox(sigma: number, minutes: number): Kind {
  const keep = Math.exp(-1 / minutes);
  const renew = Math.sqrt(1 - keep * keep);
  return (random, mean) => {
    let state = random.normal();
    return (_, factor) => {
      state = keep * state + renew * random.normal();
      return random.poisson(mean * Math.exp(sigma * state - (sigma * sigma) / 2) * factor);
    };
  };
}
