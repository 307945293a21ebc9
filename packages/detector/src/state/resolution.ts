/** What follows from the length of a step, worked out once for all series that share it. */
export interface Resolution {
  stepMinutes: number;
  /** Lengths of the windows that are evaluated, in steps, the shortest first. */
  windows: readonly number[];
  /** Windows from this index on span half an hour or more. */
  firstLongWindow: number;
  /** What a step leaves of each memory of the level, the fastest first. */
  memoryDecays: readonly number[];
  /** What a step leaves of the memory of the dispersion. */
  dispersionDecay: number;
  /** Length of a slot of the day. */
  slotMinutes: number;
  /** A window may begin this many steps after the first one. */
  firstWindowSteps: number;
  /** A window in which there may be too little begins at least so many steps after the first one. */
  firstDropSteps: number;
  /** Nothing is evaluated before. */
  firstEvaluatedStep: number;
  /** True if steps are so long that a window goes on being unusual long after what made it so is over. */
  isCoarse: boolean;
}

export const MINUTES_PER_DAY = 1_440;
export const MINUTES_PER_WEEK = 10_080;
/** Windows that are told apart, at most. */
export const MAX_WINDOWS = 4;
/** Steps that the longest window spans. */
export const MAX_WINDOW_STEPS = 30;
/** Of a longer gap only its last steps are gone through: all windows are empty after them, and levels have faded. */
export const MAX_UNKNOWN_STEPS = 240;

const MEMORY_MINUTES = [15, 60, 240, MINUTES_PER_DAY, MINUTES_PER_WEEK];
const MIN_MEMORY_STEPS = 12;
export const LONG_WINDOW_MINUTES = 30;
/** Nothing is evaluated before: nothing is usual yet. */
export const FIRST_EVALUATED_MINUTES = 15;
const SLOT_MINUTES = 15;
/** Of the day. */
export const MAX_SLOTS = MINUTES_PER_DAY / SLOT_MINUTES;

/** Steps at which series under one event a minute are evaluated as well, in minutes. A day is a multiple of each. */
export const COARSE_STEPS = [30, 120, 360] as const;
export type CoarseStep = (typeof COARSE_STEPS)[number];
const COARSE_WINDOWS = [1, 3, 6];
export const COARSE_WINDOW_STEPS = 6;

export function resolutionOf(stepMinutes: number): Resolution {
  const windows = stepMinutes < 5 ? [1, 3, 10, 30] : COARSE_WINDOWS;
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

/** Rises wait until the time of day is known, drops until the day of the week is: a first night is no drop. */
export function coarseResolutionOf(stepMinutes: number): Resolution {
  return {
    ...resolutionOf(stepMinutes),
    firstEvaluatedStep: MINUTES_PER_DAY / stepMinutes,
    firstDropSteps: MINUTES_PER_WEEK / stepMinutes,
    isCoarse: true,
  };
}
