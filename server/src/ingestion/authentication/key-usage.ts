import type { Pool } from '../../database/database.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import { updateLastUsed } from '../../tenancy/api-keys/queries.ts';

const INTERVAL_MS = 30_000;

export function declareUsageLoop(usage: KeyUsage, pool: Pool): LoopDeclaration {
  return {
    name: 'key usage',
    round: async () => {
      await usage.flush(pool);
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}

/** Remembers when keys were used and writes it periodically: never one write a request. */
export class KeyUsage {
  #uses = new Map<string, number>();

  note(keyId: string, nowMs: number): void {
    this.#uses.set(keyId, nowMs);
  }

  /** Writes the uses since the last time. A failed write is tried again the next time. */
  async flush(pool: Pool): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await updateLastUsed(pool, uses);
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses]);
      throw error;
    }
  }
}
