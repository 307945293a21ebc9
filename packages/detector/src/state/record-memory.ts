/** Where a record lies: views of the buffer that it shares with others, and its first byte in it, a multiple of eight. */
export interface RecordPlace {
  bytes: Uint8Array;
  integers: Int32Array;
  floats: Float32Array;
  doubles: Float64Array;
  start: number;
}

/** A block has a place for every so many that there are already, so that little is allocated in vain; and at most so many. */
const RECORDS_PER_PLACE = 4;
const MAX_BLOCK_PLACES = 16;

/** Views of one buffer, and the first bytes of its places that have no record. */
interface Block extends Omit<RecordPlace, 'start'> {
  places: number;
  free: number[];
}

/**
 * Memory for records of one size, side by side in a few buffers: a buffer of its own, with its views, would take each of them
 * 300 bytes more. A buffer whose records are all gone is released.
 */
export class RecordMemory {
  readonly #recordBytes: number;
  readonly #blocks: Block[] = [];
  #places = 0;

  constructor(bytes: number) {
    this.#recordBytes = Math.ceil(bytes / Float64Array.BYTES_PER_ELEMENT) * Float64Array.BYTES_PER_ELEMENT;
  }

  /** A place that no other record has, filled with zeros. */
  take(): RecordPlace {
    const block = this.#blocks.find(({ free }) => free.length > 0) ?? this.#addBlock();
    const start = block.free.pop() as number; // one is free
    const { bytes, integers, floats, doubles } = block;
    return { bytes, integers, floats, doubles, start };
  }

  /** The record is gone: its place is given to another one. */
  giveBack({ bytes, start }: Pick<RecordPlace, 'bytes' | 'start'>): void {
    const at = this.#blocks.findIndex((each) => each.bytes === bytes);
    const block = this.#blocks[at];
    if (!block) throw new Error('The record lies in other memory.');
    bytes.fill(0, start, start + this.#recordBytes);
    block.free.push(start);
    if (block.free.length < block.places) return;
    this.#blocks.splice(at, 1);
    this.#places -= block.places;
  }

  #addBlock(): Block {
    const places = Math.min(MAX_BLOCK_PLACES, 1 + Math.floor(this.#places / RECORDS_PER_PLACE));
    const buffer = new ArrayBuffer(places * this.#recordBytes);
    const block = {
      bytes: new Uint8Array(buffer),
      integers: new Int32Array(buffer),
      floats: new Float32Array(buffer),
      doubles: new Float64Array(buffer),
      places,
      free: Array.from({ length: places }, (_, place) => (places - 1 - place) * this.#recordBytes),
    };
    this.#blocks.push(block);
    this.#places += places;
    return block;
  }
}
