import { WEEK_MS } from '../platform/durations.ts';

/** Weeks begin on a Monday: the epoch was a Thursday. */
const MONDAY_OFFSET_MS = 4 * 24 * 60 * 60_000;

/** The beginning of the week that contains a time. */
export function weekOf(timeMs: number): number {
  return Math.floor((timeMs - MONDAY_OFFSET_MS) / WEEK_MS) * WEEK_MS + MONDAY_OFFSET_MS;
}

/** When a week ends, which is when the next one begins. */
export function endOfWeek(weekMs: number): number {
  return weekMs + WEEK_MS;
}

/** The weeks that a span of time touches. */
export function weeksBetween(fromMs: number, toMs: number): number[] {
  const weeks: number[] = [];
  for (let weekMs = weekOf(fromMs); weekMs <= toMs; weekMs = endOfWeek(weekMs)) weeks.push(weekMs);
  return weeks;
}

/** These weeks' subset whose every event was captured before the given time. */
export function weeksBefore(weeks: number[], beforeMs: number): number[] {
  return weeks.filter((weekMs) => endOfWeek(weekMs) <= beforeMs);
}

/** Number of consecutive weeks among these after that of the given time. */
export function countWeeksAhead(weeks: number[], timeMs: number): number {
  const existing = new Set(weeks);
  let count = 0;
  while (existing.has(weekOf(timeMs) + (count + 1) * WEEK_MS)) count++;
  return count;
}
