import { WEEK_MS } from '../../platform/durations.ts';

/** Span of time, its end exclusive. */
export interface Slice {
  fromMs: number;
  untilMs: number;
}

/** Maximum length of a slice in weeks. */
const MAX_WEEKS = 16;

/**
 * Slices of a range that are read one after the other until there is enough: the first one is a week, and each that did not
 * suffice is followed by one of twice its length.
 */
export function* slicesOf({ fromMs, untilMs }: Slice, order: 'asc' | 'desc'): Generator<Slice> {
  let weeks = 1;
  let edgeMs = order === 'asc' ? fromMs : untilMs;
  while (order === 'asc' ? edgeMs < untilMs : edgeMs > fromMs) {
    const lengthMs = weeks * WEEK_MS;
    const nextMs =
      order === 'asc' ? Math.min(edgeMs + lengthMs, untilMs) : Math.max(edgeMs - lengthMs, fromMs);
    yield order === 'asc' ? { fromMs: edgeMs, untilMs: nextMs } : { fromMs: nextMs, untilMs: edgeMs };
    edgeMs = nextMs;
    weeks = Math.min(weeks * 2, MAX_WEEKS);
  }
}
