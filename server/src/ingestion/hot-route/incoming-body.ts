/** A body that arrives in pieces. It holds memory for what has arrived, not for what was announced. */
export class IncomingBody {
  readonly #expected: number;
  #bytes: Buffer;
  #length: number;

  /** @param first kept as it is while nothing follows */
  constructor(expected: number, first: Buffer) {
    this.#expected = expected;
    this.#bytes = first;
    this.#length = first.length;
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      // Twice as much each time, so that a body byte by byte is not copied at each of them.
      const grown = Buffer.allocUnsafe(Math.max(length, Math.min(2 * length, this.#expected)));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}
