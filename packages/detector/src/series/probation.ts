import { MINUTES_PER_DAY, MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { isIdle, isOpen, minutesSinceOpening, OUTAGE_MINUTES } from './alarm-state.ts';
import { isHeldDrop, isHeldRise, MIN_RISE } from './evidence.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import { lowestOfYesterdaysHour, type SeasonalBand } from './seasonality.ts';
import { highestMean } from './slot-means.ts';
import type { WindowCounts } from './windows.ts';
import type { Workspace } from './workspace.ts';

/** So long what an alarm has reported is trouble, and until no window holds any of two days; then it is usual. */
const PROBATION_MINUTES = [2 * MINUTES_PER_DAY + 60, OUTAGE_MINUTES] as const;
/**
 * The time of day follows a level that has shifted: within a day it makes usual at most so many times, and at least this part
 * of, what was. Chosen on NAB and simulated web services, whose habits a ratio of 2 would report more often; half of what was
 * would be little more than what a drop leaves.
 */
const MAX_RATIO = 4;
const MIN_RATIO = 0.8;

/** Circumstances that decide about a probation, beside the state. */
interface ProbationContext {
  resolution: Resolution;
  isErrorSeries?: boolean | undefined;
  /** Missing, or null: that of level and seasonal band. That of past periods holds the trouble. */
  expectation?: unknown;
}

/**
 * True if an alarm has reported what is not over: its longest window is not yet as it was before. For two days at most, a day
 * downwards, nothing lasting is learned from it, so that the next one is reported as this one was: see `evaluateStep`. In the
 * first week of traffic all is learned, since no working hours are known. Coarse steps learn from what is days old.
 */
export function isOnProbation(state: SeriesState, context: ProbationContext, windows: WindowCounts): boolean {
  if (context.expectation) return false;
  const rises = isTrouble(state, context, UP, windows);
  return isTrouble(state, context, DOWN, windows) || rises;
}

/** The same without what its steps hold. */
export function mayBeOnProbation(state: SeriesState, context: ProbationContext): boolean {
  return mayBeTrouble(state, context, UP) || mayBeTrouble(state, context, DOWN);
}

function mayBeTrouble(
  state: SeriesState,
  { resolution, isErrorSeries }: ProbationContext,
  side: Side,
): boolean {
  if (resolution.isCoarse || state.levelBefore(side) === 0) return false;
  if (minutesSinceOpening(state, resolution, side) >= PROBATION_MINUTES[side]) return false;
  // A recovery opened last.
  if (!isOpen(state, side) && state.closedAge(side) < state.openedAge(side)) return false;
  return isErrorSeries ? side === UP : state.age * resolution.stepMinutes >= MINUTES_PER_WEEK;
}

function isTrouble(
  state: SeriesState,
  context: ProbationContext,
  side: Side,
  { observed, known }: WindowCounts,
): boolean {
  if (!mayBeTrouble(state, context, side)) return false;
  if (isOpen(state, side)) return true;
  const longest = context.resolution.windows.length - 1;
  const before = (known[longest] as number) * state.levelBefore(side);
  const isHeld = side === UP ? isHeldRise : isHeldDrop;
  if (isHeld(observed[longest] as number, before)) return true;
  // The way back is not over: the level may still be that of the trouble.
  if (isIdle(state, side === UP ? DOWN : UP)) state.setLevelBefore(side, 0);
  return false;
}

/**
 * The most and the least that the time of day takes from a probation, beside what it makes usual already. A change that was there
 * yesterday as well is a pattern: it is reported twice, and learned.
 */
export function bandOfProbation(
  state: SeriesState,
  position: SeasonalPosition,
  { bandRates }: Pick<Workspace, 'bandRates'>,
): SeasonalBand {
  const [rise, drop] = [state.levelBefore(UP), state.levelBefore(DOWN)];
  const [high, low] = [bandRates[UP] as number, bandRates[DOWN] as number]; // there is one for each side
  // Yesterday's highest rate was a rise from the mean of its time of day, its lowest a drop from what the limit left of it.
  const risesDaily = high > MIN_RISE * highestMean(state, position);
  const dropsDaily = MIN_RISE * lowestOfYesterdaysHour(state, position) < low;
  return {
    high: risesDaily ? Number.POSITIVE_INFINITY : MAX_RATIO * Math.max(rise || drop, high),
    low: dropsDaily ? 0 : MIN_RATIO * Math.min(drop || rise, low),
  };
}
