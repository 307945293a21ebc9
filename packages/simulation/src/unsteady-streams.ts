import type { Random } from './random.ts';
import type { Kind } from './stream.ts';

/*
 * Streams whose rate moves although nothing is wrong. Each is scaled so that its expected count is its mean over a long
 * time. Lengths are minutes.
 */

const DAY = 1_440;
/** Dispersion of events around a rate that is already unsteady. */
const DISPERSION = 1.5;

/** Expectation 1: e^(σz − σ²/2). */
function logNormal(random: Random, sigma: number): number {
  return Math.exp(sigma * random.normal() - (sigma * sigma) / 2);
}

/**
 * A Poisson autoregression, which is a Hawkes process in steps of a minute: each event brings forth others, at a rate that
 * decays exponentially from the next minute on.
 * @param offspring mean number that an event has, below 1
 */
export function hawkes(offspring: number, minutes: number): Kind {
  const keep = Math.exp(-1 / minutes);
  return (random, mean) => {
    let excited = offspring * mean;
    return (_, factor) => {
      const rate = (1 - offspring) * mean + excited;
      const count = random.poisson(rate);
      excited = keep * excited + offspring * (1 - keep) * count;
      // An external factor on a rate is not passed on, or ×5 would never end.
      return factor === 1 ? count : random.poisson(rate * factor);
    };
  };
}

interface State {
  factor: number;
  /** Mean duration in minutes. */
  minutes: number;
}

/** Poisson in two states that take turns, each for an exponential time. */
export function switching(low: State, high: State): Kind {
  const share = low.minutes / (low.minutes + high.minutes);
  const scale = 1 / (share * low.factor + (1 - share) * high.factor);
  return (random, mean) => {
    let state = random.uniform() < share ? low : high;
    return (_, factor) => {
      if (random.uniform() < 1 / state.minutes) state = state === low ? high : low;
      return random.poisson(mean * scale * state.factor * factor);
    };
  };
}

/** A daily and a weekly rhythm whose days differ: a day is as a whole larger or smaller, from its quietest minute on. */
export function differingDays(sigma: number): Kind {
  return (random, mean) => {
    const depth = 0.3 + 0.6 * random.uniform();
    const quietest = Math.floor(DAY * random.uniform());
    const weekend = 0.4 + 0.6 * random.uniform();
    const scale = 7 / (5 + 2 * weekend);
    const dispersion = 1 + 4 * random.uniform();
    let day = Number.NaN;
    let ofDay = 1;
    return (minute, factor) => {
      const passed = minute - quietest;
      if (Math.floor(passed / DAY) !== day) {
        day = Math.floor(passed / DAY);
        ofDay = logNormal(random, sigma) * scale * (((day % 7) + 7) % 7 < 5 ? 1 : weekend);
      }
      const ofHour = 1 - depth * Math.cos((2 * Math.PI * passed) / DAY);
      return random.count(mean * ofDay * ofHour * factor, dispersion);
    };
  };
}

/** A share of the minutes is empty, each by chance: senders that flush what they have collected. */
export function zeroInflated(fewest: number, most: number): Kind {
  return (random, mean) => {
    const empty = fewest + (most - fewest) * random.uniform();
    return (_, factor) =>
      random.uniform() < empty ? 0 : random.count((mean / (1 - empty)) * factor, DISPERSION);
  };
}

/**
 * A level that is another one after each deploy: so many a day, at any time.
 * @param sigma standard deviation of the logarithm of a step
 */
export function deploys(sigma: number, aDay: number): Kind {
  // A step is the difference of two independent levels.
  const ofLevel = sigma / Math.SQRT2;
  return (random, mean) => {
    let level = logNormal(random, ofLevel);
    return (_, factor) => {
      if (random.uniform() < aDay / DAY) level = logNormal(random, ofLevel);
      return random.count(mean * level * factor, DISPERSION);
    };
  };
}

/** Negative binomial around a rate whose logarithm is a first-order autoregression. */
export function logNormalAr(sigma: number, minutes: number): Kind {
  const keep = Math.exp(-1 / minutes);
  const renew = Math.sqrt(1 - keep * keep);
  return (random, mean) => {
    let state = random.normal();
    return (_, factor) => {
      state = keep * state + renew * random.normal();
      return random.count(mean * Math.exp(sigma * state - (sigma * sigma) / 2) * factor, DISPERSION);
    };
  };
}
