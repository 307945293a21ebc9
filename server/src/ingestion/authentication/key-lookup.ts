import { ConnectionError } from '../../database/connection-error.ts';
import type { ApiError } from '../../platform/errors.ts';
import { MAX_SILENCE_MS } from '../../platform/timing/max-silence.ts';
import { Sweep } from '../../platform/timing/sweep.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { hashApiKey, isWellFormedApiKey } from '../../tenancy/api-keys/key-format.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { KeyLookupMetrics } from './metrics.ts';

interface PendingLookup {
  hash: Buffer;
  /** When it began to wait, in milliseconds of running time. */
  sinceMs: number;
  resolve: (owner: KeyOwner | null) => void;
  reject: (error: Error) => void;
}

/** Concurrent queries: with two, a request never waits for more than one whole query before its own. */
const LANES = 2;
const MAX_WAITING = 16_384;

/**
 * Checks for every request in the database that its key is valid, at the cost of one small query for all requests
 * that wait at the same moment.
 *
 * Guarantee: a lookup is answered by a query that began after the lookup did. A call after a revocation was committed
 * returns null, in every process; nothing is ever answered from memory.
 */
export class KeyLookup {
  readonly #findOwners: (hashes: Buffer[]) => Promise<Map<string, KeyOwner>>;
  readonly #metrics: KeyLookupMetrics;
  /** Lookups by hash in hex: requests with the same key share one. */
  #waiting = new Map<string, PendingLookup[]>();
  #waitingCount = 0;
  readonly #underWay = new Set<Map<string, PendingLookup[]>>();
  readonly #monotonicMs: () => number;
  readonly #overdue = new Sweep(() => this.#answerOverdue());

  /**
   * @param findOwners returns the owners of those keys that are valid now, by hash in hex
   * @param monotonicMs milliseconds of running time
   */
  constructor(
    findOwners: (hashes: Buffer[]) => Promise<Map<string, KeyOwner>>,
    metrics: KeyLookupMetrics,
    monotonicMs: () => number = () => performance.now(),
  ) {
    this.#findOwners = findOwners;
    this.#metrics = metrics;
    this.#monotonicMs = monotonicMs;
  }

  /**
   * @returns null for a key that is unknown, revoked or mistyped
   * @throws ApiError `unavailable` if the database does not answer or too many requests wait
   */
  find(rawKey: string): Promise<KeyOwner | null> {
    if (!isWellFormedApiKey(rawKey)) return Promise.resolve(null);
    if (this.#waitingCount >= MAX_WAITING) {
      return Promise.reject(unavailable('Too many requests wait.', { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      const hash = hashApiKey(rawKey);
      const hex = hash.toString('hex');
      const lookup = { hash, sinceMs: this.#monotonicMs(), resolve, reject };
      const waiting = this.#waiting.get(hex);
      if (waiting) waiting.push(lookup);
      else this.#waiting.set(hex, [lookup]);
      this.#waitingCount++;
      if (this.#underWay.size < LANES) void this.#run();
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#waiting;
      this.#waiting = new Map();
      this.#waitingCount = 0;
      this.#underWay.add(batch);
      this.#overdue.start();
      await this.#answer(batch);
      this.#underWay.delete(batch);
    }
  }

  async #answer(batch: Map<string, PendingLookup[]>): Promise<void> {
    try {
      this.#metrics.keyLookupBatchKeys.observe(batch.size);
      const hashes = [...batch.values()].flatMap(([first]) => (first ? [first.hash] : []));
      const owners = await this.#findOwners(hashes);
      for (const [hex, waiting] of batch) {
        for (const { resolve } of waiting) resolve(owners.get(hex) ?? null);
      }
    } catch (cause) {
      const error = cannotCheck(cause);
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error);
    }
  }

  /** @returns true while a query is in progress */
  #answerOverdue(): boolean {
    const overdueMs = this.#monotonicMs() - MAX_SILENCE_MS;
    for (const batch of this.#underWay) rejectUntil(overdueMs, batch);
    this.#waitingCount -= rejectUntil(overdueMs, this.#waiting);
    return this.#underWay.size > 0;
  }
}

/** Rejects lookups that wait since that time or longer, and removes them. @returns their number */
function rejectUntil(overdueMs: number, batch: Map<string, PendingLookup[]>): number {
  const error = cannotCheck(new ConnectionError(new Error('The query has had no answer in time.')));
  let count = 0;
  for (const [hex, lookups] of batch) {
    // They stand in the order of their calls.
    const firstLeft = lookups.findIndex(({ sinceMs }) => sinceMs > overdueMs);
    const overdue = lookups.splice(0, firstLeft === -1 ? lookups.length : firstLeft);
    for (const { reject } of overdue) reject(error);
    count += overdue.length;
    if (lookups.length === 0) batch.delete(hex);
  }
  return count;
}

function cannotCheck(cause: unknown): ApiError {
  return unavailable('The API key cannot be checked now.', { retryAfterSeconds: 1, cause });
}
