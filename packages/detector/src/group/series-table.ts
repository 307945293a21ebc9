import { RecordTable, type SavedRecords } from '../state/record-table.ts';
import type { SeriesLayout } from '../state/series-layout.ts';
import { type TrackedFields, TrackedSeries } from './tracked-series.ts';

/** The series of a group by index, each with its state in one record: all of them are gone through at each step. */
export class SeriesTable {
  readonly #layout: SeriesLayout;
  readonly #records: RecordTable;
  /** Views that are moved to the series that is read, and to that of the step that ends. */
  readonly #read: TrackedSeries;
  readonly #ofStep: TrackedSeries;

  constructor(layout: SeriesLayout, saved?: SavedRecords) {
    this.#layout = layout;
    this.#records = new RecordTable(TrackedSeries.floats + layout.floats, saved);
    const { buffer } = this.#records;
    this.#read = new TrackedSeries(layout, { buffer, first: 0 });
    this.#ofStep = new TrackedSeries(layout, { buffer, first: 0 });
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

  /** Returns the series of an index, which has one: until this is called with another index. */
  at(index: number): TrackedSeries {
    return this.#read.moveTo(this.#records.firstOf(index));
  }

  /**
   * Returns the same to what goes through the series, and may meanwhile read others by `at`: until this is called with
   * another index; null where the index has none.
   */
  find(index: number): TrackedSeries | null {
    return this.has(index) ? this.#ofStep.moveTo(this.#records.firstOf(index)) : null;
  }

  /** Gives all series away, as `at` does. */
  forEach(take: (tracked: TrackedSeries, index: number) => void): void {
    for (let index = 0; index < this.size; index++) if (this.has(index)) take(this.at(index), index);
  }

  /** Returns the same as a view of its own, which stays that of this index. */
  viewOf(index: number): TrackedSeries {
    return new TrackedSeries(this.#layout, {
      buffer: this.#records.buffer,
      first: this.#records.firstOf(index),
    });
  }

  /** Gives an index, which has no series, to a new one. */
  add(index: number, fields: TrackedFields): TrackedSeries {
    this.#records.add(index);
    const tracked = this.viewOf(index);
    tracked.state.begin();
    return Object.assign(tracked, fields, { uneventfulCount: -1 });
  }

  remove(index: number): void {
    this.#records.remove(index);
  }

  save(): SavedRecords {
    return this.#records.save();
  }
}
