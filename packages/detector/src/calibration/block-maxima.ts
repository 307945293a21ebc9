import { LogCode } from '../state/log-code.ts';
import { MAX_WINDOWS, type Resolution } from '../state/resolution.ts';
import { AT, CODE_AT, DOWN, KEPT_MAXIMA, type SeriesMemory, type Side } from '../state/series-state.ts';

/** Evidence in one byte. */
export const EVIDENCE = new LogCode(0.02, 2_000);

export const BLOCK_MINUTES = 60;
const LONGEST_BLOCK_MINUTES = 480;
/** A block of rises spans this part of the series' age, and at least this many events. */
const BLOCKS_AN_AGE = 10;
const BLOCK_EVENTS = 10;

export function placeOf(side: Side, window: number): number {
  return side * MAX_WINDOWS + window;
}

/**
 * Takes a step into the block of a side. A block does not close while an incident of its side is open.
 * @returns whether a block closed
 */
export function growBlock(
  memory: SeriesMemory,
  resolution: Resolution,
  side: Side,
  count: number,
  mayClose: boolean,
): boolean {
  const { numbers } = memory;
  const steps = (numbers[AT.blockSteps + side] as number) + 1;
  const events = (numbers[AT.blockEvents + side] as number) + count;
  numbers[AT.blockSteps + side] = steps;
  numbers[AT.blockEvents + side] = events;
  if (!mayClose) return false;
  const minutes = steps * resolution.stepMinutes;
  if (side === DOWN) {
    if (minutes < BLOCK_MINUTES) return false;
  } else {
    const age = (numbers[AT.age] as number) * resolution.stepMinutes;
    const length = Math.min(LONGEST_BLOCK_MINUTES, Math.max(BLOCK_MINUTES, age / BLOCKS_AN_AGE));
    if (minutes < length || events < BLOCK_EVENTS) return false;
  }
  closeBlock(memory, resolution, side, steps);
  return true;
}

function closeBlock(
  { numbers, codes }: SeriesMemory,
  resolution: Resolution,
  side: Side,
  steps: number,
): void {
  const kept = KEPT_MAXIMA[side];
  const blocks = numbers[AT.blocks + side] as number;
  for (let window = 0; window < resolution.windows.length; window++) {
    const at = AT.blockMaxima + placeOf(side, window);
    codes[CODE_AT.maxima[side] + window * kept + (blocks % kept)] = EVIDENCE.encode(numbers[at] as number);
    numbers[at] = 0;
  }
  const mean = numbers[AT.meanBlockSteps + side] as number;
  numbers[AT.meanBlockSteps + side] = mean + (steps - mean) / Math.min(blocks + 1, kept);
  numbers[AT.blocks + side] = blocks + 1;
  numbers[AT.blockSteps + side] = 0;
  numbers[AT.blockEvents + side] = 0;
}

/** The maxima of a window that are kept, as codes. */
export function maximaOf({ numbers, codes }: SeriesMemory, side: Side, window: number): Uint8Array {
  const kept = KEPT_MAXIMA[side];
  const at = CODE_AT.maxima[side] + window * kept;
  return codes.subarray(at, at + Math.min(kept, numbers[AT.blocks + side] as number));
}

/** The code that the last closed block left. */
export function lastMaximum({ numbers, codes }: SeriesMemory, side: Side, window: number): number {
  const kept = KEPT_MAXIMA[side];
  const blocks = numbers[AT.blocks + side] as number;
  return codes[CODE_AT.maxima[side] + window * kept + ((blocks - 1) % kept)] as number;
}
