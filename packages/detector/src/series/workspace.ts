import type { CalibrationContext } from '../calibration/thresholds.ts';
import type { Resolution } from '../state/resolution.ts';
import { createDayFactors, type DayFactors } from './day-profile.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import { createWindowCounts, type WindowCounts } from './windows.ts';

/** Place of a step in the season. */
export interface StepPlace {
  resolution: Resolution;
  position: SeasonalPosition;
}

/** Circumstances of a step that is evaluated, beside the state of its series. */
export interface EvaluationContext extends CalibrationContext, StepPlace {
  /** True if nothing is learned from the step, most of whose events belong to an import. */
  isImport?: boolean;
  /** True if nothing is learned from the step, whose count is unknown once it was evaluated. */
  isUnlearned?: boolean;
  /**
   * Events of the last time as long as a step, wherever steps begin: trouble that begins within a step does not wait for the
   * next one. Its evidence is as much a part of the block maxima as that of steps.
   */
  latest?: number;
}

/** Circumstances of a running step, for which nothing is calibrated. */
export type PartialContext = Pick<EvaluationContext, 'resolution' | 'position' | 'isErrorSeries' | 'latest'>;

/**
 * Scratch space of an evaluation, passed in so that none is allocated for each step. It holds nothing between calls, so
 * any number of series may share one.
 */
export interface Workspace {
  windows: WindowCounts;
  day: DayFactors;
  /** Rates that the time of day makes normal, by side: the highest upwards, the lowest downwards. */
  bandRates: Float64Array;
}

export function createWorkspace(): Workspace {
  return {
    windows: createWindowCounts(),
    day: createDayFactors(),
    bandRates: new Float64Array(2),
  };
}
