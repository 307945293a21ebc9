import { MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import { DOWN, type SeriesMemory, type Side, UP } from '../state/series-state.ts';
import { lastMaximum, placeOf } from './block-maxima.ts';
import { type LentTail, tailOfProject } from './thresholds.ts';

const KEPT = 512;
const POOLS = 2 * MAX_WINDOWS;
export const POOL_BYTES = POOLS * KEPT + POOLS * 4;

/** The last maxima of all series of a project, of each side and window: what its series borrow their tails from. */
export class TailPool {
  readonly #codes: Uint8Array;
  /** How many were ever taken in, by side and window. */
  readonly #taken: Uint32Array;

  constructor(saved?: Uint8Array) {
    const buffer = new ArrayBuffer(POOL_BYTES);
    if (saved) new Uint8Array(buffer).set(saved);
    this.#codes = new Uint8Array(buffer, 0, POOLS * KEPT);
    this.#taken = new Uint32Array(buffer, POOLS * KEPT);
  }

  /** Takes in what the last block of a series left. */
  take(memory: SeriesMemory, resolution: Resolution, side: Side): void {
    for (let window = 0; window < resolution.windows.length; window++) {
      const at = placeOf(side, window);
      const taken = this.#taken[at] as number;
      this.#codes[at * KEPT + (taken % KEPT)] = lastMaximum(memory, side, window);
      this.#taken[at] = taken + 1;
    }
  }

  /** The tails to lend, by side and window. */
  read(): LentTail[] {
    return [UP, DOWN].flatMap((side) =>
      Array.from({ length: MAX_WINDOWS }, (_, window) => {
        const at = placeOf(side as Side, window);
        const kept = Math.min(KEPT, this.#taken[at] as number);
        return tailOfProject(side as Side, this.#codes.subarray(at * KEPT, at * KEPT + kept));
      }),
    );
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#codes.buffer.slice(0));
  }
}
