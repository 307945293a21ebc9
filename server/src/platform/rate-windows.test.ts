import { describe, expect, it } from 'vitest';
import { RateWindows } from './rate-windows.ts';

describe('rate windows', () => {
  function start(maxKeys = 10) {
    const clock = { nowMs: 0, now: () => clock.nowMs };
    const windows = new RateWindows(clock, { count: 3, periodMs: 60_000, maxKeys });
    const takeTimes = (count: number, key = 'a') => Array.from({ length: count }, () => windows.take(key));
    return { clock, windows, takeTimes };
  }

  it('allows its count within any period, and says when the next take is possible', () => {
    const { clock, takeTimes } = start();
    expect(takeTimes(1)).toEqual([0]);
    clock.nowMs = 20_500;
    expect(takeTimes(3)).toEqual([0, 0, 40]);
    clock.nowMs = 59_999;
    expect(takeTimes(1)).toEqual([1]);
    clock.nowMs = 60_000;
    expect(takeTimes(2)).toEqual([0, 21]);
    clock.nowMs = 80_500;
    expect(takeTimes(3)).toEqual([0, 0, 40]);
  });

  it('never allows more than its count in a period, however takes are spread', () => {
    const { clock, windows } = start();
    const taken: number[] = [];
    for (; clock.nowMs < 600_000; clock.nowMs += 700) if (windows.take('a') === 0) taken.push(clock.nowMs);
    for (const from of taken)
      expect(taken.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(3);
    expect(taken.length).toBeGreaterThan(25);
  });

  it('counts each key separately', () => {
    const { takeTimes } = start();
    expect(takeTimes(4, 'a')).toEqual([0, 0, 0, 60]);
    expect(takeTimes(1, 'b')).toEqual([0]);
  });

  it('holds a key back for a period at most after the clock was set back', () => {
    const { clock, takeTimes } = start();
    clock.nowMs = 7_200_000;
    takeTimes(3);
    clock.nowMs = 0;
    expect(takeTimes(1)).toEqual([60]);
    clock.nowMs = 60_000;
    expect(takeTimes(1)).toEqual([0]);
  });

  it('forgets the keys that were not used for longest', () => {
    const { takeTimes } = start(2);
    takeTimes(3, 'a');
    takeTimes(3, 'b');
    expect(takeTimes(1, 'a')).toEqual([60]);
    takeTimes(1, 'c');
    expect(takeTimes(1, 'a')).toEqual([60]);
    expect(takeTimes(1, 'b')).toEqual([0]);
  });
});
