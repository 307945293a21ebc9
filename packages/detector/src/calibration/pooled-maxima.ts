import { MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import { type SeriesState, sideWindow } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { lastMaximum } from './block-maxima.ts';
import { fitPooledTail, type PooledTail } from './thresholds.ts';

const KEPT = 512;
const RINGS = 2 * MAX_WINDOWS;
export const POOLED_MAXIMA_BYTES = RINGS * KEPT + RINGS * 4;

/** The last block maxima of all series of a project, by side and window: what their tails are partially pooled from. */
export class PooledMaxima {
  readonly #codes: Uint8Array;
  /** How many were ever added, by side and window. */
  readonly #added: Uint32Array;

  constructor(saved?: Uint8Array) {
    const buffer = new ArrayBuffer(POOLED_MAXIMA_BYTES);
    if (saved) new Uint8Array(buffer).set(saved);
    this.#codes = new Uint8Array(buffer, 0, RINGS * KEPT);
    this.#added = new Uint32Array(buffer, RINGS * KEPT);
  }

  /** Adds the maxima of the last block of a series. */
  add(state: SeriesState, resolution: Resolution, side: Side): void {
    for (let window = 0; window < resolution.windows.length; window++) {
      const ring = sideWindow(side, window);
      const added = this.#added[ring] ?? 0;
      this.#codes[ring * KEPT + (added % KEPT)] = lastMaximum(state, side, window);
      this.#added[ring] = added + 1;
    }
  }

  /** The pooled tails, by side and window. */
  fitTails(sorted: Uint8Array): PooledTail[] {
    return ([UP, DOWN] as const).flatMap((side) =>
      Array.from({ length: MAX_WINDOWS }, (_, window) => {
        const ring = sideWindow(side, window);
        const kept = Math.min(KEPT, this.#added[ring] ?? 0);
        return fitPooledTail(side, this.#codes.subarray(ring * KEPT, ring * KEPT + kept), sorted);
      }),
    );
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#codes.buffer.slice(0));
  }
}
