import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startQueue } from '../../test/support/held-tasks.ts';
import { rounds } from '../../test/support/test-length.ts';
import type { QueueOptions } from './keyed-queue.ts';

interface ModelTask {
  name: string;
  key: string;
  bytes: number;
}

/** The queue again, as lists that are searched from their beginning. */
class QueueModel {
  readonly #limits: Required<Omit<QueueOptions, 'maxWaitMs' | 'evict'>>;
  readonly begun: string[] = [];
  readonly outcomes: string[] = [];
  running: ModelTask[] = [];
  /** Tasks in the order of arrival. */
  waiting: ModelTask[] = [];
  /** Keys in the order of their turns. */
  #turns: string[] = [];

  constructor(options: QueueOptions) {
    this.#limits = {
      maxRunningPerKey: Infinity,
      minRunningPerKey: 0,
      maxWaitingBytes: Infinity,
      maxShare: 1,
      ...options,
    };
  }

  add(task: ModelTask): void {
    const { maxWaiting, maxWaitingBytes, maxShare } = this.#limits;
    const own = ofKey(this.waiting, task.key);
    if (this.#mayBegin(task.key)) this.#begin(task);
    else if (this.waiting.length >= maxWaiting || bytesOf(this.waiting) + task.bytes > maxWaitingBytes)
      this.outcomes.push(`${task.name} full`);
    else if (own.length >= maxWaiting * maxShare || bytesOf(own) + task.bytes > maxWaitingBytes * maxShare)
      this.outcomes.push(`${task.name} over share`);
    else {
      this.waiting.push(task);
      if (!this.#turns.includes(task.key)) this.#turns.push(task.key);
    }
  }

  end(task: ModelTask): void {
    this.running = this.running.filter((other) => other !== task);
    this.outcomes.push(`${task.name} done`);
    if (ofKey(this.running, task.key).length < this.#limits.minRunningPerKey) this.#beginNext(task.key);
    for (;;) {
      const next = this.#turns.find((key) => this.#mayBegin(key));
      if (next === undefined) return;
      this.#beginNext(next);
    }
  }

  abort(task: ModelTask): void {
    this.#stopWaiting(task);
    this.outcomes.push(`${task.name} left`);
  }

  assertBounds(): void {
    const { maxRunning, maxRunningPerKey, minRunningPerKey, maxWaiting, maxShare } = this.#limits;
    const keys = new Set([...this.running, ...this.waiting].map(({ key }) => key));
    for (const key of keys) {
      const running = ofKey(this.running, key).length;
      const waiting = ofKey(this.waiting, key).length;
      expect(running).toBeLessThanOrEqual(Math.max(maxRunningPerKey, minRunningPerKey));
      expect(waiting).toBeLessThanOrEqual(Math.ceil(maxWaiting * maxShare));
      // No task waits that may run.
      if (waiting > 0) expect(this.running.length >= maxRunning || running >= maxRunningPerKey).toBe(true);
    }
    if (minRunningPerKey === 0) expect(this.running.length).toBeLessThanOrEqual(maxRunning);
    expect(this.waiting.length).toBeLessThanOrEqual(maxWaiting);
  }

  #mayBegin(key: string): boolean {
    const { maxRunning, maxRunningPerKey, minRunningPerKey } = this.#limits;
    const running = ofKey(this.running, key).length;
    return running < minRunningPerKey || (this.running.length < maxRunning && running < maxRunningPerKey);
  }

  #begin(task: ModelTask): void {
    this.running.push(task);
    this.begun.push(task.name);
  }

  #beginNext(key: string): void {
    const [next] = ofKey(this.waiting, key);
    if (!next) return;
    this.#stopWaiting(next);
    this.#turns = this.#turns.filter((other) => other !== key);
    if (ofKey(this.waiting, key).length > 0) this.#turns.push(key);
    this.#begin(next);
  }

  #stopWaiting(task: ModelTask): void {
    this.waiting = this.waiting.filter((other) => other !== task);
    if (ofKey(this.waiting, task.key).length === 0)
      this.#turns = this.#turns.filter((key) => key !== task.key);
  }
}

const ofKey = (tasks: ModelTask[], key: string) => tasks.filter((task) => task.key === key);
const bytesOf = (tasks: ModelTask[]) => tasks.reduce((sum, { bytes }) => sum + bytes, 0);

const someLimits = fc.record(
  {
    maxRunning: fc.integer({ min: 1, max: 4 }),
    maxRunningPerKey: fc.integer({ min: 1, max: 3 }),
    minRunningPerKey: fc.integer({ min: 1, max: 2 }),
    maxWaiting: fc.integer({ min: 0, max: 8 }),
    maxWaitingBytes: fc.integer({ min: 1, max: 20 }),
    maxShare: fc.constant(1 / 2),
  },
  { requiredKeys: ['maxRunning', 'maxWaiting'] },
);
const anOperation = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'end', 'end', 'abort'),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  bytes: fc.nat(9),
  /** Chooses among the tasks that run or wait. */
  which: fc.nat(),
});

it('begins, holds and refuses tasks as its model does, whatever comes, and holds nothing at the end', async () => {
  const operations = fc.array(anOperation, { maxLength: 60 });
  const property = fc.asyncProperty(someLimits, operations, async (limits, all) => {
    const { queue, begun, outcomes, add, end, abort, endAll } = startQueue(limits);
    const model = new QueueModel(limits);
    const compare = () => {
      expect([begun, outcomes, queue.waiting]).toEqual([model.begun, model.outcomes, model.waiting.length]);
      model.assertBounds();
    };
    for (const [index, { kind, key, bytes, which }] of all.entries()) {
      const name = `${key}${index}`;
      const tasks = kind === 'end' ? model.running : model.waiting;
      const chosen = tasks[which % tasks.length];
      if (kind === 'add') {
        model.add({ name, key, bytes });
        await add(name, bytes);
      } else if (chosen && kind === 'end') {
        model.end(chosen);
        await end(chosen.name);
      } else if (chosen) {
        model.abort(chosen);
        await abort(chosen.name);
      }
      compare();
    }
    await endAll();
    expect(outcomes.filter((outcome) => outcome.endsWith(' done'))).toHaveLength(begun.length);
    // An idle queue is like a new one.
    const again = new QueueModel(limits);
    const before = begun.length;
    for (const name of ['a-1', 'b-1', 'a-2', 'b-2', 'c-1', 'd-1', 'c-2', 'd-2', 'a-3', 'a-4']) {
      again.add({ name, key: name.charAt(0), bytes: 1 });
      await add(name);
    }
    expect([begun.slice(before), queue.waiting]).toEqual([again.begun, again.waiting.length]);
  });
  await fc.assert(property, { numRuns: rounds(300, 5_000) });
});
