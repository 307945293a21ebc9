import { createAlarmMemory, type StatePlace } from '../state/alarm-record.ts';
import { RecordMemory } from '../state/record-memory.ts';
import { RecordTable } from '../state/record-table.ts';
import type { SeriesLayout } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import {
  countEvents,
  isOfErrors,
  type SavedSeries,
  STATE_BYTE,
  TrackedSeries,
  trackedBytes,
} from './tracked-series.ts';

/**
 * A part of records that several tables share, with the same indices: the owner of the records adds and removes
 * them, before a series is added to any of the tables and after it was removed from all.
 */
export interface SharedRecords {
  records: RecordTable;
  /** The first byte of the part. */
  offset: number;
}

/** The series of a group by index, each in a record: side by side, since all of them are gone through at each step. */
export class SeriesTable {
  readonly #layout: SeriesLayout;
  readonly #records: RecordTable;
  readonly #isShared: boolean;
  readonly #offset: number;
  readonly #alarms: RecordMemory = createAlarmMemory();
  /** Views that are moved to the series that is read, and to that of the step that ends. */
  #read: TrackedSeries | null = null;
  #ofStep: TrackedSeries | null = null;

  /** @param shared missing: records of its own */
  constructor(layout: SeriesLayout, shared: SharedRecords | null = null) {
    this.#layout = layout;
    this.#records = shared?.records ?? new RecordTable(trackedBytes(layout));
    this.#isShared = shared !== null;
    this.#offset = shared?.offset ?? 0;
  }

  /** The number of indices. */
  get size(): number {
    return this.#records.size;
  }

  /** The indices that have a series. */
  indices(): number[] {
    return this.#records.indices();
  }

  /** The series of an index, which has one: until this is called with another index. */
  at(index: number): TrackedSeries {
    this.#read ??= this.viewOf(index);
    this.#read.moveTo(this.#records.viewsAt(index), this.#startAt(index));
    return this.#read;
  }

  /**
   * The same for what goes through the series, and may meanwhile read others by `at`: until this is called with another
   * index; null where the index has none.
   */
  find(index: number): TrackedSeries | null {
    if (!this.#records.has(index)) return null;
    this.#ofStep ??= this.viewOf(index);
    this.#ofStep.moveTo(this.#records.viewsAt(index), this.#startAt(index));
    return this.#ofStep;
  }

  /** All series, as `at` gives them. */
  forEach(take: (tracked: TrackedSeries, index: number) => void): void {
    for (let index = 0; index < this.size; index++) if (this.#records.has(index)) take(this.at(index), index);
  }

  /** The same as a view of its own, which stays that of this index. */
  viewOf(index: number): TrackedSeries {
    return new TrackedSeries(this.#layout, this.#placeOf(index));
  }

  /** Gives an index, which has no series, to one. @param saved its state; missing: a new one */
  add(
    index: number,
    fields: Omit<SavedSeries, 'state'> & { part: number },
    saved?: Uint8Array,
  ): TrackedSeries {
    if (!this.#isShared) this.#records.add(index);
    const place = this.#placeOf(index);
    const tracked = new TrackedSeries(this.#layout, place, new SeriesState(saved, this.#layout, place));
    return Object.assign(tracked, fields, { uneventfulCount: -1 });
  }

  remove(index: number): void {
    this.at(index).state.release();
    if (!this.#isShared) this.#records.remove(index);
  }

  /** Adds events to the step that runs. @returns whether they are the first since the last evaluation */
  count(index: number, events: number): boolean {
    return countEvents(this.#records.viewsAt(index), this.#startAt(index), events);
  }

  /** The same as of the series, without a view of it. */
  isErrorSeries(index: number): boolean {
    return isOfErrors(this.#records.viewsAt(index), this.#startAt(index));
  }

  /** Of the state. */
  #placeOf(index: number): StatePlace {
    const { bytes, integers, floats, doubles } = this.#records.viewsAt(index);
    const start = this.#startAt(index) + STATE_BYTE;
    return { bytes, integers, floats, doubles, start, alarms: this.#alarms };
  }

  #startAt(index: number): number {
    return this.#records.startAt(index) + this.#offset;
  }
}
