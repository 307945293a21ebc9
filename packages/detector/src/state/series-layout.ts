import { ALARM_FLOATS } from './alarm-record.ts';
import { type Encoding, FLOAT_BYTES, joined, LayoutFields, MEMORIES } from './layout-fields.ts';
import {
  COARSE_STEPS,
  COARSE_WINDOW_STEPS,
  type CoarseStep,
  MAX_WINDOW_STEPS,
  MAX_WINDOWS,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  resolutionOf,
} from './resolution.ts';
import {
  AGE,
  BAND_OF_DAY,
  BLOCK_EVENTS,
  BLOCK_STEPS,
  BLOCKS,
  DEVIATIONS,
  DISPERSION,
  EMPTY_STEPS,
  EXPECTATIONS,
  HEAD_FLOATS,
  KNOWN_STEPS,
  LEVEL,
  MEAN_BLOCK_STEPS,
  POOLED_DISPERSION,
  SHAPE,
} from './series-head.ts';
import { DOWN, UP } from './side.ts';

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
  /** What a step leaves of each memory; memories of the same length are one. Missing: all differ. */
  memoryDecays?: readonly number[];
  /** Of coarse steps: whether levels and shapes of past steps, and thresholds, are kept in 16 bits, and the evidence of blocks in 8. */
  isCompact: boolean;
}

export type SeriesLayout = ReturnType<typeof createLayout>;

/**
 * Where each field of a series lies in memory behind the head, which all layouts have (`series-head.ts`): floats by their
 * index, all else by its byte. What is kept by side (and window) lies side by side. The saved form has the same fields in the same order, numbers as 32-bit
 * floats (`saved-state.ts`).
 */
function createLayout(sizes: LayoutSizes) {
  const { windows, windowSteps, keptMaxima, slots, hours, usualWindows, memoryDecays, isCompact } = sizes;
  const fields = new LayoutFields(HEAD_FLOATS);
  const [half, evidence] = isCompact ? (['half', 'evidence'] as const) : (['float', 'float'] as const);
  const byWindow = (encoding: Encoding) => fields.encoded(encoding, windows, MAX_WINDOWS, 2);
  const memoryPlaces = placesOfMemories(memoryDecays);
  const [sums, times] = [fields.memories(memoryPlaces), fields.memories(memoryPlaces)];
  fields.ofHead([LEVEL, SHAPE, DEVIATIONS, EXPECTATIONS, POOLED_DISPERSION, DISPERSION, AGE]);
  const bands = fields.bands(BAND_OF_DAY, hours === 7 * slots);
  const blockMaxima = byWindow(evidence);
  fields.ofHead([BLOCK_STEPS, BLOCK_EVENTS, MEAN_BLOCK_STEPS, BLOCKS], 2);
  const thresholds = { openThresholds: byWindow(half), holdThresholds: byWindow(half) };
  // In a record of their own, which few series need.
  const savedAlarm = fields.saved.floats(ALARM_FLOATS) * FLOAT_BYTES;
  const ring = {
    counts: fields.floats(windowSteps),
    levels: fields.encoded(half, windowSteps),
    shapes: fields.encoded(half, windowSteps),
  };
  const maxima = [fields.bytes(windows * keptMaxima[UP]), fields.bytes(windows * keptMaxima[DOWN])] as const;
  const rates = placeRates(fields, slots, hours);
  // A coarse step is a slot, and no minute without an event is reported.
  const slot = isCompact ? fields.unused(2) : fields.floats(2);
  fields.ofHead([EMPTY_STEPS, KNOWN_STEPS]);
  const lastEmptyAge = isCompact ? fields.unused(1) : fields.floats(1);
  const slotMeans = fields.bytes(slots);
  const usual = {
    largestUsual: fields.bytes(2 * usualWindows),
    newestUsual: fields.bytes(2 * usualWindows),
  };
  return {
    windows,
    usualWindows,
    windowSteps,
    keptMaxima,
    isCompact,
    memoryPlaces,
    sums,
    times,
    bands,
    blockMaxima,
    maxima,
    slot,
    lastEmptyAge,
    slotMeans,
    ...thresholds,
    ...ring,
    ...rates,
    ...usual,
    savedAlarm,
    runs: joined(fields.runs),
    /** Bytes of the saved form. */
    end: Math.ceil(fields.saved.end / FLOAT_BYTES) * FLOAT_BYTES,
    bytesInMemory: fields.kept.end,
  };
}

function placesOfMemories(decays: readonly number[] | undefined): number[] {
  if (!decays) return Array.from({ length: MEMORIES }, (_, memory) => memory);
  const different = [...new Set(decays)];
  return decays.map((decay) => different.indexOf(decay));
}

/** By period: the slots of the day, the hours of the week. */
function placeRates(places: LayoutFields, slots: number, hours: number) {
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
  isCompact: false,
});
export const SERIES_BYTES = FULL_LAYOUT.end;

const COARSE_LAYOUTS = new Map(COARSE_STEPS.map((step) => [step, createCoarseLayout(step)]));

function createCoarseLayout(stepMinutes: CoarseStep): SeriesLayout {
  const hourMinutes = Math.max(60, stepMinutes);
  return createLayout({
    windows: 3,
    windowSteps: COARSE_WINDOW_STEPS,
    keptMaxima: [24, 24],
    slots: MINUTES_PER_DAY / stepMinutes,
    hours: MINUTES_PER_WEEK / hourMinutes,
    usualWindows: 0,
    memoryDecays: resolutionOf(stepMinutes).memoryDecays,
    isCompact: true,
  });
}

/** Of a sparse series at one of its longer steps. */
export function coarseLayoutOf(step: CoarseStep): SeriesLayout {
  return COARSE_LAYOUTS.get(step) as SeriesLayout; // there is one for each step
}
