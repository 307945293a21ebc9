import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { isIdle, isOpen, minutesSinceOpening, OUTAGE_MINUTES } from './alarm-state.ts';
import { isHeldDrop, isHeldRise, MIN_RISE } from './evidence.ts';
import type { SeasonalPosition } from './seasonal-position.ts';
import { lowestOfYesterdaysHour, type SeasonalBand } from './seasonality.ts';
import { highestMean } from './slot-means.ts';
import type { WindowCounts } from './windows.ts';
import type { PartialContext, Workspace } from './workspace.ts';

/** Maximum minutes of a probation, by side: upwards two days and until no window holds any of them, downwards a day. */
const PROBATION_MINUTES = [2 * MINUTES_PER_DAY + 60, OUTAGE_MINUTES] as const;
/**
 * Largest and least ratio by which the time of day follows a shifted level within a day. Chosen on NAB and simulated web services,
 * whose habits a ratio of 2 would report more often; a half would be little more than a drop leaves.
 */
const MAX_RATIO = 4;
const MIN_RATIO = 0.8;

type ProbationContext = Pick<PartialContext, 'resolution' | 'isErrorSeries'>;

/**
 * True if reported trouble is not over: the longest window is not yet as it was before. For two days at most, a day downwards,
 * nothing lasting is learned from it, so that its next occurrence is reported as well: see `evaluateStep`. In the first week of
 * traffic all is learned, since no working hours are known. Coarse steps learn from counts that are days old.
 */
export function isOnProbation(state: SeriesState, context: ProbationContext, windows: WindowCounts): boolean {
  const rises = isTrouble(state, context, UP, windows);
  return isTrouble(state, context, DOWN, windows) || rises;
}

/** True if `isOnProbation` may be, for any counts. */
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
  // The last change was a recovery.
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
 * Returns the limits of the rates that the time of day learns from a probation, beside those that are usual already. A change that
 * came yesterday as well is a pattern: it is reported twice, and learned.
 */
export function bandOfProbation(
  state: SeriesState,
  position: SeasonalPosition,
  { bandRates }: Pick<Workspace, 'bandRates'>,
): SeasonalBand {
  const [rise, drop] = [state.levelBefore(UP), state.levelBefore(DOWN)];
  const [high, low] = [bandRates[UP] as number, bandRates[DOWN] as number]; // there is one for each side
  // Yesterday's highest rate was a rise from the mean of its time of day, its lowest a drop below the limit.
  const risesDaily = high > MIN_RISE * highestMean(state, position);
  const dropsDaily = MIN_RISE * lowestOfYesterdaysHour(state, position) < low;
  return {
    high: risesDaily ? Number.POSITIVE_INFINITY : MAX_RATIO * Math.max(rise || drop, high),
    low: dropsDaily ? 0 : MIN_RATIO * Math.min(drop || rise, low),
  };
}
