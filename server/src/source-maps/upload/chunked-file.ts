import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/** Chunks that are kept while a bundle is read: its directory is in the last ones, its files in those before. */
const MAX_CACHED = 2;

/** A file in chunks, which are read when they are needed. */
export class ChunkedFile extends RandomAccessReader {
  readonly #readChunk: (index: number) => Promise<Buffer>;
  /** Positions at which the chunks end. */
  readonly #ends: number[];
  readonly #cached = new Map<number, Buffer>();

  constructor(lengths: readonly number[], readChunk: (index: number) => Promise<Buffer>) {
    super();
    let end = 0;
    this.#ends = lengths.map((length) => (end += length));
    this.#readChunk = readChunk;
  }

  get length(): number {
    return this.#ends.at(-1) ?? 0;
  }

  async sha1(): Promise<string> {
    const hash = createHash('sha1');
    for await (const piece of this.#range(0, this.length)) hash.update(piece);
    return hash.digest('hex');
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false });
  }

  async *#range(start: number, end: number): AsyncGenerator<Buffer> {
    let index = this.#ends.findIndex((chunkEnd) => chunkEnd > start);
    let at = start;
    while (at < end) {
      const chunkEnd = this.#ends[index];
      // The caller stays within the file.
      if (chunkEnd === undefined) throw new Error('The range ends behind the file.');
      const chunk = await this.#chunk(index);
      const chunkStart = chunkEnd - chunk.length;
      yield chunk.subarray(at - chunkStart, Math.min(end, chunkEnd) - chunkStart);
      at = chunkEnd;
      index++;
    }
  }

  async #chunk(index: number): Promise<Buffer> {
    const cached = this.#cached.get(index);
    if (cached) return cached;
    const chunk = await this.#readChunk(index);
    const [oldest] = this.#cached.keys();
    if (oldest !== undefined && this.#cached.size >= MAX_CACHED) this.#cached.delete(oldest);
    this.#cached.set(index, chunk);
    return chunk;
  }
}
