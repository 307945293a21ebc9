/**
 * Positive numbers in one byte: 0 is none, 1 any number up to the smallest, and each further code a fixed ratio more. So an
 * unknown number differs from one that is nearly zero.
 */
export class LogCode {
  readonly #smallest: number;
  readonly #perNat: number;
  readonly #values: Float64Array;

  constructor(smallest: number, largest: number) {
    this.#smallest = smallest;
    this.#perNat = 254 / Math.log(largest / smallest);
    this.#values = Float64Array.from({ length: 256 }, (_, code) =>
      code <= 1 ? 0 : smallest * Math.exp((code - 1) / this.#perNat),
    );
  }

  encode(value: number): number {
    if (!(value > this.#smallest)) return 1;
    return Math.min(255, 1 + Math.round(Math.log(value / this.#smallest) * this.#perNat));
  }

  get codesPerNat(): number {
    return this.#perNat;
  }

  /** Returns 0 for the codes 0 and 1. */
  decode(code: number): number {
    return this.#values[code] ?? 0;
  }
}

/** Evidence in one byte, and rates per step. */
export const EVIDENCE = new LogCode(0.02, 2_000);
export const RATE = new LogCode(1e-4, 1e7);
