import { isHeldDrop, isHeldRise } from '../series/evidence.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { predictLevel } from './long-level.ts';
import { LEVEL_MEMORIES, type LongLayout, type LongState } from './long-state.ts';
import type { LongExceedance } from './long-windows.ts';

/*
 * The level from before an alarm opened: what was reported may last until it is learned, and its end is no other trouble.
 */

/** So long what was reported is trouble, and not learned. */
export const REPORTED_MINUTES = MINUTES_PER_DAY;
/** So long after an alarm the way back from it is none. */
const RETURN_MINUTES = MINUTES_PER_WEEK;
/** Nor is it, unless it goes beyond the level before by this factor. */
const RETURN_FACTOR = 2;
/** So many steps as before end the way back. */
const RETURN_STEPS = 6;

/** Keeps the level of now, unless one from before the alarm is kept. */
export function keepLevel(state: LongState, side: Side): void {
  if (state.beforeAge(side) > 0) return;
  state.setLevelBefore(side, state.level);
  state.setBeforeAge(side, state.age);
  state.setLastOpenAge(side, state.age);
  for (let memory = 0; memory < LEVEL_MEMORIES; memory++) {
    state.setSumBefore(side * LEVEL_MEMORIES + memory, state.sum(memory));
    state.setTimeBefore(side * LEVEL_MEMORIES + memory, state.time(memory));
  }
}

/** What grew by as much in the last part of the kept steps, one in so many, is not lasting. */
const LAST_PART = 4;

/**
 * Takes the kept steps for the level of now: what has been reported for a day and goes on alike is usual.
 * @returns false where it still grows
 */
export function acceptLevel(state: LongState, layout: LongLayout, side: Side): boolean {
  const { steps } = state;
  const all = sumOf(state, steps);
  const last = sumOf(state, Math.ceil(steps / LAST_PART));
  const isHeld = side === UP ? isHeldRise : isHeldDrop;
  if (all.factors === 0 || isHeld(last.observed, (all.observed / all.factors) * last.factors)) return false;
  for (let memory = 0; memory < LEVEL_MEMORIES; memory++) {
    state.setSum(memory, all.observed);
    state.setTime(memory, all.factors);
  }
  state.setLastOpenAge(side, state.age);
  predictLevel(state, layout);
  return true;
}

/** True if an alarm is open, or the way back from it is not over. */
export function isReturning(state: LongState): boolean {
  return state.beforeAge(UP) > 0 || state.beforeAge(DOWN) > 0;
}

/** True if an exceedance leads back from an alarm of the other side. */
export function isReturn(state: LongState, { side, observed, expected, factors }: LongExceedance): boolean {
  const other = side === UP ? DOWN : UP;
  if (state.beforeAge(other) === 0) return false;
  const before = state.levelBefore(other) * factors;
  if (side === UP) return expected < before && observed <= RETURN_FACTOR * before;
  return expected > before && observed >= before / RETURN_FACTOR;
}

/** Takes the level of before again, once counts are as before: what is reported for longer is learned. */
export function endReturn(state: LongState, layout: LongLayout): void {
  const { stepMinutes } = layout;
  const isOpen = (side: Side) => state.openedAge(side) > 0;
  for (const side of [UP, DOWN] as const) {
    if (state.beforeAge(side) === 0) continue;
    if (isOpen(side)) state.setLastOpenAge(side, state.age);
    if ((state.age - state.lastOpenAge(side)) * stepMinutes > RETURN_MINUTES) state.setBeforeAge(side, 0);
    if (isOpen(UP) || isOpen(DOWN) || state.steps < RETURN_STEPS || !isOver(state, side)) continue;
    const wasLearned = (state.lastOpenAge(side) - state.beforeAge(side)) * stepMinutes >= REPORTED_MINUTES;
    state.setBeforeAge(UP, 0);
    state.setBeforeAge(DOWN, 0);
    if (!wasLearned) continue;
    for (let memory = 0; memory < LEVEL_MEMORIES; memory++) {
      state.setSum(memory, state.sumBefore(side * LEVEL_MEMORIES + memory));
      state.setTime(memory, state.timeBefore(side * LEVEL_MEMORIES + memory));
    }
    predictLevel(state, layout);
    // These steps expected the level of the trouble.
    state.steps = 0;
  }
}

/** To be called with the running step in the ring. */
function isOver(state: LongState, side: Side): boolean {
  if (state.beforeAge(side) === 0) return false;
  const { observed, factors } = sumOf(state, RETURN_STEPS);
  const isHeld = side === UP ? isHeldRise : isHeldDrop;
  return factors > 0 && !isHeld(observed, state.levelBefore(side) * factors);
}

/** The last known steps of the ring, from the one that runs or ended last on. */
function sumOf(state: LongState, steps: number): { observed: number; factors: number } {
  let [observed, factors] = [0, 0];
  for (let back = 0; back < steps; back++) {
    const count = state.countAt(back);
    if (Number.isNaN(count)) continue;
    observed += count;
    factors += state.factorAt(back);
  }
  return { observed, factors };
}
