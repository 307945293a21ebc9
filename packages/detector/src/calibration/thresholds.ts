import { codeCount } from '../state/code-runs.ts';
import { MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { BLOCK_MINUTES, maximaOf, recentMaximaOf } from './block-maxima.ts';
import { fitGumbel, type GumbelTail, paretoExponent, paretoQuantile, type TailShape } from './gumbel-tail.ts';
import { largestUsual, predictiveFactorOf, usualFactor } from './rare-budgets.ts';

/** How the tail of the evidence is fitted, by side. */
interface TailSetting extends TailShape {
  /** Evidence to this power has a tail that is nearly exponential. */
  power: number;
  /** The scale is at least this many times that of Poisson counts, until a series has maxima of its own. */
  priorScaleFactor: number;
}

/** Rises are heavier than exponential beyond the quantile; drops are bounded, and lighter. */
const TAILS: readonly [TailSetting, TailSetting] = [
  { power: 0.9, quantile: 0.85, tailIndex: 0.15, priorScaleFactor: 2 },
  { power: 0.7, quantile: 0.9, tailIndex: -0.08, priorScaleFactor: 1.5 },
];

/**
 * Drops of ten steps and more have an exponential tail: a run of empty steps, or of the lower of two states, adds to
 * their evidence with each step, and its chance falls exponentially. Chosen on simulated streams that switch between
 * two states or have empty minutes, among −0.08, −0.03, 0, 0.03, 0.1 and 0.2.
 */
const LONG_DROP_STEPS = 10;
const LONG_DROP_TAIL: TailShape = { ...TAILS[DOWN], tailIndex: 0 };

/**
 * Counts of half an hour and more are sums of many minutes, and their time of day is known apart: once two weeks have shown
 * it, the tail of their rises is hardly heavier than exponential. Before, it is that of minutes. Chosen on simulated
 * streams: 0.05 from the first day on is too little for the first week of Cox bursts of σ 1.
 */
const COARSE_RISE_TAIL_INDEX = 0.05;

function tailShapeOf(
  { age }: SeriesState,
  { windows, isCoarse, stepMinutes }: Resolution,
  { side, window }: Pick<SideWindow, 'side' | 'window'>,
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

/** The pooled tail of the project counts for as much as this many blocks of the series. */
const POOLED_BLOCKS = 30;
/** An alarm is held down to this share of the way from the location to the open threshold (hysteresis). */
export const HOLD_SHARE = 0.4;
const WARM_UP_SHARE = 0.25;

/** A tail, and how many maxima it is from. */
export interface FittedTail extends GumbelTail {
  count: number;
}

/** The tail of several series. */
export interface PooledTail extends FittedTail {
  /** Standard deviation of the logarithms of their scales. */
  spread: number;
}

/** What a project lends to each of its series: the tails of those of a similar level. */
export interface PooledTailSource {
  /** Until it is called again. */
  of: (state: SeriesState, side: Side, window: number) => PooledTail;
}

const NO_MAXIMA: FittedTail = { scale: 0, location: 0, count: 0 };
/**
 * With few maxima the pooled tail is shrunk towards a heavy-tailed prior: this many times the scale of Poisson counts.
 * Counts that are not dispersed do not fall silent by themselves: for drops the prior grows with the dispersion.
 */
const HEAVY_TAILED_PRIOR = 8;
const STEADY_DROPS_PRIOR = 2;
/** The prior counts for as much as this many maxima. */
const PRIOR_MAXIMA = 60;

/** The tail of a window by the maxima of the series itself: the scale at least that of Poisson counts. */
export function fitOwnTail(
  state: SeriesState,
  resolution: Resolution,
  { side, window }: Pick<SideWindow, 'side' | 'window'>,
): FittedTail {
  const maxima = recentMaximaOf(state, resolution, side, window);
  const count = codeCount(maxima);
  if (count === 0) return NO_MAXIMA;
  const { scale, location } = fitGumbel(maxima, TAILS[side]);
  const { poissonScale } = blocksOf(state, resolution, side);
  return { scale: Math.max(poissonScale, scale), location, count };
}

/** The mean length of the blocks of a side, and what maxima over it are where counts are those of Poisson. */
interface Blocks {
  blockMinutes: number;
  poissonScale: number;
  minLocation: number;
}

function blocksOf(state: SeriesState, { stepMinutes }: Resolution, side: Side): Blocks {
  const ownMinutes = side === UP && state.blocks(side) > 0 ? state.meanBlockSteps(side) * stepMinutes : 0;
  const blockMinutes = Math.max(BLOCK_MINUTES, stepMinutes, ownMinutes);
  // Of N independent steps with exponential evidence the maximum has the location ln N.
  const logTrials = Math.log(blockMinutes / stepMinutes);
  const { power } = TAILS[side];
  return {
    blockMinutes,
    poissonScale: power * (logTrials + 8) ** (power - 1),
    minLocation: Math.max(0, logTrials) ** power,
  };
}

/**
 * A young series may yet turn out to be heavier than most others: the scale that it is lent lies so many standard deviations
 * above the mean of the logarithms, and after two weeks so many, by side. Chosen on simulated streams: Cox bursts of σ 1
 * and two states for the first week, Poisson errors among other series for the time after two.
 */
const YOUNG_DEVIATIONS = 2.5;
const OLD_DEVIATIONS = [0.5, 0] as const;
const OLD_MINUTES = 2 * MINUTES_PER_WEEK;

function deviationsOf(side: Side, ageMinutes: number): number {
  return Math.max(OLD_DEVIATIONS[side], YOUNG_DEVIATIONS * (1 - ageMinutes / OLD_MINUTES));
}

/** @param logPriorScale of the heavy-tailed prior, with which the logarithm of the scale is averaged */
function shrinkToPrior(pooled: PooledTail, deviations: number, logPriorScale: number): GumbelTail {
  const { count, scale, spread, location } = pooled;
  const weight = count + PRIOR_MAXIMA;
  const logScale = count === 0 ? 0 : Math.log(scale) + deviations * spread;
  return {
    scale: Math.exp((count * logScale + PRIOR_MAXIMA * logPriorScale) / weight),
    location: (count * location) / weight,
  };
}

/** What the pooled tails of a side are shrunk by, the same for all windows. */
interface SidePrior {
  blocks: Blocks;
  deviations: number;
  logPriorScale: number;
}

function priorOf(state: SeriesState, resolution: Resolution, side: Side): SidePrior {
  const blocks = blocksOf(state, resolution, side);
  const excess = state.dispersion - 1;
  const prior = side === UP ? HEAVY_TAILED_PRIOR : Math.min(HEAVY_TAILED_PRIOR, STEADY_DROPS_PRIOR + excess);
  return {
    blocks,
    deviations: deviationsOf(side, state.age * resolution.stepMinutes),
    logPriorScale: Math.log(prior * blocks.poissonScale),
  };
}

/** A series that is alone in its project has nothing to be shrunk to. */
const NOTHING_POOLED: GumbelTail = { scale: 0, location: 0 };

/** The tail of one window: evidence to the power c exceeds μ + σ·y in a block with the chance e^(−y). */
export interface WindowTail extends GumbelTail {
  shape: TailShape;
  blockMinutes: number;
}

/** A window of a series, by its side and its index among the windows of the resolution. */
export interface SideWindow {
  side: Side;
  window: number;
  /** Of the project; null for a series that is alone. */
  pooledTail: PooledTail | null;
}

/**
 * The tail of one window: fitted to the series' own block maxima, shrunk towards the pooled tail of the project (partial
 * pooling, with weights that are our own), and never below that of Poisson counts.
 */
export function fitWindowTail(
  state: SeriesState,
  resolution: Resolution,
  { side, window, pooledTail }: SideWindow,
  { blocks, deviations, logPriorScale } = priorOf(state, resolution, side),
): WindowTail {
  const setting = TAILS[side];
  const { blockMinutes, poissonScale, minLocation } = blocks;
  const pooled = pooledTail ? shrinkToPrior(pooledTail, deviations, logPriorScale) : NOTHING_POOLED;
  const maxima = pooledTail ? recentMaximaOf(state, resolution, side, window) : maximaOf(state, side, window);
  const n = codeCount(maxima);
  const own = n === 0 ? NOTHING_POOLED : fitGumbel(maxima, setting);
  const ownScale = Math.max(poissonScale, own.scale);
  const pooledScale = Math.max(pooled.scale, setting.priorScaleFactor * poissonScale);
  return {
    scale: (n * ownScale + POOLED_BLOCKS * pooledScale) / (n + POOLED_BLOCKS),
    location: Math.max(
      minLocation,
      own.location,
      (n * own.location + POOLED_BLOCKS * pooled.location) / (n + POOLED_BLOCKS),
    ),
    shape: tailShapeOf(state, resolution, { side, window }),
    blockMinutes,
  };
}

/** What the thresholds of a series follow from, beside its state. */
export interface CalibrationContext {
  resolution: Resolution;
  /** Tails that the project lends; null for a series that is alone. */
  pooledTails: PooledTailSource | null;
  /** The series' share of the project's budget: false alarms a week. */
  budgetPerWeek: number;
  /** See `rarityOf`; missing: 1. */
  rarity?: number;
  /** Missing: it is none. */
  isErrorSeries?: boolean;
}

/** In the first week a part of a budget is given that grows with the age: what came so far underestimates what will. */
export function warmUpShare(ageMinutes: number): number {
  return Math.min(1, WARM_UP_SHARE + (1 - WARM_UP_SHARE) * (ageMinutes / MINUTES_PER_WEEK));
}

export function warmUpBudget(
  state: SeriesState,
  { resolution, budgetPerWeek }: Pick<CalibrationContext, 'resolution' | 'budgetPerWeek'>,
): number {
  return budgetPerWeek * warmUpShare(state.age * resolution.stepMinutes);
}

/**
 * Sets the thresholds of a side for a budget of false alarms a week, in which each window of each side has the same
 * share: the evidence whose chance in a block is the share times the blocks' length in weeks.
 * @param budgetPerWeek of now; missing: that of the context
 */
export function calibrateThresholds(
  state: SeriesState,
  side: Side,
  { resolution, pooledTails, budgetPerWeek: share, rarity = 1, isErrorSeries = false }: CalibrationContext,
  budgetPerWeek = share,
): void {
  const power = 1 / TAILS[side].power;
  const prior = priorOf(state, resolution, side);
  const exponent = exponentOf(budgetPerWeek, prior.blocks, resolution);
  const predictive = predictiveFactorOf(state, resolution, { rarity, isErrorSeries });
  const usual = usualFactor(rarity);
  for (let window = 0; window < resolution.windows.length; window++) {
    const pooledTail = pooledTails?.of(state, side, window) ?? null;
    const tail = fitWindowTail(state, resolution, { side, window, pooledTail }, prior);
    const y = paretoQuantile(tail.shape, exponent);
    const fitted = (tail.location + tail.scale * y) ** power;
    const open = predictive * Math.max(fitted, usual * largestUsual(state, side, window));
    const hold = (tail.location + tail.scale * HOLD_SHARE * y) ** power;
    state.setThresholds(side, window, open, hold * (open / fitted));
  }
}

/** Each window of each side has the same share of a budget: −ln of its chance in a block. */
function exponentOf(
  budgetPerWeek: number,
  { blockMinutes }: Pick<Blocks, 'blockMinutes'>,
  { windows }: Resolution,
): number {
  return -Math.log(Math.min(0.5, (budgetPerWeek * blockMinutes) / (MINUTES_PER_WEEK * 2 * windows.length)));
}

/** The open threshold that follows from a tail alone, without what a rare budget adds. */
export function fittedThreshold(
  tail: WindowTail,
  side: Side,
  { resolution, budgetPerWeek }: CalibrationContext,
): number {
  const y = paretoQuantile(tail.shape, exponentOf(budgetPerWeek, tail, resolution));
  return (tail.location + tail.scale * y) ** (1 / TAILS[side].power);
}

/** How many false alarms a week this evidence stands for, over all windows of both sides: a rate, which may exceed 1. */
export function falseAlarmsPerWeek(
  tail: WindowTail,
  resolution: Resolution,
  side: Side,
  evidence: number,
): number {
  const variate = (evidence ** TAILS[side].power - tail.location) / tail.scale;
  const chance = Math.exp(-paretoExponent(tail.shape, variate));
  return (chance * MINUTES_PER_WEEK * 2 * resolution.windows.length) / tail.blockMinutes;
}
