import type { Pool } from '../../database/database.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import { listValidKeyIds } from '../../queue/queries.ts';
import type { Outage } from './outage.ts';

/** Half of the time before a loss within which a key must have been seen to be valid. */
const INTERVAL_MS = 2_500;

/**
 * Asks which keys of clients that would not send again are valid, so that one that sends an event an hour is served in an
 * outage like one that sends all the time. A lost connection begins the outage, and an answer ends it. While there is no
 * such client it asks nothing.
 */
export function declareKeyWatchLoop(outage: Outage, pool: Pool): LoopDeclaration {
  return {
    name: 'validity of keys',
    round: async () => {
      const keyIds = outage.listWatchedKeys();
      if (keyIds.length === 0) return 'idle';
      await outage.ask(async (askedMs) => {
        for (const keyId of await listValidKeyIds(pool, keyIds)) outage.noteValidKey(keyId, askedMs);
      });
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}
