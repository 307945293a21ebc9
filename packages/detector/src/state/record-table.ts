import { RecordBuffer } from './record-buffer.ts';

/** Index without a record. */
const NONE = -1;
/** A full buffer grows by a quarter, and by so many records at most. */
const GROWTH = 4;
const MAX_NEW_RECORDS = 32;

/** Indices of records, and their bytes one after another. */
export interface SavedRecords {
  indices: number[];
  bytes: Uint8Array;
}

/** Records of one size by index, side by side in one buffer. The place of a removed record goes to the next one that is added. */
export class RecordTable {
  readonly buffer = new RecordBuffer(0);
  readonly #floats: number;
  /** Number of its place, by index. */
  readonly #places: number[] = [];
  readonly #free: number[] = [];
  #count = 0;

  /** @param floats length of a record, a multiple of two */
  constructor(floats: number, saved?: SavedRecords) {
    this.#floats = floats;
    if (!saved) return;
    const { length } = saved.bytes;
    const bytes = 4 * floats * saved.indices.length;
    if (length !== bytes) throw new RangeError(`The records are ${bytes} bytes, not ${length}.`);
    this.buffer.resize(floats * saved.indices.length);
    this.buffer.bytes.set(saved.bytes);
    for (const index of saved.indices) this.add(index);
  }

  /** Number of indices. */
  get size(): number {
    return this.#places.length;
  }

  /** Number of records. */
  get count(): number {
    return this.#count;
  }

  /** Indices with a record, in ascending order. */
  indices(): number[] {
    return this.#places.flatMap((place, index) => (place === NONE ? [] : index));
  }

  has(index: number): boolean {
    return (this.#places[index] ?? NONE) !== NONE;
  }

  /** Returns the first float of the record of an index, which has one. */
  firstOf(index: number): number {
    return (this.#places[index] as number) * this.#floats; // it has one
  }

  /** Gives an index, which has none, a record of zeros. @returns its first float */
  add(index: number): number {
    while (this.#places.length < index) this.#places.push(NONE);
    const place = this.#free.pop() ?? this.#count;
    this.#places[index] = place;
    this.#count++;
    const first = place * this.#floats;
    if (first >= this.buffer.floats.length)
      this.buffer.resize(first + this.#floats * Math.min(MAX_NEW_RECORDS, 1 + Math.floor(place / GROWTH)));
    return first;
  }

  remove(index: number): void {
    const first = this.firstOf(index);
    this.buffer.floats.fill(0, first, first + this.#floats);
    this.#free.push(first / this.#floats);
    this.#places[index] = NONE;
    this.#count--;
    if (this.#count > 0) return;
    this.#free.length = 0;
    this.buffer.resize(0);
  }

  save(): SavedRecords {
    const indices = this.indices();
    const all = new Float32Array(indices.length * this.#floats);
    indices.forEach((index, at) => {
      const first = this.firstOf(index);
      all.set(this.buffer.floats.subarray(first, first + this.#floats), at * this.#floats);
    });
    return { indices, bytes: new Uint8Array(all.buffer) };
  }
}
