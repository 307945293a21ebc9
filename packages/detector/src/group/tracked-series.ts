import { isOpen } from '../series/alarm-state.ts';
import { type Excess, findExcess } from '../series/excess.ts';
import { slowestRate } from '../series/level.ts';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { bandOfWeek, lowestOfDay } from '../series/seasonality.ts';
import { defineView, type RecordPlace } from '../state/record-view.ts';
import type { Resolution } from '../state/resolution.ts';
import { layoutOf } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import type { Side } from '../state/side.ts';

/** A series that is added to a group. */
export interface NewSeries {
  weight: number;
  isErrorSeries: boolean;
  /** True if it may have existed before: then even errors do not count as having been silent. */
  mayBeOld: boolean;
  /** Part of its share of the budget that it has at this step; missing: all of it. */
  part?: number;
}

const TrackedHead = defineView({
  /** Events of the running step. */
  count: 'double',
  weight: 'double',
  /** Part of its share of the budget that it has at this step. */
  part: 'double',
  /** Events of the running step that came too late to be evaluated. */
  lateCount: 'float',
  /** Count up to which the running step stays as uneventful as it was found; −1: not known. */
  uneventfulCount: 'float',
  /** True if it has counted since the last evaluation. */
  hasNewCounts: 'flag',
  /** True if it counts as silent until its first event: see `createErrorSeries`. */
  isErrorSeries: 'flag',
  /** True if the running step lacks some of its events: then its count is not known. */
  isPartial: 'flag',
});

/** Initial values of a record. */
export type TrackedFields = Pick<TrackedSeries, 'weight' | 'part' | 'isErrorSeries' | 'isPartial'>;

/**
 * One series of a group, in one record with its state behind it: a view. As objects that are kept a series and its state
 * would take 180 bytes more, and a sparse one has four of them; as objects that are made where they are needed, half of all
 * garbage. So one view is moved from record to record.
 */
export class TrackedSeries extends TrackedHead {
  readonly resolution: Resolution;
  readonly state: SeriesState;

  constructor(resolution: Resolution, { buffer, first }: RecordPlace) {
    super(buffer, first);
    this.resolution = resolution;
    const place = { buffer, first: first + TrackedHead.floats };
    this.state = new SeriesState(undefined, layoutOf(resolution), place);
  }

  /** Makes it, and its state, a view of another record. */
  moveTo(first: number): this {
    this.first = first;
    this.state.first = first + TrackedHead.floats;
    return this;
  }

  /** Returns the rate of the last week: see `slowestRate`. */
  rateOfWeek(): ReturnType<typeof slowestRate> {
    return slowestRate(this.state, this.resolution);
  }

  /** Returns the least rate that its level, yesterday's time of day and last week's hour make normal, in events a minute. */
  lowestRate(timeMs: number): number {
    const { state, resolution } = this;
    const position = seasonalPositionOf(resolution, timeMs);
    const perStep = Math.min(state.level, lowestOfDay(state, position), bandOfWeek(state, position).low);
    return perStep / resolution.stepMinutes;
  }

  /** Returns the events of the known steps of the longest window. */
  latestCount(): number {
    let events = 0;
    for (let filled = this.state.filledSteps; filled !== 0; filled &= filled - 1) {
      events += this.state.count(31 - Math.clz32(filled & -filled));
    }
    return events;
  }

  /** Returns the excess within the steps of the longest window. @param rate usual events of a step */
  latestExcess(side: Side, rate: number): Excess {
    const { age, windowSteps, dispersion } = this.state;
    const length = Math.min(age, windowSteps);
    return findExcess({ side, length, rate, dispersion }, (before) =>
      this.state.count((age - 1 - before) % windowSteps),
    );
  }

  /** True if an alarm of a side is open, or closed at most so many minutes ago. */
  hadAlarm(side: Side, withinMinutes: number): boolean {
    return isOpen(this.state, side) || this.hadClosed(side, withinMinutes);
  }

  /** True if an alarm of a side closed at most so many minutes ago. */
  hadClosed(side: Side, withinMinutes: number): boolean {
    const { age } = this.state;
    const closedAge = this.state.closedAge(side);
    return closedAge > 0 && (age - closedAge) * this.resolution.stepMinutes <= withinMinutes;
  }
}
