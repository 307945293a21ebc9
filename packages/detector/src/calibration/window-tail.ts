import { type CodeRuns, codeCount } from '../state/code-runs.ts';
import { MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { BLOCK_MINUTES, maximaOf, recentMaximaOf } from './block-maxima.ts';
import { fitGumbel, type GumbelTail, type TailShape } from './gumbel-tail.ts';

/** Settings by which the tail of the evidence of a side is fitted. */
interface TailSetting extends TailShape {
  /** Evidence to this power has a tail that is nearly exponential. */
  power: number;
  /** The scale is at least this many times that of Poisson counts, until a series has maxima of its own. */
  priorScaleFactor: number;
}

/** Tails by side: rises are heavier than exponential beyond the quantile; drops are bounded, and lighter. */
const TAILS: readonly [TailSetting, TailSetting] = [
  { power: 0.9, quantile: 0.85, tailIndex: 0.15, priorScaleFactor: 2 },
  { power: 0.7, quantile: 0.9, tailIndex: -0.08, priorScaleFactor: 1.5 },
];

/**
 * Minimum steps of drops with an exponential tail: a run of empty steps, or of the lower of two states, adds to
 * their evidence with each step, and its chance falls exponentially. Chosen on simulated streams that switch between
 * two states or have empty minutes, among −0.08, −0.03, 0, 0.03, 0.1 and 0.2.
 */
const LONG_DROP_STEPS = 10;
const LONG_DROP_TAIL: TailShape = { ...TAILS[DOWN], tailIndex: 0 };

/**
 * Tail index of rises at coarse steps once two weeks are known, to which it moves from that of minutes. Their counts are sums of
 * many minutes, and their time of day is known apart, so that their tail is hardly heavier than exponential. Chosen on simulated
 * streams: 0.05 from the first day on is too little for the first week of Cox bursts of σ 1.
 */
const COARSE_RISE_TAIL_INDEX = 0.05;

function tailShapeOf(
  { age }: SeriesState,
  { windows, isCoarse, stepMinutes }: Resolution,
  { side, window }: SideWindow,
): TailShape {
  if (side === UP) {
    if (!isCoarse) return TAILS[UP];
    const { quantile, tailIndex } = TAILS[UP];
    const known = Math.min(1, (age * stepMinutes) / OLD_MINUTES);
    return { quantile, tailIndex: tailIndex + known * (COARSE_RISE_TAIL_INDEX - tailIndex) };
  }
  const isLong = isCoarse || (windows[window] as number) >= LONG_DROP_STEPS; // below the number of windows
  return isLong ? LONG_DROP_TAIL : TAILS[DOWN];
}

/** A window of a series, by its side and its index among the windows of the resolution. */
interface SideWindow {
  side: Side;
  window: number;
}

/** A tail, and the number of maxima that it was fitted to. */
export interface FittedTail extends GumbelTail {
  count: number;
}

/** The tail of several series. */
export interface PooledTail extends FittedTail {
  /** Standard deviation of the logarithms of their scales. */
  spread: number;
}

const NO_MAXIMA: FittedTail = { scale: 0, location: 0, count: 0 };

/** Returns a tail whose scale is at least that of Poisson counts. */
function fitMaxima(maxima: CodeRuns, side: Side, poissonScale: number): FittedTail {
  const count = codeCount(maxima);
  if (count === 0) return NO_MAXIMA;
  const { scale, location } = fitGumbel(maxima, TAILS[side]);
  return { scale: Math.max(poissonScale, scale), location, count };
}

/** Returns the tail of a window by the maxima of the series itself. */
export function fitOwnTail(
  state: SeriesState,
  resolution: Resolution,
  { side, window }: SideWindow,
): FittedTail {
  const { poissonScale } = blocksOf(state, resolution, side);
  return fitMaxima(recentMaximaOf(state, resolution, side, window), side, poissonScale);
}

/** Mean length of the blocks of a side, and the tail that their maxima have where counts are those of Poisson. */
interface Blocks {
  blockMinutes: number;
  poissonScale: number;
  minLocation: number;
}

function blocksOf(state: SeriesState, { stepMinutes }: Resolution, side: Side): Blocks {
  const ownMinutes = side === UP && state.blocks(side) > 0 ? state.meanBlockSteps(side) * stepMinutes : 0;
  const blockMinutes = Math.max(BLOCK_MINUTES, stepMinutes, ownMinutes);
  // The maximum of N independent steps with exponential evidence has the location ln N.
  const logTrials = Math.log(blockMinutes / stepMinutes);
  const { power } = TAILS[side];
  return {
    blockMinutes,
    poissonScale: power * (logTrials + 8) ** (power - 1),
    minLocation: Math.max(0, logTrials) ** power,
  };
}

/**
 * Scale of the heavy-tailed prior, towards which the pooled tail is shrunk with few maxima, in scales of Poisson counts. Counts
 * that are not dispersed do not fall silent by themselves: for drops the prior grows with the dispersion.
 */
const HEAVY_TAILED_PRIOR = 8;
const STEADY_DROPS_PRIOR = 2;
/** The prior counts for as much as this many maxima. */
export const PRIOR_MAXIMA = 60;

/**
 * Standard deviations by which the pooled scale of a young series lies above the mean of the logarithms, and by side after two
 * weeks: a young series may yet turn out to be heavier than most others. Chosen on simulated streams: Cox bursts of σ 1
 * and two states for the first week, Poisson errors among other series for the time after two.
 */
const YOUNG_DEVIATIONS = 2.5;
const OLD_DEVIATIONS = [0.5, 0] as const;
const OLD_MINUTES = 2 * MINUTES_PER_WEEK;

/** Values by which the tails of all windows of a side are fitted. */
interface SidePrior extends Blocks {
  deviations: number;
  /** Logarithm of the scale of the heavy-tailed prior. */
  logPriorScale: number;
}

export function priorOf(state: SeriesState, resolution: Resolution, side: Side): SidePrior {
  const blocks = blocksOf(state, resolution, side);
  const excess = state.dispersion - 1;
  const prior = side === UP ? HEAVY_TAILED_PRIOR : Math.min(HEAVY_TAILED_PRIOR, STEADY_DROPS_PRIOR + excess);
  const young = YOUNG_DEVIATIONS * (1 - (state.age * resolution.stepMinutes) / OLD_MINUTES);
  return {
    ...blocks,
    deviations: Math.max(OLD_DEVIATIONS[side], young),
    logPriorScale: Math.log(prior * blocks.poissonScale),
  };
}

function shrinkToPrior(pooled: PooledTail, { deviations, logPriorScale }: SidePrior): GumbelTail {
  const { count, scale, spread, location } = pooled;
  const weight = count + PRIOR_MAXIMA;
  const logScale = count === 0 ? 0 : Math.log(scale) + deviations * spread;
  return {
    scale: Math.exp((count * logScale + PRIOR_MAXIMA * logPriorScale) / weight),
    location: (count * location) / weight,
  };
}

/** The pooled tail of the project counts for as much as this many blocks of the series. */
const POOLED_BLOCKS = 30;

/** The tail of one window: evidence to a power c exceeds μ + σ·y in a block with the chance e^(−y). */
export interface WindowTail extends GumbelTail {
  power: number;
  shape: TailShape;
  blockMinutes: number;
}

/**
 * Returns the tail of one window: fitted to the series' own block maxima, shrunk towards the pooled tail of the project (partial
 * pooling, with weights that are our own), and never below that of Poisson counts.
 * @param pooledTail null for a series that is alone in its project, which is shrunk to nothing
 */
export function fitWindowTail(
  state: SeriesState,
  resolution: Resolution,
  { side, window, pooledTail }: SideWindow & { pooledTail: PooledTail | null },
  prior = priorOf(state, resolution, side),
): WindowTail {
  const { power, priorScaleFactor } = TAILS[side];
  const { blockMinutes, poissonScale, minLocation } = prior;
  const pooled = pooledTail ? shrinkToPrior(pooledTail, prior) : NO_MAXIMA;
  const maxima = pooledTail ? recentMaximaOf(state, resolution, side, window) : maximaOf(state, side, window);
  const own = fitMaxima(maxima, side, poissonScale);
  const n = own.count;
  const pooledScale = Math.max(pooled.scale, priorScaleFactor * poissonScale);
  return {
    scale: (n * own.scale + POOLED_BLOCKS * pooledScale) / (n + POOLED_BLOCKS),
    location: Math.max(
      minLocation,
      own.location,
      (n * own.location + POOLED_BLOCKS * pooled.location) / (n + POOLED_BLOCKS),
    ),
    power,
    shape: tailShapeOf(state, resolution, { side, window }),
    blockMinutes,
  };
}
