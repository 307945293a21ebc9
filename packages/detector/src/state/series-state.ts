import {
  alarmNumber,
  CLOSED_AGE,
  createAlarmMemory,
  findAlarm,
  LEVEL_BEFORE,
  NO_ALARM,
  needAlarm,
  OPENED_AGE,
  QUIET_STEPS,
  REPORTED_REASON,
  releaseAlarm,
  STATUS,
  type StatePlace,
} from './alarm-record.ts';
import { EVIDENCE } from './evidence-code.ts';
import { readHalf, writeHalf } from './half-float.ts';
import { ownRecord } from './record-memory.ts';
import { MAX_WINDOWS } from './resolution.ts';
import { fromSaved, toSaved } from './saved-state.ts';
import { FULL_LAYOUT, type SeriesLayout } from './series-layout.ts';
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
 * All that is remembered of a series, by name, in one record. Saving and loading are lossless. Two typed
 * arrays serve all accessors: a view for each field would cost more memory than the state itself.
 * The casts are safe: offsets are sums of the layout's constants and of bounded indices, so they never lie outside.
 */
export class SeriesState {
  readonly #layout: SeriesLayout;
  #floats: Float32Array;
  #codes: Uint8Array;
  readonly #place: StatePlace;
  /** Where it begins, in floats and in bytes. */
  #float: number;
  #byte: number;
  /** Its alarms, and their first float. */
  #alarms: Float32Array = NO_ALARM;
  #firstAlarm = 0;

  /**
   * @param saved also by a program that did not know the last fields; null: the place holds it already
   * @param place filled with zeros where it does not; missing: memory of its own
   */
  constructor(
    saved?: Uint8Array | null,
    layout = FULL_LAYOUT,
    place: StatePlace = { ...ownRecord(layout.bytesInMemory), alarms: createAlarmMemory() },
  ) {
    this.#layout = layout;
    this.#place = place;
    this.#floats = place.floats;
    this.#codes = place.bytes;
    this.#float = place.start / Float32Array.BYTES_PER_ELEMENT;
    this.#byte = place.start;
    if (saved === null) {
      this.#findAlarms();
      return;
    }
    const { firstAdded, bands } = layout;
    if (saved) {
      fromSaved(saved, layout, place, () => needAlarm(place, layout.alarm));
      this.#findAlarms();
      for (let index = 0; index < layout.windowSteps; index++) this.#markStep(index, this.count(index));
      // Whether a step was empty before is not known.
      if (saved.length === firstAdded) this.lastEmptyAge = this.age;
      return;
    }
    this.pooledDispersion = POISSON;
    this.dispersion = POISSON;
    this.forgetCounts();
    for (const band of bands) this.#floats.fill(Number.NaN, this.#float + band, this.#float + band + 4);
  }

  /** To be called when its place is that of another record: it is a view of that one from then on. */
  followPlace(): void {
    const { floats, bytes, start } = this.#place;
    if (this.#floats !== floats) {
      this.#floats = floats;
      this.#codes = bytes;
    }
    this.#float = start / Float32Array.BYTES_PER_ELEMENT;
    this.#byte = start;
    this.#findAlarms();
  }

  toBytes(): Uint8Array {
    const alarm = findAlarm(this.#place, this.#layout.alarm);
    return toSaved(this.#layout, { state: this.#place, alarm });
  }

  /** The series is gone: so is what it has beside its place. */
  release(): void {
    releaseAlarm(this.#place, this.#layout.alarm);
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
    return this.#floats[this.#float + this.#layout.age] as number;
  }
  set age(steps: number) {
    this.#floats[this.#float + this.#layout.age] = steps;
  }

  /** What the next step is expected to hold, and the shape of the gamma distribution of that expectation. */
  get level(): number {
    return this.#floats[this.#float + this.#layout.level] as number;
  }
  get shape(): number {
    return this.#floats[this.#float + this.#layout.shape] as number;
  }
  setLevel(level: number, shape: number): void {
    this.#floats[this.#float + this.#layout.level] = level;
    this.#floats[this.#float + this.#layout.shape] = shape;
  }

  /** Discounted sums of counts and of known steps, by memory. */
  sum(memory: number): number {
    return this.#floats[this.#sumAt(memory)] as number;
  }
  time(memory: number): number {
    return this.#floats[this.#timeAt(memory)] as number;
  }
  setMemory(memory: number, sum: number, time: number): void {
    this.#floats[this.#sumAt(memory)] = sum;
    this.#floats[this.#timeAt(memory)] = time;
  }

  /** Lets all memories fade, then adds to them. @param decays one for each memory */
  fadeMemories(decays: readonly number[], sum: number, time: number): void {
    const floats = this.#floats;
    const { sums, times, memoryPlaces } = this.#layout;
    const [firstSum, firstTime] = [this.#float + sums, this.#float + times];
    let place = -1;
    for (let i = 0; i < memoryPlaces.length; i++) {
      // Those of one length are one, and lie in the order of their lengths.
      if (memoryPlaces[i] === place) continue;
      place = memoryPlaces[i] as number; // i is below the length
      const decay = decays[i] as number;
      floats[firstSum + place] = (floats[firstSum + place] as number) * decay + sum;
      floats[firstTime + place] = (floats[firstTime + place] as number) * decay + time;
    }
  }

  /** Variance over mean, at least 1. */
  get dispersion(): number {
    return this.#floats[this.#float + this.#layout.dispersion] as number;
  }
  set dispersion(dispersion: number) {
    this.#floats[this.#float + this.#layout.dispersion] = dispersion;
  }
  /** The dispersion of the project's other series. */
  get pooledDispersion(): number {
    return this.#floats[this.#float + this.#layout.pooledDispersion] as number;
  }
  set pooledDispersion(dispersion: number) {
    this.#floats[this.#float + this.#layout.pooledDispersion] = dispersion;
  }
  /** Discounted sums of squared deviations, and of the counts that they belong to. */
  get deviations(): number {
    return this.#floats[this.#float + this.#layout.deviations] as number;
  }
  get expectations(): number {
    return this.#floats[this.#float + this.#layout.expectations] as number;
  }
  setDeviations(deviations: number, expectations: number): void {
    this.#floats[this.#float + this.#layout.deviations] = deviations;
    this.#floats[this.#float + this.#layout.expectations] = expectations;
  }

  /** Whether the slots of the day and the hours of the week are as long, and have one band. */
  get hasOneBand(): boolean {
    const [ofDay, ofWeek] = this.#layout.bands;
    return ofDay === ofWeek;
  }
  /** Rates of the period that runs, and of the one before it; NaN: not known. */
  band(period: Period, field: BandField): number {
    return this.#floats[this.#float + this.#layout.bands[period] + field] as number;
  }
  setBand(period: Period, field: BandField, rate: number): void {
    this.#floats[this.#float + this.#layout.bands[period] + field] = rate;
  }
  /** Codes of the highest and of the lowest rate at a time of the day, or of the week. */
  highCode(period: Period, index: number): number {
    return this.#codes[this.#byte + this.#layout.highs[period] + index] as number;
  }
  lowCode(period: Period, index: number): number {
    return this.#codes[this.#byte + this.#layout.lows[period] + index] as number;
  }
  setHighCode(period: Period, index: number, code: number): void {
    this.#codes[this.#byte + this.#layout.highs[period] + index] = code;
  }
  setLowCode(period: Period, index: number, code: number): void {
    this.#codes[this.#byte + this.#layout.lows[period] + index] = code;
  }

  /** Code of the mean rate of a slot of the day; of the slot that runs, what its known steps hold, and how many they are. */
  meanCode(slot: number): number {
    return this.#codes[this.#byte + this.#layout.slotMeans + slot] as number;
  }
  setMeanCode(slot: number, code: number): void {
    this.#codes[this.#byte + this.#layout.slotMeans + slot] = code;
  }
  get slotSum(): number {
    return this.#optional(this.#layout.slot, 0);
  }
  get slotSteps(): number {
    return this.#optional(this.#layout.slot, 1);
  }
  setSlot(sum: number, steps: number): void {
    this.#setOptional(this.#layout.slot, 0, sum);
    this.#setOptional(this.#layout.slot, 1, steps);
  }
  /** Discounted numbers of steps without an event, and of all that they are a share of. */
  get emptySteps(): number {
    return this.#floats[this.#float + this.#layout.emptySteps] as number;
  }
  get knownSteps(): number {
    return this.#floats[this.#float + this.#layout.knownSteps] as number;
  }
  setEmptySteps(emptySteps: number, knownSteps: number): void {
    this.#floats[this.#float + this.#layout.emptySteps] = emptySteps;
    this.#floats[this.#float + this.#layout.knownSteps] = knownSteps;
  }

  /** The age at the end of the last step without an event, of those that the ring holds no more; 0: there was none. */
  get lastEmptyAge(): number {
    return this.#optional(this.#layout.lastEmptyAge, 0);
  }
  set lastEmptyAge(age: number) {
    this.#setOptional(this.#layout.lastEmptyAge, 0, age);
  }

  /** Largest evidence of the block that runs. */
  blockMaximum(side: Side, window: number): number {
    const { blockMaxima, isCompact } = this.#layout;
    const at = blockMaxima + this.#sideWindow(side, window);
    if (isCompact) return EVIDENCE.decode(this.#codes[this.#byte + at] as number);
    return this.#floats[this.#float + at] as number;
  }
  setBlockMaximum(side: Side, window: number, evidence: number): void {
    const { blockMaxima, isCompact } = this.#layout;
    const at = blockMaxima + this.#sideWindow(side, window);
    if (isCompact) this.#codes[this.#byte + at] = EVIDENCE.encode(evidence);
    else this.#floats[this.#float + at] = evidence;
  }
  blockSteps(side: Side): number {
    return this.#floats[this.#float + this.#layout.blockSteps + side] as number;
  }
  blockEvents(side: Side): number {
    return this.#floats[this.#float + this.#layout.blockEvents + side] as number;
  }
  setBlock(side: Side, steps: number, events: number): void {
    this.#floats[this.#float + this.#layout.blockSteps + side] = steps;
    this.#floats[this.#float + this.#layout.blockEvents + side] = events;
  }
  /** Blocks that have closed, and their mean length. */
  blocks(side: Side): number {
    return this.#floats[this.#float + this.#layout.blocks + side] as number;
  }
  meanBlockSteps(side: Side): number {
    return this.#floats[this.#float + this.#layout.meanBlockSteps + side] as number;
  }
  setBlocks(side: Side, blocks: number, meanSteps: number): void {
    this.#floats[this.#float + this.#layout.blocks + side] = blocks;
    this.#floats[this.#float + this.#layout.meanBlockSteps + side] = meanSteps;
  }
  /** Codes of the maxima of a window, as a ring: of `keptMaxima` places the first `length`. */
  maxima(side: Side, window: number, length: number): Uint8Array {
    const at = this.#byte + this.#layout.maxima[side] + window * this.#layout.keptMaxima[side];
    return this.#codes.subarray(at, at + length);
  }
  maximum(side: Side, window: number, index: number): number {
    return this.#codes[
      this.#byte + this.#layout.maxima[side] + window * this.#layout.keptMaxima[side] + index
    ] as number;
  }
  setMaximum(side: Side, window: number, index: number, code: number): void {
    this.#codes[this.#byte + this.#layout.maxima[side] + window * this.#layout.keptMaxima[side] + index] =
      code;
  }

  /** Windows of which the following is kept. */
  get usualWindows(): number {
    return this.#layout.usualWindows;
  }
  /** Codes of the largest evidence of a window that opened nothing, and of that of the block that ended last. */
  largestUsual(side: Side, window: number): number {
    const { largestUsual, usualWindows } = this.#layout;
    return this.#codes[this.#byte + largestUsual + side * usualWindows + window] as number;
  }
  newestUsual(side: Side, window: number): number {
    const { newestUsual, usualWindows } = this.#layout;
    return this.#codes[this.#byte + newestUsual + side * usualWindows + window] as number;
  }
  setUsual(side: Side, window: number, { largest, newest }: { largest: number; newest: number }): void {
    const { largestUsual, newestUsual, usualWindows } = this.#layout;
    const at = this.#byte + side * usualWindows + window;
    this.#codes[at + largestUsual] = largest;
    this.#codes[at + newestUsual] = newest;
  }

  /** Evidence above which an alarm opens, and above which it is held. */
  openThreshold(side: Side, window: number): number {
    return this.#number(this.#layout.openThresholds, this.#sideWindow(side, window));
  }
  holdThreshold(side: Side, window: number): number {
    return this.#number(this.#layout.holdThresholds, this.#sideWindow(side, window));
  }
  /** By window, all that evidence of a side must exceed to be noticed: without a number in memory of its own for each. */
  readNoticed(side: Side, holdThresholds: Float64Array, blockMaxima: Float64Array): void {
    for (let window = 0; window < this.#layout.windows; window++) {
      holdThresholds[window] = this.holdThreshold(side, window);
      blockMaxima[window] = this.blockMaximum(side, window);
    }
  }
  setThresholds(side: Side, window: number, open: number, hold: number): void {
    this.#setNumber(this.#layout.openThresholds, this.#sideWindow(side, window), open);
    this.#setNumber(this.#layout.holdThresholds, this.#sideWindow(side, window), hold);
  }

  /** Of the side's last alarm: its status, the age at which it opened and closed, and the quiet steps since. */
  status(side: Side): number {
    return this.#alarm(STATUS + side);
  }
  setStatus(side: Side, status: number): void {
    this.#setAlarm(STATUS + side, status);
  }
  openedAge(side: Side): number {
    return this.#alarm(OPENED_AGE + side);
  }
  setOpenedAge(side: Side, age: number): void {
    this.#setAlarm(OPENED_AGE + side, age);
  }
  closedAge(side: Side): number {
    return this.#alarm(CLOSED_AGE + side);
  }
  setClosedAge(side: Side, age: number): void {
    this.#setAlarm(CLOSED_AGE + side, age);
  }
  quietSteps(side: Side): number {
    return this.#alarm(QUIET_STEPS + side);
  }
  setQuietSteps(side: Side, steps: number): void {
    this.#setAlarm(QUIET_STEPS + side, steps);
  }
  /** What was expected of a step when it opened; 0: no alarm that could be recovered from. */
  levelBefore(side: Side): number {
    return this.#alarm(LEVEL_BEFORE + side);
  }
  setLevelBefore(side: Side, level: number): void {
    this.#setAlarm(LEVEL_BEFORE + side, level);
  }
  /** Index of the suppression that was reported last, so that it is reported once. */
  reportedReason(side: Side): number {
    return this.#alarm(REPORTED_REASON + side);
  }
  setReportedReason(side: Side, index: number): void {
    this.#setAlarm(REPORTED_REASON + side, index);
  }

  /** The last steps as a ring: count (NaN: unknown), and the level and its shape before the step. */
  count(index: number): number {
    return this.#floats[this.#float + this.#layout.counts + index] as number;
  }
  levelOfStep(index: number): number {
    return this.#number(this.#layout.levels, index);
  }
  shapeOfStep(index: number): number {
    return this.#number(this.#layout.shapes, index);
  }
  setStep(index: number, count: number, level: number, shape: number): void {
    this.#floats[this.#float + this.#layout.counts + index] = count;
    this.#setNumber(this.#layout.levels, index, level);
    this.#setNumber(this.#layout.shapes, index, shape);
    this.#markStep(index, count);
  }
  /** By bit, the steps of the ring with an event, and those that are not known: all others are empty. */
  get filledSteps(): number {
    return this.#place.integers[this.#float + this.#layout.filledSteps] as number;
  }
  get unknownSteps(): number {
    return this.#place.integers[this.#float + this.#layout.unknownSteps] as number;
  }
  forgetCounts(): void {
    const first = this.#float + this.#layout.counts;
    this.#floats.fill(Number.NaN, first, first + this.#layout.windowSteps);
    const { integers } = this.#place;
    integers[this.#float + this.#layout.filledSteps] = 0;
    integers[this.#float + this.#layout.unknownSteps] = -1;
  }

  #markStep(index: number, count: number): void {
    const at = this.#float + this.#layout.filledSteps;
    const [bit, { integers }] = [1 << index, this.#place];
    const isUnknown = Number.isNaN(count);
    // As it is kept, with single precision.
    const isFilled = !isUnknown && Math.fround(count) !== 0;
    const [filled, unknown] = [integers[at] as number, integers[at + 1] as number];
    integers[at] = isFilled ? filled | bit : filled & ~bit;
    integers[at + 1] = isUnknown ? unknown | bit : unknown & ~bit;
  }

  /** Of side and window. */
  #sideWindow(side: Side, window: number): number {
    return side * this.#layout.windows + window;
  }

  /** The place of a memory; those of one length have the same. */
  #sumAt(memory: number): number {
    const { sums, memoryPlaces } = this.#layout;
    return this.#float + sums + (memoryPlaces[memory] as number);
  }
  #timeAt(memory: number): number {
    const { times, memoryPlaces } = this.#layout;
    return this.#float + times + (memoryPlaces[memory] as number);
  }

  /** A number that is kept in 16 bits where the layout is compact. @param first of its field */
  #number(first: number, index: number): number {
    if (this.#layout.isCompact) return readHalf(this.#codes, this.#byte + first + 2 * index);
    return this.#floats[this.#float + first + index] as number;
  }
  #setNumber(first: number, index: number, value: number): void {
    if (this.#layout.isCompact) writeHalf(this.#codes, this.#byte + first + 2 * index, value);
    else this.#floats[this.#float + first + index] = value;
  }

  /** A number that a layout may have no use for: then it is 0. @param first of its field */
  #optional(first: number | undefined, index: number): number {
    return first === undefined ? 0 : (this.#floats[this.#float + first + index] as number);
  }
  #setOptional(first: number | undefined, index: number, value: number): void {
    if (first !== undefined) this.#floats[this.#float + first + index] = value;
  }

  #findAlarms(): void {
    const number = alarmNumber(this.#place, this.#layout.alarm);
    if (number === 0) {
      this.#alarms = NO_ALARM;
      this.#firstAlarm = 0;
      return;
    }
    const { alarms } = this.#place;
    this.#alarms = alarms.viewsAt(number - 1).floats;
    this.#firstAlarm = alarms.startAt(number - 1) / Float32Array.BYTES_PER_ELEMENT;
  }
  #alarm(field: number): number {
    return this.#alarms[this.#firstAlarm + field] as number;
  }
  #setAlarm(field: number, value: number): void {
    // Another view of the series may have made the record.
    if (this.#alarms === NO_ALARM) this.#findAlarms();
    if (this.#alarms === NO_ALARM) {
      if (value === 0) return;
      needAlarm(this.#place, this.#layout.alarm);
      this.#findAlarms();
    }
    this.#alarms[this.#firstAlarm + field] = value;
  }
}
