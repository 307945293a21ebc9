import type { Store } from '../database/database.ts';
import type { IncidentMetrics } from '../incidents/metrics.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import type { CheckInMetrics } from './metrics.ts';
import { reviewSchedules } from './review-schedules.ts';

/** Maximum time from a failed check-in to its incident. */
const IDLE_MS = 2_000;
/** The same while no project has a schedule: the maximum time until a new one is noticed. */
const NO_SCHEDULES_IDLE_MS = 5_000;

export function declareSchedulesLoop(
  store: Store,
  metrics: CheckInMetrics & IncidentMetrics,
): LoopDeclaration {
  let idleMs = IDLE_MS;
  return {
    name: 'schedules',
    round: async () => {
      const reviewed = await reviewSchedules(store, metrics);
      idleMs = reviewed === 'none' ? NO_SCHEDULES_IDLE_MS : IDLE_MS;
      return reviewed === 'more' ? 'again' : 'idle';
    },
    idleDelayMs: () => idleMs,
  };
}
