import { DAY_MS, MINUTE_MS, WEEK_MS } from './durations.ts';

/** Values that follow from the length of a step, computed once for all series that share it. */
export interface Resolution {
  stepMinutes: number;
  /** Lengths of the windows that are evaluated, in steps, the shortest first. */
  windows: readonly number[];
  /** Windows from this index on span half an hour or more. */
  firstLongWindow: number;
  /** Factor by which each memory of the level fades in a step, the fastest first. */
  memoryDecays: readonly number[];
  /** Factor by which the memory of the dispersion fades in a step. */
  dispersionDecay: number;
  /** Length of a slot of the day. */
  slotMinutes: number;
  /** Steps after the first one from which a window may begin. */
  firstWindowSteps: number;
  /** Steps after the first one from which a window may begin that is evaluated for drops. */
  firstDropSteps: number;
  /** Steps before the first one that is evaluated. */
  firstEvaluatedStep: number;
  /** True if steps are so long that a window stays unusual long after the trouble is over. */
  isCoarse: boolean;
}

export const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;
export const MINUTES_PER_WEEK = WEEK_MS / MINUTE_MS;
/** Steps of the windows; the second one where a step is five minutes or more. */
const WINDOWS = [1, 3, 10, 30];
const COARSE_WINDOWS = [1, 3, 6];
/** Maximum number of windows, and steps of the longest one. */
export const MAX_WINDOWS = WINDOWS.length;
export const MAX_WINDOW_STEPS = WINDOWS.reduce((most, steps) => Math.max(most, steps));
export const COARSE_WINDOW_STEPS = COARSE_WINDOWS.reduce((most, steps) => Math.max(most, steps));
/** Maximum steps of a gap that are evaluated, the last ones: all windows are empty after them, and levels have faded. */
export const MAX_UNKNOWN_STEPS = 240;

/** Memories of the level, the fastest first; their number, and the first one that spans a day or more. */
const MEMORY_MINUTES = [15, 60, 240, MINUTES_PER_DAY, MINUTES_PER_WEEK];
export const MEMORIES = MEMORY_MINUTES.length;
export const FIRST_SLOW_MEMORY = MEMORY_MINUTES.indexOf(MINUTES_PER_DAY);
const MIN_MEMORY_STEPS = 12;
export const LONG_WINDOW_MINUTES = 30;
/** Age from which minutes are evaluated: before, nothing is usual yet. */
export const FIRST_EVALUATED_MINUTES = 15;
const SLOT_MINUTES = 15;
/** Maximum slots of a day. */
export const MAX_SLOTS = MINUTES_PER_DAY / SLOT_MINUTES;

/** Minutes of the steps at which series under one event a minute are evaluated as well. A day is a multiple of each. */
export const COARSE_STEPS = [30, 120, 360] as const;
export type CoarseStep = (typeof COARSE_STEPS)[number];

export function resolutionOf(stepMinutes: number): Resolution {
  const windows = stepMinutes < 5 ? WINDOWS : COARSE_WINDOWS;
  const longWindow = windows.findIndex((steps) => steps * stepMinutes >= LONG_WINDOW_MINUTES);
  return {
    stepMinutes,
    windows,
    firstLongWindow: longWindow === -1 ? windows.length - 1 : longWindow,
    memoryDecays: MEMORY_MINUTES.map((minutes) =>
      Math.exp(-1 / Math.max(MIN_MEMORY_STEPS, minutes / stepMinutes)),
    ),
    dispersionDecay: Math.exp(-1 / Math.max(MIN_MEMORY_STEPS, MINUTES_PER_WEEK / stepMinutes)),
    slotMinutes: Math.max(SLOT_MINUTES, stepMinutes),
    firstWindowSteps: Math.max(3, Math.ceil(10 / stepMinutes)),
    firstDropSteps: Math.max(3, Math.ceil(60 / stepMinutes)),
    firstEvaluatedStep: Math.ceil(FIRST_EVALUATED_MINUTES / stepMinutes),
    isCoarse: false,
  };
}

/** Returns the resolution of coarse steps: rises wait until the time of day is known, drops for a week, as a first night is no drop. */
export function coarseResolutionOf(stepMinutes: number): Resolution {
  return {
    ...resolutionOf(stepMinutes),
    firstEvaluatedStep: MINUTES_PER_DAY / stepMinutes,
    firstDropSteps: MINUTES_PER_WEEK / stepMinutes,
    isCoarse: true,
  };
}
