import { assert } from './assert.ts';

/** A waiting task: its own record, so that many waiting tasks hold nothing else. */
export interface Waiter {
  readonly key: string;
  /** Bytes that it holds while it waits. */
  readonly bytes: number;
}

export interface WaitingLimits {
  maxWaiting: number;
  maxWaitingBytes?: number;
  /** Maximum share of the waiting places and bytes that one key may hold; 1 by default. */
  maxShare?: number;
}

/** Waiting tasks of one key, in the order of arrival. */
export interface WaitingLine<T> {
  readonly key: string;
  readonly length: number;
  readonly first: T | undefined;
  readonly last: T | undefined;
}

const NO_LINE = { length: 0, bytes: 0 };

/**
 * Waiting tasks, a line for each key, in a bounded number of places and bytes. Keys have turns: a key whose task is
 * taken comes again after all others that wait.
 */
export class KeyedLines<T extends Waiter> {
  readonly #limits: Required<WaitingLimits>;
  /** Lines by key; the order of the map is the order of turns. */
  readonly #lines = new Map<string, Line<T>>();
  #count = 0;
  #bytes = 0;

  constructor({ maxWaiting, maxWaitingBytes = Infinity, maxShare = 1 }: WaitingLimits) {
    this.#limits = { maxWaiting, maxWaitingBytes, maxShare };
  }

  get count(): number {
    return this.#count;
  }

  /** The lines in the order of turns; a line comes again after its task was taken. */
  inTurn(): IterableIterator<WaitingLine<T>> {
    return this.#lines.values();
  }

  /** The reason for which there is no place for so many bytes of a key. */
  findRefusal(key: string, bytes: number): 'full' | 'over share' | null {
    const { maxWaiting, maxWaitingBytes, maxShare } = this.#limits;
    if (this.#count >= maxWaiting || this.#bytes + bytes > maxWaitingBytes) return 'full';
    const { length, bytes: held } = this.#lines.get(key) ?? NO_LINE;
    const isOver = length >= maxWaiting * maxShare || held + bytes > maxWaitingBytes * maxShare;
    return isOver ? 'over share' : null;
  }

  add(task: T): void {
    let line = this.#lines.get(task.key);
    if (!line) this.#lines.set(task.key, (line = new Line(task.key)));
    line.push(task);
    this.#count++;
    this.#bytes += task.bytes;
  }

  /** Takes the first task of a key, which ends the key's turn. */
  take(key: string): T | undefined {
    const line = this.#lines.get(key);
    const task = line?.shift();
    if (!line || !task) return undefined;
    this.#lines.delete(key);
    if (line.length > 0) this.#lines.set(key, line);
    this.#release(task);
    return task;
  }

  /** Removes a task; its key keeps its turn. */
  remove(task: T): void {
    this.removeWhere((other) => other === task, task.key);
  }

  /**
   * Removes tasks; their keys keep their turns.
   * @param key the only key that is searched; all by default
   * @returns the removed tasks
   */
  removeWhere(isRemoved: (task: T) => boolean, key?: string): T[] {
    const line = key === undefined ? undefined : this.#lines.get(key);
    const lines = key === undefined ? [...this.#lines.values()] : line ? [line] : [];
    const removed = lines.flatMap((each) => each.removeWhere(isRemoved));
    for (const each of lines) if (each.length === 0) this.#lines.delete(each.key);
    for (const task of removed) this.#release(task);
    return removed;
  }

  /** Removes all tasks, whatever the counts of places and bytes were. */
  clear(): T[] {
    const removed = [...this.#lines.values()].flatMap((line) => line.removeWhere(() => true));
    this.#lines.clear();
    this.#count = 0;
    this.#bytes = 0;
    return removed;
  }

  /** Releases a place: releasing twice admits more than there is room for, and never releasing fewer. */
  #release({ bytes }: T): void {
    this.#count--;
    this.#bytes -= bytes;
    assert(this.#bytes >= 0 && this.#count >= 0, 'A waiting place was released twice.');
    assert(this.#count > 0 || this.#bytes === 0, 'Bytes are held without a waiting place.');
  }
}

class Line<T extends Waiter> implements WaitingLine<T> {
  readonly key: string;
  #tasks: T[] = [];
  /** Index of the first task that still waits: shifting a long array costs its length. */
  #first = 0;
  #bytes = 0;

  constructor(key: string) {
    this.key = key;
  }

  get length(): number {
    return this.#tasks.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get first(): T | undefined {
    return this.#tasks[this.#first];
  }

  get last(): T | undefined {
    return this.length > 0 ? this.#tasks.at(-1) : undefined;
  }

  push(task: T): void {
    this.#tasks.push(task);
    this.#bytes += task.bytes;
  }

  shift(): T | undefined {
    const task = this.first;
    if (!task) return undefined;
    this.#first++;
    // Half of the array is behind: as many tasks as are moved have paid for it.
    if (this.#first * 2 >= this.#tasks.length) {
      this.#tasks = this.#tasks.slice(this.#first);
      this.#first = 0;
    }
    this.#bytes -= task.bytes;
    return task;
  }

  removeWhere(isRemoved: (task: T) => boolean): T[] {
    const removed: T[] = [];
    const staying: T[] = [];
    for (let index = this.#first; index < this.#tasks.length; index++) {
      const task = this.#tasks[index];
      if (task) (isRemoved(task) ? removed : staying).push(task);
    }
    this.#tasks = staying;
    this.#first = 0;
    this.#bytes = staying.reduce((sum, { bytes }) => sum + bytes, 0);
    return removed;
  }
}
