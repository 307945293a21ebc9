import { MAX_WINDOW_STEPS, MAX_WINDOWS } from './resolution.ts';

/** Up and down, as indices of what is kept of each. */
export const UP = 0;
export const DOWN = 1;
export type Side = typeof UP | typeof DOWN;

export const MEMORIES = 5;
export const KEPT_MAXIMA = [56, 48] as const;
const SLOTS = 96;
const HOURS = 168;

let numbers = 0;
const place = (length: number): number => {
  numbers += length;
  return numbers - length;
};

/** Where each number of a series lies. What is kept of each side lies side by side: `AT.x + side`. */
export const AT = {
  /** Discounted sums of counts and of steps, the fastest memory first. */
  sums: place(MEMORIES),
  times: place(MEMORIES),
  /** What the next step is expected to hold, and the shape of that expectation's gamma distribution. */
  level: place(1),
  shape: place(1),
  /** Discounted sums of squared deviations and of what they were expected to be. */
  deviations: place(1),
  expectations: place(1),
  lentDispersion: place(1),
  dispersion: place(1),
  /** Steps since the first, known or not. */
  age: place(1),
  /** Highest and lowest rate of the slot (hour) that runs, and of the one before it. */
  slot: place(4),
  hour: place(4),
  /** Largest evidence of the block that runs: by side and window. */
  blockMaxima: place(2 * MAX_WINDOWS),
  blockSteps: place(2),
  blockEvents: place(2),
  meanBlockSteps: place(2),
  /** How many maxima were ever kept. */
  blocks: place(2),
  /** Evidence from which an incident opens, and down to which it is held: by side and window. */
  openThreshold: place(2 * MAX_WINDOWS),
  holdThreshold: place(2 * MAX_WINDOWS),
  /** Of the side's last incident: whether it is open, its age at opening and at closing, steps without cause. */
  status: place(2),
  openedAge: place(2),
  closedAge: place(2),
  quietSteps: place(2),
  /** The expected count a step when it opened. */
  levelBefore: place(2),
  /** What was last said about a side that does not open, so that it is said once. */
  lastReportedReason: place(2),
  /** The last steps: count (NaN: unknown), and the level and its shape before them. */
  counts: place(MAX_WINDOW_STEPS),
  levels: place(MAX_WINDOW_STEPS),
  shapes: place(MAX_WINDOW_STEPS),
} as const;

let bytes = 0;
const placeCodes = (length: number): number => {
  bytes += length;
  return bytes - length;
};

/** Where each one-byte code lies. */
export const CODE_AT = {
  maxima: [placeCodes(MAX_WINDOWS * KEPT_MAXIMA[0]), placeCodes(MAX_WINDOWS * KEPT_MAXIMA[1])] as const,
  slotHigh: placeCodes(SLOTS),
  slotLow: placeCodes(SLOTS),
  hourHigh: placeCodes(HOURS),
  hourLow: placeCodes(HOURS),
} as const;

const NUMBER_BYTES = numbers * Float32Array.BYTES_PER_ELEMENT;
export const SERIES_BYTES = NUMBER_BYTES + bytes;
/** Where `dispersion` is not known yet. */
const POISSON = 1;

/**
 * All that is remembered of a series, in one piece of memory: saving it is copying it, and what is loaded
 * goes on exactly as what was saved.
 */
export class SeriesMemory {
  readonly numbers: Float32Array;
  readonly codes: Uint8Array;

  constructor(saved?: Uint8Array) {
    const buffer = new ArrayBuffer(SERIES_BYTES);
    this.numbers = new Float32Array(buffer, 0, numbers);
    this.codes = new Uint8Array(buffer, NUMBER_BYTES);
    if (saved) {
      if (saved.length !== SERIES_BYTES) throw new RangeError(`A series is ${SERIES_BYTES} bytes.`);
      new Uint8Array(buffer).set(saved);
      return;
    }
    this.numbers[AT.lentDispersion] = POISSON;
    this.numbers[AT.dispersion] = POISSON;
    this.numbers.fill(Number.NaN, AT.counts, AT.counts + MAX_WINDOW_STEPS);
    this.numbers.fill(Number.NaN, AT.slot, AT.hour + 4);
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.numbers.buffer.slice(0));
  }
}
