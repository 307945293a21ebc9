import { mostLevel } from '../series/level.ts';
import type { SeasonalPosition } from '../series/seasonal-position.ts';
import { takeUneventfulSteps } from '../series/uneventful-steps.ts';
import { createWorkspace } from '../series/workspace.ts';
import { RecordTable, type SavedRecords } from '../state/record-table.ts';
import type { Resolution } from '../state/resolution.ts';
import { layoutOf } from '../state/series-layout.ts';
import { PostponedSteps } from './postponed-steps.ts';
import { type TrackedFields, TrackedSeries } from './tracked-series.ts';

/**
 * The series of a group by index, each in one record. An ended step without an event that can only be uneventful is postponed:
 * it is taken in once the series is read or changed, with the same result.
 */
export class SeriesTable {
  readonly resolution: Resolution;
  readonly workspace = createWorkspace();
  /** Null at coarse steps, which are not postponed. */
  readonly postponed: PostponedSteps | null;
  /** Position of the step that ended last, in whose slot of the day all steps lie that a series lacks; null: none has ended. */
  #endedAt: SeasonalPosition | null = null;
  readonly #records: RecordTable;
  /** Views that are moved: to the series that is read or changed, and to that of a loop. */
  readonly #view: TrackedSeries;
  readonly #loopView: TrackedSeries;

  /** @param ended steps of the group */
  constructor(resolution: Resolution, saved?: SavedRecords, ended = 0) {
    this.resolution = resolution;
    this.#records = new RecordTable(TrackedSeries.floats + layoutOf(resolution).floats, saved);
    const { buffer } = this.#records;
    this.#view = new TrackedSeries(resolution, { buffer, first: 0 });
    this.#loopView = new TrackedSeries(resolution, { buffer, first: 0 });
    this.postponed = resolution.isCoarse ? null : new PostponedSteps(ended, this.indices());
  }

  /** Number of indices. */
  get size(): number {
    return this.#records.size;
  }

  /** Number of series. */
  get count(): number {
    return this.#records.count;
  }

  /** Indices with a series. */
  indices(): number[] {
    return this.#records.indices();
  }

  has(index: number): boolean {
    return this.#records.has(index);
  }

  /**
   * Returns the series of an index, which has one, until a series is asked for again. Its state may lack the last steps, all
   * without an event.
   */
  peek(index: number): TrackedSeries {
    return this.#view.moveTo(this.#records.firstOf(index));
  }

  /** Returns the same with all steps that have ended, to be read. */
  read(index: number): TrackedSeries {
    const tracked = this.peek(index);
    this.catchUp(index, tracked);
    return tracked;
  }

  /** Returns the same to be changed in the running step, which is evaluated at its end. */
  change(index: number): TrackedSeries {
    this.postponed?.evaluateNext(index);
    const tracked = this.read(index);
    tracked.uneventfulCount = -1;
    return tracked;
  }

  /** Returns the series of a loop, which may meanwhile ask for others, like `peek`; null where the index has none. */
  find(index: number): TrackedSeries | null {
    return this.has(index) ? this.#loopView.moveTo(this.#records.firstOf(index)) : null;
  }

  /** Takes in the postponed steps of a series. */
  catchUp(index: number, { state }: TrackedSeries): void {
    const { resolution, workspace } = this;
    const position = this.#endedAt;
    // Before a step has ended no series lacks any.
    if (!position) return;
    const steps = this.postponed?.take(index) ?? 0;
    if (steps > 0) takeUneventfulSteps(state, { resolution, position }, steps, workspace);
  }

  /** Ends the step, which all series have ended or lack. */
  endStep(position: SeasonalPosition): void {
    this.postponed?.endStep();
    this.#endedAt = position;
  }

  /** Returns the expected events of a step, or more where that takes less work: where nothing has come for minutes. */
  mostLevelOf(index: number): number {
    const { state } = this.peek(index);
    const isUpToDate = this.postponed?.isUpToDate(index) ?? true;
    return isUpToDate ? state.level : mostLevel(state, this.resolution);
  }

  /** Calls a function with each series, like `peek`. */
  forEach(take: (tracked: TrackedSeries, index: number) => void): void {
    for (let index = 0; index < this.size; index++) if (this.has(index)) take(this.peek(index), index);
  }

  /** Gives an index, which has no series, to a new one. @returns a view of its own */
  add(index: number, fields: TrackedFields): TrackedSeries {
    this.#records.add(index);
    this.postponed?.add(index);
    const place = { buffer: this.#records.buffer, first: this.#records.firstOf(index) };
    const tracked = new TrackedSeries(this.resolution, place);
    tracked.state.begin();
    return Object.assign(tracked, fields, { uneventfulCount: -1 });
  }

  remove(index: number): void {
    this.#records.remove(index);
  }

  save(): SavedRecords {
    for (const index of this.indices()) this.read(index).uneventfulCount = -1;
    return this.#records.save();
  }
}
