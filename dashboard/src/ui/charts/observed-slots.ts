import type { Points } from '../../lib/api-types.ts';
import type { TimeSlot } from './chart-time.ts';

/** Observed and expected count of a time slot. */
export interface ObservedSlot extends TimeSlot {
  observed: number;
  /** Expected count; null if there is none, or none yet. */
  expected: number | null;
  /** True if the slot is not over: more events may come. */
  isRunning?: true;
}

export function toObservedSlots({ intervalSeconds, points, running }: Points): ObservedSlot[] {
  const slotOf = (at: string) => {
    const startMs = Date.parse(at);
    return { startMs, endMs: startMs + intervalSeconds * 1_000 };
  };
  const slots: ObservedSlot[] = points.map(({ at, observed, expected }) => ({
    ...slotOf(at),
    observed,
    expected,
  }));
  if (running)
    slots.push({ ...slotOf(running.at), observed: running.observed, expected: null, isRunning: true });
  return slots;
}

/** Returns the runs of adjacent slots with an expected count; the line has a gap between them. */
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
