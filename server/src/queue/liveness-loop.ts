import type { Store } from '../database/database.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { upsertLiveness } from './liveness-queries.ts';

/** Upper bound on the risk loop's lag: a minute is closed once ingestion's clock has passed it. */
const INTERVAL_MS = 1_500;

/** Records that wait on the disk of a process. */
interface EventsOnDisk {
  countByProject: () => Record<string, number>;
  /** Number of records that were kept so far. */
  readonly appended: number;
}

/**
 * Reports to the other processes that this one accepts events, and how many wait on its disk.
 * @param disk null: it keeps nothing there
 */
export function declareLivenessLoop(
  { pool, clock }: Store,
  processId: string,
  disk: EventsOnDisk | null,
): LoopDeclaration {
  let reported = 0;
  return {
    name: 'presence',
    round: async () => {
      const appended = disk?.appended ?? 0;
      const report = { onDisk: disk?.countByProject() ?? {}, hasSpooled: appended > reported };
      await upsertLiveness(pool, processId, new Date(clock.now()), report);
      reported = appended;
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}
