import { isOpen } from '../series/alarm-state.ts';
import { resetRise } from '../series/error-series.ts';
import { slowestRate } from '../series/level.ts';
import { raiseLevel } from '../series/raise-level.ts';
import { bandOfWeek, lowestOfDay, seasonalPositionOf } from '../series/seasonality.ts';
import { MAX_COUNT } from '../state/count.ts';
import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { Side } from '../state/side.ts';

/** What a series is added to a group with. */
export interface NewSeries {
  weight: number;
  isErrorSeries: boolean;
  /** It may have existed before: then even errors do not count as having been silent. */
  mayBeOld: boolean;
  /** The part of its share that it has at this step; missing: all of it. */
  part?: number;
}

/** One series of a group, and what has come of its step that runs. */
export interface TrackedSeries {
  state: SeriesState;
  weight: number;
  /** Events of the step that runs. */
  count: number;
  /** Events of the step that runs which came too late to be evaluated. */
  lateCount: number;
  /** Whether it has counted since the last evaluation. */
  hasNewCounts: boolean;
  /** Whether it counts as silent until its first event: see `createErrorSeries`. */
  isErrorSeries: boolean;
  /** Whether a part of the step that runs was set aside: then its count is not known. */
  isPartial: boolean;
  /** The part of its share that it has at this step. */
  part: number;
}

/**
 * So many times what is expected comes late only in an import, which teaches nothing. A source that delivers late is not
 * far from its usual rate; its steps are learned from, or its series would never adapt.
 */
const IMPORT_FACTOR = 10;

/** What is expected of the step that runs. */
type LevelOfStep = (state: SeriesState) => number;

export function addEvents(tracked: TrackedSeries, events: number): void {
  const count = tracked.count + events;
  // Without `Math.min`, whose result would be a floating-point number in memory of its own.
  tracked.count = count > MAX_COUNT ? MAX_COUNT : count;
  tracked.hasNewCounts = true;
}

/** Late events are not evaluated: they make up for what is missing in the step, and no more. */
export function addLateEvents(tracked: TrackedSeries, events: number): void {
  tracked.lateCount = Math.min(MAX_COUNT, tracked.lateCount + events);
}

export function beginStep(tracked: TrackedSeries): void {
  tracked.count = 0;
  tracked.lateCount = 0;
  tracked.hasNewCounts = false;
  tracked.isPartial = false;
}

export function isImportStep({ lateCount, state }: TrackedSeries): boolean {
  return lateCount > IMPORT_FACTOR * Math.max(1, state.level);
}

/**
 * The count of a known step; NaN where only a part of it has counted. A source that delivers late is not silent: its
 * events fill the step up to what was expected, and no further. So does what would be expected of the part of a step
 * that is not known.
 */
export function filledCount(tracked: TrackedSeries, unknownShare: number, levelOf: LevelOfStep): number {
  const { count, lateCount, isPartial, state } = tracked;
  if (isPartial) return Number.NaN;
  if (lateCount === 0 && unknownShare === 0) return count;
  const level = levelOf(state);
  return count < level ? Math.min(count + lateCount + unknownShare * level, level) : count;
}

/** A person has resolved its incident: see `resetRise`. */
export function rearmTracked(tracked: TrackedSeries): void {
  resetRise(tracked.state);
  tracked.count = 0;
  tracked.isPartial = true;
}

/** Ends a rise within the step that runs, which is known in part alone from then on. */
export function closeRise(tracked: TrackedSeries): void {
  resetRise(tracked.state);
  if (tracked.count === 0) return;
  tracked.count = 0;
  tracked.isPartial = true;
}

/** Makes a series expect at least so many events a step. */
export function raiseLevelTo({ state }: TrackedSeries, resolution: Resolution, perStep: number): void {
  const missing = perStep - state.level;
  if (missing > 0) raiseLevel(state, resolution, missing);
}

/** Events of the known steps that are kept. */
export function latestCount({ state }: TrackedSeries): number {
  let events = 0;
  for (let filled = state.filledSteps; filled !== 0; filled &= filled - 1) {
    events += state.count(31 - Math.clz32(filled & -filled));
  }
  return events;
}

/** What a series is watched with at another step. One of errors counts as silent before its first event here alone. */
export function newSeriesOf(tracked: TrackedSeries, resolution: Resolution): NewSeries {
  const { weight, isErrorSeries, state } = tracked;
  const { knownMinutes, events } = slowestRate(state, resolution);
  return { weight, isErrorSeries, mayBeOld: knownMinutes === 0 || events > 0 };
}

/** Whether an alarm of a side is open, or closed at most so many minutes ago. */
export function hadAlarm(
  tracked: TrackedSeries,
  resolution: Resolution,
  side: Side,
  withinMinutes: number,
): boolean {
  return isOpen(tracked.state, side) || hadClosed(tracked, resolution, side, withinMinutes);
}

/** Whether an alarm of a side closed at most so many minutes ago. */
export function hadClosed(
  { state }: TrackedSeries,
  { stepMinutes }: Resolution,
  side: Side,
  withinMinutes: number,
): boolean {
  const closedAge = state.closedAge(side);
  return closedAge > 0 && (state.age - closedAge) * stepMinutes <= withinMinutes;
}

/** The least rate that its level, yesterday's time of day and last week's hour make normal, in events a minute. */
export function lowestRate({ state }: TrackedSeries, resolution: Resolution, timeMs: number): number {
  const position = seasonalPositionOf(resolution, timeMs);
  const perStep = Math.min(state.level, lowestOfDay(state, position), bandOfWeek(state, position).low);
  return perStep / resolution.stepMinutes;
}
