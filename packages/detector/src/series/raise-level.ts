import type { Resolution } from '../state/resolution.ts';
import { MEMORIES } from '../state/series-head.ts';
import type { SeriesState } from '../state/series-state.ts';
import { predict } from './level.ts';

/**
 * Raises the level as if so many more events had come in every step that is remembered. For events that came before but
 * were not counted: when they begin to count, that is no rise.
 */
export function raiseLevel(state: SeriesState, resolution: Resolution, perStep: number): void {
  for (let i = 0; i < MEMORIES; i++) {
    state.setMemory(i, state.sum(i) + perStep * state.time(i), state.time(i));
  }
  for (let at = 0; at < state.windowSteps; at++) {
    state.setStep(at, state.count(at) + perStep, state.levelOfStep(at) + perStep, state.shapeOfStep(at));
  }
  predict(state, resolution);
}
