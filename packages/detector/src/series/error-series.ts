import type { CalibrationContext } from '../calibration/thresholds.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { IDLE, RECOVERY } from './alarm-state.ts';
import { updateLevel } from './level.ts';
import { createSeries, recalibrate } from './series-detector.ts';
import { recordStep } from './windows.ts';

/** Maximum steps of the assumed silence: a longer one would not make the first events more surprising. */
export const MAX_WARM_START_STEPS = 240;

/**
 * Warm-starts an error series with zeros: it counts as silent since its project is watched, so that its first burst is
 * evaluated. In a new project that is as long as it takes until minutes are evaluated; coarse steps wait for a day.
 */
export function createErrorSeries(
  context: CalibrationContext,
  projectSteps: number,
  own?: SeriesState,
): SeriesState {
  const { resolution } = context;
  const state = createSeries(context, own);
  const assumed = resolution.isCoarse ? 0 : resolution.firstEvaluatedStep;
  const steps = Math.min(MAX_WARM_START_STEPS, Math.max(assumed, projectSteps));
  for (let age = 0; age < steps; age++) {
    recordStep(state, 0);
    updateLevel(state, resolution, 0);
    state.age = age + 1;
  }
  recalibrate(state, context);
  return state;
}

/** Closes a rise whose incident a person has resolved: events until now belong to it, later ones to a new incident. */
export function resetRise(state: SeriesState): void {
  state.setStatus(UP, IDLE);
  state.setQuietSteps(UP, 0);
  state.setClosedAge(UP, state.age);
  state.forgetCounts();
}

/**
 * Accepts a drop of errors, which is no outage: the new level is learned at once, and an increase from it is no recovery.
 */
export function acceptDrop(state: SeriesState): void {
  state.setStatus(DOWN, RECOVERY);
  state.setLevelBefore(DOWN, 0);
}
