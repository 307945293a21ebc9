import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../platform/errors.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { AppendResult, IntakeItem, IntakeQueue } from '../queue/queue.ts';

/** What a request came over, such as its socket. */
export interface Connection {
  readonly destroyed: boolean;
}

interface Waiting {
  item: IntakeItem;
  connection: Connection;
  bytes: number;
  /** When it began to wait, in milliseconds of running time. */
  sinceMs: number;
  resolve: (result: AppendResult) => void;
  reject: (error: Error) => void;
}

/** What waits of one project, in the order of arrival. */
interface Line {
  waiting: Waiting[];
  bytes: number;
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
 * A client that closes its connection before this has not lost patience: it does not wait for answers at all, or reports
 * the error that it ends with. Its event is committed. One that closes it later is likely to have sent the event again.
 */
const LEAVING_MS = 2_000;
/** When all places are taken, those of clients that left are looked for this often at most. */
const SWEEP_INTERVAL_MS = 1_000;

/**
 * Group commit: what arrives while a commit is under way waits together and shares the next one. There is
 * no timer: a commit begins after the first turn of the event loop that brought nobody new. (Without that,
 * a crowd of senders falls into step: one commit takes the first two or three of those whose requests lie
 * ready to be read, and the next one all others, which costs twice the commits.)
 *
 * Guarantee: `append` resolves only after the item's commit. Bounded in places and bytes; a project over its
 * half is refused with 429, past all places everybody with 503. Batches take projects in turn, so that a
 * project's wait does not grow with another's backlog; a bulk body is a batch of its own. While the queue does not
 * answer, nobody waits for much longer than one failing commit and the wait limit. A request whose client left after
 * it had waited for two seconds is not committed, and gives its place up where places are short.
 */
export class Intake {
  readonly #queue: IntakeQueue;
  readonly #limits: IntakeLimits;
  readonly #metrics: Metrics;
  readonly #findRefusal: () => string | null;
  readonly #monotonicMs: () => number;
  /** Who waits, by project; the order of the map is the order of turns. */
  readonly #lines = new Map<string, Line>();
  #waitingCount = 0;
  #waitingBytes = 0;
  #underWay = 0;
  #sweptAtMs = -Infinity;
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
   * @param connection looked at when its turn comes: the item may be left out where it is destroyed
   * @throws ApiError `project_over_share` or `unavailable`, with a time to try again
   */
  append(item: IntakeItem, connection: Connection): Promise<AppendResult> {
    const bytes = item.events.reduce((sum, event) => sum + event.length, 0);
    let refusal = this.#refusal(item.projectId, bytes);
    if (refusal && this.#sweep()) refusal = this.#refusal(item.projectId, bytes);
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const waiting = { item, connection, bytes, sinceMs: this.#monotonicMs(), resolve, reject };
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
      if (batch.length === 0) continue;
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

  /** One item of each project in turn, until the batch is full; empty where no client is left. */
  #takeBatch(): Waiting[] {
    const { maxBatchItems, maxBatchBytes } = this.#limits;
    const batch: Waiting[] = [];
    let batchBytes = 0;
    const leavingSinceMs = this.#monotonicMs() - LEAVING_MS;
    // A project that is put back at the end of the map is visited again: the loop goes round.
    for (const [projectId, line] of this.#lines) {
      let next = line.waiting[0];
      while (next && hasLeft(next, leavingSinceMs)) {
        this.#takeFirst(line);
        next.reject(clientLeft());
        next = line.waiting[0];
      }
      if (!next) {
        this.#lines.delete(projectId);
        continue;
      }
      const bulk = next.item.events.length > 1;
      if (batch.length > 0 && (bulk || batchBytes + next.bytes > maxBatchBytes)) break;
      this.#lines.delete(projectId);
      this.#takeFirst(line);
      if (line.waiting.length > 0) this.#lines.set(projectId, line);
      batch.push(next);
      batchBytes += next.bytes;
      if (bulk || batch.length === maxBatchItems) break;
    }
    return batch;
  }

  #takeFirst(line: Line): void {
    const first = line.waiting.shift();
    if (first) this.#release(line, first);
  }

  #release(line: Line, { bytes }: Waiting): void {
    line.bytes -= bytes;
    this.#waitingBytes -= bytes;
    this.#waitingCount--;
  }

  #refuseOverdue(failure: ApiError): void {
    const waitingSinceMs = this.#monotonicMs() - MAX_WAIT_MS;
    this.#refuseWhere(({ sinceMs }) => sinceMs < waitingSinceMs, failure);
  }

  /** Takes the places back whose clients left. @returns whether there were any */
  #sweep(): boolean {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#sweptAtMs < SWEEP_INTERVAL_MS) return false;
    this.#sweptAtMs = nowMs;
    const before = this.#waitingCount;
    this.#refuseWhere((waiting) => hasLeft(waiting, nowMs - LEAVING_MS), clientLeft());
    return this.#waitingCount < before;
  }

  /** The others keep their turns. */
  #refuseWhere(isRefused: (waiting: Waiting) => boolean, error: ApiError): void {
    for (const [projectId, line] of this.#lines) {
      const staying: Waiting[] = [];
      for (const waiting of line.waiting) {
        if (isRefused(waiting)) {
          this.#release(line, waiting);
          waiting.reject(error);
        } else {
          staying.push(waiting);
        }
      }
      line.waiting = staying;
      if (staying.length === 0) this.#lines.delete(projectId);
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

/** The time is compared first: a socket is looked at only where commits are slow. */
function hasLeft({ sinceMs, connection }: Waiting, leavingSinceMs: number): boolean {
  return sinceMs <= leavingSinceMs && connection.destroyed;
}

/** Written to the log and the metrics only: there is no client to read it. */
function clientLeft(): ApiError {
  return new ApiError('unavailable', 'The client has gone away.', { retryAfterSeconds: 1 });
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
