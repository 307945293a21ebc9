import { RecordMemory, type RecordPlace, type RecordViews } from './record-memory.ts';

/** An index that has no record. */
const NONE = -1;

/** Records of one size by index. */
export class RecordTable {
  readonly #memory: RecordMemory;
  readonly #records: number[] = [];
  #count = 0;

  constructor(bytes: number) {
    this.#memory = new RecordMemory(bytes);
  }

  /** The number of indices. */
  get size(): number {
    return this.#records.length;
  }

  /** The number of records. */
  get count(): number {
    return this.#count;
  }

  /** The indices that have a record. */
  indices(): number[] {
    return this.#records.flatMap((record, index) => (record === NONE ? [] : index));
  }

  has(index: number): boolean {
    return (this.#records[index] ?? NONE) !== NONE;
  }

  /** The record of an index, which has one. */
  at(index: number): RecordPlace {
    return this.#memory.at(this.#records[index] as number);
  }

  /** The same without an object of its own. */
  viewsAt(index: number): RecordViews {
    return this.#memory.viewsAt(this.#records[index] as number);
  }
  startAt(index: number): number {
    return this.#memory.startAt(this.#records[index] as number);
  }

  /** Gives an index, which has none, a record that is filled with zeros. */
  add(index: number): void {
    while (this.#records.length < index) this.#records.push(NONE);
    this.#records[index] = this.#memory.take();
    this.#count++;
  }

  remove(index: number): void {
    this.#memory.giveBack(this.#records[index] as number);
    this.#records[index] = NONE;
    this.#count--;
  }
}
