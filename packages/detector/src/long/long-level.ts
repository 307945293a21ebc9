import { MINUTES_PER_DAY } from '../state/resolution.ts';
import { LEVEL_MEMORIES, type LongLayout, type LongState } from './long-state.ts';

/** The rate before anything is known: half an event in an hour. */
const PRIOR_EVENTS = 0.5;
const PRIOR_MINUTES = 60;
/** Memories of the level, in minutes: the slower one is the prior of the faster; and the least, in steps. */
const MEMORIES = [
  { minutes: 14 * MINUTES_PER_DAY, minSteps: 24 },
  { minutes: MINUTES_PER_DAY, minSteps: 12 },
] as const;
/** The slower memory counts for at most as much as this many events (times the dispersion). */
const PRIOR_WEIGHT = 30;

/**
 * Takes the count of a step of a factor into the level, the model of `series/level.ts` with two memories, a day and two weeks;
 * without events and with a factor of 0 it is one that is not known.
 */
export function learnLevel(state: LongState, layout: LongLayout, count: number, factor: number): void {
  for (const [memory, { minutes, minSteps }] of MEMORIES.entries()) {
    const kept = Math.exp(-1 / Math.max(minSteps, minutes / layout.stepMinutes));
    state.setSum(memory, kept * state.sum(memory) + count);
    state.setTime(memory, kept * state.time(memory) + factor);
  }
  predictLevel(state, layout);
}

/** Makes a series expect so many more events in each step that is remembered. */
export function raiseLongLevel(state: LongState, layout: LongLayout, perStep: number): void {
  for (let memory = 0; memory < LEVEL_MEMORIES; memory++)
    state.setSum(memory, state.sum(memory) + perStep * state.time(memory));
  state.steps = 0;
  predictLevel(state, layout);
}

export function predictLevel(state: LongState, { stepMinutes }: LongLayout): void {
  let [shape, time] = [PRIOR_EVENTS, (PRIOR_EVENTS * PRIOR_MINUTES) / stepMinutes];
  for (let memory = 0; memory < LEVEL_MEMORIES; memory++) {
    const weight = Math.min(PRIOR_WEIGHT * state.dispersion, shape);
    time = (weight / shape) * time + state.time(memory);
    shape = weight + state.sum(memory);
  }
  state.level = shape / time;
  state.shape = shape;
}
