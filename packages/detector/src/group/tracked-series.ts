import { defineView, type RecordPlace } from '../state/record-view.ts';
import type { SeriesLayout } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';

/** What a series is added to a group with. */
export interface NewSeries {
  weight: number;
  isErrorSeries: boolean;
  /** It may have existed before: then even errors do not count as having been silent. */
  mayBeOld: boolean;
  /** The part of its share that it has at this step; missing: all of it. */
  part?: number;
}

const TrackedHead = defineView({
  /** Events of the running step. */
  count: 'double',
  weight: 'double',
  /** Part of its share that it has at this step. */
  part: 'double',
  /** Events of the running step that came too late to be evaluated. */
  lateCount: 'float',
  /** Count up to which the running step stays as uneventful as it was found; −1: not known. */
  uneventfulCount: 'float',
  /** True if it has counted since the last evaluation. */
  hasNewCounts: 'flag',
  /** True if it counts as silent until its first event: see `createErrorSeries`. */
  isErrorSeries: 'flag',
  /** True if a part of the running step was set aside: then its count is not known. */
  isPartial: 'flag',
});

/** What a series begins with. */
export type TrackedFields = Pick<TrackedSeries, 'weight' | 'part' | 'isErrorSeries' | 'isPartial'>;

/**
 * One series of a group, in one record with its state behind it: a view. As objects that are kept a series and its state
 * would take 180 bytes more, and a sparse one has four of them; as objects that are made where they are needed, half of all
 * garbage. So one view is moved from record to record where series are gone through.
 */
export class TrackedSeries extends TrackedHead {
  readonly state: SeriesState;

  constructor(layout: SeriesLayout, { buffer, first }: RecordPlace) {
    super(buffer, first);
    this.state = new SeriesState(undefined, layout, { buffer, first: first + TrackedHead.floats });
  }

  /** Makes it, and its state, a view of another record. */
  moveTo(first: number): this {
    this.first = first;
    this.state.first = first + TrackedHead.floats;
    return this;
  }
}
