import {
  COARSE_STEPS,
  COARSE_WINDOW_STEPS,
  type CoarseStep,
  MAX_WINDOW_STEPS,
  MAX_WINDOWS,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
} from './resolution.ts';
import { DOWN, UP } from './side.ts';

/** Discounted sums with memories of different length, the fastest first. */
export const MEMORIES = 5;

/** How much of a series is kept. */
interface LayoutSizes {
  windows: number;
  /** Steps of the longest window. */
  windowSteps: number;
  /** Block maxima of each window, by side. */
  keptMaxima: readonly [number, number];
  /** Of the day, and hours (or longer steps) of the week. */
  slots: number;
  hours: number;
  /** Windows whose largest usual evidence is kept. */
  usualWindows: number;
}

/** Assigns consecutive places of a buffer, in bytes. */
class Places {
  end = 0;

  /** @returns the first byte */
  bytes(length: number): number {
    this.end += length;
    return this.end - length;
  }

  /** @returns the index of the first, in 32-bit floats */
  floats(length: number): number {
    const first = Math.ceil(this.end / Float32Array.BYTES_PER_ELEMENT);
    this.end = (first + length) * Float32Array.BYTES_PER_ELEMENT;
    return first;
  }
}

export type SeriesLayout = ReturnType<typeof createLayout>;

/**
 * Where each field of a series lies in its buffer, which is also its saved form: floats by their index, one-byte codes by
 * their byte. What is kept by side (and window) lies side by side. New fields go to the end: programs before them read
 * what lies in front, and `SeriesState` reads what they saved.
 */
function createLayout({ windows, windowSteps, keptMaxima, slots, hours, usualWindows }: LayoutSizes) {
  const places = new Places();
  const layout = {
    usualWindows,
    windowSteps,
    keptMaxima,
    sums: places.floats(MEMORIES),
    times: places.floats(MEMORIES),
    level: places.floats(1),
    shape: places.floats(1),
    deviations: places.floats(1),
    expectations: places.floats(1),
    pooledDispersion: places.floats(1),
    dispersion: places.floats(1),
    age: places.floats(1),
    bands: places.floats(8),
    blockMaxima: places.floats(2 * MAX_WINDOWS),
    blockSteps: places.floats(2),
    blockEvents: places.floats(2),
    meanBlockSteps: places.floats(2),
    blocks: places.floats(2),
    openThresholds: places.floats(2 * MAX_WINDOWS),
    holdThresholds: places.floats(2 * MAX_WINDOWS),
    status: places.floats(2),
    openedAge: places.floats(2),
    closedAge: places.floats(2),
    quietSteps: places.floats(2),
    levelBefore: places.floats(2),
    reportedReason: places.floats(2),
    counts: places.floats(windowSteps),
    levels: places.floats(windowSteps),
    shapes: places.floats(windowSteps),
    maxima: [places.bytes(windows * keptMaxima[UP]), places.bytes(windows * keptMaxima[DOWN])] as const,
    ...placeBands(places, slots, hours),
    firstAdded: Math.ceil(places.end / Float32Array.BYTES_PER_ELEMENT) * Float32Array.BYTES_PER_ELEMENT,
    slotSum: places.floats(1),
    slotSteps: places.floats(1),
    emptySteps: places.floats(1),
    knownSteps: places.floats(1),
    lastEmptyAge: places.floats(1),
    slotMeans: places.bytes(slots),
    firstUsual: Math.ceil(places.end / 4) * 4,
    largestUsual: places.bytes(2 * usualWindows),
    newestUsual: places.bytes(2 * usualWindows),
  };
  const end = Math.ceil(places.end / 4) * 4;
  // What follows from the fields above lies behind them, and is not saved: masks of steps in 32 bits.
  return { ...layout, end, filledSteps: end / 4, unknownSteps: end / 4 + 1, bytesInMemory: end + 8 };
}

/** By period: the slots of the day, the hours of the week. */
function placeBands(places: Places, slots: number, hours: number) {
  const [slotHighs, slotLows] = [places.bytes(slots), places.bytes(slots)];
  return {
    highs: [slotHighs, places.bytes(hours)] as const,
    lows: [slotLows, places.bytes(hours)] as const,
  };
}

/** Of a series that is watched minute by minute, or alone. */
export const FULL_LAYOUT = createLayout({
  windows: MAX_WINDOWS,
  windowSteps: MAX_WINDOW_STEPS,
  keptMaxima: [56, 48],
  slots: 96,
  hours: 168,
  usualWindows: MAX_WINDOWS,
});
export const SERIES_BYTES = FULL_LAYOUT.end;
/** What programs save that know no slot means and empty steps. */
export const FORMER_SERIES_BYTES = FULL_LAYOUT.firstAdded;
/** What programs save that know no largest usual evidence. */
export const SERIES_BYTES_WITHOUT_USUAL = FULL_LAYOUT.firstUsual;

const COARSE_LAYOUTS = new Map(COARSE_STEPS.map((step) => [step, createCoarseLayout(step)]));

function createCoarseLayout(stepMinutes: CoarseStep): SeriesLayout {
  const hourMinutes = Math.max(60, stepMinutes);
  return createLayout({
    windows: 3,
    windowSteps: COARSE_WINDOW_STEPS,
    keptMaxima: [24, 24],
    slots: MINUTES_PER_DAY / stepMinutes,
    hours: MINUTES_PER_WEEK / hourMinutes,
    // States of coarse steps are saved by their length, which programs before know.
    usualWindows: 0,
  });
}

/** Of a sparse series at one of its longer steps. */
export function coarseLayoutOf(step: CoarseStep): SeriesLayout {
  return COARSE_LAYOUTS.get(step) as SeriesLayout; // there is one for each step
}
