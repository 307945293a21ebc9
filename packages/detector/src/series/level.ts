import { MEMORIES, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';

/** Prior of the rate: half an event in an hour. */
export const PRIOR_EVENTS = 0.5;
export const PRIOR_MINUTES = 60;
/** A slower memory counts for at most as much as this many events (times the dispersion). */
const PRIOR_WEIGHT = 200;
/** Steps of a new series that are not clipped: there is no level yet to clip them against. */
const UNCLIPPED_STEPS = 30;

/**
 * Returns a count clipped to [½m − 4φ, 2m + 4φ], m the level and φ the dispersion (winsorising: Huber, 1981): a short
 * burst hardly moves the level, and a lasting shift is absorbed within hours.
 */
export function winsorise(state: SeriesState, count: number, level = state.level): number {
  const margin = 4 * state.dispersion;
  const raised = Math.max(count, level / 2 - margin);
  return state.age < UNCLIPPED_STEPS ? raised : Math.min(raised, 2 * level + margin);
}

/**
 * Takes a winsorised count into all memories; for an unknown one (NaN) they only fade.
 * @param factor factor of the time of day: the step in steps of a mean day
 */
export function updateLevel(
  state: SeriesState,
  resolution: Resolution,
  winsorised: number,
  factor = 1,
): void {
  const isKnown = !Number.isNaN(winsorised);
  state.fadeMemories(resolution.memoryDecays, isKnown ? winsorised : 0, isKnown ? factor : 0);
  predict(state, resolution);
}

/** Returns the rate of the slowest memory, in events a minute, with the minutes and events that it rests on. */
export function slowestRate(
  state: SeriesState,
  { stepMinutes }: Resolution,
): { perMinute: number; knownMinutes: number; events: number } {
  const events = state.sum(MEMORIES - 1);
  const knownMinutes = state.time(MEMORIES - 1) * stepMinutes;
  return { perMinute: (PRIOR_EVENTS + events) / (PRIOR_MINUTES + knownMinutes), knownMinutes, events };
}

/** Factor that covers the rounding of sums that are 32-bit floats. */
const ROUNDING = 1 + 1e-5;

/**
 * Returns an upper bound of the level before the next event: the level is a weighted mean of the rates of all memories, and
 * no rate rises in a step without an event.
 */
export function mostLevel(state: SeriesState, resolution: Resolution): number {
  const slowest = MEMORIES - 1;
  let most =
    (PRIOR_EVENTS + state.sum(slowest)) / (PRIOR_MINUTES / resolution.stepMinutes + state.time(slowest));
  for (let i = 0; i < slowest; i++) most = Math.max(most, state.sum(i) / state.time(i));
  return most * ROUNDING;
}

/**
 * Predicts the next step by a gamma–Poisson model with discounting (West & Harrison, 1997). Discounted sums of
 * counts S and of steps T are kept with five memories, from 15 minutes to a week. From slow to fast, each is the gamma
 * prior of the next: m ← (h + S)/(h/m + T) with h = min(200φ, s), s the shape so far; chaining memories and capping their
 * weight are our own. The shape is the amount of information, so a cold start is no special case: its predictive
 * distribution is wide.
 *
 * Domain: counts ≥ 0. Error: sums are 32-bit floats; level, shape and φ differ by less than 2·10⁻⁶ of their values from
 * the same model in double precision (`fixtures/golden-vectors.json`).
 */
export function predict(state: SeriesState, resolution: Resolution): void {
  const slowest = MEMORIES - 1;
  let shape = PRIOR_EVENTS + state.sum(slowest);
  let level = shape / (PRIOR_MINUTES / resolution.stepMinutes + state.time(slowest));
  const maxWeight = PRIOR_WEIGHT * state.dispersion;
  for (let i = slowest - 1; i >= 0; i--) {
    const weight = Math.min(maxWeight, shape);
    shape = weight + state.sum(i);
    level = shape / (weight / level + state.time(i));
  }
  state.setLevel(level, shape);
}

/**
 * Raises the level as if so many more events had come in every remembered step. It is for events that came before without
 * being counted: when they begin to count, that is no rise.
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
