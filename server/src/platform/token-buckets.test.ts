import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

describe('token buckets', () => {
  function start(maxKeys = 10) {
    const clock = { nowMs: 0, now: () => clock.nowMs };
    const buckets = new TokenBuckets(clock, { capacity: 3, refillPerSecond: 0.5, maxKeys });
    const takeTimes = (count: number, key = 'a') => Array.from({ length: count }, () => buckets.take(key));
    return { clock, buckets, takeTimes };
  }

  it('gives the tokens of a bucket at once, and says when there are more', () => {
    const { clock, takeTimes } = start();
    expect(takeTimes(5)).toEqual([0, 0, 0, 2, 2]);
    clock.nowMs = 1_000;
    expect(takeTimes(1)).toEqual([1]);
    clock.nowMs = 2_000;
    expect(takeTimes(2)).toEqual([0, 2]);
  });

  it('fills a bucket to its capacity at most, however long no token is taken', () => {
    const { clock, takeTimes } = start();
    takeTimes(3);
    clock.nowMs = 1_000_000;
    expect(takeTimes(4)).toEqual([0, 0, 0, 2]);
  });

  it('counts the tokens of each key separately', () => {
    const { takeTimes } = start();
    expect(takeTimes(4, 'a')).toEqual([0, 0, 0, 2]);
    expect(takeTimes(1, 'b')).toEqual([0]);
  });

  it('gains nothing from a clock that is set back', () => {
    const { clock, takeTimes } = start();
    clock.nowMs = 10_000;
    takeTimes(3);
    clock.nowMs = 0;
    expect(takeTimes(1)).toEqual([2]);
    clock.nowMs = 2_000;
    expect(takeTimes(1)).toEqual([0]);
  });

  it('forgets the keys that were not used for longest', () => {
    const { takeTimes } = start(2);
    takeTimes(3, 'a');
    takeTimes(3, 'b');
    expect(takeTimes(1, 'a')).toEqual([2]);
    takeTimes(1, 'c');
    expect(takeTimes(1, 'a')).toEqual([2]);
    expect(takeTimes(1, 'b')).toEqual([0]);
  });
});
