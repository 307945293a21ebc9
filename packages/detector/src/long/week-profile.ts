import { modulo } from '../state/modulo.ts';
import type { LongLayout, LongState } from './long-state.ts';

/** Part of the weeks before that a week leaves. */
const KEPT_A_WEEK = 0.8;
/** Information of the priors, an inverse relative variance: factors of the day differ by half, and so do weekdays. */
const PRIOR_OF_DAY = 4;
const PRIOR_OF_WEEK = 5;

/*
 * Factors of the steps of a week, by which the level is multiplied: means weighted by their information, that of each step shrunk
 * to that of its time of the day, and this to 1 (partial pooling: Gelman & Hill, 2007). Where steps divide no day, that is 1;
 * where they divide no week, or are one, so is each factor.
 */

/** @param step its number, from any beginning of a week on */
export function factorOf(state: LongState, layout: LongLayout, step: number): number {
  const { slots, slotsOfDay } = layout;
  if (slots === 1) return 1;
  const slot = modulo(step, slots);
  let [sum, ofDay] = [PRIOR_OF_DAY, PRIOR_OF_DAY];
  for (let other = slot % slotsOfDay; other < slots; other += slotsOfDay) {
    const information = state.slotInformation(other);
    sum += information * state.slotFactor(other);
    ofDay += information;
  }
  const own = state.slotInformation(slot);
  return (PRIOR_OF_WEEK * (sum / ofDay) + own * state.slotFactor(slot)) / (PRIOR_OF_WEEK + own);
}

/** Factor of a step, and that by the same hour of the weeks before alone, where these are known. */
export interface StepFactors {
  factor: number;
  own: number;
}

export function factorsOfStep(state: LongState, layout: LongLayout, step: number): StepFactors {
  const factor = factorOf(state, layout, step);
  const slot = modulo(step, layout.slots);
  return { factor, own: state.slotInformation(slot) > 0 ? state.slotFactor(slot) : factor };
}

/** Returns how well a factor of 1 would be known, as an inverse variance. */
export function informationOf(state: LongState, layout: LongLayout, step: number): number {
  if (layout.slots === 1) return Number.POSITIVE_INFINITY;
  return PRIOR_OF_WEEK + state.slotInformation(modulo(step, layout.slots));
}

/** Whether a step belongs to trouble, and to such that opened within the day. */
interface Trouble {
  isTrouble: boolean;
  isNew: boolean;
}

/**
 * @returns whether the same step of the week before was reported as well, or of new trouble that of the day before: then it is
 * usual
 */
export function reportSlot(
  state: LongState,
  { slots, slotsOfDay }: LongLayout,
  step: number,
  { isTrouble, isNew }: Trouble,
): boolean {
  if (slots === 1) return false;
  const [slot, yesterday] = [modulo(step, slots), modulo(step - slotsOfDay, slots)];
  const isPattern = state.wasReported(slot) || (isNew && slotsOfDay > 1 && state.wasReported(yesterday));
  state.setReported(slot, isTrouble);
  return isPattern;
}

/** Ratio of a count to the level, and an inverse variance, of a factor of 1. */
interface ObservedFactor {
  ratio: number;
  information: number;
}

export function learnFactor(
  state: LongState,
  { slots }: LongLayout,
  step: number,
  { ratio, information }: ObservedFactor,
): void {
  const slot = modulo(step, slots);
  const before = KEPT_A_WEEK * state.slotInformation(slot);
  const all = before + information;
  state.setSlot(slot, (before * state.slotFactor(slot) + information * ratio) / all, all);
}
