/** Views of a buffer in which records lie side by side. */
export interface RecordViews {
  bytes: Uint8Array;
  integers: Int32Array;
  floats: Float32Array;
  doubles: Float64Array;
}

/** Where a record lies: views of its buffer, and its first byte in it, a multiple of eight. */
export interface RecordPlace extends RecordViews {
  start: number;
}

/** A block has a place for every so many that there are already, so that little is allocated in vain. */
const RECORDS_PER_PLACE = 4;
/** A buffer with its views, in bytes, beside the records in it; and the records of a project that has many. */
const BLOCK_BYTES = 600;
const MANY_RECORDS = 500;
/** A number holds a place by its block and, in the last bits, its place there. */
const PLACE_BITS = 6;
const MAX_BLOCK_PLACES = 2 ** PLACE_BITS - 1;

/** Views of one buffer. Of the places that have no record, each holds the number of the next one. */
interface Block extends RecordViews {
  places: number;
  records: number;
  /** 1 for the first place; 0: all places have a record. */
  nextFree: number;
}

/**
 * Memory for records of one size, side by side in a few buffers: a buffer of its own, with its views, would take each of them
 * 300 bytes more, and an object that leads to it another 70. So a record is known by a number, and looked up where it is
 * needed. A buffer whose records are all gone is released.
 */
export class RecordMemory {
  readonly #recordBytes: number;
  /** Of a block, at most. */
  readonly #blockPlaces: number;
  readonly #blocks: (Block | undefined)[] = [];
  #places = 0;

  constructor(bytes: number) {
    this.#recordBytes = Math.ceil(bytes / Float64Array.BYTES_PER_ELEMENT) * Float64Array.BYTES_PER_ELEMENT;
    // n records in blocks of p places take n/p times the block's own bytes b, and half of the last block, p·r/2, in vain:
    // together least where p = √(2bn/r).
    const least = Math.round(Math.sqrt((2 * BLOCK_BYTES * MANY_RECORDS) / this.#recordBytes));
    this.#blockPlaces = Math.max(1, Math.min(MAX_BLOCK_PLACES, least));
  }

  /** @returns the number of a place that no other record has, filled with zeros */
  take(): number {
    let at = this.#blocks.findIndex((block) => block !== undefined && block.nextFree > 0);
    if (at === -1) at = this.#addBlock();
    const block = this.#blocks[at] as Block; // one with a free place
    const place = block.nextFree - 1;
    const link = (place * this.#recordBytes) / Int32Array.BYTES_PER_ELEMENT;
    block.nextFree = block.integers[link] as number; // a place lies within
    block.integers[link] = 0;
    block.records++;
    return (at << PLACE_BITS) | place;
  }

  /** @param record a number that was taken */
  at(record: number): RecordPlace {
    const { bytes, integers, floats, doubles } = this.viewsAt(record);
    return { bytes, integers, floats, doubles, start: this.startAt(record) };
  }

  /** The same without an object of its own, for what is done often. */
  viewsAt(record: number): RecordViews {
    return this.#blocks[record >> PLACE_BITS] as Block; // it was taken
  }
  startAt(record: number): number {
    return (record & MAX_BLOCK_PLACES) * this.#recordBytes;
  }

  /** The record is gone: its place is given to another one. */
  giveBack(record: number): void {
    const at = record >> PLACE_BITS;
    const block = this.#blocks[at] as Block; // it was taken
    const place = record & MAX_BLOCK_PLACES;
    const start = place * this.#recordBytes;
    block.bytes.fill(0, start, start + this.#recordBytes);
    block.integers[start / Int32Array.BYTES_PER_ELEMENT] = block.nextFree;
    block.nextFree = place + 1;
    block.records--;
    if (block.records > 0) return;
    this.#blocks[at] = undefined;
    this.#places -= block.places;
  }

  /** @returns its index */
  #addBlock(): number {
    const places = Math.min(this.#blockPlaces, 1 + Math.floor(this.#places / RECORDS_PER_PLACE));
    const buffer = new ArrayBuffer(places * this.#recordBytes);
    const block = {
      bytes: new Uint8Array(buffer),
      integers: new Int32Array(buffer),
      floats: new Float32Array(buffer),
      doubles: new Float64Array(buffer),
      places,
      records: 0,
      nextFree: 1,
    };
    const placeIntegers = this.#recordBytes / Int32Array.BYTES_PER_ELEMENT;
    for (let place = 0; place < places - 1; place++) block.integers[place * placeIntegers] = place + 2;
    const released = this.#blocks.indexOf(undefined);
    const at = released === -1 ? this.#blocks.length : released;
    this.#blocks[at] = block;
    this.#places += places;
    return at;
  }
}

/** Makes a place that of another record, without a new object. */
export function movePlace(place: RecordPlace, views: RecordViews, start: number): void {
  place.start = start;
  // Most records in turn lie in one buffer.
  if (place.bytes === views.bytes) return;
  place.bytes = views.bytes;
  place.integers = views.integers;
  place.floats = views.floats;
  place.doubles = views.doubles;
}

/** The place of a record in memory of its own. */
export function ownRecord(bytes: number): RecordPlace {
  const memory = new RecordMemory(bytes);
  return memory.at(memory.take());
}
