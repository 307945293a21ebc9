import { RecordMemory } from '../state/record-memory.ts';
import type { SeriesLayout } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { type SavedSeries, TrackedSeries, trackedBytes } from './tracked-series.ts';

/** An index that has no series. */
const NONE = -1;

/** The series of a group by index, each in a record: side by side, since all of them are gone through at each step. */
export class SeriesTable {
  readonly #layout: SeriesLayout;
  readonly #memory: RecordMemory;
  readonly #records: number[] = [];

  constructor(layout: SeriesLayout) {
    this.#layout = layout;
    this.#memory = new RecordMemory(trackedBytes(layout));
  }

  /** The number of indices. */
  get size(): number {
    return this.#records.length;
  }

  /** The indices that have a series. */
  indices(): number[] {
    return this.#records.flatMap((record, index) => (record === NONE ? [] : index));
  }

  /** The series of an index, which has one. */
  at(index: number): TrackedSeries {
    return new TrackedSeries(this.#layout, this.#memory.at(this.#records[index] as number));
  }

  find(index: number): TrackedSeries | null {
    const record = this.#records[index] ?? NONE;
    return record === NONE ? null : new TrackedSeries(this.#layout, this.#memory.at(record));
  }

  /** Gives an index, which has no series, to one. @param saved its state; missing: a new one */
  add(
    index: number,
    fields: Omit<SavedSeries, 'state'> & { part: number },
    saved?: Uint8Array,
  ): TrackedSeries {
    const record = this.#memory.take();
    const place = this.#memory.at(record);
    const tracked = new TrackedSeries(this.#layout, place, new SeriesState(saved, this.#layout, place));
    while (this.#records.length < index) this.#records.push(NONE);
    this.#records[index] = record;
    return Object.assign(tracked, fields, { uneventfulCount: -1 });
  }

  remove(index: number): void {
    this.#memory.giveBack(this.#records[index] as number);
    this.#records[index] = NONE;
  }
}
