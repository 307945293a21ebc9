import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMetrics } from '../roles/metrics.ts';
import { createLog } from './log.ts';
import { Loop, type LoopOptions } from './loop.ts';

describe('a loop', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(round: LoopOptions['round'], options: Partial<LoopOptions> = {}) {
    const startedAt: number[] = [];
    const beginning = performance.now();
    const loop = new Loop({
      name: 'test',
      idleDelayMs: 1_000,
      log: createLog('silent'),
      metrics: createMetrics(),
      ...options,
      round: (stopping) => {
        startedAt.push(performance.now() - beginning);
        return round(stopping);
      },
    });
    loop.start();
    return { loop, startedAt };
  }

  it('waits after an idle round', async () => {
    const { startedAt } = start(async () => 'idle');
    await vi.advanceTimersByTimeAsync(2_500);
    expect(startedAt).toEqual([0, 1_000, 2_000]);
  });

  it('repeats a loop at once while there is more to do', async () => {
    let left = 3;
    const { startedAt } = start(async () => (left-- > 0 ? 'again' : 'idle'));
    await vi.advanceTimersByTimeAsync(500);
    expect(startedAt).toEqual([0, 0, 0, 0]);
  });

  it('does not wait for its minimum interval if a round returns that more must follow at once', async () => {
    const outcomes = ['at once', 'at once', 'again', 'idle'] as const;
    let next = 0;
    const { startedAt } = start(async () => outcomes[next++] ?? 'idle', { minIntervalMs: 400 });
    await vi.advanceTimersByTimeAsync(500);
    expect(startedAt).toEqual([0, 0, 0, 400]);
  });

  it('ends its waiting when it is woken', async () => {
    const { loop, startedAt } = start(async () => 'idle');
    await vi.advanceTimersByTimeAsync(300);
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(startedAt).toEqual([0, 300]);
  });

  it('signals the current round to end', async () => {
    const { loop } = start(
      (stopping) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve('again'))),
    );
    await vi.advanceTimersByTimeAsync(0);
    await loop.stop();
  });

  it('runs once more if it was woken during a round', async () => {
    let end = () => {};
    const { loop, startedAt } = start(() => new Promise((resolve) => (end = () => resolve('idle'))));
    await vi.advanceTimersByTimeAsync(0);
    loop.wake();
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect(startedAt).toHaveLength(2);
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect(startedAt).toHaveLength(2);
  });

  it('keeps its minimum interval however it is woken', async () => {
    const { loop, startedAt } = start(async () => 'again', { minIntervalMs: 50 });
    for (let count = 0; count < 10; count++) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(12);
    }
    expect(startedAt).toEqual([0, 50, 100]);
  });

  it('runs at once after a pause, within its minimum interval', async () => {
    const { loop, startedAt } = start(async () => 'idle', { minIntervalMs: 50 });
    await vi.advanceTimersByTimeAsync(400);
    loop.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(startedAt).toEqual([0, 400]);
  });

  it('runs at once when it is woken after an idle round, and then keeps its minimum interval', async () => {
    const outcomes = ['idle', 'again', 'idle'] as const;
    let next = 0;
    const { loop, startedAt } = start(async () => outcomes[next++] ?? 'idle', { minIntervalMs: 400 });
    await vi.advanceTimersByTimeAsync(10);
    loop.wake();
    await vi.advanceTimersByTimeAsync(20);
    loop.wake();
    await vi.advanceTimersByTimeAsync(600);
    expect(startedAt).toEqual([0, 10, 410]);
  });

  it('waits after a round that has done all, and keeps its minimum interval if it is woken', async () => {
    const outcomes = ['done', 'done', 'idle'] as const;
    let next = 0;
    const { loop, startedAt } = start(async () => outcomes[next++] ?? 'idle', { minIntervalMs: 400 });
    await vi.advanceTimersByTimeAsync(10);
    loop.wake();
    await vi.advanceTimersByTimeAsync(1_500);
    expect(startedAt).toEqual([0, 400, 1_400]);
  });

  it('computes its delays after each round: a long round makes the minimum interval longer', async () => {
    const outcomes = ['again', 'idle', 'idle'] as const;
    let [next, idleDelayMs] = [0, 100];
    const { startedAt } = start(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return outcomes[next++] ?? 'idle';
      },
      { minIntervalMs: (tookMs) => 10 * tookMs, idleDelayMs: () => (idleDelayMs *= 2) },
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect(startedAt).toEqual([0, 300, 530, 960]);
  });

  it('retries with growing delays up to 5 s after a failed round, however it is woken', async () => {
    const { loop, startedAt } = start(() => Promise.reject(new Error('no')));
    for (let second = 0; second < 20; second++) {
      loop.wake();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(startedAt).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300, 16_300]);
  });

  it('begins with the shortest delay again after a success', async () => {
    const answers = [false, false, true, false, true];
    const { startedAt } = start(async () => {
      if (!(answers.shift() ?? true)) throw new Error('no');
      return 'idle';
    });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(startedAt).toEqual([0, 100, 300, 1_300, 1_400]);
  });

  it('stops when the round under way has ended, and begins no other', async () => {
    let end = () => {};
    const { loop, startedAt } = start(() => new Promise((resolve) => (end = () => resolve('again'))));
    await vi.advanceTimersByTimeAsync(0);
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    end();
    await stopping;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(startedAt).toHaveLength(1);
  });

  it('stops at once while it waits, after a failure and between intervals too', async () => {
    const rounds: [LoopOptions['round'], Partial<LoopOptions>][] = [
      [async () => 'idle', {}],
      [() => Promise.reject(new Error('no')), {}],
      [async () => 'again', { minIntervalMs: 10_000 }],
    ];
    for (const [round, options] of rounds) {
      const { loop, startedAt } = start(round, options);
      await vi.advanceTimersByTimeAsync(10);
      await loop.stop();
      expect(startedAt).toHaveLength(1);
    }
    expect(vi.getTimerCount()).toBe(0);
  });
});
