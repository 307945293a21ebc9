import { describe, expect, it } from 'vitest';
import { cacheFor } from './cached.ts';

describe('an answer that is kept for a second', () => {
  let nowMs = 0;
  let asked = 0;
  let work: () => Promise<number> = async () => ++asked;
  const ask = cacheFor(
    1_000,
    () => work(),
    () => nowMs,
  );

  it('returns one answer to all callers while it is made, and until it is a second old', async () => {
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    nowMs = 999;
    expect(await ask()).toBe(1);
    nowMs = 1_000;
    expect(await ask()).toBe(2);
  });

  it('counts the age of a cached answer from its end, not from its beginning', async () => {
    let end: (value: number) => void = () => {};
    work = () => new Promise<number>((resolve) => (end = resolve));
    nowMs = 5_000;
    const slow = ask();
    nowMs = 9_000;
    end(3);
    expect(await slow).toBe(3);
    work = async () => 4;
    nowMs = 9_999;
    expect(await ask()).toBe(3);
    nowMs = 10_000;
    expect(await ask()).toBe(4);
  });

  it('asks again after a failure instead of caching it', async () => {
    work = async () => {
      throw new Error('no');
    };
    nowMs = 20_000;
    await expect(ask()).rejects.toThrow('no');
    work = async () => 5;
    expect(await ask()).toBe(5);
  });
});
