import { RecordBuffer } from '../state/record-buffer.ts';
import { defineView } from '../state/record-view.ts';
import { MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { type AllStates, binOf, LEVEL_BINS, type Sums, spreadOverBins } from './level-bins.ts';
import type { PooledTailSource } from './thresholds.ts';
import { fitOwnTail, type PooledTail } from './window-tail.ts';

/** Maxima with which a fit has half of the weight of one to very many. */
const PRIOR_BLOCKS = 20;

const SUMS = ['weight', 'logScale', 'squaredLogScale', 'location', 'count'] as const;
type TailSums = Sums<(typeof SUMS)[number]>;

const NO_TAIL: PooledTail = { scale: 0, spread: 0, location: 0, count: 0 };
const TailView = defineView({ scale: 'float', spread: 'float', location: 'float', count: 'float' });

/** Tails, as fitted last. */
export interface SavedTails {
  /** True if there is more than one series, so that tails are pooled. */
  isPooling: boolean;
  /** Number of block maxima of rises, of all series. */
  rises: number;
  tails: Uint8Array;
}

/**
 * Pooled tails of a project by level, side and window: the geometric mean of their scales, the standard deviation of the
 * logarithms, and the mean of their locations, weighted by e^(−|ln(m/mⱼ)|/1.5)·nⱼ/(nⱼ + 20), n the block maxima that each was
 * fitted to. Unlike series are pooled by their scales, not by their maxima: the spread between them is no tail (the index-flood method:
 * Hosking & Wallis, 1997, with a kernel of our own, as for the dispersion).
 */
export class PooledTails implements PooledTailSource {
  readonly #buffer = new RecordBuffer(TailView.floats * LEVEL_BINS * MAX_WINDOWS * 2);
  /** View that is moved to the tail that is needed. */
  readonly #view = new TailView(this.#buffer);
  /** Level of the last series, which asks for each side and window, and its bin. */
  #lastLevel = 0;
  #lastBin = 0;
  isPooling = false;
  rises = 0;

  constructor(saved?: SavedTails) {
    if (!saved) return;
    this.isPooling = saved.isPooling;
    this.rises = saved.rises;
    this.#buffer.bytes.set(saved.tails);
  }

  of(state: SeriesState, side: Side, window: number): PooledTail {
    const { level } = state;
    if (level !== this.#lastLevel) {
      this.#lastLevel = level;
      this.#lastBin = binOf(state);
    }
    return this.#at(this.#lastBin, side, window);
  }

  /** Fits the tails to the maxima of all series. */
  fit(all: AllStates, resolution: Resolution): void {
    this.rises = 0;
    for (const side of [UP, DOWN] as const) {
      for (let window = 0; window < resolution.windows.length; window++) {
        const bins = Array.from({ length: LEVEL_BINS }, createSums);
        all.forEach((state) => {
          const own = fitOwnTail(state, resolution, { side, window });
          const bin = bins[binOf(state)];
          if (bin) addTail(bin, own);
          if (side === UP && window === 0) this.rises += own.count;
        });
        const around = spreadOverBins(bins, SUMS);
        for (const [bin, sums] of around.entries()) Object.assign(this.#at(bin, side, window), meanOf(sums));
      }
    }
  }

  save(): SavedTails {
    return { isPooling: this.isPooling, rises: this.rises, tails: this.#buffer.bytes.slice() };
  }

  #at(bin: number, side: Side, window: number): PooledTail {
    this.#view.first = TailView.floats * ((2 * bin + side) * MAX_WINDOWS + window);
    return this.#view;
  }
}

function createSums(): TailSums {
  return { weight: 0, logScale: 0, squaredLogScale: 0, location: 0, count: 0 };
}

function addTail(sums: TailSums, { scale, location, count }: Omit<PooledTail, 'spread'>): void {
  if (count === 0) return;
  const weight = count / (count + PRIOR_BLOCKS);
  const log = Math.log(scale);
  sums.weight += weight;
  sums.logScale += weight * log;
  sums.squaredLogScale += weight * log * log;
  sums.location += weight * location;
  sums.count += count;
}

function meanOf({ weight, logScale, squaredLogScale, location, count }: TailSums): PooledTail {
  if (weight === 0) return NO_TAIL;
  const mean = logScale / weight;
  const spread = Math.sqrt(Math.max(0, squaredLogScale / weight - mean * mean));
  return { scale: Math.exp(mean), spread, location: location / weight, count };
}
