import { modulo } from '../state/modulo.ts';
import type { SeriesState } from '../state/series-state.ts';
import { UP } from '../state/side.ts';
import { factorsAround, fillDayFactors } from './day-profile.ts';
import { MIN_RISE } from './evidence.ts';
import { MIN_EVIDENCE } from './excess.ts';
import type { StepPlace, Workspace } from './workspace.ts';

/** An open rise at a coarse step. */
export interface OpenRise {
  /** Usual events a minute before it, in a mean slot of the day. */
  usualPerMinute: number;
  /** Largest ratio of a step since to the usual. */
  ratio: number;
}

/** Returns an open rise by its steps until now. @param position place of the running step */
export function describeRise(
  state: SeriesState,
  { resolution, position }: StepPlace,
  countSoFar: number,
  { day }: Workspace,
): OpenRise {
  const { age, windowSteps } = state;
  const { slots } = position;
  const openedBefore = age - state.openedAge(UP);
  fillDayFactors(day, state, resolution, position);
  const slotOf = (back: number) => modulo(position.slot - back, slots);
  const { high } = factorsAround(day, { slot: slotOf(openedBefore), slots }, resolution);
  const usual = state.levelBefore(UP) / high;
  let ratio = Math.max(MIN_RISE, countSoFar / (usual * day.step));
  for (let back = 1; back <= Math.min(windowSteps, openedBefore); back++) {
    const count = state.count((age - back) % windowSteps);
    const factor = day.slots[slotOf(back)] as number; // there is one for each slot
    if (count > ratio * usual * factor) ratio = count / (usual * factor);
  }
  return { usualPerMinute: usual / resolution.stepMinutes, ratio };
}

/** A rise that may be over. */
export interface EndingRise extends OpenRise {
  /** True if all that rose with it at the minute is over. */
  othersAreOver: boolean;
}

/** Minimum half hours that show the end of a rise: an hour, as for rises at a minute. */
const MIN_HALF_HOURS = 2;

/**
 * True if the last half hours are usual again, although a longer step still holds the rise: Wald's (1945) sequential test of
 * the usual rate against one that is halfway back, √r times the usual, ((√r − 1)·E − n·ln √r)/φ > 3 for n events where E
 * are usual (> 0 where all that rose with it is over: a rise of ×2.5 takes 24φ usual events to show its end by itself); and n is
 * no more than E and two standard deviations. The usual rate follows from the lower of the levels before the rise and since.
 * @param position place of the half hour that ended last
 */
export function isRiseOver(
  halfHours: SeriesState,
  { resolution, position }: StepPlace,
  { usualPerMinute, ratio, othersAreOver }: EndingRise,
  { day }: Workspace,
): boolean {
  const { age, dispersion, level, windowSteps } = halfHours;
  const { slot, slots } = position;
  fillDayFactors(day, halfHours, resolution, position);
  const usualLevel = Math.min(usualPerMinute * resolution.stepMinutes, level);
  const halfway = Math.sqrt(ratio);
  // The end of everything that rose with it counts as well: any evidence for the end is enough.
  const needed = othersAreOver ? 0 : MIN_EVIDENCE;
  let [events, usual, known] = [0, 0, 0];
  for (let back = 1; back <= Math.min(age, windowSteps); back++) {
    const count = halfHours.count((age - back) % windowSteps);
    if (Number.isNaN(count)) continue;
    const factor = day.slots[modulo(slot - back + 1, slots)] as number; // there is one for each slot
    events += count;
    usual += factor * usualLevel;
    if (++known < MIN_HALF_HOURS) continue;
    const evidence = ((halfway - 1) * usual - events * Math.log(halfway)) / dispersion;
    if (evidence > needed && events <= usual + 2 * Math.sqrt(dispersion * usual)) return true;
  }
  return false;
}
