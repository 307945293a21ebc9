import type { Points } from '../../lib/api-types.ts';
import type { TimeSlot } from './chart-time.ts';

/** What was observed in a time slot, and what was to be expected in it. */
export interface ObservedSlot extends TimeSlot {
  observed: number;
  /** Null: nothing was expected yet, or nothing ever is. */
  expected: number | null;
}

export function toObservedSlots({ intervalSeconds, points }: Points): ObservedSlot[] {
  return points.map(({ at, observed, expected }) => {
    const startMs = Date.parse(at);
    return { startMs, endMs: startMs + intervalSeconds * 1_000, observed, expected };
  });
}

/** Neighbours of which something was expected, in pieces: where nothing was, a line has a gap. */
export function expectedPieces(slots: ObservedSlot[]): (TimeSlot & { expected: number })[][] {
  const pieces: (TimeSlot & { expected: number })[][] = [];
  let lastEndMs: number | null = null;
  for (const { startMs, endMs, expected } of slots) {
    if (expected === null) {
      lastEndMs = null;
      continue;
    }
    if (startMs !== lastEndMs) pieces.push([]);
    pieces.at(-1)?.push({ startMs, endMs, expected });
    lastEndMs = endMs;
  }
  return pieces;
}
