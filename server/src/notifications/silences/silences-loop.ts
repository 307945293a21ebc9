import type { Store } from '../../database/database.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import { settleSilences } from './settle-silences.ts';

/** How long an incident that is still open waits after the end of a silence. */
const IDLE_MS = 5_000;

export function declareSilencesLoop(store: Store): LoopDeclaration {
  return {
    name: 'silences',
    round: async () => ((await settleSilences(store)) ? 'again' : 'idle'),
    idleDelayMs: IDLE_MS,
  };
}
