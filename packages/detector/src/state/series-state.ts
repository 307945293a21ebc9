import { MAX_WINDOW_STEPS, MAX_WINDOWS } from './resolution.ts';
import {
  AGE,
  BANDS,
  BLOCK_EVENTS,
  BLOCK_MAXIMA,
  BLOCK_STEPS,
  BLOCKS,
  CLOSED_AGE,
  COUNTS,
  DEVIATIONS,
  DISPERSION,
  EXPECTATIONS,
  FLOAT_BYTES,
  FLOATS,
  HIGHS,
  HOLD_THRESHOLDS,
  KEPT_MAXIMA,
  LEVEL,
  LEVEL_BEFORE,
  LEVELS,
  LOWS,
  MAXIMA,
  MEAN_BLOCK_STEPS,
  OPEN_THRESHOLDS,
  OPENED_AGE,
  POOLED_DISPERSION,
  QUIET_STEPS,
  REPORTED_REASON,
  SERIES_BYTES,
  SHAPE,
  SHAPES,
  STATUS,
  SUMS,
  TIMES,
} from './series-layout.ts';
import type { Side } from './side.ts';

/** Indices of what is kept for each seasonal period: the quarter hour of the day, and the hour of the week. */
export const SLOT_OF_DAY = 0;
export const HOUR_OF_WEEK = 1;
export type Period = typeof SLOT_OF_DAY | typeof HOUR_OF_WEEK;

/** The index of what a project keeps by side and window. */
export function sideWindow(side: Side, window: number): number {
  return side * MAX_WINDOWS + window;
}

/** The dispersion of Poisson counts. */
const POISSON = 1;

/** Within a band: the highest and the lowest rate of the period that runs, and of the one before it. */
export const RUNNING_HIGH = 0;
export const RUNNING_LOW = 1;
export const PREVIOUS_HIGH = 2;
export const PREVIOUS_LOW = 3;
type BandField = 0 | 1 | 2 | 3;

/**
 * All that is remembered of a series, by name, in one buffer of 1,580 bytes. Saving and loading are lossless copies of
 * it. Two typed arrays serve all accessors: a view for each field would cost more memory than the state itself.
 * The casts are safe: offsets are sums of the layout's constants and of bounded indices, so they never lie outside.
 */
export class SeriesState {
  readonly #floats: Float32Array;
  readonly #codes: Uint8Array;

  constructor(saved?: Uint8Array) {
    const buffer = new ArrayBuffer(SERIES_BYTES);
    this.#floats = new Float32Array(buffer, 0, FLOATS);
    this.#codes = new Uint8Array(buffer, FLOAT_BYTES);
    if (saved) {
      if (saved.length !== SERIES_BYTES) throw new RangeError(`A series is ${SERIES_BYTES} bytes.`);
      new Uint8Array(buffer).set(saved);
      return;
    }
    this.pooledDispersion = POISSON;
    this.dispersion = POISSON;
    this.forgetCounts();
    this.#floats.fill(Number.NaN, BANDS, BANDS + 8);
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#floats.buffer.slice(0));
  }

  /** Steps since the first, known or not. */
  get age(): number {
    return this.#floats[AGE] as number;
  }
  set age(steps: number) {
    this.#floats[AGE] = steps;
  }

  /** What the next step is expected to hold, and the shape of the gamma distribution of that expectation. */
  get level(): number {
    return this.#floats[LEVEL] as number;
  }
  get shape(): number {
    return this.#floats[SHAPE] as number;
  }
  setLevel(level: number, shape: number): void {
    this.#floats[LEVEL] = level;
    this.#floats[SHAPE] = shape;
  }

  /** Discounted sums of counts and of known steps, by memory. */
  sum(memory: number): number {
    return this.#floats[SUMS + memory] as number;
  }
  time(memory: number): number {
    return this.#floats[TIMES + memory] as number;
  }
  setMemory(memory: number, sum: number, time: number): void {
    this.#floats[SUMS + memory] = sum;
    this.#floats[TIMES + memory] = time;
  }

  /** Variance over mean, at least 1. */
  get dispersion(): number {
    return this.#floats[DISPERSION] as number;
  }
  set dispersion(dispersion: number) {
    this.#floats[DISPERSION] = dispersion;
  }
  /** The dispersion of the project's other series. */
  get pooledDispersion(): number {
    return this.#floats[POOLED_DISPERSION] as number;
  }
  set pooledDispersion(dispersion: number) {
    this.#floats[POOLED_DISPERSION] = dispersion;
  }
  /** Discounted sums of squared deviations, and of the counts that they belong to. */
  get deviations(): number {
    return this.#floats[DEVIATIONS] as number;
  }
  get expectations(): number {
    return this.#floats[EXPECTATIONS] as number;
  }
  setDeviations(deviations: number, expectations: number): void {
    this.#floats[DEVIATIONS] = deviations;
    this.#floats[EXPECTATIONS] = expectations;
  }

  /** Rates of the period that runs, and of the one before it; NaN: not known. */
  band(period: Period, field: BandField): number {
    return this.#floats[BANDS + 4 * period + field] as number;
  }
  setBand(period: Period, field: BandField, rate: number): void {
    this.#floats[BANDS + 4 * period + field] = rate;
  }
  /** Codes of the highest and of the lowest rate at a time of the day, or of the week. */
  highCode(period: Period, index: number): number {
    return this.#codes[HIGHS[period] + index] as number;
  }
  lowCode(period: Period, index: number): number {
    return this.#codes[LOWS[period] + index] as number;
  }
  setHighCode(period: Period, index: number, code: number): void {
    this.#codes[HIGHS[period] + index] = code;
  }
  setLowCode(period: Period, index: number, code: number): void {
    this.#codes[LOWS[period] + index] = code;
  }

  /** Largest evidence of the block that runs. */
  blockMaximum(side: Side, window: number): number {
    return this.#floats[BLOCK_MAXIMA + sideWindow(side, window)] as number;
  }
  setBlockMaximum(side: Side, window: number, evidence: number): void {
    this.#floats[BLOCK_MAXIMA + sideWindow(side, window)] = evidence;
  }
  blockSteps(side: Side): number {
    return this.#floats[BLOCK_STEPS + side] as number;
  }
  blockEvents(side: Side): number {
    return this.#floats[BLOCK_EVENTS + side] as number;
  }
  setBlock(side: Side, steps: number, events: number): void {
    this.#floats[BLOCK_STEPS + side] = steps;
    this.#floats[BLOCK_EVENTS + side] = events;
  }
  /** Blocks that have closed, and their mean length. */
  blocks(side: Side): number {
    return this.#floats[BLOCKS + side] as number;
  }
  meanBlockSteps(side: Side): number {
    return this.#floats[MEAN_BLOCK_STEPS + side] as number;
  }
  setBlocks(side: Side, blocks: number, meanSteps: number): void {
    this.#floats[BLOCKS + side] = blocks;
    this.#floats[MEAN_BLOCK_STEPS + side] = meanSteps;
  }
  /** Codes of the maxima of a window, as a ring: of `KEPT_MAXIMA` places the first `length`. */
  maxima(side: Side, window: number, length: number): Uint8Array {
    const at = MAXIMA[side] + window * KEPT_MAXIMA[side];
    return this.#codes.subarray(at, at + length);
  }
  maximum(side: Side, window: number, index: number): number {
    return this.#codes[MAXIMA[side] + window * KEPT_MAXIMA[side] + index] as number;
  }
  setMaximum(side: Side, window: number, index: number, code: number): void {
    this.#codes[MAXIMA[side] + window * KEPT_MAXIMA[side] + index] = code;
  }

  /** Evidence above which an alarm opens, and above which it is held. */
  openThreshold(side: Side, window: number): number {
    return this.#floats[OPEN_THRESHOLDS + sideWindow(side, window)] as number;
  }
  holdThreshold(side: Side, window: number): number {
    return this.#floats[HOLD_THRESHOLDS + sideWindow(side, window)] as number;
  }
  setThresholds(side: Side, window: number, open: number, hold: number): void {
    this.#floats[OPEN_THRESHOLDS + sideWindow(side, window)] = open;
    this.#floats[HOLD_THRESHOLDS + sideWindow(side, window)] = hold;
  }

  /** Of the side's last alarm: its status, the age at which it opened and closed, and the quiet steps since. */
  status(side: Side): number {
    return this.#floats[STATUS + side] as number;
  }
  setStatus(side: Side, status: number): void {
    this.#floats[STATUS + side] = status;
  }
  openedAge(side: Side): number {
    return this.#floats[OPENED_AGE + side] as number;
  }
  setOpenedAge(side: Side, age: number): void {
    this.#floats[OPENED_AGE + side] = age;
  }
  closedAge(side: Side): number {
    return this.#floats[CLOSED_AGE + side] as number;
  }
  setClosedAge(side: Side, age: number): void {
    this.#floats[CLOSED_AGE + side] = age;
  }
  quietSteps(side: Side): number {
    return this.#floats[QUIET_STEPS + side] as number;
  }
  setQuietSteps(side: Side, steps: number): void {
    this.#floats[QUIET_STEPS + side] = steps;
  }
  /** What was expected of a step when it opened; 0: no alarm that could be recovered from. */
  levelBefore(side: Side): number {
    return this.#floats[LEVEL_BEFORE + side] as number;
  }
  setLevelBefore(side: Side, level: number): void {
    this.#floats[LEVEL_BEFORE + side] = level;
  }
  /** Index of the suppression that was reported last, so that it is reported once. */
  reportedReason(side: Side): number {
    return this.#floats[REPORTED_REASON + side] as number;
  }
  setReportedReason(side: Side, index: number): void {
    this.#floats[REPORTED_REASON + side] = index;
  }

  /** The last steps as a ring: count (NaN: unknown), and the level and its shape before the step. */
  count(index: number): number {
    return this.#floats[COUNTS + index] as number;
  }
  levelOfStep(index: number): number {
    return this.#floats[LEVELS + index] as number;
  }
  shapeOfStep(index: number): number {
    return this.#floats[SHAPES + index] as number;
  }
  setStep(index: number, count: number, level: number, shape: number): void {
    this.#floats[COUNTS + index] = count;
    this.#floats[LEVELS + index] = level;
    this.#floats[SHAPES + index] = shape;
  }
  forgetCounts(): void {
    this.#floats.fill(Number.NaN, COUNTS, COUNTS + MAX_WINDOW_STEPS);
  }
}
