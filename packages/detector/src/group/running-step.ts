import { resetRise } from '../series/error-series.ts';
import { MAX_COUNT } from '../state/count.ts';
import type { SeriesState } from '../state/series-state.ts';
import type { TrackedSeries } from './tracked-series.ts';

/**
 * So many times what is expected comes late only in an import, which teaches nothing. A source that delivers late is not
 * far from its usual rate; its steps are learned from, or its series would never adapt.
 */
const IMPORT_FACTOR = 10;

/** What is expected of the step that runs. */
type LevelOfStep = (state: SeriesState) => number;

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
