import type { ApiError } from '../../platform/errors.ts';
import { KeyedLines, type Waiter } from '../../platform/keyed-lines.ts';
import { unavailable } from '../../platform/unavailable.ts';
import type { AppendResult, IntakeItem } from '../../queue/queue.ts';
import { refusePlace } from './refuse-place.ts';

/** Connection of a request, such as its socket. */
export interface Connection {
  readonly destroyed: boolean;
}

/** A waiting request; its key is its project. */
export interface WaitingRequest extends Waiter {
  item: IntakeItem;
  connection: Connection;
  /** When it began to wait, in milliseconds of running time. */
  sinceMs: number;
  resolve: (result: AppendResult) => void;
  reject: (error: Error) => void;
}

export interface LineLimits {
  /** Maximum waiting places; one project may hold at most half of them, and half of the bytes. */
  maxWaiting: number;
  maxWaitingBytes: number;
  /** Maximum items of one batch. */
  maxBatchItems: number;
  maxBatchBytes: number;
}

/**
 * A client that closes its connection before this has not lost patience: it does not wait for answers at all, or
 * reports the error that it ends with. Its event is committed. One that closes it later is likely to have sent the
 * event again.
 */
export const LEAVING_MS = 2_000;
/** Minimum interval between two searches for the places of clients that left, once all places are taken. */
const SWEEP_INTERVAL_MS = 1_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * Requests that wait for a commit; one project holds at most half of the places and bytes. Projects have turns; a
 * project left out of a batch keeps its turn. A request whose client left after two seconds is not taken, and gives
 * up its place if places are short.
 */
export class WaitingLines {
  readonly #limits: LineLimits;
  readonly #lines: KeyedLines<WaitingRequest>;
  #sweptAtMs = -Infinity;

  constructor(limits: LineLimits) {
    this.#limits = limits;
    this.#lines = new KeyedLines({ ...limits, maxShare: 1 / 2 });
  }

  get count(): number {
    return this.#lines.count;
  }

  /**
   * Reason for which there is no place for so many bytes of a project, even after freeing the places of clients that
   * left.
   */
  findRefusal(projectId: string, bytes: number, nowMs: number): ApiError | null {
    let refusal = this.#lines.findRefusal(projectId, bytes);
    if (refusal && this.#sweep(nowMs)) refusal = this.#lines.findRefusal(projectId, bytes);
    return refusal && refusePlace(refusal, 'Too many events wait to be written.');
  }

  add(waiting: WaitingRequest): void {
    this.#lines.add(waiting);
  }

  /**
   * Takes one item of each project in turn, until the batch is full; a bulk body is a batch of its own. Empty if no
   * client is left.
   * @param passed projects whose items keep waiting, and their turns
   */
  takeBatch(nowMs: number, passed: ReadonlySet<string> = NONE): WaitingRequest[] {
    const batch: WaitingRequest[] = [];
    try {
      this.#fill(batch, nowMs - LEAVING_MS, passed);
    } catch (error) {
      // A bug: the items of the batch are in no line any more, so `reset` does not find them.
      for (const { reject } of batch) reject(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    return batch;
  }

  #fill(batch: WaitingRequest[], leavingSinceMs: number, passed: ReadonlySet<string>): void {
    const { maxBatchItems, maxBatchBytes } = this.#limits;
    let batchBytes = 0;
    for (const line of this.#lines.inTurn()) {
      if (passed.has(line.key)) continue;
      if (line.first && hasLeft(line.first, leavingSinceMs)) this.#refuseLeft(leavingSinceMs, line.key);
      const next = line.first;
      if (!next) continue;
      const bulk = next.item.events.length > 1;
      if (batch.length > 0 && (bulk || batchBytes + next.bytes > maxBatchBytes)) break;
      batch.push(next);
      this.#lines.take(line.key);
      batchBytes += next.bytes;
      if (bulk || batch.length === maxBatchItems) break;
    }
  }

  /**
   * Refuses requests that meet a condition; the others keep their turns.
   * @param projectId the only project that is searched; all by default
   */
  refuseWhere(isRefused: (waiting: WaitingRequest) => boolean, error: Error, projectId?: string): void {
    for (const { reject } of this.#lines.removeWhere(isRefused, projectId)) reject(error);
  }

  /** After a bug: refuses all waiting requests, so that the counts of places and bytes are right again. */
  reset(error: Error): void {
    for (const { reject } of this.#lines.clear()) reject(error);
  }

  /** Frees the places of clients that left. @returns true if there were any */
  #sweep(nowMs: number): boolean {
    if (nowMs - this.#sweptAtMs < SWEEP_INTERVAL_MS) return false;
    this.#sweptAtMs = nowMs;
    const before = this.count;
    this.#refuseLeft(nowMs - LEAVING_MS);
    return this.count < before;
  }

  #refuseLeft(leavingSinceMs: number, projectId?: string): void {
    this.refuseWhere((waiting) => hasLeft(waiting, leavingSinceMs), clientLeft(), projectId);
  }
}

/** Compares the time first: a socket is checked only if commits are slow. */
export function hasLeft(
  { sinceMs, connection }: Pick<WaitingRequest, 'sinceMs' | 'connection'>,
  leavingSinceMs: number,
): boolean {
  return sinceMs <= leavingSinceMs && connection.destroyed;
}

/** Error for the log and the metrics only: there is no client to read it. */
export function clientLeft(): ApiError {
  return unavailable('The client has gone away.', { retryAfterSeconds: 1 });
}
