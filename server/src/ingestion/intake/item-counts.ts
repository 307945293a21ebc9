import type { Pool } from '../../database/database.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import { addUnstoredItems, type UnstoredItems } from './queries.ts';

const INTERVAL_MS = 5_000;
/** Maximum count of one report: a forged one must not fill the sum. */
const MAX_QUANTITY = 1_000_000;
/** Maximum counts between two writes; further kinds of projects are left out. */
const MAX_COUNTS = 50_000;

/** Reason of an item that arrived and is of no kind that is stored. */
export const NOT_KEPT = 'not_kept';

export function declareItemCountLoop(counts: ItemCounts, pool: Pool): LoopDeclaration {
  return {
    name: 'item counts',
    round: async () => {
      await counts.flush(pool);
      return 'idle';
    },
    idleDelayMs: INTERVAL_MS,
  };
}

/** Counts by project what leads to no event, and adds the counts to the ledger periodically. */
export class ItemCounts {
  #counts = new Map<string, UnstoredItems>();

  note(item: UnstoredItems): void {
    const { projectId, kind, reason, quantity } = item;
    const key = `${projectId} ${kind} ${reason}`;
    const known = this.#counts.get(key);
    if (!known && this.#counts.size >= MAX_COUNTS) return;
    const sum = (known?.quantity ?? 0) + Math.min(quantity, MAX_QUANTITY);
    this.#counts.set(key, { projectId, kind, reason, quantity: sum });
  }

  /** Writes the counts since the last time. A failed write is tried again the next time. */
  async flush(pool: Pool): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      await addUnstoredItems(pool, counts);
    } catch (error) {
      for (const count of counts) this.note(count);
      throw error;
    }
  }
}
