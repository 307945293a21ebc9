import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../platform/errors.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { AppendResult, IntakeItem, IntakeQueue } from '../queue/queue.ts';

interface Waiting {
  item: IntakeItem;
  bytes: number;
  /** When it began to wait, in milliseconds of running time. */
  sinceMs: number;
  resolve: (result: AppendResult) => void;
  reject: (error: Error) => void;
}

export interface IntakeLimits {
  /** Commits under way at the same time. */
  lanes: number;
  /** With so many waiting, a commit begins at once: what it costs by itself is spread thinly enough. */
  enoughItems: number;
  /** Waiting places; one project may hold at most half of them, and half of the bytes. */
  maxWaiting: number;
  maxWaitingBytes: number;
  /** What one commit takes at most. */
  maxBatchItems: number;
  maxBatchBytes: number;
}

export interface IntakeOptions {
  limits?: IntakeLimits;
  /** A public sentence about why nothing may be taken in at this moment, asked for each item; null: it may. */
  findRefusal?: () => string | null;
  /** Milliseconds of running time. */
  monotonicMs?: () => number;
}

const INTAKE_LIMITS: IntakeLimits = {
  lanes: 1,
  enoughItems: 64,
  maxWaiting: 8_192,
  maxWaitingBytes: 128 * 1024 * 1024,
  maxBatchItems: 512,
  maxBatchBytes: 2 * 1024 * 1024,
};

/** A disk that is full, or a database that starts again, takes a while. */
const REFUSAL_RETRY_SECONDS = 5;
/** Who has waited longer than this when a commit fails is refused with it: the next commits would fail as slowly. */
const MAX_WAIT_MS = 8_000;

/**
 * Group commit: what arrives while a commit is under way waits together and shares the next one. There is
 * no timer: a commit begins after the first turn of the event loop that brought nobody new. (Without that,
 * a crowd of senders falls into step: one commit takes the first two or three of those whose requests lie
 * ready to be read, and the next one all others, which costs twice the commits.)
 *
 * Guarantee: `append` resolves only after the item's commit. Bounded in places and bytes; a project over its
 * half is refused with 429, past all places everybody with 503. Batches take projects in turn, so that a
 * project's wait does not grow with another's backlog; a bulk body is a batch of its own. While the queue does not
 * answer, nobody waits for much longer than one failing commit and the wait limit.
 */
export class Intake {
  readonly #queue: IntakeQueue;
  readonly #limits: IntakeLimits;
  readonly #metrics: Metrics;
  readonly #findRefusal: () => string | null;
  readonly #monotonicMs: () => number;
  /** Who waits, by project; the order of the map is the order of turns. */
  readonly #lines = new Map<string, { waiting: Waiting[]; bytes: number }>();
  #waitingCount = 0;
  #waitingBytes = 0;
  #underWay = 0;
  #closing = false;
  #onDrained: (() => void)[] = [];

  constructor(queue: IntakeQueue, metrics: Metrics, options: IntakeOptions = {}) {
    this.#queue = queue;
    this.#metrics = metrics;
    this.#limits = options.limits ?? INTAKE_LIMITS;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    this.#findRefusal = options.findRefusal ?? (() => null);
  }

  /**
   * Makes an item durable.
   * @throws ApiError `project_over_share` or `unavailable`, with a time to try again
   */
  append(item: IntakeItem): Promise<AppendResult> {
    const bytes = item.events.reduce((sum, event) => sum + event.length, 0);
    const refusal = this.#refusal(item.projectId, bytes);
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const waiting = { item, bytes, sinceMs: this.#monotonicMs(), resolve, reject };
      const line = this.#lines.get(item.projectId);
      if (line) {
        line.waiting.push(waiting);
        line.bytes += bytes;
      } else {
        this.#lines.set(item.projectId, { waiting: [waiting], bytes });
      }
      this.#waitingCount++;
      this.#waitingBytes += bytes;
      if (this.#underWay < this.#limits.lanes) void this.#run();
    });
  }

  /** Refuses new items and resolves when every accepted one is durable (or was refused by the queue). */
  async drain(): Promise<void> {
    this.#closing = true;
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => this.#onDrained.push(resolve));
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  #refusal(projectId: string, bytes: number): ApiError | null {
    const { maxWaiting, maxWaitingBytes } = this.#limits;
    const retryAfterSeconds = 1;
    if (this.#closing) return new ApiError('unavailable', 'The service is stopping.', { retryAfterSeconds });
    const reason = this.#findRefusal();
    if (reason !== null)
      return new ApiError('unavailable', reason, { retryAfterSeconds: REFUSAL_RETRY_SECONDS });
    if (this.#waitingCount >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes) {
      return new ApiError('unavailable', 'Too many events wait to be written.', { retryAfterSeconds });
    }
    const line = this.#lines.get(projectId);
    if (line && (line.waiting.length >= maxWaiting / 2 || line.bytes + bytes > maxWaitingBytes / 2)) {
      return new ApiError('project_over_share', 'The project holds half of all waiting places.', {
        retryAfterSeconds,
      });
    }
    return null;
  }

  /** A lane: one commit after the other for as long as somebody waits. */
  async #run(): Promise<void> {
    this.#underWay++;
    while (await this.#gather()) {
      const batch = this.#takeBatch();
      const outcome = await this.#commit(batch);
      settle(batch, outcome);
      if (outcome instanceof ApiError) this.#refuseOverdue(outcome);
    }
    this.#underWay--;
    if (this.#underWay === 0) for (const resolve of this.#onDrained.splice(0)) resolve();
  }

  /** Waits while each turn of the event loop brings somebody. @returns whether anybody waits */
  async #gather(): Promise<boolean> {
    let seen = -1;
    while (this.#waitingCount !== seen && this.#waitingCount < this.#limits.enoughItems) {
      seen = this.#waitingCount;
      await nextTurn();
    }
    return this.#waitingCount > 0;
  }

  /** One item of each project in turn, until the batch is full. */
  #takeBatch(): Waiting[] {
    const { maxBatchItems, maxBatchBytes } = this.#limits;
    const batch: Waiting[] = [];
    let batchBytes = 0;
    // A project that is put back at the end of the map is visited again: the loop goes round.
    for (const [projectId, line] of this.#lines) {
      const next = line.waiting[0];
      if (!next) break;
      const bulk = next.item.events.length > 1;
      if (batch.length > 0 && (bulk || batchBytes + next.bytes > maxBatchBytes)) break;
      this.#lines.delete(projectId);
      line.waiting.shift();
      line.bytes -= next.bytes;
      if (line.waiting.length > 0) this.#lines.set(projectId, line);
      batch.push(next);
      batchBytes += next.bytes;
      if (bulk || batch.length === maxBatchItems) break;
    }
    this.#waitingCount -= batch.length;
    this.#waitingBytes -= batchBytes;
    return batch;
  }

  /** Lines are in the order of arrival: the overdue stand at their beginnings. */
  #refuseOverdue(failure: ApiError): void {
    const waitingSinceMs = this.#monotonicMs() - MAX_WAIT_MS;
    for (const [projectId, line] of this.#lines) {
      const end = line.waiting.findIndex(({ sinceMs }) => sinceMs >= waitingSinceMs);
      const overdue = line.waiting.splice(0, end === -1 ? line.waiting.length : end);
      if (line.waiting.length === 0) this.#lines.delete(projectId);
      for (const { bytes, reject } of overdue) {
        line.bytes -= bytes;
        this.#waitingBytes -= bytes;
        reject(failure);
      }
      this.#waitingCount -= overdue.length;
    }
  }

  async #commit(batch: Waiting[]): Promise<AppendResult[] | ApiError> {
    try {
      const results = await this.#queue.append(batch.map(({ item }) => item));
      this.#metrics.intakeBatchEvents.observe(batch.reduce((sum, { item }) => sum + item.events.length, 0));
      return results;
    } catch (cause) {
      return new ApiError('unavailable', 'The event could not be written.', { retryAfterSeconds: 1, cause });
    }
  }
}

function settle(batch: Waiting[], outcome: AppendResult[] | ApiError): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const result = Array.isArray(outcome) ? outcome[index] : undefined;
    if (result) resolve(result);
    else
      reject(
        outcome instanceof ApiError ? outcome : new Error('The queue gave fewer results than it got items.'),
      );
  }
}
