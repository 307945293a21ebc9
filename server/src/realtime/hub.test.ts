import { describe, expect, it } from 'vitest';
import { SettableClock } from '../platform/clock.ts';
import { delayUntilEnd } from './hub.ts';

describe('the check of sessions that end', () => {
  it('waits as long after a leap of the clock as before it', () => {
    let nowMs = Date.UTC(2026, 0, 5);
    const clock = new SettableClock(
      () => nowMs,
      () => 0,
    );
    const endMs = nowMs + 20_000;
    expect(delayUntilEnd(clock, endMs)).toBe(20_000);
    nowMs += 2 * 3_600_000;
    expect(delayUntilEnd(clock, endMs)).toBe(20_000);
  });

  it('comes within 30 seconds, and at most four times a second', () => {
    const clock = { now: () => 1_000_000 };
    expect(delayUntilEnd(clock, Number.POSITIVE_INFINITY)).toBe(30_000);
    expect(delayUntilEnd(clock, 0)).toBe(250);
  });
});
