import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const OPTIONS = {
  maxRunning: 1,
  maxInOrder: 2,
  maxWaiting: 6,
  reservedWaiting: 0,
  maxWaitMs: 10_000,
  refusal: 'Too much waits.',
};

describe('a fair queue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(options: Partial<typeof OPTIONS> = {}) {
    const queue = new FairQueue({ ...OPTIONS, ...options });
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const outcomes = new Map<string, string>();
    /** Adds work of a client (`a1` is of `a`, `A1` of the known client `A`), which runs until it is ended. */
    const add = (...names: string[]) => {
      for (const name of names) {
        const work = async () => {
          begun.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
        };
        const client = name.charAt(0);
        queue.run({ name: client, isKnown: /[A-Z]/.test(client) }, work).then(
          () => outcomes.set(name, 'done'),
          (error: Error) => outcomes.set(name, error.message),
        );
      }
    };
    const end = async (name: string) => {
      ends.get(name)?.();
      await vi.advanceTimersByTimeAsync(0);
    };
    const endAll = async () => {
      for (let index = 0; index < begun.length; index++) await end(begun[index] ?? '');
    };
    return { queue, begun, outcomes, add, end, endAll };
  }

  it('runs no more work at a time than its limit', async () => {
    const { begun, add, end } = start({ maxRunning: 2 });
    add('a1', 'b1', 'c1');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
  });

  it('begins what came later of another client before what exceeds the first few of a client', async () => {
    const { begun, add, endAll } = start();
    add('a1', 'a2', 'a3', 'a4', 'b1', 'c1');
    await vi.advanceTimersByTimeAsync(0);
    await endAll();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
  });

  it('lets one client alone have all waiting places', async () => {
    const { outcomes, add, endAll } = start();
    add('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7');
    await vi.advanceTimersByTimeAsync(0);
    await endAll();
    expect([...outcomes.values()]).toEqual(Array.from({ length: 7 }, () => 'done'));
  });

  it('refuses the newest work of the client with most of it where all places are taken', async () => {
    const { outcomes, add, endAll } = start();
    add('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b1', 'b2');
    await vi.advanceTimersByTimeAsync(0);
    expect(Object.fromEntries(outcomes)).toEqual({ a7: 'Too much waits.', a6: 'Too much waits.' });
    add('a8');
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes.get('a8')).toBe('Too much waits.');
    await endAll();
    expect(outcomes.get('b1')).toBe('done');
    expect(outcomes.get('b2')).toBe('done');
    expect(outcomes.get('a5')).toBe('done');
  });

  it('refuses the newcomer where nobody has more than it', async () => {
    const { outcomes, add } = start({ maxWaiting: 2 });
    add('a1', 'b1', 'c1', 'd1');
    await vi.advanceTimersByTimeAsync(0);
    expect(Object.fromEntries(outcomes)).toEqual({ d1: 'Too much waits.' });
  });

  it('leaves the reserved places to known clients, however many others come', async () => {
    const { begun, outcomes, add, endAll } = start({ maxWaiting: 4, reservedWaiting: 1 });
    add('a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'A1', 'g1');
    await vi.advanceTimersByTimeAsync(0);
    const refused = Object.fromEntries(['e1', 'f1', 'g1'].map((name) => [name, 'Too much waits.']));
    expect(Object.fromEntries(outcomes)).toEqual(refused);
    await endAll();
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1', 'A1']);
  });

  it('lets known clients have all waiting places while no other client waits', async () => {
    const { outcomes, add, endAll } = start({ maxWaiting: 4, reservedWaiting: 1 });
    add('A1', 'B1', 'C1', 'D1', 'E1', 'F1', 'a1');
    await vi.advanceTimersByTimeAsync(0);
    expect(Object.fromEntries(outcomes)).toEqual({ F1: 'Too much waits.', a1: 'Too much waits.' });
    await endAll();
    expect(outcomes.get('E1')).toBe('done');
  });

  it('counts places of unknown clients that have begun, or were refused, as free again', async () => {
    const { outcomes, add, end } = start({ maxWaiting: 2, reservedWaiting: 1 });
    add('a1', 'b1', 'c1');
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes.get('c1')).toBe('Too much waits.');
    await end('a1');
    add('d1');
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes.has('d1')).toBe(false);
  });

  it('refuses what has waited too long, and never begins it', async () => {
    const { begun, outcomes, add, end, endAll } = start();
    add('a1', 'a2', 'a3', 'b1');
    await vi.advanceTimersByTimeAsync(9_999);
    await end('a1');
    await vi.advanceTimersByTimeAsync(1);
    expect(Object.fromEntries(outcomes)).toEqual({
      a1: 'done',
      a3: 'Too much waits.',
      b1: 'Too much waits.',
    });
    await endAll();
    add('a4');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a1', 'a2', 'a4']);
  });

  it('continues after failed work, also where it throws at once', async () => {
    const { queue } = start();
    const failing = queue.run({ name: 'a', isKnown: false }, () => {
      throw new Error('at once');
    });
    await expect(failing).rejects.toThrow('at once');
    await expect(queue.run({ name: 'a', isKnown: false }, () => Promise.resolve(5))).resolves.toBe(5);
    expect(vi.getTimerCount()).toBe(0);
  });
});
