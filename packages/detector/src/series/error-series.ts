import { AT, DOWN, type SeriesMemory, UP } from '../state/series-state.ts';
import { IDLE, RECOVERY } from './alarm-state.ts';
import { updateLevel } from './level.ts';
import { createSeries, type EvaluationContext, recalibrate } from './series-detector.ts';
import { recordStep } from './windows.ts';

/** More would make the first events no stranger. */
const LONGEST_SILENCE_STEPS = 240;

/**
 * A series that was silent since its project is watched: errors of a kind that never came are judged from the first
 * one on. A project that is new counts as silent for as long as judging takes to begin.
 */
export function createSilentSeries(
  context: Omit<EvaluationContext, 'position'>,
  projectSteps: number,
): SeriesMemory {
  const { resolution } = context;
  const memory = createSeries(context, 1);
  const steps = Math.min(LONGEST_SILENCE_STEPS, Math.max(resolution.firstJudgementSteps, projectSteps));
  for (let age = 0; age < steps; age++) {
    recordStep(memory.numbers, 0);
    updateLevel(memory.numbers, resolution, 0);
    memory.numbers[AT.age] = age + 1;
  }
  recalibrate(memory, context);
  return memory;
}

/**
 * A person has resolved the incident of a rise: what came until then belongs to it, and what comes now is judged by
 * itself.
 */
export function forgetRise({ numbers }: SeriesMemory): void {
  numbers[AT.status + UP] = IDLE;
  numbers[AT.quietSteps + UP] = 0;
  numbers[AT.closedAge + UP] = numbers[AT.age] as number;
  const lastSteps = numbers.subarray(AT.counts, AT.levels);
  lastSteps.fill(Number.NaN);
}

/**
 * Less of what is trouble is no outage: the new level is learned at once instead of waited out, and the way back
 * from it is trouble again.
 */
export function acceptDrop({ numbers }: SeriesMemory): void {
  numbers[AT.status + DOWN] = RECOVERY;
  numbers[AT.levelBefore + DOWN] = 0;
}
