/** Discounted sums with memories of different length, the fastest first. */
export const MEMORIES = 5;

/** Assigns consecutive places of a buffer, in bytes. */
class Places {
  end = 0;

  /** @returns the first byte */
  bytes(length: number): number {
    this.end += length;
    return this.end - length;
  }

  /** @returns the index of the first, in 32-bit floats */
  floats(length: number): number {
    const first = Math.ceil(this.end / FLOAT_BYTES);
    this.end = (first + length) * FLOAT_BYTES;
    return first;
  }
}

/** How values that are saved as 32-bit floats, or bytes, are kept in memory. */
export type Encoding = 'float' | 'half' | 'evidence' | 'byte';

/** Consecutive values: their first byte as saved, and their first place in memory, in floats or in bytes. */
export interface ValueRun {
  encoding: Encoding;
  saved: number;
  kept: number;
  length: number;
}

export const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Rates of the period that runs, and of the one before it, of a seasonal period. */
const BAND_FLOATS = 4;

/** Places of the same values in both forms. */
export class LayoutFields {
  readonly saved = new Places();
  readonly kept = new Places();
  readonly runs: ValueRun[] = [];

  /** @param headFloats in front of all places in memory that are assigned here */
  constructor(headFloats: number) {
    this.kept.floats(headFloats);
  }

  /** Fields of the head, whose places in memory are fixed. @param length of each, in floats */
  ofHead(places: readonly number[], length = 1): void {
    for (const kept of places)
      this.runs.push({ encoding: 'float', saved: this.#savedFloats(length), kept, length });
  }

  floats(length: number): number {
    const kept = this.kept.floats(length);
    this.runs.push({ encoding: 'float', saved: this.#savedFloats(length), kept, length });
    return kept;
  }

  bytes(length: number): number {
    const [saved, kept] = [this.saved.bytes(length), this.kept.bytes(length)];
    this.runs.push({ encoding: 'byte', saved, kept, length });
    return kept;
  }

  /** @returns the index of the first, in bytes unless they are floats */
  encoded(encoding: Encoding, length: number, savedLength = length, parts = 1): number {
    const saved = this.#savedFloats(savedLength * parts);
    const all = length * parts;
    const kept = encoding === 'float' ? this.kept.floats(all) : this.kept.bytes(all * sizeOf(encoding));
    for (let part = 0; part < parts; part++) {
      const of = {
        saved: saved + part * savedLength * FLOAT_BYTES,
        kept: kept + part * length * sizeOf(encoding),
      };
      this.runs.push({ encoding, ...of, length });
    }
    return kept;
  }

  /** Discounted sums; those of one length share a place. @param places by memory */
  memories(places: readonly number[]): number {
    const saved = this.#savedFloats(MEMORIES);
    const kept = this.kept.floats(new Set(places).size);
    places.forEach((place, memory) => {
      this.runs.push({
        encoding: 'float',
        saved: saved + memory * FLOAT_BYTES,
        kept: kept + place,
        length: 1,
      });
    });
    return kept;
  }

  /**
   * Bands of the time of day, in the head, and of the week: one where a slot of the day is as long as an hour of the week.
   * @returns their first floats
   */
  bands(ofDay: number, areShared: boolean): readonly [number, number] {
    this.ofHead([ofDay], BAND_FLOATS);
    if (!areShared) return [ofDay, this.floats(BAND_FLOATS)];
    this.runs.push({
      encoding: 'float',
      saved: this.#savedFloats(BAND_FLOATS),
      kept: ofDay,
      length: BAND_FLOATS,
    });
    return [ofDay, ofDay];
  }

  /** What this layout has no use for: saved as zeros. */
  unused(length: number): undefined {
    this.saved.floats(length);
    return undefined;
  }

  /** @returns the first byte as saved */
  #savedFloats(length: number): number {
    return this.saved.floats(length) * FLOAT_BYTES;
  }
}

/** In the unit of places in memory. */
export function sizeOf(encoding: Encoding): number {
  return encoding === 'half' ? 2 : 1;
}

/** Fewer are gone through as fast as one. */
export function joined(runs: readonly ValueRun[]): ValueRun[] {
  const all: ValueRun[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    const isNext =
      last && last.encoding === run.encoding && last.kept + last.length * sizeOf(run.encoding) === run.kept;
    const savedSize = run.encoding === 'byte' ? 1 : FLOAT_BYTES;
    if (isNext && last.saved + last.length * savedSize === run.saved) last.length += run.length;
    else all.push({ ...run });
  }
  return all;
}
