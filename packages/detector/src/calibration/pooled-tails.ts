import { MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import { sideWindow } from '../state/series-layout.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import type { AllStates } from './pooled-dispersion.ts';
import type { PooledTailSource } from './thresholds.ts';
import { type FittedTail, fitOwnTail, type PooledTail } from './window-tail.ts';

/** As for the dispersion: series whose levels differ by a factor of e^1.5 share e⁻¹ of their weight. */
const REACH = 1.5;
/** Series are binned by level, so that pooling costs the series times the bins, not the series squared. */
const BIN = 1.5;
const BINS = 16;
const MIN_LOG_LEVEL = -10;
const TAILS = 2 * MAX_WINDOWS;
/** Maxima with which a fit has half of the weight of one to very many. */
const PRIOR_BLOCKS = 20;

/** First floats: 1 where there is more than one series, and the number of maxima of rises of all. */
const IS_POOLING = 0;
const RISES = 1;
const HEAD = 2;
/** Floats of a tail, the fields of `PooledTail`. */
const FIELDS = 4;
const FLOATS = HEAD + BINS * TAILS * FIELDS;

/** Fields of the sums over the series of a bin, or over all bins by their distance. */
const WEIGHT = 0;
const LOG_SCALE = 1;
const SQUARED_LOG_SCALE = 2;
const LOCATION = 3;
const COUNT = 4;
const SUMS = 5;

const NO_TAIL: PooledTail = { scale: 0, spread: 0, location: 0, count: 0 };

/**
 * Pooled tails of a project by level, side and window: the geometric mean of their scales, the standard deviation of the
 * logarithms, and the mean of their locations, weighted by e^(−|ln(m/mⱼ)|/1.5)·nⱼ/(nⱼ + 20), n the block maxima that each was
 * fitted to. Unlike series are pooled by their scales, not by their maxima: the spread between them is no tail (the index-flood method:
 * Hosking & Wallis, 1997, with a kernel of our own, as for the dispersion).
 */
export class PooledTails implements PooledTailSource {
  readonly #floats = new Float32Array(FLOATS);
  /** Tail that was returned last. */
  readonly #tail: PooledTail = { ...NO_TAIL };
  /** Level of the last series, which asks for each side and window, and its bin. */
  #lastLevel = 0;
  #lastBin = 0;

  /** @param saved result of `toBytes` */
  constructor(saved?: Uint8Array) {
    if (saved) new Uint8Array(this.#floats.buffer).set(saved);
  }

  of(state: SeriesState, side: Side, window: number): PooledTail {
    const { level } = state;
    if (level !== this.#lastLevel) {
      this.#lastLevel = level;
      this.#lastBin = binOf(state);
    }
    const at = HEAD + (this.#lastBin * TAILS + sideWindow(side, window)) * FIELDS;
    const tail = this.#tail;
    tail.scale = this.#at(at);
    tail.spread = this.#at(at + 1);
    tail.location = this.#at(at + 2);
    tail.count = this.#at(at + 3);
    return tail;
  }

  /** True if there is more than one series, so that tails are pooled. */
  get isPooling(): boolean {
    return this.#floats[IS_POOLING] === 1;
  }

  /** Number of block maxima of rises, of all series. */
  get rises(): number {
    return this.#floats[RISES] as number;
  }

  startPooling(): void {
    this.#floats[IS_POOLING] = 1;
  }

  /** Fits the tails to the maxima of all series. */
  fit(all: AllStates, resolution: Resolution): void {
    this.#floats[RISES] = 0;
    const sums = new Float64Array(BINS * TAILS * SUMS);
    all.forEach((state) => {
      const bin = binOf(state);
      for (const side of [UP, DOWN] as const) {
        for (let window = 0; window < resolution.windows.length; window++) {
          const own = fitOwnTail(state, resolution, { side, window });
          addTail(sums, bin * TAILS + sideWindow(side, window), own);
          if (side === UP && window === 0) this.#floats[RISES] = this.rises + own.count;
        }
      }
    });
    for (let bin = 0; bin < BINS; bin++) {
      for (let tail = 0; tail < TAILS; tail++) this.#set(bin, tail, meanAround(sums, bin, tail));
    }
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#floats.buffer.slice(0));
  }

  #at(index: number): number {
    return this.#floats[index] as number; // bins, tails and fields are bounded
  }

  #set(bin: number, tail: number, { scale, spread, location, count }: PooledTail): void {
    this.#floats.set([scale, spread, location, count], HEAD + (bin * TAILS + tail) * FIELDS);
  }
}

function addTail(sums: Float64Array, tail: number, { scale, location, count }: FittedTail): void {
  if (count === 0) return;
  const weight = count / (count + PRIOR_BLOCKS);
  const log = Math.log(scale);
  const at = tail * SUMS;
  add(sums, at + WEIGHT, weight);
  add(sums, at + LOG_SCALE, weight * log);
  add(sums, at + SQUARED_LOG_SCALE, weight * log * log);
  add(sums, at + LOCATION, weight * location);
  add(sums, at + COUNT, count);
}

function meanAround(sums: Float64Array, bin: number, tail: number): PooledTail {
  const around = new Float64Array(SUMS);
  for (let from = 0; from < BINS; from++) {
    const reach = Math.exp((-Math.abs(bin - from) * BIN) / REACH);
    const at = (from * TAILS + tail) * SUMS;
    if (sums[at + WEIGHT] === 0) continue;
    for (let sum = 0; sum < SUMS; sum++) add(around, sum, reach * (sums[at + sum] as number));
  }
  const of = (sum: number) => around[sum] as number;
  const [weight, count] = [of(WEIGHT), of(COUNT)];
  if (weight === 0) return NO_TAIL;
  const mean = of(LOG_SCALE) / weight;
  return {
    scale: Math.exp(mean),
    spread: Math.sqrt(Math.max(0, of(SQUARED_LOG_SCALE) / weight - mean * mean)),
    location: of(LOCATION) / weight,
    count,
  };
}

function add(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] as number) + value; // places lie within
}

function binOf({ level }: SeriesState): number {
  const bin = Math.round((Math.log(level) - MIN_LOG_LEVEL) / BIN);
  return Math.min(BINS - 1, Math.max(0, bin));
}
