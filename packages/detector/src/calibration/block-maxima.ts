import { LogCode } from '../state/log-code.ts';
import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side } from '../state/side.ts';

/** Evidence in one byte. */
export const EVIDENCE = new LogCode(0.02, 2_000);

export const BLOCK_MINUTES = 60;
const MAX_BLOCK_MINUTES = 480;
/** A block of rises spans this part of the series' age, and at least this many events. */
const BLOCKS_PER_AGE = 10;
const MIN_BLOCK_EVENTS = 10;

/** What a step adds to the block of a side. */
interface BlockStep {
  side: Side;
  count: number;
  /** A block does not close while an alarm of its side is open. */
  mayClose: boolean;
}

/**
 * Takes a step into the running block of a side: the largest evidence of each block is what the tail is fitted to (block
 * maxima: Coles, 2001, chapter 3). Blocks of rises grow with the age of the series and wait for events, our own: most
 * hours of a rare series hold no event, and their maxima would say nothing.
 * @returns whether a block closed
 */
export function growBlock(state: SeriesState, resolution: Resolution, step: BlockStep): boolean {
  const { side, count, mayClose } = step;
  const steps = state.blockSteps(side) + 1;
  const events = state.blockEvents(side) + count;
  state.setBlock(side, steps, events);
  if (!mayClose) return false;
  const minutes = steps * resolution.stepMinutes;
  if (side === DOWN) {
    if (minutes < BLOCK_MINUTES) return false;
  } else {
    const age = state.age * resolution.stepMinutes;
    const length = Math.min(MAX_BLOCK_MINUTES, Math.max(BLOCK_MINUTES, age / BLOCKS_PER_AGE));
    if (minutes < length || events < MIN_BLOCK_EVENTS) return false;
  }
  closeBlock(state, resolution, side, steps);
  return true;
}

function closeBlock(state: SeriesState, resolution: Resolution, side: Side, steps: number): void {
  const kept = state.keptMaxima(side);
  const blocks = state.blocks(side);
  for (let window = 0; window < resolution.windows.length; window++) {
    state.setMaximum(side, window, blocks % kept, EVIDENCE.encode(state.blockMaximum(side, window)));
    state.setBlockMaximum(side, window, 0);
  }
  const mean = state.meanBlockSteps(side);
  state.setBlocks(side, blocks + 1, mean + (steps - mean) / Math.min(blocks + 1, kept));
  state.setBlock(side, 0, 0);
}

/** The maxima of a window that are kept, as codes. */
export function maximaOf(state: SeriesState, side: Side, window: number): Uint8Array {
  return state.maxima(side, window, Math.min(state.keptMaxima(side), state.blocks(side)));
}

/** The code that the last closed block left. */
export function lastMaximum(state: SeriesState, side: Side, window: number): number {
  return state.maximum(side, window, (state.blocks(side) - 1) % state.keptMaxima(side));
}
