import { KeyedLines, type Waiter, type WaitingLimits, type WaitingLine } from './keyed-lines.ts';

/**
 * Reason for which a task got no slot: all waiting places are taken, its key has its share of them, or it waited too
 * long.
 */
export type Refusal = 'full' | 'over share' | 'late';

export interface QueueOptions extends WaitingLimits {
  maxRunning: number;
  maxRunningPerKey?: number;
  /** A key with fewer running tasks begins at once, even beyond `maxRunning`. */
  minRunningPerKey?: number;
  /** Applies to `run`. */
  maxWaitMs?: number;
  /**
   * Returns the key whose newest task is refused, after one of `newcomer` was added; null: none. Without it, the
   * newcomer is refused if all places, or its key's share of them, are taken.
   */
  evict?: (lines: readonly WaitingLine<unknown>[], newcomer: string) => string | null;
}

const DEFAULTS = { maxRunningPerKey: Infinity, minRunningPerKey: 0, maxWaitMs: Infinity };

/** A task as its own record. */
export interface Task extends Waiter {
  /** Called when it has a slot, which `KeyedQueue.leave` releases. */
  begin: () => void;
  refuse: (refusal: Refusal) => void;
  /** Called when it has to wait. */
  hold?: () => void;
}

export interface RunOptions {
  key: string;
  bytes?: number;
  /** A waiting task gives up its place when this is aborted. */
  signal?: AbortSignal;
  refuse: (refusal: Refusal) => Error;
}

/**
 * Runs a bounded number of tasks at a time, and fewer of each key. The others wait in a bounded number of places and
 * bytes: keys in turn, the tasks of a key in the order of arrival.
 */
export class KeyedQueue {
  readonly #options: QueueOptions & typeof DEFAULTS;
  readonly #lines: KeyedLines<Task>;
  /** Numbers of running tasks by key, without keys that have none. */
  readonly #runningByKey = new Map<string, number>();
  #running = 0;

  constructor(options: QueueOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#lines = new KeyedLines(options);
  }

  get waiting(): number {
    return this.#lines.count;
  }

  /**
   * Resolves or rejects as the work does.
   * @throws the error of `refuse`, or the signal's reason; the work was not begun then
   */
  async run<T>(options: RunOptions, work: () => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted();
    await this.#waitForSlot(options);
    try {
      return await work();
    } finally {
      this.leave(options.key);
    }
  }

  /** Begins a task, holds it until it has a slot, or refuses it. */
  enter(task: Task): void {
    const { evict } = this.#options;
    if (this.#mayBegin(task.key)) return this.#begin(task);
    const refusal = this.findRefusal(task.key, task.bytes);
    if (refusal) return task.refuse(refusal);
    task.hold?.();
    this.#lines.add(task);
    const evicted = evict?.([...this.#lines.inTurn()], task.key);
    if (evicted) this.#refuseNewest(evicted);
  }

  /** Returns the reason for which a task that enters now is refused; null: it begins or waits. */
  findRefusal(key: string, bytes: number): Refusal | null {
    if (this.#options.evict || this.#mayBegin(key)) return null;
    return this.#lines.findRefusal(key, bytes);
  }

  /** Releases the slot of a task. */
  leave(key: string): void {
    const { maxRunning, minRunningPerKey } = this.#options;
    this.#countRunning(key, -1);
    if (this.#lines.count === 0) return;
    if (this.#runningOf(key) < minRunningPerKey) this.#beginNext(key);
    for (const line of this.#lines.inTurn()) {
      if (this.#running >= maxRunning) return;
      if (this.#mayRun(line.key)) this.#beginNext(line.key);
    }
  }

  #begin(task: Task): void {
    this.#countRunning(task.key, 1);
    task.begin();
  }

  #beginNext(key: string): void {
    const next = this.#lines.take(key);
    if (next) this.#begin(next);
  }

  #mayBegin(key: string): boolean {
    const { maxRunning, minRunningPerKey } = this.#options;
    return this.#runningOf(key) < minRunningPerKey || (this.#running < maxRunning && this.#mayRun(key));
  }

  #mayRun(key: string): boolean {
    return this.#runningOf(key) < this.#options.maxRunningPerKey;
  }

  #runningOf(key: string): number {
    return this.#runningByKey.get(key) ?? 0;
  }

  #countRunning(key: string, change: 1 | -1): void {
    const running = this.#runningOf(key) + change;
    if (running > 0) this.#runningByKey.set(key, running);
    else this.#runningByKey.delete(key);
    this.#running += change;
  }

  #refuseNewest(key: string): void {
    for (const { key: other, last } of this.#lines.inTurn())
      if (other === key && last) {
        this.#lines.remove(last);
        return last.refuse('full');
      }
  }

  #waitForSlot({ key, bytes = 0, signal, refuse }: RunOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const giveUp = (reason: unknown) => {
        stopWaiting();
        reject(reason);
      };
      const task: Task = {
        key,
        bytes,
        begin: () => {
          stopWaiting();
          resolve();
        },
        refuse: (refusal) => giveUp(refuse(refusal)),
        hold: () => {
          signal?.addEventListener('abort', abort, { once: true });
          const { maxWaitMs } = this.#options;
          if (Number.isFinite(maxWaitMs)) timer = setTimeout(expire, maxWaitMs);
        },
      };
      const abort = () => {
        this.#lines.remove(task);
        giveUp(signal?.reason);
      };
      const expire = () => {
        this.#lines.remove(task);
        task.refuse('late');
      };
      this.enter(task);
    });
  }
}
