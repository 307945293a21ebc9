import { LogCode } from '../state/log-code.ts';
import { RecordBuffer } from '../state/record-buffer.ts';
import { defineView, type RecordPlace } from '../state/record-view.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';

/** Discounted sums of the level, the slow one first: see `long-level.ts`. */
export const LEVEL_MEMORIES = 2;

const LongHead = defineView({
  /** Events of the running step, and those of them that came too late to be evaluated. */
  count: 'double',
  lateCount: 'double',
  /** Steps since the first, known or not. */
  age: 'float',
  /** Steps that the ring holds, at most all of it: those of a closed alarm are forgotten. */
  steps: 'float',
  /** Expected count of a step of mean factor, and the events that it rests on. */
  level: 'float',
  shape: 'float',
  dispersion: 'float',
  wandering: 'float',
  /** Discounted sums of counts and of factors, by memory. */
  sum: LEVEL_MEMORIES,
  time: LEVEL_MEMORIES,
  /** Sums of a fit: see `count-noise.ts`. */
  noiseOnes: 'float',
  noiseMeans: 'float',
  noiseSquares: 'float',
  noiseRatios: 'float',
  noiseProducts: 'float',
  /** Discounted numbers of steps and peaks, excess of the peaks, and the peak that runs, by side: see `peaks.ts`. */
  peakSteps: 2,
  peaks: 2,
  peakExcess: 2,
  runningPeak: 2,
  /** Largest evidence of a rise within the running step, in the time before any moment that is as long as a step. */
  slidingPeak: 'float',
  /** Age at which the alarm of a side opened, 0 where none is open; its rate, that over the usual one, and the quiet steps since. */
  openedAge: 2,
  alarmRate: 2,
  alarmRatio: 2,
  quietSteps: 2,
  /** Age at which the last alarm of a side closed; 0: none has. */
  closedAge: 2,
  /** Level from before an alarm, with its sums by side and memory, when that was, 0 where there is none, and when it was last open. */
  levelBefore: 2,
  sumBefore: 2 * LEVEL_MEMORIES,
  timeBefore: 2 * LEVEL_MEMORIES,
  beforeAge: 2,
  lastOpenAge: 2,
  /** True if it has counted since the last evaluation. */
  hasNewCounts: 'flag',
  isErrorSeries: 'flag',
  /** True if a part of the running step was left out: then its count is not known. */
  isPartial: 'flag',
});

/** Steps of half an hour and more, and the form of the state of a series that is evaluated at them. */
export interface LongLayout {
  stepMinutes: number;
  /** Lengths of the windows in steps, the shortest first. */
  windows: readonly number[];
  /** Steps of the longest window. */
  windowSteps: number;
  /** Steps of the week and of the day, which have a factor of their own; 1 where they divide none. */
  slots: number;
  slotsOfDay: number;
  /** Size of a record. */
  floats: number;
}

const RING_FIELDS = 5;
/** Inverse relative variances in one byte. */
const INFORMATION = new LogCode(0.01, 1e5);

export function longLayoutOf(stepMinutes: number, windows: readonly number[]): LongLayout {
  const slots = MINUTES_PER_WEEK % stepMinutes === 0 ? MINUTES_PER_WEEK / stepMinutes : 1;
  const slotsOfDay = MINUTES_PER_DAY % stepMinutes === 0 ? MINUTES_PER_DAY / stepMinutes : 1;
  const windowSteps = windows.at(-1) ?? 1;
  const floats = LongHead.floats + RING_FIELDS * windowSteps + slots + Math.ceil(slots / 2);
  return { stepMinutes, windows, windowSteps, slots, slotsOfDay, floats: 2 * Math.ceil(floats / 2) };
}

/**
 * All that is remembered of a series at long steps: a view of its record, whose bytes are also its saved form. Places are sums
 * of constants of the layout and of bounded indices, so they lie within.
 */
export class LongState extends LongHead {
  readonly #layout: LongLayout;
  readonly #ring: number;
  readonly #profile: number;
  readonly #codes: number;

  constructor(layout: LongLayout, place?: RecordPlace) {
    super(place?.buffer ?? new RecordBuffer(layout.floats), place?.first);
    this.#layout = layout;
    this.#ring = LongHead.floats;
    this.#profile = this.#ring + RING_FIELDS * layout.windowSteps;
    this.#codes = 4 * (this.#profile + layout.slots);
  }

  /** A step of the ring, by how many steps before the one that runs it was. NaN: its count is not known. */
  countAt(back: number): number {
    return this.#ofStep(back, 0);
  }
  levelAt(back: number): number {
    return this.#ofStep(back, 1);
  }
  shapeAt(back: number): number {
    return this.#ofStep(back, 2);
  }
  factorAt(back: number): number {
    return this.#ofStep(back, 3);
  }
  ownFactorAt(back: number): number {
    return this.#ofStep(back, 4);
  }
  /** Keeps the running step beside what was expected of it. */
  recordStep(count: number, { factor, own }: { factor: number; own: number }): void {
    const { windowSteps } = this.#layout;
    const at = this.first + this.#ring + RING_FIELDS * (this.age % windowSteps);
    this.buffer.floats.set([count, this.level, this.shape, factor, own], at);
    this.steps = Math.min(windowSteps, this.steps + 1);
  }
  #ofStep(back: number, field: number): number {
    const { windowSteps } = this.#layout;
    const at = (this.age - back + windowSteps) % windowSteps;
    return this.buffer.floats[this.first + this.#ring + RING_FIELDS * at + field] as number;
  }

  /** Mean factor of a slot of the week, and what it rests on. */
  slotFactor(slot: number): number {
    return this.buffer.floats[this.first + this.#profile + slot] as number;
  }
  slotInformation(slot: number): number {
    return INFORMATION.decode(this.buffer.bytes[4 * this.first + this.#codes + slot] as number);
  }
  setSlot(slot: number, factor: number, information: number): void {
    this.buffer.floats[this.first + this.#profile + slot] = factor;
    this.buffer.bytes[4 * this.first + this.#codes + slot] = INFORMATION.encode(information);
  }
  /** True if a slot was reported when it was last. */
  wasReported(slot: number): boolean {
    return this.buffer.bytes[4 * this.first + this.#codes + this.#layout.slots + slot] === 1;
  }
  setReported(slot: number, isReported: boolean): void {
    this.buffer.bytes[4 * this.first + this.#codes + this.#layout.slots + slot] = Number(isReported);
  }
}
