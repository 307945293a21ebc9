import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/** Chunks that are kept while a bundle is read: its directory is in the last ones, its files in those before. */
const MAX_CACHED = 2;

/** A part of a chunk. */
interface Slice {
  /** Position of the chunk among all. */
  index: number;
  start: number;
  end: number;
}

/** Returns the parts of chunks that a range of their file consists of. */
export function slicesOf(lengths: readonly number[], start: number, end: number): Slice[] {
  const slices: Slice[] = [];
  let at = 0;
  for (const [index, length] of lengths.entries()) {
    const slice = { index, start: Math.max(start - at, 0), end: Math.min(end - at, length) };
    if (slice.start < slice.end) slices.push(slice);
    at += length;
  }
  return slices;
}

/** A file in chunks, which are read when they are needed. */
export class ChunkedFile extends RandomAccessReader {
  readonly #readChunk: (index: number) => Promise<Buffer>;
  readonly #lengths: readonly number[];
  readonly #cached = new Map<number, Buffer>();

  constructor(lengths: readonly number[], readChunk: (index: number) => Promise<Buffer>) {
    super();
    this.#lengths = lengths;
    this.#readChunk = readChunk;
  }

  get length(): number {
    return this.#lengths.reduce((sum, length) => sum + length, 0);
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
    for (const slice of slicesOf(this.#lengths, start, end))
      yield (await this.#chunk(slice.index)).subarray(slice.start, slice.end);
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
