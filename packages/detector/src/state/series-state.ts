import type { CodeRuns } from './code-runs.ts';
import { RecordBuffer } from './record-buffer.ts';
import type { RecordPlace } from './record-view.ts';
import { MEMORIES } from './resolution.ts';
import { HOUR_OF_WEEK, type Period, SeriesHead, SLOT_OF_DAY } from './series-head.ts';
import { FULL_LAYOUT, type SeriesLayout } from './series-layout.ts';
import type { Side } from './side.ts';

/**
 * State of a series, by name: a view of its record, whose bytes are also its saved form. The head is read by
 * the fields of `series-head.ts`, the rest by the methods here. The casts are safe: places are sums of the layout's
 * constants and of bounded indices, so they never lie outside.
 */
export class SeriesState extends SeriesHead {
  readonly #layout: SeriesLayout;

  /**
   * @param saved result of `toBytes`; missing: a new series
   * @param place record that holds it already, or that `begin` is called on; missing: one of its own
   */
  constructor(saved?: Uint8Array, layout = FULL_LAYOUT, place?: RecordPlace) {
    super(place?.buffer ?? new RecordBuffer(layout.floats), place?.first);
    this.#layout = layout;
    if (place) return;
    if (saved) this.buffer.bytes.set(saved);
    else this.begin();
  }

  /** Makes a record of zeros that of a new series. */
  begin(): void {
    // Counts are those of Poisson until they show otherwise.
    this.pooledDispersion = 1;
    this.dispersion = 1;
    this.forgetCounts();
    // Nothing is known of the period before either.
    for (let begun = 0; begun < 2; begun++) {
      this.beginBand(SLOT_OF_DAY);
      this.beginBand(HOUR_OF_WEEK);
    }
  }

  toBytes(): Uint8Array {
    return this.buffer.bytes.slice(4 * this.first, 4 * (this.first + this.#layout.floats));
  }

  /** Floats of the buffer for loops over many fields; `firstCount` is the index of the first count. */
  get floats(): Float32Array {
    return this.buffer.floats;
  }
  get firstCount(): number {
    return this.first + this.#layout.counts;
  }
  /** Steps of the longest window, which are kept as a ring. */
  get windowSteps(): number {
    return this.#layout.windowSteps;
  }

  setLevel(level: number, shape: number): void {
    this.level = level;
    this.shape = shape;
  }
  setBlock(side: Side, steps: number, events: number): void {
    this.setBlockSteps(side, steps);
    this.setBlockEvents(side, events);
  }
  setSlot(sum: number, steps: number): void {
    this.slotSum = sum;
    this.slotSteps = steps;
  }
  setMemory(memory: number, sum: number, time: number): void {
    this.setSum(memory, sum);
    this.setTime(memory, time);
  }

  /** Lets memories, the fastest first, fade, then adds to them. @param decays one for each memory */
  fadeMemories(decays: readonly number[], sum: number, time: number, memories = MEMORIES): void {
    for (let memory = 0; memory < memories; memory++) {
      const decay = decays[memory] as number;
      this.setMemory(memory, this.sum(memory) * decay + sum, this.time(memory) * decay + time);
    }
  }

  /** Returns the count of a step of the ring (NaN: unknown); below, the level before the step and its shape. */
  count(index: number): number {
    return this.#float(this.#layout.counts + index);
  }
  levelOfStep(index: number): number {
    return this.#float(this.#layout.levels + index);
  }
  shapeOfStep(index: number): number {
    return this.#float(this.#layout.shapes + index);
  }
  setStep(index: number, count: number, level: number, shape: number): void {
    const { floats, first } = this;
    const { counts, levels, shapes } = this.#layout;
    floats[first + counts + index] = count;
    floats[first + levels + index] = level;
    floats[first + shapes + index] = shape;
    const bit = 1 << index;
    // The kept count has single precision; that of an unknown step is NaN.
    const isFilled = Math.fround(count) > 0;
    this.filledSteps = isFilled ? this.filledSteps | bit : this.filledSteps & ~bit;
  }
  forgetCounts(): void {
    this.floats.fill(Number.NaN, this.firstCount, this.firstCount + this.windowSteps);
    this.filledSteps = 0;
  }

  /** Begins a period: the one that ran is the one before it. */
  beginBand(period: Period): void {
    this.setPreviousHigh(period, this.runningHigh(period));
    this.setPreviousLow(period, this.runningLow(period));
    this.setRunningHigh(period, Number.NaN);
    this.setRunningLow(period, Number.NaN);
  }
  /** Extends the bands of the running periods by the highest and the lowest rate of a step; NaN: it has none. */
  extendBands(high: number, low: number, lowOfDay = low): void {
    this.#extendBand(SLOT_OF_DAY, high, lowOfDay);
    this.#extendBand(HOUR_OF_WEEK, high, low);
  }
  #extendBand(period: Period, high: number, low: number): void {
    // Negated, since nothing compares with NaN, which stands for a rate that is not known yet.
    if (!(Number.isNaN(high) || high <= this.runningHigh(period))) this.setRunningHigh(period, high);
    if (!(Number.isNaN(low) || low >= this.runningLow(period))) this.setRunningLow(period, low);
  }

  /** Codes of the highest and of the lowest rate at a time of the day, or of the week. */
  highCode(period: Period, index: number): number {
    return this.#code(this.#layout.highs[period] + index);
  }
  lowCode(period: Period, index: number): number {
    return this.#code(this.#layout.lows[period] + index);
  }
  setHighCode(period: Period, index: number, code: number): void {
    this.#setCode(this.#layout.highs[period] + index, code);
  }
  setLowCode(period: Period, index: number, code: number): void {
    this.#setCode(this.#layout.lows[period] + index, code);
  }
  /** Returns the code of the mean rate of a slot of the day. */
  meanCode(slot: number): number {
    return this.#code(this.#layout.slotMeans + slot);
  }
  setMeanCode(slot: number, code: number): void {
    this.#setCode(this.#layout.slotMeans + slot, code);
  }

  /** Returns the number of kept block maxima of each window. */
  keptMaxima(side: Side): number {
    return this.#layout.keptMaxima[side];
  }
  /** Returns codes of the maxima of a window, a ring of `keptMaxima` places, without a copy: they are valid until the view is moved. */
  maxima(side: Side, window: number, { begin, length }: { begin: number; length: number }): CodeRuns {
    const kept = this.keptMaxima(side);
    const nextFirst = 4 * this.first + this.#layout.maxima[side] + window * kept;
    const first = begin % kept;
    const ofFirstRun = Math.min(length, kept - first);
    const { bytes: codes } = this.buffer;
    return {
      codes,
      first: nextFirst + first,
      length: ofFirstRun,
      nextFirst,
      nextLength: length - ofFirstRun,
    };
  }
  setMaximum(side: Side, window: number, index: number, code: number): void {
    this.#setCode(this.#layout.maxima[side] + window * this.keptMaxima(side) + index, code);
  }
  /** Returns the largest evidence of the running block. */
  blockMaximum(side: Side, window: number): number {
    return this.#float(this.#layout.blockMaxima + side * this.#layout.windows + window);
  }
  setBlockMaximum(side: Side, window: number, evidence: number): void {
    this.#setFloat(this.#layout.blockMaxima + side * this.#layout.windows + window, evidence);
  }

  /** Number of windows whose largest usual evidence is kept. */
  get usualWindows(): number {
    return this.#layout.usualWindows;
  }
  /** Codes of the largest evidence of a window that opened nothing, and of that of the block that ended last. */
  largestUsual(side: Side, window: number): number {
    return this.#code(this.#layout.largestUsual + side * this.usualWindows + window);
  }
  newestUsual(side: Side, window: number): number {
    return this.#code(this.#layout.newestUsual + side * this.usualWindows + window);
  }
  setUsual(side: Side, window: number, { largest, newest }: { largest: number; newest: number }): void {
    const index = side * this.usualWindows + window;
    this.#setCode(this.#layout.largestUsual + index, largest);
    this.#setCode(this.#layout.newestUsual + index, newest);
  }

  /** Returns the evidence above which an alarm opens; below, that above which it is held. */
  openThreshold(side: Side, window: number): number {
    return this.#float(this.#layout.openThresholds + side * this.#layout.windows + window);
  }
  holdThreshold(side: Side, window: number): number {
    return this.#float(this.#layout.holdThresholds + side * this.#layout.windows + window);
  }
  setThresholds(side: Side, window: number, open: number, hold: number): void {
    const index = side * this.#layout.windows + window;
    this.#setFloat(this.#layout.openThresholds + index, open);
    this.#setFloat(this.#layout.holdThresholds + index, hold);
  }

  #float(place: number): number {
    return this.buffer.floats[this.first + place] as number;
  }
  #setFloat(place: number, value: number): void {
    this.buffer.floats[this.first + place] = value;
  }
  #code(place: number): number {
    return this.buffer.bytes[4 * this.first + place] as number;
  }
  #setCode(place: number, code: number): void {
    this.buffer.bytes[4 * this.first + place] = code;
  }
}
