import { afterEach, describe, expect, it, vi } from 'vitest';
import { FairTurns, NoTurnError } from './fair-turns.ts';

const LIMITS = { running: 4, runningOfOne: 2, waiting: 20, waitingOfOne: 3, maxWaitMs: 5_000 };
const stays = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends on demand, and the list of what has begun. */
function createTurns(limits = LIMITS) {
  const turns = new FairTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, signal = stays) =>
    turns.take(name.charAt(0), signal, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  return { turns, begun, start, end };
}

describe('turns', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs two tasks of one owner at a time, and four in all', async () => {
    const { begun, start, end } = createTurns();
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => start(name));
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('a1');
    // The owner that waits for its first turn comes before the one that had two.
    expect(begun.slice(4)).toEqual(['c1']);
    await end('b1');
    expect(begun.slice(5)).toEqual(['a3']);
    for (const name of ['a2', 'a3', 'b2', 'c1']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  });

  it('alternates between owners, however many tasks of one wait', async () => {
    const { begun, start, end } = createTurns({ ...LIMITS, running: 1 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => start(name));
    for (let index = 0; index < all.length; index++) await end(begun[index] ?? '');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    await Promise.all(all);
  });

  it('refuses a task where all waiting places are taken, of one owner or in all', async () => {
    const { start } = createTurns({ ...LIMITS, running: 1, waiting: 4 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name);
    await expect(start('a5')).rejects.toThrow(NoTurnError);
    void start('b1');
    await expect(start('c1')).rejects.toThrow(NoTurnError);
  });

  it('refuses a task after the longest wait', async () => {
    vi.useFakeTimers();
    const { begun, start } = createTurns({ ...LIMITS, running: 1 });
    void start('a1');
    const waiting = start('b1');
    const refused = expect(waiting).rejects.toThrow(NoTurnError);
    await vi.advanceTimersByTimeAsync(LIMITS.maxWaitMs);
    await refused;
    expect(begun).toEqual(['a1']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('removes an aborted task from the queue without a trace', async () => {
    const { begun, start, end } = createTurns({ ...LIMITS, running: 1 });
    const first = start('a1');
    const gone = new AbortController();
    const leaving = start('a2', gone.signal);
    const staying = start('a3');
    gone.abort(new Error('Gone.'));
    await expect(leaving).rejects.toThrow('Gone.');
    await expect(start('b1', gone.signal)).rejects.toThrow('Gone.');
    await end('a1');
    await end('a3');
    expect(begun).toEqual(['a1', 'a3']);
    await Promise.all([first, staying]);
  });

  it('continues after a task that failed', async () => {
    const { turns } = createTurns({ ...LIMITS, running: 1 });
    await expect(turns.take('a', stays, () => Promise.reject(new Error('No.')))).rejects.toThrow('No.');
    expect(await turns.take('b', stays, () => Promise.resolve(2))).toBe(2);
  });
});
