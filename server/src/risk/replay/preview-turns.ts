import { FairTurns, NoTurnError } from '../../platform/fair-turns.ts';
import { unavailable } from '../../platform/unavailable.ts';

const MAX_WAITING = 8;
/** Of one organization: none takes all places. */
const MAX_WAITING_OF_ONE = 4;
const RETRY_AFTER_SECONDS = 5;

/** A preview is seconds of work: a process runs one at a time, and organizations in turn. */
export class PreviewTurns {
  readonly #turns = new FairTurns({
    running: 1,
    runningOfOne: 1,
    waiting: MAX_WAITING,
    waitingOfOne: MAX_WAITING_OF_ONE,
    maxWaitMs: null,
  });

  /** @throws ApiError `unavailable` if all waiting places are taken; the signal's reason */
  async take<T>(organizationId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.take(organizationId, signal, work);
    } catch (error) {
      if (!(error instanceof NoTurnError)) throw error;
      throw unavailable('Other previews are running.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
  }
}
