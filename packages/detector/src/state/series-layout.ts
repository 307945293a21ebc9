import {
  COARSE_STEPS,
  COARSE_WINDOW_STEPS,
  type CoarseStep,
  MAX_SLOTS,
  MAX_WINDOW_STEPS,
  MAX_WINDOWS,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  type Resolution,
} from './resolution.ts';
import { SeriesHead } from './series-head.ts';
import { DOWN, UP } from './side.ts';

/** Sizes of the parts of a series. */
interface LayoutSizes {
  windows: number;
  /** Steps of the longest window. */
  windowSteps: number;
  /** Block maxima of each window, by side. */
  keptMaxima: readonly [number, number];
  /** Slots of the day, and hours (or longer steps) of the week. */
  slots: number;
  hours: number;
  /** Windows whose largest usual evidence is kept. */
  usualWindows: number;
}

export type SeriesLayout = ReturnType<typeof createLayout>;

/**
 * Returns where the fields whose length depends on the steps lie behind the head (`series-head.ts`): floats by their index,
 * codes by their byte. Fields by side (and window) lie side by side.
 */
function createLayout(sizes: LayoutSizes) {
  const { windows, windowSteps, keptMaxima, slots, hours, usualWindows } = sizes;
  let end = SeriesHead.floats * 4;
  const place = (unit: number, length: number) => (end += unit * length) / unit - length;
  const floats = (length: number) => place(4, length);
  const codes = (length: number) => place(1, length);
  const places = {
    blockMaxima: floats(2 * windows),
    openThresholds: floats(2 * windows),
    holdThresholds: floats(2 * windows),
    counts: floats(windowSteps),
    levels: floats(windowSteps),
    shapes: floats(windowSteps),
    maxima: [codes(windows * keptMaxima[UP]), codes(windows * keptMaxima[DOWN])] as const,
    highs: [codes(slots), codes(hours)] as const,
    lows: [codes(slots), codes(hours)] as const,
    slotMeans: codes(slots),
    largestUsual: codes(2 * usualWindows),
    newestUsual: codes(2 * usualWindows),
  };
  return { windows, windowSteps, keptMaxima, usualWindows, ...places, floats: 2 * Math.ceil(end / 8) };
}

/** Layout of a series that is evaluated minute by minute, or alone. */
export const FULL_LAYOUT = createLayout({
  windows: MAX_WINDOWS,
  windowSteps: MAX_WINDOW_STEPS,
  keptMaxima: [56, 48],
  slots: MAX_SLOTS,
  hours: MINUTES_PER_WEEK / 60,
  usualWindows: MAX_WINDOWS,
});
export const SERIES_BYTES = 4 * FULL_LAYOUT.floats;

const COARSE_LAYOUTS = new Map<number, SeriesLayout>(
  COARSE_STEPS.map((step) => [step, createCoarseLayout(step)]),
);

function createCoarseLayout(stepMinutes: CoarseStep): SeriesLayout {
  return createLayout({
    windows: 3,
    windowSteps: COARSE_WINDOW_STEPS,
    keptMaxima: [24, 24],
    slots: MINUTES_PER_DAY / stepMinutes,
    hours: MINUTES_PER_WEEK / Math.max(60, stepMinutes),
    usualWindows: 0,
  });
}

/** Returns the layout of a sparse series at one of its longer steps. */
export function coarseLayoutOf(stepMinutes: number): SeriesLayout {
  return COARSE_LAYOUTS.get(stepMinutes) as SeriesLayout; // there is one for each of `COARSE_STEPS`
}

export function layoutOf({ isCoarse, stepMinutes }: Resolution): SeriesLayout {
  return isCoarse ? coarseLayoutOf(stepMinutes) : FULL_LAYOUT;
}
