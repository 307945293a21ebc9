import type { Store } from '../database/database.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { upsertLiveness } from './liveness-queries.ts';

/** Upper bound on the risk loop's lag: a minute is closed once ingestion's clock has passed it. */
const INTERVAL_MS = 1_500;

/** Reports to the other processes that this one accepts events, and how many wait on its disk. */
export function declareLivenessLoop(
  { pool, clock }: Store,
  processId: string,
  countOnDisk: () => Record<string, number>,
): LoopDeclaration {
  return {
    name: 'presence',
    round: async () => {
      await upsertLiveness(pool, processId, new Date(clock.now()), countOnDisk());
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}
