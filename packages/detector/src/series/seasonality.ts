import { LogCode } from '../state/log-code.ts';
import type { Resolution } from '../state/resolution.ts';
import { AT, CODE_AT, type SeriesMemory } from '../state/series-state.ts';

/** Rates a step. */
const RATE = new LogCode(1e-4, 1e7);
/** The code of the lowest rate that is known. */
const NEARLY_ZERO = 1;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Where a step stands in the day and in the week; the same for all series of a project. */
export interface SeasonalPosition {
  slot: number;
  slots: number;
  /** Of the week; longer than an hour where a step is. */
  hour: number;
  hours: number;
  slotBegins: boolean;
  hourBegins: boolean;
}

/** The highest and the lowest rate that the same time of yesterday, or of last week, makes normal. */
export interface SeasonalBand {
  high: number;
  low: number;
}

export function seasonalPositionOf(resolution: Resolution, timeMs: number): SeasonalPosition {
  const stepMs = resolution.stepMinutes * MINUTE_MS;
  const slotMs = resolution.slotMinutes * MINUTE_MS;
  const hourMs = Math.max(HOUR_MS, stepMs);
  const dayMs = modulo(timeMs, DAY_MS);
  const weekMs = modulo(timeMs, WEEK_MS);
  return {
    slot: Math.floor(dayMs / slotMs),
    slots: Math.ceil(DAY_MS / slotMs),
    hour: Math.floor(weekMs / hourMs),
    hours: Math.ceil(WEEK_MS / hourMs),
    slotBegins: modulo(dayMs, slotMs) < stepMs,
    hourBegins: modulo(weekMs, hourMs) < stepMs,
  };
}

/**
 * The time of day, in slots of 15 minutes that are overwritten daily, and the hour of the week. The slot that
 * ended is written only when the second one after it begins, so that the slot before, the own and the next one all
 * still hold yesterday: a series may come a little early or late.
 */
export function beginStep(memory: SeriesMemory, position: SeasonalPosition): void {
  if (position.slotBegins) {
    rotateSlots(memory, AT.slot, CODE_AT.slotHigh, CODE_AT.slotLow, position.slot, position.slots);
  }
  if (position.hourBegins)
    rotateSlots(memory, AT.hour, CODE_AT.hourHigh, CODE_AT.hourLow, position.hour, position.hours);
}

/** What was silent for so long, from some time of day on, is taken for a night: an outage is mostly shorter. */
export const NIGHT_MINUTES = 4 * 60;

/**
 * Makes silence normal in the slots and hours of the night that has been found to be one; not yet in those beside the
 * present, which would close its alarm.
 */
export function markNight({ codes }: SeriesMemory, resolution: Resolution, position: SeasonalPosition): void {
  const { slot, slots, hour, hours } = position;
  const hourMinutes = Math.max(60, resolution.stepMinutes);
  for (let back = 2; back * resolution.slotMinutes <= NIGHT_MINUTES; back++) {
    codes[CODE_AT.slotLow + modulo(slot - back, slots)] = NEARLY_ZERO;
  }
  for (let back = 2; back * hourMinutes <= NIGHT_MINUTES; back++) {
    codes[CODE_AT.hourLow + modulo(hour - back, hours)] = NEARLY_ZERO;
  }
}

/** The rate of a window widens the slot and the hour that run. */
export function extendBand(
  numbers: Float32Array,
  observed: number,
  steps: number,
  dispersion: number,
  isLong: boolean,
): void {
  const margin = 2 * Math.sqrt(dispersion * observed);
  const high = (observed - margin) / steps;
  if (!(high <= (numbers[AT.slot] as number))) numbers[AT.slot] = high;
  if (!(high <= (numbers[AT.hour] as number))) numbers[AT.hour] = high;
  // A short lull of yesterday must not hide the outage of today.
  if (!isLong) return;
  const low = (observed + margin + 4 * dispersion) / steps;
  if (!(low >= (numbers[AT.slot + 1] as number))) numbers[AT.slot + 1] = low;
  if (!(low >= (numbers[AT.hour + 1] as number))) numbers[AT.hour + 1] = low;
}

export function highestOfDay(codes: Uint8Array, { slot, slots }: SeasonalPosition): number {
  return highest(codes, CODE_AT.slotHigh, slot, slots);
}

/** Infinite where nothing is known of yesterday. */
export function lowestOfDay(codes: Uint8Array, { slot, slots }: SeasonalPosition): number {
  return lowest(codes, CODE_AT.slotLow, slot, slots);
}

/**
 * What two of last week's three hours around agree on: the edge of working hours is known even where it comes a
 * little early or late, and an incident of last week does not hide the one of this week.
 */
export function bandOfWeek(codes: Uint8Array, { hour, hours }: SeasonalPosition): SeasonalBand {
  return {
    high: RATE.decode(medianOfThree(codes, CODE_AT.hourHigh, hour, hours)),
    low: toLow(medianOfThree(codes, CODE_AT.hourLow, hour, hours)),
  };
}

/** Writes what was before the one that ended, and begins a new one. */
function rotateSlots(
  { numbers, codes }: SeriesMemory,
  at: number,
  highAt: number,
  lowAt: number,
  index: number,
  length: number,
): void {
  const ended = (index + length - 2) % length;
  const high = numbers[at + 2] as number;
  const low = numbers[at + 3] as number;
  if (high === high) codes[highAt + ended] = RATE.encode(high);
  if (low === low) codes[lowAt + ended] = RATE.encode(low);
  numbers[at + 2] = numbers[at] as number;
  numbers[at + 3] = numbers[at + 1] as number;
  numbers[at] = Number.NaN;
  numbers[at + 1] = Number.NaN;
}

function highest(codes: Uint8Array, at: number, index: number, length: number): number {
  const before = codes[at + ((index + length - 1) % length)] as number;
  const after = codes[at + ((index + 1) % length)] as number;
  return RATE.decode(Math.max(before, codes[at + index] as number, after));
}

function lowest(codes: Uint8Array, at: number, index: number, length: number): number {
  let lowest = 0;
  for (let offset = length - 1; offset <= length + 1; offset++) {
    const code = codes[at + ((index + offset) % length)] as number;
    if (code > 0 && (lowest === 0 || code < lowest)) lowest = code;
  }
  return toLow(lowest);
}

function medianOfThree(codes: Uint8Array, at: number, index: number, length: number): number {
  const before = codes[at + ((index + length - 1) % length)] as number;
  const own = codes[at + index] as number;
  const after = codes[at + ((index + 1) % length)] as number;
  return Math.max(Math.min(before, own), Math.min(after, Math.max(before, own)));
}

function toLow(code: number): number {
  return code === 0 ? Number.POSITIVE_INFINITY : RATE.decode(code);
}

/** Times before 1970 are as good as any. */
function modulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
