import { RecordedAlarms } from './recorded-alarms.ts';
import { BAND_OF_DAY } from './series-head.ts';

/** Indices of what is kept for each seasonal period: the quarter hour of the day, and the hour of the week. */
export const SLOT_OF_DAY = 0;
export const HOUR_OF_WEEK = 1;
export type Period = typeof SLOT_OF_DAY | typeof HOUR_OF_WEEK;

/** Within a band: the highest and the lowest rate of the period that runs, and of the one before it. */
export const RUNNING_HIGH = 0;
export const RUNNING_LOW = 1;
export const PREVIOUS_HIGH = 2;
export const PREVIOUS_LOW = 3;
const BAND_FIELDS = 4;
type BandField = 0 | 1 | 2 | 3;

/** What is kept of the time of the day and of the week, by name. */
export class RecordedSeason extends RecordedAlarms {
  /** Whether the slots of the day and the hours of the week are as long, and have one band. */
  get hasOneBand(): boolean {
    return this.layout.bands[HOUR_OF_WEEK] === BAND_OF_DAY;
  }
  /** Rates of the period that runs, and of the one before it; NaN: not known. */
  band(period: Period, field: BandField): number {
    return this.floats[this.first + this.layout.bands[period] + field] as number;
  }
  setBand(period: Period, field: BandField, rate: number): void {
    this.floats[this.first + this.layout.bands[period] + field] = rate;
  }
  /** Extends the bands of the periods that run by the highest and the lowest rate of a step; NaN: it has none. */
  extendBands(high: number, low: number): void {
    const { floats } = this;
    const ofDay = this.first + BAND_OF_DAY;
    const ofWeek = this.first + this.layout.bands[HOUR_OF_WEEK];
    // Negated, since nothing compares with NaN, which stands for a rate that is not known yet.
    if (!Number.isNaN(high)) {
      if (!(high <= (floats[ofDay + RUNNING_HIGH] as number))) floats[ofDay + RUNNING_HIGH] = high;
      if (!(high <= (floats[ofWeek + RUNNING_HIGH] as number))) floats[ofWeek + RUNNING_HIGH] = high;
    }
    if (Number.isNaN(low)) return;
    if (!(low >= (floats[ofDay + RUNNING_LOW] as number))) floats[ofDay + RUNNING_LOW] = low;
    if (!(low >= (floats[ofWeek + RUNNING_LOW] as number))) floats[ofWeek + RUNNING_LOW] = low;
  }
  protected forgetBands(): void {
    for (const band of this.layout.bands)
      this.floats.fill(Number.NaN, this.first + band, this.first + band + BAND_FIELDS);
  }

  /** Codes of the highest and of the lowest rate at a time of the day, or of the week. */
  highCode(period: Period, index: number): number {
    return this.codes[this.firstByte + this.layout.highs[period] + index] as number;
  }
  lowCode(period: Period, index: number): number {
    return this.codes[this.firstByte + this.layout.lows[period] + index] as number;
  }
  setHighCode(period: Period, index: number, code: number): void {
    this.codes[this.firstByte + this.layout.highs[period] + index] = code;
  }
  setLowCode(period: Period, index: number, code: number): void {
    this.codes[this.firstByte + this.layout.lows[period] + index] = code;
  }

  /** Code of the mean rate of a slot of the day; of the slot that runs, what its known steps hold, and how many they are. */
  meanCode(slot: number): number {
    return this.codes[this.firstByte + this.layout.slotMeans + slot] as number;
  }
  setMeanCode(slot: number, code: number): void {
    this.codes[this.firstByte + this.layout.slotMeans + slot] = code;
  }
  get slotSum(): number {
    return this.optional(this.layout.slot, 0);
  }
  get slotSteps(): number {
    return this.optional(this.layout.slot, 1);
  }
  setSlot(sum: number, steps: number): void {
    this.setOptional(this.layout.slot, 0, sum);
    this.setOptional(this.layout.slot, 1, steps);
  }

  /** A number that a layout may have no use for: then it is 0. @param place of its field */
  protected optional(place: number | undefined, index: number): number {
    return place === undefined ? 0 : (this.floats[this.first + place + index] as number);
  }
  protected setOptional(place: number | undefined, index: number, value: number): void {
    if (place !== undefined) this.floats[this.first + place + index] = value;
  }
}
