import { assert } from '../../platform/assert.ts';
import { ApiError } from '../../platform/errors.ts';
import { unavailable } from '../../platform/unavailable.ts';
import type { AppendResult, IntakeItem } from '../../queue/queue.ts';
import { INTAKE_ERRORS } from './errors.ts';

/** What a request came over, such as its socket. */
export interface Connection {
  readonly destroyed: boolean;
}

export interface Waiting {
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

export interface LineLimits {
  /** Waiting places; one project may hold at most half of them, and half of the bytes. */
  maxWaiting: number;
  maxWaitingBytes: number;
  /** What one batch takes at most. */
  maxBatchItems: number;
  maxBatchBytes: number;
}

/**
 * A client that closes its connection before this has not lost patience: it does not wait for answers at all, or reports
 * the error that it ends with. Its event is committed. One that closes it later is likely to have sent the event again.
 */
export const LEAVING_MS = 2_000;
/** When all places are taken, those of clients that left are looked for this often at most. */
const SWEEP_INTERVAL_MS = 1_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * What waits for a commit, a line for each project. Bounded in places and bytes, of which one project holds at most
 * half. Projects are taken in turn; who is left out of a batch keeps the turn. A request whose client left after
 * two seconds is not taken, and gives its place up where places are short.
 */
export class WaitingLines {
  readonly #limits: LineLimits;
  /** By project; the order of the map is the order of turns. */
  readonly #lines = new Map<string, Line>();
  #count = 0;
  #bytes = 0;
  #sweptAtMs = -Infinity;

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /** Why there is no place for so many bytes of a project, also once the places of clients that left are free. */
  findRefusal(projectId: string, bytes: number, nowMs: number): ApiError | null {
    const refusal = this.#refusal(projectId, bytes);
    return refusal && this.#sweep(nowMs) ? this.#refusal(projectId, bytes) : refusal;
  }

  add(waiting: Waiting): void {
    const { projectId } = waiting.item;
    const line = this.#lines.get(projectId);
    if (line) {
      line.waiting.push(waiting);
      line.bytes += waiting.bytes;
    } else {
      this.#lines.set(projectId, { waiting: [waiting], bytes: waiting.bytes });
    }
    this.#count++;
    this.#bytes += waiting.bytes;
  }

  /**
   * One item of each project in turn, until the batch is full; a bulk body is a batch of its own. Empty where no client is left.
   * @param passed projects whose items keep waiting, and their turns
   */
  takeBatch(nowMs: number, passed: ReadonlySet<string> = NONE): Waiting[] {
    const batch: Waiting[] = [];
    try {
      this.#fill(batch, nowMs, passed);
    } catch (error) {
      // A bug: what is in the batch is in no line any more, so `reset` does not find it.
      for (const { reject } of batch) reject(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    return batch;
  }

  #fill(batch: Waiting[], nowMs: number, passed: ReadonlySet<string>): void {
    const { maxBatchItems, maxBatchBytes } = this.#limits;
    let batchBytes = 0;
    // A project that is put back at the end of the map is visited again: the loop goes round.
    for (const [projectId, line] of this.#lines) {
      if (passed.has(projectId)) continue;
      let next = line.waiting[0];
      while (next && hasLeft(next, nowMs - LEAVING_MS)) {
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
      batch.push(next);
      this.#lines.delete(projectId);
      this.#takeFirst(line);
      if (line.waiting.length > 0) this.#lines.set(projectId, line);
      batchBytes += next.bytes;
      if (bulk || batch.length === maxBatchItems) break;
    }
  }

  /** Refuses those that a condition holds for; the others keep their turns. */
  refuseWhere(isRefused: (waiting: Waiting) => boolean, error: ApiError): void {
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

  /** After a bug: refuses everything that waits, so that the counts of places and bytes are right again. */
  reset(error: Error): void {
    const lines = [...this.#lines.values()];
    this.#lines.clear();
    this.#count = 0;
    this.#bytes = 0;
    for (const { waiting } of lines) for (const { reject } of waiting) reject(error);
  }

  #refusal(projectId: string, bytes: number): ApiError | null {
    const { maxWaiting, maxWaitingBytes } = this.#limits;
    if (this.#count >= maxWaiting || this.#bytes + bytes > maxWaitingBytes) {
      return unavailable('Too many events wait to be written.', { retryAfterSeconds: 1 });
    }
    const line = this.#lines.get(projectId);
    if (line && (line.waiting.length >= maxWaiting / 2 || line.bytes + bytes > maxWaitingBytes / 2)) {
      return new ApiError(INTAKE_ERRORS.project_over_share, 'The project holds half of all waiting places.', {
        retryAfterSeconds: 1,
      });
    }
    return null;
  }

  /** Takes the places back whose clients left. @returns whether there were any */
  #sweep(nowMs: number): boolean {
    if (nowMs - this.#sweptAtMs < SWEEP_INTERVAL_MS) return false;
    this.#sweptAtMs = nowMs;
    const before = this.#count;
    this.refuseWhere((waiting) => hasLeft(waiting, nowMs - LEAVING_MS), clientLeft());
    return this.#count < before;
  }

  #takeFirst(line: Line): void {
    const first = line.waiting.shift();
    if (first) this.#release(line, first);
  }

  #release(line: Line, { bytes }: Waiting): void {
    line.bytes -= bytes;
    this.#bytes -= bytes;
    this.#count--;
    // What is released twice would let more in than there is room for, and what is never released less.
    assert(line.bytes >= 0 && this.#bytes >= 0 && this.#count >= 0, 'A waiting place was released twice.');
    assert(this.#count > 0 || this.#bytes === 0, 'Bytes are held without a waiting place.');
  }
}

/** The time is compared first: a socket is looked at only where commits are slow. */
export function hasLeft(
  { sinceMs, connection }: Pick<Waiting, 'sinceMs' | 'connection'>,
  leavingSinceMs: number,
): boolean {
  return sinceMs <= leavingSinceMs && connection.destroyed;
}

/** Written to the log and the metrics only: there is no client to read it. */
export function clientLeft(): ApiError {
  return unavailable('The client has gone away.', { retryAfterSeconds: 1 });
}
