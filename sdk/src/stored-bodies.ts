import { utf8Bytes } from './clean/utf8.ts';

/** Size of a chunk, far larger than an event, so that little of it stays empty. */
const CHUNK_BYTES = 262_144;

const encoder = new TextEncoder();

/** Position of the JSON of a call, in UTF-8. */
export interface StoredBody {
  chunk: Uint8Array<ArrayBuffer>;
  start: number;
  bytes: number;
}

/**
 * Holds the JSON of waiting calls one after the other in chunks outside the heap: as strings the garbage collector would
 * copy each of them twice. The calls hold their chunk, which is freed with the last of them.
 */
export class StoredBodies {
  #chunk = new Uint8Array(0);
  #used = 0;

  add(json: string): StoredBody {
    let result = encoder.encodeInto(json, this.#chunk.subarray(this.#used));
    if (result.read < json.length) {
      this.#chunk = new Uint8Array(Math.max(CHUNK_BYTES, utf8Bytes(json)));
      this.#used = 0;
      result = encoder.encodeInto(json, this.#chunk);
    }
    const start = this.#used;
    this.#used += result.written;
    return { chunk: this.#chunk, start, bytes: result.written };
  }
}
