import { ApiError } from '../../platform/errors.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { INTAKE_ERRORS } from '../intake/errors.ts';

interface Waiting {
  bytes: number;
  go: () => void;
}

export interface BulkTurnLimits {
  /** Bodies that are worked on at the same time. */
  atWork: number;
  /** Waiting places, and bytes of bodies that wait; one project may hold at most half of each. */
  maxWaiting: number;
  maxWaitingBytes: number;
}

const BULK_TURN_LIMITS: BulkTurnLimits = {
  // One is decompressed while another one is read.
  atWork: 2,
  maxWaiting: 8_192,
  maxWaitingBytes: 64 * 1024 * 1024,
};

const RETRY_AFTER_SECONDS = 1;

/**
 * A bulk body of ten kilobytes may unpack to 10 MiB and be a second of work: a process works on two of them at a
 * time. The others wait as they were sent, projects in turn; who goes away gives the place up.
 */
export class BulkTurns {
  readonly #limits: BulkTurnLimits;
  /** Who waits, by project; the order of the map is the order of turns. */
  readonly #lines = new Map<string, Waiting[]>();
  #atWork = 0;
  #waitingCount = 0;
  #waitingBytes = 0;

  constructor(limits: BulkTurnLimits = BULK_TURN_LIMITS) {
    this.#limits = limits;
  }

  /**
   * @param bytes how much is held while it waits
   * @throws ApiError `project_over_share` or `unavailable` where the places are taken; what `signal` was aborted with
   */
  async take<T>(projectId: string, bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#atWork >= this.#limits.atWork) await this.#wait(projectId, bytes, signal);
    else this.#atWork++;
    try {
      return await work();
    } finally {
      const next = this.#next();
      // Handed on, and not free in between: a newcomer waits behind.
      if (next) next.go();
      else this.#atWork--;
    }
  }

  #wait(projectId: string, bytes: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#refuseWhereFull(projectId, bytes);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(projectId, waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        bytes,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      const line = this.#lines.get(projectId);
      if (line) line.push(waiting);
      else this.#lines.set(projectId, [waiting]);
      this.#waitingCount++;
      this.#waitingBytes += bytes;
    });
  }

  #refuseWhereFull(projectId: string, bytes: number): void {
    const { maxWaiting, maxWaitingBytes } = this.#limits;
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (this.#waitingCount >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes)
      throw unavailable('Too many bulk bodies wait to be read.', retry);
    const line = this.#lines.get(projectId) ?? [];
    const lineBytes = line.reduce((sum, waiting) => sum + waiting.bytes, 0);
    if (line.length >= maxWaiting / 2 || lineBytes + bytes > maxWaitingBytes / 2)
      throw new ApiError(
        INTAKE_ERRORS.project_over_share,
        'The project holds half of all waiting places.',
        retry,
      );
  }

  /** The one whose turn it is: the first of the project that has waited longest for a turn. */
  #next(): Waiting | null {
    for (const [projectId, line] of this.#lines) {
      const next = line[0];
      if (!next) continue;
      this.#remove(projectId, next);
      this.#lines.delete(projectId);
      if (line.length > 0) this.#lines.set(projectId, line);
      return next;
    }
    return null;
  }

  #remove(projectId: string, waiting: Waiting): void {
    const line = this.#lines.get(projectId) ?? [];
    line.splice(line.indexOf(waiting), 1);
    if (line.length === 0) this.#lines.delete(projectId);
    this.#waitingCount--;
    this.#waitingBytes -= waiting.bytes;
  }
}
