import type { Resolution } from '../state/resolution.ts';
import { AT, MEMORIES } from '../state/series-state.ts';

/** The rate before anything is known: half an event in an hour. */
const PRIOR_EVENTS = 0.5;
const PRIOR_MINUTES = 60;
/** A slower memory counts for at most as much as this many events (times the dispersion). */
const PRIOR_WEIGHT = 200;
/** A new series is taken at its word, however loud it begins. */
const UNCLIPPED_STEPS = 30;

/**
 * What counts towards the level: an outlier as much as twice or half of what was expected, so that a short
 * one hardly moves it and a lasting one is absorbed within hours.
 */
export function winsorise(numbers: Float32Array, count: number): number {
  const level = numbers[AT.level] as number;
  const margin = 4 * (numbers[AT.dispersion] as number);
  const raised = Math.max(count, level / 2 - margin);
  return (numbers[AT.age] as number) < UNCLIPPED_STEPS ? raised : Math.min(raised, 2 * level + margin);
}

/** Takes a winsorised count into all memories; for an unknown one (NaN) they only fade. */
export function updateLevel(numbers: Float32Array, resolution: Resolution, winsorised: number): void {
  const known = winsorised === winsorised;
  for (let i = 0; i < MEMORIES; i++) {
    const decay = resolution.memoryDecays[i] as number;
    numbers[AT.sums + i] = (numbers[AT.sums + i] as number) * decay + (known ? winsorised : 0);
    numbers[AT.times + i] = (numbers[AT.times + i] as number) * decay + (known ? 1 : 0);
  }
  predict(numbers, resolution);
}

/**
 * Discounted sums of counts S and of steps T with five memories, from 15 minutes to a week. From slow to fast,
 * each is the gamma prior of the next: m ← (h + S)/(h/m + T) with h = min(200φ, s). The shape s says how much is
 * known, so a cold start needs no case of its own: its prediction is wide.
 */
export function predict(numbers: Float32Array, resolution: Resolution): void {
  const slowest = MEMORIES - 1;
  let shape = PRIOR_EVENTS + (numbers[AT.sums + slowest] as number);
  let level = shape / (PRIOR_MINUTES / resolution.stepMinutes + (numbers[AT.times + slowest] as number));
  const most = PRIOR_WEIGHT * (numbers[AT.dispersion] as number);
  for (let i = slowest - 1; i >= 0; i--) {
    const weight = Math.min(most, shape);
    shape = weight + (numbers[AT.sums + i] as number);
    level = shape / (weight / level + (numbers[AT.times + i] as number));
  }
  numbers[AT.level] = level;
  numbers[AT.shape] = shape;
}
