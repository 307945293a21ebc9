export interface TurnLimits {
  /** At once, in all and of one owner. */
  running: number;
  runningOfOne: number;
  /** Waiting places, in all and of one owner. */
  waiting: number;
  waitingOfOne: number;
  maxWaitMs: number;
}

export class NoTurnError extends Error {
  override name = 'NoTurnError';
}

interface Owner {
  running: number;
  /** The number of its last turn; 0: it had none since it came. */
  lastTurn: number;
  /** In the order of arrival. */
  waiting: (() => void)[];
}

/**
 * Lets a bounded number of works run at once, and of each owner fewer, so that none takes all places. The others wait:
 * owners in turn, the works of one in the order of arrival, at most so many and so long. A work whose signal is aborted
 * leaves its waiting place.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  /** Those that have a place of either kind. */
  readonly #owners = new Map<string, Owner>();
  #running = 0;
  #waiting = 0;
  #turns = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** @throws NoTurnError where all waiting places are taken or the wait was too long; the signal's reason */
  async take<T>(ownerId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const owner = this.#ownerOf(ownerId);
    // Works that wait already come first.
    if (owner.waiting.length > 0 || !this.#mayRun(owner)) await this.#wait(ownerId, owner, signal);
    else this.#admit(owner);
    try {
      return await work();
    } finally {
      this.#running--;
      owner.running--;
      this.#forget(ownerId, owner);
      this.#letIn();
    }
  }

  #ownerOf(ownerId: string): Owner {
    const known = this.#owners.get(ownerId);
    if (known) return known;
    const owner: Owner = { running: 0, lastTurn: 0, waiting: [] };
    this.#owners.set(ownerId, owner);
    return owner;
  }

  #mayRun(owner: Owner): boolean {
    return this.#running < this.#limits.running && owner.running < this.#limits.runningOfOne;
  }

  #admit(owner: Owner): void {
    this.#running++;
    owner.running++;
    owner.lastTurn = ++this.#turns;
  }

  #forget(ownerId: string, owner: Owner): void {
    if (owner.running === 0 && owner.waiting.length === 0) this.#owners.delete(ownerId);
  }

  /** The place is taken before the waiting work starts, so that none comes in between. */
  #letIn(): void {
    let first: Owner | undefined;
    for (const owner of this.#owners.values()) {
      if (owner.waiting.length === 0 || !this.#mayRun(owner)) continue;
      if (!first || owner.lastTurn < first.lastTurn) first = owner;
    }
    const next = first?.waiting[0];
    if (!first || !next) return;
    this.#admit(first);
    next();
  }

  #wait(ownerId: string, owner: Owner, signal: AbortSignal): Promise<void> {
    const { waiting, waitingOfOne, maxWaitMs } = this.#limits;
    if (owner.waiting.length >= waitingOfOne || this.#waiting >= waiting) {
      this.#forget(ownerId, owner);
      throw new NoTurnError('All waiting places are taken.');
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        owner.waiting.splice(owner.waiting.indexOf(enter), 1);
        this.#waiting--;
      };
      const enter = () => {
        leave();
        resolve();
      };
      const give = (reason: unknown) => {
        leave();
        this.#forget(ownerId, owner);
        reject(reason);
      };
      const abort = () => give(signal.reason);
      const timer = setTimeout(() => give(new NoTurnError('No turn came in time.')), maxWaitMs);
      signal.addEventListener('abort', abort, { once: true });
      owner.waiting.push(enter);
      this.#waiting++;
    });
  }
}
