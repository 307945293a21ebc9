const DAY = 1_440;
const HOUR = 60;
/** What a count, or a standard deviation, is taken for at least: the rules divide by it. */
const LEAST = 0.5;

/**
 * What is common in production, as statistics of the minute that ends, upwards and downwards, each to be compared
 * with a threshold. State is plain, so that it can be copied.
 * @typedef {{ [name: string]: number | number[] }} State
 * @typedef {{ create: () => any, judge: (state: any, count: number) => [number, number] }} Baseline
 */

/** @type {Record<string, Baseline>} */
export const BASELINES = {
  // The PromQL recipe: (x − avg_over_time[24h]) / stddev_over_time[24h].
  'mean ± kσ, 24 h': {
    create: () => ({ ring: new Float64Array(DAY), at: 0, known: 0, sum: 0, squares: 0 }),
    judge: (state, count) => {
      const mean = state.sum / Math.max(1, state.known);
      const deviation = Math.sqrt(
        Math.max(LEAST ** 2, state.squares / Math.max(1, state.known) - mean * mean),
      );
      const z = state.known < HOUR ? 0 : (count - mean) / deviation;
      remember(state, count, DAY);
      return [z, -z];
    },
  },
  // Against the median of the last hour.
  'ratio to the median, 1 h': {
    create: () => ({ ring: new Float64Array(HOUR), at: 0, known: 0, sum: 0, squares: 0 }),
    judge: (state, count) => {
      const median = state.known < HOUR ? 0 : state.ring.toSorted()[HOUR / 2];
      const isBlind = state.known < HOUR;
      remember(state, count, HOUR);
      if (isBlind) return [0, 0];
      return [
        Math.max(count, LEAST) / Math.max(median, LEAST),
        Math.max(median, LEAST) / Math.max(count, LEAST),
      ];
    },
  },
  // Seven values, two before the present left out.
  'EARS C2': {
    create: () => ({ ring: new Float64Array(9), at: 0, known: 0 }),
    judge: (state, count) => {
      let sum = 0;
      let squares = 0;
      for (let back = 3; back <= 9; back++) {
        const value = state.ring[(state.at + 9 - back) % 9];
        sum += value;
        squares += value * value;
      }
      const mean = sum / 7;
      const deviation = Math.sqrt(Math.max(LEAST ** 2, (squares - 7 * mean * mean) / 6));
      const z = state.known < 9 ? 0 : (count - mean) / deviation;
      state.ring[state.at] = count;
      state.at = (state.at + 1) % 9;
      state.known++;
      return [z, -z];
    },
  },
  // Likelihood ratios of a negative binomial against twice and half its mean, which is that of the last day.
  'NB-CUSUM, ×2 and ×½': {
    create: () => ({ ring: new Float64Array(DAY), at: 0, known: 0, sum: 0, squares: 0, up: 0, down: 0 }),
    judge: (state, count) => {
      if (state.known >= HOUR) {
        const mean = Math.max(state.sum / state.known, 1e-4);
        const dispersion = Math.max(1.01, (state.squares / state.known - mean * mean) / mean);
        const size = mean / (dispersion - 1);
        const ratio = (/** @type {number} */ factor) =>
          count * Math.log(factor) - (count + size) * Math.log((factor * mean + size) / (mean + size));
        state.up = Math.max(0, state.up + ratio(2));
        state.down = Math.max(0, state.down + ratio(0.5));
      }
      remember(state, count, DAY);
      return [state.up, state.down];
    },
  },
};

/** @param {any} state @param {number} count @param {number} length */
function remember(state, count, length) {
  const old = state.known === length ? state.ring[state.at] : 0;
  state.sum += count - old;
  state.squares += count * count - old * old;
  state.known = Math.min(length, state.known + 1);
  state.ring[state.at] = count;
  state.at = (state.at + 1) % length;
}
