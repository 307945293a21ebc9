/** Where a record lies: views of the buffer that it shares with others, and its first byte in it, a multiple of eight. */
export interface RecordPlace {
  bytes: Uint8Array;
  floats: Float32Array;
  doubles: Float64Array;
  start: number;
}

/** A block has a place for every so many that there are already, so that little is allocated in vain; and at most so many. */
const RECORDS_PER_PLACE = 4;
const MAX_BLOCK_PLACES = 16;

/**
 * Memory for records of one size, side by side in a few buffers: a buffer of its own, with its views, would take each of them
 * 300 bytes more.
 */
export class RecordMemory {
  readonly #recordBytes: number;
  readonly #blocks: Omit<RecordPlace, 'start'>[] = [];
  readonly #free: RecordPlace[] = [];
  #places = 0;

  constructor(bytes: number) {
    this.#recordBytes = Math.ceil(bytes / Float64Array.BYTES_PER_ELEMENT) * Float64Array.BYTES_PER_ELEMENT;
  }

  /** A place that no other record has, filled with zeros. */
  take(): RecordPlace {
    const place = this.#free.pop();
    if (place) return place;
    this.#addBlock(Math.min(MAX_BLOCK_PLACES, 1 + Math.floor(this.#places / RECORDS_PER_PLACE)));
    return this.take();
  }

  /** The record is gone: its place is given to another one. */
  giveBack({ bytes, start }: Pick<RecordPlace, 'bytes' | 'start'>): void {
    const block = this.#blocks.find((each) => each.bytes === bytes);
    if (!block) throw new Error('The record lies in other memory.');
    bytes.fill(0, start, start + this.#recordBytes);
    this.#free.push({ ...block, start });
  }

  #addBlock(places: number): void {
    const buffer = new ArrayBuffer(places * this.#recordBytes);
    const block = {
      bytes: new Uint8Array(buffer),
      floats: new Float32Array(buffer),
      doubles: new Float64Array(buffer),
    };
    this.#blocks.push(block);
    this.#places += places;
    for (let place = places - 1; place >= 0; place--)
      this.#free.push({ ...block, start: place * this.#recordBytes });
  }
}
