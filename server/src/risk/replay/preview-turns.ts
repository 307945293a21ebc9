import { ApiError } from '../../platform/errors.ts';

const MAX_WAITING = 8;
/** Of one organization: none takes all places. */
const MAX_WAITING_OF_ONE = 4;
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  organizationId: string;
  go: () => void;
}

/**
 * Previews are seconds of work, so a process does one at a time. The others wait in the order in which they came, as
 * many as there are places; a client that goes away frees its place.
 */
export class PreviewTurns {
  #isBusy = false;
  readonly #waiting: Waiting[] = [];

  /** @throws ApiError `unavailable` where all places are taken */
  async take<T>(organizationId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait(organizationId, signal);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Handed on, and not free in between: a newcomer waits behind.
      if (next) next.go();
      else this.#isBusy = false;
    }
  }

  #wait(organizationId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const own = this.#waiting.filter((waiting) => waiting.organizationId === organizationId).length;
    if (own >= MAX_WAITING_OF_ONE || this.#waiting.length >= MAX_WAITING) {
      throw new ApiError('unavailable', 'Other previews are running.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    return new Promise((resolve, reject) => {
      const waiting = { organizationId, go: () => {} };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      waiting.go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}
