export interface TurnLimits {
  /** Tasks that run at a time, in total and of one owner. */
  running: number;
  runningOfOne: number;
  /** Waiting places, in total and of one owner. */
  waiting: number;
  waitingOfOne: number;
  /** Null: a task waits until its turn comes or its signal is aborted. */
  maxWaitMs: number | null;
}

export class NoTurnError extends Error {
  override name = 'NoTurnError';
}

interface Owner {
  running: number;
  /** The number of its last turn; 0: none yet. */
  lastTurn: number;
  /** In the order of arrival. */
  waiting: (() => void)[];
}

/**
 * Runs a bounded number of tasks at a time, and of each owner fewer. The others wait: owners in turn, the tasks of one
 * owner in the order of arrival, in a bounded number of waiting places and for a bounded time. A task whose signal is
 * aborted leaves its waiting place. Unlike `FairQueue`, it refuses the newcomer when all places are taken.
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  /** The owners of running or waiting tasks. */
  readonly #owners = new Map<string, Owner>();
  #running = 0;
  #waiting = 0;
  #turns = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** @throws NoTurnError if all waiting places are taken or the wait was too long; the signal's reason */
  async take<T>(ownerId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const owner = this.#ownerOf(ownerId);
    // Tasks that already wait come first.
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

  /** Takes the place before the waiting task starts, so that no newcomer gets it. */
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
      const timer =
        maxWaitMs === null
          ? undefined
          : setTimeout(() => give(new NoTurnError('No turn came in time.')), maxWaitMs);
      signal.addEventListener('abort', abort, { once: true });
      owner.waiting.push(enter);
      this.#waiting++;
    });
  }
}
