import { MAX_WINDOWS } from './resolution.ts';
import { COARSE_BYTES, COARSE_LAYOUTS, FULL_LAYOUT, type SeriesLayout } from './series-layout.ts';
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

/** The buffer of one or more states, as floats and as codes. */
interface StateMemory {
  floats: Float32Array;
  codes: Uint8Array;
}

function allocate(bytes: number): StateMemory {
  const buffer = new ArrayBuffer(bytes);
  return { floats: new Float32Array(buffer), codes: new Uint8Array(buffer) };
}

/** The states of one series at `COARSE_STEPS`, in one buffer: three of their own would take half as much again. */
export function createCoarseStates(saved?: Uint8Array): SeriesState[] {
  const memory = allocate(COARSE_BYTES);
  return COARSE_LAYOUTS.map((layout) => {
    const own = saved?.subarray(layout.start, layout.end);
    return new SeriesState(own, layout, memory);
  });
}

/** Within a band: the highest and the lowest rate of the period that runs, and of the one before it. */
export const RUNNING_HIGH = 0;
export const RUNNING_LOW = 1;
export const PREVIOUS_HIGH = 2;
export const PREVIOUS_LOW = 3;
type BandField = 0 | 1 | 2 | 3;

/**
 * All that is remembered of a series, by name, in one buffer. Saving and loading are lossless copies of it. Two typed
 * arrays serve all accessors: a view for each field would cost more memory than the state itself.
 * The casts are safe: offsets are sums of the layout's constants and of bounded indices, so they never lie outside.
 */
export class SeriesState {
  readonly #layout: SeriesLayout;
  readonly #floats: Float32Array;
  readonly #codes: Uint8Array;

  /** @param saved also by a program that did not know the last fields */
  constructor(saved?: Uint8Array, layout = FULL_LAYOUT, { floats, codes } = allocate(layout.end)) {
    this.#layout = layout;
    this.#floats = floats;
    this.#codes = codes;
    const { start, firstAdded, end, bands } = layout;
    if (saved) {
      if (saved.length < firstAdded - start || saved.length > end - start)
        throw new RangeError(`A series is ${firstAdded - start} to ${end - start} bytes.`);
      this.#codes.set(saved, start);
      // Whether a step was empty before is not known.
      if (saved.length === firstAdded - start) this.lastEmptyAge = this.age;
      return;
    }
    this.pooledDispersion = POISSON;
    this.dispersion = POISSON;
    this.forgetCounts();
    this.#floats.fill(Number.NaN, bands, bands + 8);
  }

  toBytes(): Uint8Array {
    return this.#codes.slice(this.#layout.start, this.#layout.end);
  }

  /** Steps of the longest window, which are kept as a ring. */
  get windowSteps(): number {
    return this.#layout.windowSteps;
  }
  /** Block maxima that are kept of each window. */
  keptMaxima(side: Side): number {
    return this.#layout.keptMaxima[side];
  }

  /** Steps since the first, known or not. */
  get age(): number {
    return this.#floats[this.#layout.age] as number;
  }
  set age(steps: number) {
    this.#floats[this.#layout.age] = steps;
  }

  /** What the next step is expected to hold, and the shape of the gamma distribution of that expectation. */
  get level(): number {
    return this.#floats[this.#layout.level] as number;
  }
  get shape(): number {
    return this.#floats[this.#layout.shape] as number;
  }
  setLevel(level: number, shape: number): void {
    this.#floats[this.#layout.level] = level;
    this.#floats[this.#layout.shape] = shape;
  }

  /** Discounted sums of counts and of known steps, by memory. */
  sum(memory: number): number {
    return this.#floats[this.#layout.sums + memory] as number;
  }
  time(memory: number): number {
    return this.#floats[this.#layout.times + memory] as number;
  }
  setMemory(memory: number, sum: number, time: number): void {
    this.#floats[this.#layout.sums + memory] = sum;
    this.#floats[this.#layout.times + memory] = time;
  }

  /** Variance over mean, at least 1. */
  get dispersion(): number {
    return this.#floats[this.#layout.dispersion] as number;
  }
  set dispersion(dispersion: number) {
    this.#floats[this.#layout.dispersion] = dispersion;
  }
  /** The dispersion of the project's other series. */
  get pooledDispersion(): number {
    return this.#floats[this.#layout.pooledDispersion] as number;
  }
  set pooledDispersion(dispersion: number) {
    this.#floats[this.#layout.pooledDispersion] = dispersion;
  }
  /** Discounted sums of squared deviations, and of the counts that they belong to. */
  get deviations(): number {
    return this.#floats[this.#layout.deviations] as number;
  }
  get expectations(): number {
    return this.#floats[this.#layout.expectations] as number;
  }
  setDeviations(deviations: number, expectations: number): void {
    this.#floats[this.#layout.deviations] = deviations;
    this.#floats[this.#layout.expectations] = expectations;
  }

  /** Rates of the period that runs, and of the one before it; NaN: not known. */
  band(period: Period, field: BandField): number {
    return this.#floats[this.#layout.bands + 4 * period + field] as number;
  }
  setBand(period: Period, field: BandField, rate: number): void {
    this.#floats[this.#layout.bands + 4 * period + field] = rate;
  }
  /** Codes of the highest and of the lowest rate at a time of the day, or of the week. */
  highCode(period: Period, index: number): number {
    return this.#codes[this.#layout.highs[period] + index] as number;
  }
  lowCode(period: Period, index: number): number {
    return this.#codes[this.#layout.lows[period] + index] as number;
  }
  setHighCode(period: Period, index: number, code: number): void {
    this.#codes[this.#layout.highs[period] + index] = code;
  }
  setLowCode(period: Period, index: number, code: number): void {
    this.#codes[this.#layout.lows[period] + index] = code;
  }

  /** Code of the mean rate of a slot of the day; of the slot that runs, what its known steps hold, and how many they are. */
  meanCode(slot: number): number {
    return this.#codes[this.#layout.slotMeans + slot] as number;
  }
  setMeanCode(slot: number, code: number): void {
    this.#codes[this.#layout.slotMeans + slot] = code;
  }
  get slotSum(): number {
    return this.#floats[this.#layout.slotSum] as number;
  }
  get slotSteps(): number {
    return this.#floats[this.#layout.slotSteps] as number;
  }
  setSlot(sum: number, steps: number): void {
    this.#floats[this.#layout.slotSum] = sum;
    this.#floats[this.#layout.slotSteps] = steps;
  }
  /** Discounted numbers of steps without an event, and of all that they are a share of. */
  get emptySteps(): number {
    return this.#floats[this.#layout.emptySteps] as number;
  }
  get knownSteps(): number {
    return this.#floats[this.#layout.knownSteps] as number;
  }
  setEmptySteps(emptySteps: number, knownSteps: number): void {
    this.#floats[this.#layout.emptySteps] = emptySteps;
    this.#floats[this.#layout.knownSteps] = knownSteps;
  }

  /** The age at the end of the last step without an event, of those that the ring holds no more; 0: there was none. */
  get lastEmptyAge(): number {
    return this.#floats[this.#layout.lastEmptyAge] as number;
  }
  set lastEmptyAge(age: number) {
    this.#floats[this.#layout.lastEmptyAge] = age;
  }

  /** Largest evidence of the block that runs. */
  blockMaximum(side: Side, window: number): number {
    return this.#floats[this.#layout.blockMaxima + sideWindow(side, window)] as number;
  }
  setBlockMaximum(side: Side, window: number, evidence: number): void {
    this.#floats[this.#layout.blockMaxima + sideWindow(side, window)] = evidence;
  }
  blockSteps(side: Side): number {
    return this.#floats[this.#layout.blockSteps + side] as number;
  }
  blockEvents(side: Side): number {
    return this.#floats[this.#layout.blockEvents + side] as number;
  }
  setBlock(side: Side, steps: number, events: number): void {
    this.#floats[this.#layout.blockSteps + side] = steps;
    this.#floats[this.#layout.blockEvents + side] = events;
  }
  /** Blocks that have closed, and their mean length. */
  blocks(side: Side): number {
    return this.#floats[this.#layout.blocks + side] as number;
  }
  meanBlockSteps(side: Side): number {
    return this.#floats[this.#layout.meanBlockSteps + side] as number;
  }
  setBlocks(side: Side, blocks: number, meanSteps: number): void {
    this.#floats[this.#layout.blocks + side] = blocks;
    this.#floats[this.#layout.meanBlockSteps + side] = meanSteps;
  }
  /** Codes of the maxima of a window, as a ring: of `keptMaxima` places the first `length`. */
  maxima(side: Side, window: number, length: number): Uint8Array {
    const at = this.#layout.maxima[side] + window * this.#layout.keptMaxima[side];
    return this.#codes.subarray(at, at + length);
  }
  maximum(side: Side, window: number, index: number): number {
    return this.#codes[this.#layout.maxima[side] + window * this.#layout.keptMaxima[side] + index] as number;
  }
  setMaximum(side: Side, window: number, index: number, code: number): void {
    this.#codes[this.#layout.maxima[side] + window * this.#layout.keptMaxima[side] + index] = code;
  }

  /** Evidence above which an alarm opens, and above which it is held. */
  openThreshold(side: Side, window: number): number {
    return this.#floats[this.#layout.openThresholds + sideWindow(side, window)] as number;
  }
  holdThreshold(side: Side, window: number): number {
    return this.#floats[this.#layout.holdThresholds + sideWindow(side, window)] as number;
  }
  setThresholds(side: Side, window: number, open: number, hold: number): void {
    this.#floats[this.#layout.openThresholds + sideWindow(side, window)] = open;
    this.#floats[this.#layout.holdThresholds + sideWindow(side, window)] = hold;
  }

  /** Of the side's last alarm: its status, the age at which it opened and closed, and the quiet steps since. */
  status(side: Side): number {
    return this.#floats[this.#layout.status + side] as number;
  }
  setStatus(side: Side, status: number): void {
    this.#floats[this.#layout.status + side] = status;
  }
  openedAge(side: Side): number {
    return this.#floats[this.#layout.openedAge + side] as number;
  }
  setOpenedAge(side: Side, age: number): void {
    this.#floats[this.#layout.openedAge + side] = age;
  }
  closedAge(side: Side): number {
    return this.#floats[this.#layout.closedAge + side] as number;
  }
  setClosedAge(side: Side, age: number): void {
    this.#floats[this.#layout.closedAge + side] = age;
  }
  quietSteps(side: Side): number {
    return this.#floats[this.#layout.quietSteps + side] as number;
  }
  setQuietSteps(side: Side, steps: number): void {
    this.#floats[this.#layout.quietSteps + side] = steps;
  }
  /** What was expected of a step when it opened; 0: no alarm that could be recovered from. */
  levelBefore(side: Side): number {
    return this.#floats[this.#layout.levelBefore + side] as number;
  }
  setLevelBefore(side: Side, level: number): void {
    this.#floats[this.#layout.levelBefore + side] = level;
  }
  /** Index of the suppression that was reported last, so that it is reported once. */
  reportedReason(side: Side): number {
    return this.#floats[this.#layout.reportedReason + side] as number;
  }
  setReportedReason(side: Side, index: number): void {
    this.#floats[this.#layout.reportedReason + side] = index;
  }

  /** The last steps as a ring: count (NaN: unknown), and the level and its shape before the step. */
  count(index: number): number {
    return this.#floats[this.#layout.counts + index] as number;
  }
  levelOfStep(index: number): number {
    return this.#floats[this.#layout.levels + index] as number;
  }
  shapeOfStep(index: number): number {
    return this.#floats[this.#layout.shapes + index] as number;
  }
  setStep(index: number, count: number, level: number, shape: number): void {
    this.#floats[this.#layout.counts + index] = count;
    this.#floats[this.#layout.levels + index] = level;
    this.#floats[this.#layout.shapes + index] = shape;
  }
  forgetCounts(): void {
    this.#floats.fill(Number.NaN, this.#layout.counts, this.#layout.counts + this.#layout.windowSteps);
  }
}
