import { createAlarmMemory, type StatePlace } from './alarm-record.ts';
import { ownRecord } from './record-memory.ts';
import { RecordedEvidence } from './recorded-evidence.ts';
import { fromSaved, toSaved } from './saved-state.ts';
import { FULL_LAYOUT } from './series-layout.ts';

/** The dispersion of Poisson counts. */
const POISSON = 1;

/**
 * All that is remembered of a series, by name, in one record: its head, alarms, season and evidence, each in a file of its
 * own, and here the memories of the level and the last steps. Saving and loading are lossless.
 */
export class SeriesState extends RecordedEvidence {
  /**
   * @param saved what `toBytes` returned; null: the place holds it already
   * @param place filled with zeros where it does not; missing: memory of its own
   */
  constructor(
    saved?: Uint8Array | null,
    layout = FULL_LAYOUT,
    place: StatePlace = { ...ownRecord(layout.bytesInMemory), alarms: createAlarmMemory() },
  ) {
    super(layout, place);
    if (saved === null) return;
    if (saved) {
      fromSaved(saved, layout, place, () => this.needAlarm());
      this.findAlarms();
      for (let index = 0; index < layout.windowSteps; index++) this.#markStep(index, this.count(index));
      return;
    }
    this.pooledDispersion = POISSON;
    this.dispersion = POISSON;
    this.forgetCounts();
    this.forgetBands();
  }

  toBytes(): Uint8Array {
    return toSaved(this.layout, { state: this.place, alarm: this.alarmRecord });
  }

  /** Discounted sums of counts and of known steps, by memory. */
  sum(memory: number): number {
    return this.floats[this.#sumAt(memory)] as number;
  }
  time(memory: number): number {
    return this.floats[this.#timeAt(memory)] as number;
  }
  setMemory(memory: number, sum: number, time: number): void {
    this.floats[this.#sumAt(memory)] = sum;
    this.floats[this.#timeAt(memory)] = time;
  }

  /** Lets all memories fade, then adds to them. @param decays one for each memory */
  fadeMemories(decays: readonly number[], sum: number, time: number): void {
    const { floats } = this;
    const { sums, times, memoryPlaces } = this.layout;
    const [firstSum, firstTime] = [this.first + sums, this.first + times];
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

  /** The age at the end of the last step without an event, of those that the ring holds no more; 0: there was none. */
  get lastEmptyAge(): number {
    return this.optional(this.layout.lastEmptyAge, 0);
  }
  set lastEmptyAge(age: number) {
    this.setOptional(this.layout.lastEmptyAge, 0, age);
  }

  /** The last steps as a ring: count (NaN: unknown), and the level and its shape before the step. */
  count(index: number): number {
    return this.floats[this.first + this.layout.counts + index] as number;
  }
  levelOfStep(index: number): number {
    return this.compact(this.layout.levels, index);
  }
  shapeOfStep(index: number): number {
    return this.compact(this.layout.shapes, index);
  }
  setStep(index: number, count: number, level: number, shape: number): void {
    this.floats[this.first + this.layout.counts + index] = count;
    this.setCompact(this.layout.levels, index, level);
    this.setCompact(this.layout.shapes, index, shape);
    this.#markStep(index, count);
  }
  /** The place of the first count among `floats`. */
  get firstCount(): number {
    return this.first + this.layout.counts;
  }
  forgetCounts(): void {
    const { firstCount } = this;
    this.floats.fill(Number.NaN, firstCount, firstCount + this.layout.windowSteps);
    this.setMasks(0, -1);
  }

  #markStep(index: number, count: number): void {
    const bit = 1 << index;
    const isUnknown = Number.isNaN(count);
    // As it is kept, with single precision.
    const isFilled = !isUnknown && Math.fround(count) !== 0;
    const { filledSteps: filled, unknownSteps: unknown } = this;
    this.setMasks(isFilled ? filled | bit : filled & ~bit, isUnknown ? unknown | bit : unknown & ~bit);
  }

  /** The place of a memory; those of one length have the same. */
  #sumAt(memory: number): number {
    const { sums, memoryPlaces } = this.layout;
    return this.first + sums + (memoryPlaces[memory] as number);
  }
  #timeAt(memory: number): number {
    const { times, memoryPlaces } = this.layout;
    return this.first + times + (memoryPlaces[memory] as number);
  }
}
