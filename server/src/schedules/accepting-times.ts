import type { LivenessInterval } from '../queue/liveness-queries.ts';

/**
 * Tests if check-ins were accepted all the time between two instants, from the intervals in which processes accepted
 * them.
 * @param toleranceMs gaps up to this long do not count: processes report as often, and a restart is shorter
 */
export function coversOf(
  intervals: LivenessInterval[],
  toleranceMs: number,
): (fromMs: number, toMs: number) => boolean {
  const sorted = intervals.toSorted((left, right) => left.sinceMs - right.sinceMs);
  return (fromMs, toMs) => {
    let coveredMs: number | null = null;
    for (const { sinceMs, untilMs } of sorted) {
      if (sinceMs > (coveredMs ?? fromMs) + toleranceMs) break;
      if (coveredMs === null && untilMs + toleranceMs < fromMs) continue;
      coveredMs = Math.max(coveredMs ?? fromMs, untilMs);
    }
    return coveredMs !== null && coveredMs + toleranceMs >= toMs;
  };
}
