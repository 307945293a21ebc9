import { describe, expect, it } from 'vitest';
import { SettableClock } from './clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { allowedUntil, heldUntil } from './stored-times.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

describe('stored times', () => {
  it('holds back until a time that its rule allows, with a minute for clocks that differ', () => {
    expect(heldUntil(NOW_MS + HOUR_MS, HOUR_MS, NOW_MS)).toBe(NOW_MS + HOUR_MS);
    expect(heldUntil(NOW_MS + HOUR_MS + MINUTE_MS, HOUR_MS, NOW_MS)).toBe(NOW_MS + HOUR_MS + MINUTE_MS);
    expect(heldUntil(NOW_MS - HOUR_MS, HOUR_MS, NOW_MS)).toBe(NOW_MS - HOUR_MS);
  });

  it('treats a time held back for longer than its rule allows as now', () => {
    expect(heldUntil(NOW_MS + HOUR_MS + MINUTE_MS + 1, HOUR_MS, NOW_MS)).toBe(NOW_MS);
    expect(heldUntil(NOW_MS + 200 * DAY_MS, HOUR_MS, NOW_MS)).toBe(NOW_MS);
  });

  it('shows what is allowed as far ahead as its rule allows, and never ends it', () => {
    expect(allowedUntil(NOW_MS + 200 * DAY_MS, 7 * DAY_MS, NOW_MS)).toBe(NOW_MS + 7 * DAY_MS);
    expect(allowedUntil(NOW_MS + HOUR_MS, 7 * DAY_MS, NOW_MS)).toBe(NOW_MS + HOUR_MS);
  });
});

describe('a clock that is set while the process runs', () => {
  it('confirms a leap ahead after a minute of monotonic time, and not before', () => {
    const machine = aMachine();
    machine.pass(HOUR_MS);
    expect(machine.clock.confirmed()).toBe(NOW_MS + HOUR_MS);
    machine.leap(2 * HOUR_MS);
    expect(machine.clock.now()).toBe(NOW_MS + 3 * HOUR_MS);
    expect(machine.clock.confirmed()).toBe(NOW_MS + HOUR_MS);
    machine.pass(MINUTE_MS - 1);
    expect(machine.clock.confirmed()).toBe(NOW_MS + HOUR_MS + MINUTE_MS - 1);
    machine.pass(1);
    expect(machine.clock.confirmed()).toBe(NOW_MS + 3 * HOUR_MS + MINUTE_MS);
  });

  it('forgets a leap ahead once the clock is right again', () => {
    const machine = aMachine();
    machine.leap(200 * DAY_MS);
    machine.clock.confirmed();
    machine.pass(30_000);
    machine.leap(-200 * DAY_MS);
    expect(machine.clock.confirmed()).toBe(NOW_MS + 30_000);
    machine.leap(200 * DAY_MS);
    machine.pass(30_000);
    expect(machine.clock.confirmed()).toBe(NOW_MS + MINUTE_MS);
  });

  it('restarts its minute after another leap', () => {
    const machine = aMachine();
    machine.leap(2 * HOUR_MS);
    machine.clock.confirmed();
    machine.pass(MINUTE_MS - 1);
    machine.leap(2 * HOUR_MS);
    expect(machine.clock.confirmed()).toBe(NOW_MS + MINUTE_MS - 1);
    machine.pass(MINUTE_MS - 1);
    expect(machine.clock.confirmed()).toBe(NOW_MS + 2 * (MINUTE_MS - 1));
  });

  it('follows a clock that is set back, and one that drifts by less than a minute, at once', () => {
    const machine = aMachine();
    machine.leap(-2 * HOUR_MS);
    expect(machine.clock.confirmed()).toBe(NOW_MS - 2 * HOUR_MS);
    machine.leap(MINUTE_MS);
    expect(machine.clock.confirmed()).toBe(NOW_MS - 2 * HOUR_MS + MINUTE_MS);
  });
});

function aMachine() {
  let [nowMs, monotonicMs] = [NOW_MS, 0];
  const clock = new SettableClock(
    () => nowMs,
    () => monotonicMs,
  );
  return {
    clock,
    leap: (ms: number) => void (nowMs += ms),
    pass: (ms: number) => {
      nowMs += ms;
      monotonicMs += ms;
    },
  };
}
