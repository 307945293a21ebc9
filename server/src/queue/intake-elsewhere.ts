import type { Pool } from '../database/database.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { isTakenInElsewhere } from './liveness-queries.ts';

/** Maximum wait for events of a process that has just begun to accept them. */
const INTERVAL_MS = 5_000;

/** Knows if another process accepts events, which cannot wake the worker of this one. */
export class IntakeElsewhere {
  readonly loop: LoopDeclaration;
  #isFound = true;

  constructor(pool: Pool, processId: string, onFound: () => void) {
    this.loop = {
      name: 'intake elsewhere',
      round: async () => {
        const wasFound = this.#isFound;
        this.#isFound = await isTakenInElsewhere(pool, processId);
        if (this.#isFound && !wasFound) onFound();
        return 'idle';
      },
      idleDelayMs: INTERVAL_MS,
    };
  }

  get isFound(): boolean {
    return this.#isFound;
  }
}
