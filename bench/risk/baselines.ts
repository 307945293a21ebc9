const DAY = 1_440;
const HOUR = 60;
/** Lower bound of a count or a standard deviation that a rule divides by. */
const MIN_DIVISOR = 0.5;

/** Plain, so that `structuredClone` copies it. */
export interface BaselineState {
  /** The last counts. */
  ring: Float64Array;
  /** Where the next count goes. */
  at: number;
  /** How many counts the ring holds. */
  known: number;
  sum: number;
  squares: number;
  /** Sum upwards, for the rules by cumulative sums. */
  up: number;
  down: number;
}

/** A rule that is common in production: the statistics of each minute, upwards and downwards, to compare with a threshold. */
export interface Baseline {
  name: string;
  create: () => BaselineState;
  score: (state: BaselineState, count: number) => [number, number];
}

export const BASELINES: Baseline[] = [
  // The PromQL recipe: (x − avg_over_time[24h]) / stddev_over_time[24h].
  {
    name: 'mean ± kσ, 24 h',
    create: () => createState(DAY),
    score: (state, count) => {
      const mean = state.sum / Math.max(1, state.known);
      const variance = state.squares / Math.max(1, state.known) - mean * mean;
      const deviation = Math.sqrt(Math.max(MIN_DIVISOR ** 2, variance));
      const z = state.known < HOUR ? 0 : (count - mean) / deviation;
      remember(state, count);
      return [z, -z];
    },
  },
  // Against the median of the last hour.
  {
    name: 'ratio to the median, 1 h',
    create: () => createState(HOUR),
    score: (state, count) => {
      const isKnown = state.known >= HOUR;
      const median = isKnown ? (state.ring.toSorted()[HOUR / 2] ?? 0) : 0;
      remember(state, count);
      if (!isKnown) return [0, 0];
      const [now, usual] = [Math.max(count, MIN_DIVISOR), Math.max(median, MIN_DIVISOR)];
      return [now / usual, usual / now];
    },
  },
  // Seven values; the two before the present are left out.
  {
    name: 'EARS C2',
    create: () => createState(9),
    score: (state, count) => {
      let sum = 0;
      let squares = 0;
      for (let back = 3; back <= 9; back++) {
        const value = state.ring[(state.at + 9 - back) % 9] ?? 0;
        sum += value;
        squares += value * value;
      }
      const mean = sum / 7;
      const deviation = Math.sqrt(Math.max(MIN_DIVISOR ** 2, (squares - 7 * mean * mean) / 6));
      const z = state.known < 9 ? 0 : (count - mean) / deviation;
      remember(state, count);
      return [z, -z];
    },
  },
  // Likelihood ratios of a negative binomial against twice and half its mean, which is that of the last day.
  {
    name: 'NB-CUSUM, ×2 and ×½',
    create: () => createState(DAY),
    score: (state, count) => {
      if (state.known >= HOUR) {
        const mean = Math.max(state.sum / state.known, 1e-4);
        const dispersion = Math.max(1.01, (state.squares / state.known - mean * mean) / mean);
        const size = mean / (dispersion - 1);
        const ratio = (factor: number) =>
          count * Math.log(factor) - (count + size) * Math.log((factor * mean + size) / (mean + size));
        state.up = Math.max(0, state.up + ratio(2));
        state.down = Math.max(0, state.down + ratio(0.5));
      }
      remember(state, count);
      return [state.up, state.down];
    },
  },
];

function createState(length: number): BaselineState {
  return { ring: new Float64Array(length), at: 0, known: 0, sum: 0, squares: 0, up: 0, down: 0 };
}

function remember(state: BaselineState, count: number): void {
  const { length } = state.ring;
  const oldest = state.known === length ? (state.ring[state.at] ?? 0) : 0;
  state.sum += count - oldest;
  state.squares += count * count - oldest * oldest;
  state.known = Math.min(length, state.known + 1);
  state.ring[state.at] = count;
  state.at = (state.at + 1) % length;
}
