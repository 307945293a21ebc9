import { isConnectionLost } from '../../database/sql-state.ts';
import { DAY_MS } from '../../platform/durations.ts';
import type { AppendResult, IntakeItem, IntakeQueue } from '../../queue/queue.ts';

/**
 * Time before the loss of the database within which a key must have been seen to be valid, so that what it sends during
 * the loss is accepted.
 */
const KEY_SEEN_WITHIN_MS = 5_000;
/** Time after its last use for which a key is watched, and the most that are; the oldest leave first. */
const WATCH_MS = DAY_MS;
const MAX_WATCHED_KEYS = 1_000;
/** Maximum keys whose validity is remembered; emptied when full, and filled again by the next commits. */
const MAX_SEEN_KEYS = 10_000;

export interface OutageOptions {
  /** Milliseconds of running time. */
  monotonicMs: () => number;
  /** Returns a sentence if the database is known to be down without a query; null: it is not. */
  findOutage: () => string | null;
}

/**
 * Knows since when the database has been lost, from the commits of this process and the watch of its keys, and which keys
 * it saw to be valid shortly before. An outage begins with one of them that failed by a lost connection, a refused server
 * included, or that has had no answer for long, or with an embedded database that is known to be down. It ends with one
 * that succeeds.
 */
export class Outage {
  readonly #options: OutageOptions;
  /** Last time at which a key was valid, by id. Monotonic milliseconds. */
  readonly #seen = new Map<string, number>();
  /** Last use of the keys of clients that would not send again, by id, oldest first. Monotonic milliseconds. */
  readonly #watched = new Map<string, number>();
  #sinceMs: number | null = null;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Duration of the outage so far, in milliseconds; null: there is none. */
  get durationMs(): number | null {
    const nowMs = this.#options.monotonicMs();
    if (this.#options.findOutage() !== null) this.#sinceMs ??= nowMs;
    return this.#sinceMs === null ? null : nowMs - this.#sinceMs;
  }

  /** True if the key was valid within the five seconds before the outage. */
  knewKey(keyId: string): boolean {
    const seenMs = this.#seen.get(keyId);
    if (seenMs === undefined || this.#sinceMs === null) return false;
    return seenMs >= this.#sinceMs - KEY_SEEN_WITHIN_MS;
  }

  /** Notes that the client of a key would not send again what it sends now. */
  watchKey(keyId: string): void {
    this.#watched.delete(keyId);
    this.#watched.set(keyId, this.#options.monotonicMs());
    for (const [oldest] of this.#watched) {
      if (this.#watched.size <= MAX_WATCHED_KEYS) break;
      this.#watched.delete(oldest);
    }
  }

  /** Ids of the keys that `watchKey` was called for within a day. */
  listWatchedKeys(): string[] {
    const sinceMs = this.#options.monotonicMs() - WATCH_MS;
    for (const [keyId, usedMs] of this.#watched) {
      if (usedMs >= sinceMs) break;
      this.#watched.delete(keyId);
    }
    return [...this.#watched.keys()];
  }

  /** Notes that the database called a key valid, in an answer to a question of this time. */
  noteValidKey(keyId: string, askedMs: number): void {
    if (this.#seen.size >= MAX_SEEN_KEYS && !this.#seen.has(keyId)) this.#seen.clear();
    this.#seen.set(keyId, askedMs);
  }

  /** A loss is not later than the question that it left without an answer. */
  #noteFailure(error: unknown, askedMs: number): void {
    if (isConnectionLost(error)) this.noteSilence(askedMs);
  }

  /** Notes that a question of this time has no answer. */
  noteSilence(askedMs: number): void {
    this.#sinceMs = Math.min(this.#sinceMs ?? askedMs, askedMs);
  }

  /** Asks the database: a lost connection begins the outage, and an answer ends it. */
  async ask<T>(work: (askedMs: number) => Promise<T>): Promise<T> {
    const askedMs = this.#options.monotonicMs();
    try {
      const answer = await work(askedMs);
      this.end();
      return answer;
    } catch (error) {
      this.#noteFailure(error, askedMs);
      throw error;
    }
  }

  /** Notes that the database answers. */
  end(): void {
    this.#sinceMs = null;
  }

  /** Returns the queue, whose commits tell from now on when the database is lost and which keys are valid. */
  observe(queue: IntakeQueue): IntakeQueue {
    return {
      append: (items) =>
        this.ask(async (askedMs) => {
          const results = await queue.append(items);
          this.#noteKeys(items, results, askedMs);
          return results;
        }),
    };
  }

  #noteKeys(items: IntakeItem[], results: AppendResult[], askedMs: number): void {
    for (const [index, { keyId }] of items.entries())
      if (results[index]?.status !== 'refused') this.noteValidKey(keyId, askedMs);
  }
}
