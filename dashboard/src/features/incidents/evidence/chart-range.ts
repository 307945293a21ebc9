import type { Evidence, Points } from '../../../lib/api-types.ts';
import type { TimeSlot } from '../../../ui/charts/chart-time.ts';

/** Start of the axis before the incident. The service's points begin no later, so the axis stays when they arrive. */
const BEFORE_MS = 30 * 60_000;

/** Returns the time range of an incident's chart: its points, the window in which it was found, and its opening. */
export function chartRange(
  { from, to }: Pick<Evidence, 'from' | 'to'>,
  createdAt: string,
  points: Points | undefined,
): TimeSlot {
  const last = points?.points.at(-1);
  const lastEndMs = last && Date.parse(last.at) + (points?.intervalSeconds ?? 0) * 1_000;
  return {
    startMs: Date.parse(points?.points[0]?.at ?? from) - (last ? 0 : BEFORE_MS),
    endMs: Math.max(Date.parse(to), Date.parse(createdAt), lastEndMs ?? 0),
  };
}
