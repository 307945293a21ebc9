import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batch, tellAfterReading, throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('throttle', () => {
  it('runs at once, and once more at the end of the interval however often it is called', async () => {
    const run = vi.fn();
    const ask = throttle(run, 500);
    for (let time = 0; time < 20; time++) ask();
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(499);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('runs at once again after an interval without calls', async () => {
    const run = vi.fn();
    const ask = throttle(run, 500);
    ask();
    await vi.advanceTimersByTimeAsync(500);
    ask();
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('waits for a slow run to end before the next one', async () => {
    const ends: (() => void)[] = [];
    const run = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
    const ask = throttle(run, 500);
    ask();
    ask();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(run).toHaveBeenCalledTimes(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('continues to run after a failed run', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    const run = vi.fn().mockRejectedValueOnce(new Error('no'));
    const ask = throttle(run, 500);
    ask();
    await vi.advanceTimersByTimeAsync(500);
    ask();
    expect(run).toHaveBeenCalledTimes(2);
    expect(said).toHaveBeenCalledTimes(1);
  });
});

describe('batch', () => {
  it('passes on the first item at once and the others together', async () => {
    const taken: number[][] = [];
    const give = batch<number>((items) => taken.push(items), 1_000);
    for (const item of [1, 2, 3]) give(item);
    expect(taken).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(taken).toEqual([[1], [2, 3]]);
  });
});

describe('the news of frames that come faster than the answers', () => {
  /** Starts readings that the test ends, and collects the news. */
  const start = () => {
    const readings: (() => void)[] = [];
    const news: string[] = [];
    const read = () => new Promise<void>((resolve) => void readings.push(resolve));
    const announce = tellAfterReading<string>(read, (one) => news.push(one));
    return { readings, news, announce };
  };

  it('finishes a reading before the next one begins, and then tells its news', async () => {
    const { readings, news, announce } = start();
    announce('first');
    announce('second');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(news).toEqual(['first']);
    expect(readings).toHaveLength(1);
    readings[0]?.();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(news).toEqual(['first', 'second']);
    expect(readings).toHaveLength(2);
  });

  it('does not wait forever for a reading that hangs', async () => {
    const { news, announce } = start();
    announce('first');
    announce('second');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(news).toEqual(['first', 'second']);
  });
});
