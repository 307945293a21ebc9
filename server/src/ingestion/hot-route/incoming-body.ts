/** A body that arrives in pieces. It allocates memory for the received bytes, not for the announced length. */
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
      // Doubled each time, so that a body that arrives byte by byte is not copied at each of them.
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
