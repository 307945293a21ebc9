import type { CalibrationContext } from '../calibration/thresholds.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, UP } from '../state/side.ts';
import { IDLE, RECOVERY, transition } from './alarm-state.ts';
import { updateLevel } from './level.ts';
import { createSeries, recalibrate } from './series-detector.ts';
import { recordStep } from './windows.ts';

/** A longer assumed silence would not make the first events more surprising. */
export const MAX_WARM_START_STEPS = 240;

/**
 * An error series is warm-started with zeros: it counts as silent since its project is watched, so that its first burst
 * is evaluated. A new project counts as silent for as long as it takes until minutes are evaluated; at
 * coarse steps, which wait for a day, from its beginning.
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

/** A person has resolved the incident of a rise: what came until then belongs to it, later events are a new one. */
export function resetRise(state: SeriesState): void {
  transition(state, UP, IDLE);
  state.setQuietSteps(UP, 0);
  state.setClosedAge(UP, state.age);
  state.forgetCounts();
}

/**
 * Fewer errors are not an outage: the new level is learned at once instead of waited out, and an increase from it is not
 * counted as a recovery.
 */
export function acceptDrop(state: SeriesState): void {
  transition(state, DOWN, RECOVERY);
  state.setLevelBefore(DOWN, 0);
}
