import { RATE } from '../state/log-code.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { SeasonalPosition } from './seasonal-position.ts';

/** Days that the mean of a slot remembers: with a week each of its days counts once. */
export const MEAN_DAYS = 7;

/**
 * Takes the slot that ended into its mean, discounted by the day (West & Harrison, 1997). A code is a tenth of a rate;
 * a mean moves by at least one code towards a rate that is further off, so rounding never stops it.
 */
export function endSlot(state: SeriesState, { slot, slots }: SeasonalPosition): void {
  const { slotSum, slotSteps } = state;
  if (slotSteps === 0) return;
  state.setSlot(0, 0);
  learnMean(state, (slot + slots - 1) % slots, slotSum / slotSteps);
}

/** Takes the rate of a slot that has ended into its mean. */
export function learnMean(state: SeriesState, ended: number, rate: number): void {
  const code = state.meanCode(ended);
  if (code === 0) {
    state.setMeanCode(ended, RATE.encode(rate));
    return;
  }
  const mean = RATE.decode(code);
  const moved = RATE.encode(mean + (rate - mean) / MEAN_DAYS);
  const distance = RATE.encode(rate) - code;
  state.setMeanCode(ended, moved === code && Math.abs(distance) > 1 ? code + Math.sign(distance) : moved);
}

/** Lowers the mean of a slot to a share of it. */
export function lowerMean(state: SeriesState, slot: number, share: number): void {
  const code = state.meanCode(slot);
  if (code > 0) state.setMeanCode(slot, RATE.encode(share * RATE.decode(code)));
}

/** Returns the mean of a slot over days; NaN where it is not known. */
export function meanOfSlot(state: SeriesState, slot: number): number {
  const code = state.meanCode(slot);
  return code === 0 ? Number.NaN : RATE.decode(code);
}

/** Returns the least mean of the slot and so many before and after it; 0 where one is not known. */
export function meanOfSlots(state: SeriesState, { slot, slots }: SeasonalPosition, reach: number): number {
  let least = 255;
  for (let offset = reach === 0 ? 0 : -reach - 1; offset <= reach; offset++) {
    least = Math.min(least, state.meanCode((slot + offset + slots) % slots));
  }
  return RATE.decode(least);
}

/** Returns the largest mean of the slot and its neighbours. */
export function highestMean(state: SeriesState, { slot, slots }: SeasonalPosition): number {
  const code = (offset: number) => state.meanCode((slot + offset + slots) % slots);
  return RATE.decode(Math.max(code(-1), code(0), code(1)));
}
