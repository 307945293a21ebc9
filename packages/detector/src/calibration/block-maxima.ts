import type { CodeRuns } from '../state/code-runs.ts';
import { EVIDENCE } from '../state/log-code.ts';
import { MINUTES_PER_DAY, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { recordUsual } from './rare-budgets.ts';

export const BLOCK_MINUTES = 60;
const MAX_BLOCK_MINUTES = 480;
/** A block of rises spans this part of the series' age, and at least so many events. */
const BLOCKS_PER_AGE = 10;
export const MIN_BLOCK_EVENTS = 10;

/** Step that a block of a side grows by. */
interface BlockStep {
  side: Side;
  count: number;
  /** False while an alarm of the side is open. */
  mayClose: boolean;
  isErrorSeries?: boolean;
}

/**
 * Takes a step into the running block of a side: the tail is fitted to the largest evidence of each block (block
 * maxima: Coles, 2001). Blocks of rises grow with the age of the series and wait for events, our own: most
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
  if (minutes < blockLength(state, resolution, side)) return false;
  if (side === UP && events < MIN_BLOCK_EVENTS) return false;
  closeBlock(state, resolution, step, steps);
  return true;
}

/** Returns the minimum minutes of a block that closes now. */
function blockLength(state: SeriesState, { stepMinutes }: Resolution, side: Side): number {
  if (side === DOWN) return BLOCK_MINUTES;
  return Math.min(MAX_BLOCK_MINUTES, Math.max(BLOCK_MINUTES, (state.age * stepMinutes) / BLOCKS_PER_AGE));
}

/** Returns the steps without an event before one with which a block could close. */
export function stepsUntilBlockCloses(state: SeriesState, resolution: Resolution): number {
  const stepsOf = (side: Side) =>
    Math.ceil(blockLength(state, resolution, side) / resolution.stepMinutes) - 1 - state.blockSteps(side);
  const ofDrops = stepsOf(DOWN);
  const ofRises = state.blockEvents(UP) < MIN_BLOCK_EVENTS ? ofDrops : stepsOf(UP);
  return Math.max(0, Math.min(ofDrops, ofRises));
}

function closeBlock(
  state: SeriesState,
  resolution: Resolution,
  { side, isErrorSeries }: BlockStep,
  steps: number,
): void {
  const kept = state.keptMaxima(side);
  const blocks = state.blocks(side);
  const hadAlarm = state.openedAge(side) > 0 && state.openedAge(side) >= state.age - steps;
  recordUsual(state, resolution, { side, steps, hadAlarm });
  // Reported errors, however many, do not raise the threshold for the next ones.
  const isLearned = !(hadAlarm && isErrorSeries);
  for (let window = 0; window < resolution.windows.length; window++) {
    const maximum = EVIDENCE.encode(state.blockMaximum(side, window));
    if (isLearned) state.setMaximum(side, window, blocks % kept, maximum);
    state.setBlockMaximum(side, window, 0);
  }
  state.setBlock(side, 0, 0);
  if (!isLearned) return;
  const mean = state.meanBlockSteps(side);
  state.setBlocks(side, blocks + 1);
  state.setMeanBlockSteps(side, mean + (steps - mean) / Math.min(blocks + 1, kept));
}

/** Returns the kept maxima of a window, as codes. */
export function maximaOf(state: SeriesState, side: Side, window: number): CodeRuns {
  const length = Math.min(state.keptMaxima(side), state.blocks(side));
  return state.maxima(side, window, { begin: 0, length });
}

/** Minimum maxima of a fit. */
const MIN_RECENT = 12;

/**
 * Returns the maxima of rises since the same time of yesterday is known, or the last 12, and all of drops: the ramps of a first
 * day are expected from then on, and their evidence would raise the thresholds for weeks.
 */
export function recentMaximaOf(
  state: SeriesState,
  resolution: Resolution,
  side: Side,
  window: number,
): CodeRuns {
  if (side === DOWN || resolution.isCoarse) return maximaOf(state, side, window);
  const recent = Math.max(MIN_RECENT, recentRises(state, resolution));
  const blocks = state.blocks(side);
  if (recent >= Math.min(state.keptMaxima(side), blocks)) return maximaOf(state, side, window);
  return state.maxima(side, window, { begin: blocks - recent, length: recent });
}

/**
 * Returns an upper bound of the blocks of rises since the second day, by their least lengths and by their mean one; less two, so
 * that no block is counted which began before.
 */
function recentRises(state: SeriesState, resolution: Resolution): number {
  const age = state.age * resolution.stepMinutes;
  if (age <= MINUTES_PER_DAY) return Number.POSITIVE_INFINITY;
  const whole = MAX_BLOCK_MINUTES * BLOCKS_PER_AGE;
  const growing = BLOCKS_PER_AGE * Math.log(Math.min(age, whole) / MINUTES_PER_DAY);
  const most = growing + Math.max(0, age - whole) / MAX_BLOCK_MINUTES - 2;
  return Math.ceil(
    Math.min(most, (age - MINUTES_PER_DAY) / (state.meanBlockSteps(UP) * resolution.stepMinutes)),
  );
}
