import type { Store } from '../database/database.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { upsertLiveness } from './liveness-queries.ts';

/** Upper bound on the risk loop's lag: a minute is closed once ingestion's clock has passed it. */
const INTERVAL_MS = 1_500;

/** Reports to the other processes that this one accepts events. */
export function declareLivenessLoop({ pool, clock }: Store, processId: string): LoopDeclaration {
  return {
    name: 'presence',
    round: async () => {
      await upsertLiveness(pool, processId, new Date(clock.now()));
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}
