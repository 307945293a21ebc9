import type { Severity } from '../../events/severity.ts';
import { MINUTE_MS } from '../../platform/durations.ts';

const BYTES_A_COUNT = 4 + 2 + 8;
/** Overhead of a text beside its characters, two bytes each at most. */
const BYTES_A_NAME = 64;

/** Events of one type, severity and source in a minute. */
export interface PastCount {
  minuteMs: number;
  type: string;
  severity: Severity;
  source: string | null;
  count: number;
}

type PastSeries = Pick<PastCount, 'type' | 'severity' | 'source'>;

/** Counts in a compact form that is transferred between threads without a copy. */
export interface CountPiece {
  /** Series of this piece, each once. */
  series: PastSeries[];
  /** Minutes since 1970; one per count. */
  minutes: Uint32Array<ArrayBuffer>;
  /** Indices into `series`. */
  places: Uint16Array<ArrayBuffer>;
  counts: Float64Array<ArrayBuffer>;
}

/**
 * Collects the counts of a range, oldest first, in bounded memory: if they are too many, the oldest are dropped, and
 * the range begins later.
 */
export class CollectedCounts {
  readonly #maxBytes: number;
  readonly #pieces: { piece: CountPiece; bytes: number }[] = [];
  #bytes = 0;
  #fromMs: number;

  constructor(fromMs: number, maxBytes: number) {
    this.#fromMs = fromMs;
    this.#maxBytes = maxBytes;
  }

  /** Current beginning of the range: all of its counts from there on are in `pieces`. */
  get fromMs(): number {
    return this.#fromMs;
  }

  get pieces(): CountPiece[] {
    return this.#pieces.map(({ piece }) => piece);
  }

  /** @param counts at most 65,536, none older than those before */
  add(counts: PastCount[]): void {
    if (counts.length === 0) return;
    const piece = pack(counts);
    const bytes = bytesOf(piece);
    this.#pieces.push({ piece, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.#pieces.length > 1) this.#giveUpOldest();
  }

  #giveUpOldest(): void {
    const oldest = this.#pieces.shift();
    if (!oldest) return;
    this.#bytes -= oldest.bytes;
    // The rest of its last minute may be in the next piece: that minute is no longer whole.
    this.#fromMs = ((oldest.piece.minutes.at(-1) ?? 0) + 1) * MINUTE_MS;
  }
}

/** The counts of pieces, one by one. */
export function* unpack(pieces: CountPiece[]): Generator<PastCount> {
  for (const { series, minutes, places, counts } of pieces) {
    for (const [index, count] of counts.entries()) {
      const named = series[places[index] ?? 0];
      if (named) yield { ...named, minuteMs: (minutes[index] ?? 0) * MINUTE_MS, count };
    }
  }
}

/** Buffers that are transferred instead of copied when pieces go to another thread. */
export function buffersOf(pieces: CountPiece[]): ArrayBuffer[] {
  return pieces.flatMap(({ minutes, places, counts }) => [minutes.buffer, places.buffer, counts.buffer]);
}

function pack(counts: PastCount[]): CountPiece {
  const placeOf = new Map<string, number>();
  const piece: CountPiece = {
    series: [],
    minutes: new Uint32Array(counts.length),
    places: new Uint16Array(counts.length),
    counts: new Float64Array(counts.length),
  };
  counts.forEach(({ minuteMs, type, severity, source, count }, index) => {
    const name = JSON.stringify([type, severity, source]);
    const place = placeOf.get(name) ?? piece.series.push({ type, severity, source }) - 1;
    placeOf.set(name, place);
    piece.minutes[index] = minuteMs / MINUTE_MS;
    piece.places[index] = place;
    piece.counts[index] = count;
  });
  return piece;
}

function bytesOf({ series, counts }: CountPiece): number {
  return series.reduce(
    (bytes, { type, source }) => bytes + 2 * (BYTES_A_NAME + type.length + (source?.length ?? 0)),
    counts.length * BYTES_A_COUNT,
  );
}
