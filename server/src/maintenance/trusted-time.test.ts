import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import { assessTime, type TrustedTime } from './trusted-time.ts';

const START_MS = Date.parse('2026-11-21T12:00:00Z');

/** Runs rounds a minute apart, by a clock that is off by `offsetMs`. */
function run(state: TrustedTime, fromMs: number, durationMs: number, offsetMs: number): TrustedTime {
  let assessed = state;
  for (let passedMs = MINUTE_MS; passedMs <= durationMs; passedMs += MINUTE_MS) {
    assessed = assessTime(assessed, fromMs + offsetMs + passedMs, MINUTE_MS, 0);
  }
  return assessed;
}

describe('the time that maintenance goes by', () => {
  const trusted: TrustedTime = { trustedMs: START_MS, doubt: null };

  it('trusts the clock from minute to minute', () => {
    expect(run(trusted, START_MS, 3 * DAY_MS, 0)).toEqual({
      trustedMs: START_MS + 3 * DAY_MS,
      doubt: null,
    });
  });

  it('trusts the clock after a night without the service, and after a loop that stood still for days', () => {
    expect(assessTime(trusted, START_MS + 16 * HOUR_MS, 0, 0).doubt).toBeNull();
    expect(assessTime(trusted, START_MS + 9 * DAY_MS, 9 * DAY_MS, 0).doubt).toBeNull();
  });

  it('trusts the clock after days in which ingestion ran and no worker did', () => {
    expect(assessTime(trusted, START_MS + 9 * DAY_MS, 0, 9 * DAY_MS).doubt).toBeNull();
    expect(assessTime(trusted, START_MS + 9 * DAY_MS, 0, DAY_MS).doubt).not.toBeNull();
  });

  it('distrusts the clock while it is 200 days ahead, and trusts it as soon as it is right again', () => {
    const ahead = run(trusted, START_MS, 23 * HOUR_MS, 200 * DAY_MS);
    expect(ahead).toMatchObject({ trustedMs: START_MS, doubt: { ranMs: 23 * HOUR_MS - MINUTE_MS } });
    const right = run(ahead, START_MS + 23 * HOUR_MS, MINUTE_MS, 0);
    expect(right).toEqual({ trustedMs: START_MS + 23 * HOUR_MS + MINUTE_MS, doubt: null });
  });

  it('trusts the clock after a day of running: the service was off for months', () => {
    const monthsMs = 120 * DAY_MS;
    expect(run(trusted, START_MS + monthsMs, 24 * HOUR_MS, 0).doubt).not.toBeNull();
    expect(run(trusted, START_MS + monthsMs, 24 * HOUR_MS + MINUTE_MS, 0)).toEqual({
      trustedMs: START_MS + monthsMs + 24 * HOUR_MS + MINUTE_MS,
      doubt: null,
    });
  });

  it('adds up the hours of a machine that is switched off at night', () => {
    let state = trusted;
    const mondayMs = START_MS + 120 * DAY_MS;
    for (const day of [0, 1, 2]) state = run(state, mondayMs + day * DAY_MS, 8 * HOUR_MS, 0);
    expect(state.doubt?.ranMs).toBe(24 * HOUR_MS - MINUTE_MS);
    expect(run(state, mondayMs + 3 * DAY_MS, MINUTE_MS, 0).doubt).toBeNull();
  });

  it('distrusts the clock again where it leaps again', () => {
    const doubted = run(trusted, START_MS, 20 * HOUR_MS, 200 * DAY_MS);
    const again = run(doubted, START_MS + 20 * HOUR_MS, 20 * HOUR_MS, 300 * DAY_MS);
    expect(again.doubt?.ranMs).toBe(20 * HOUR_MS - MINUTE_MS);
  });

  it('moves back where a clock that was ahead for more than a day is set right', () => {
    const wrong = run(trusted, START_MS, 25 * HOUR_MS, 200 * DAY_MS);
    expect(wrong.doubt).toBeNull();
    const fromMs = START_MS + 25 * HOUR_MS;
    expect(run(wrong, fromMs, 23 * HOUR_MS, 0).doubt).not.toBeNull();
    expect(run(wrong, fromMs, 24 * HOUR_MS + MINUTE_MS, 0)).toEqual({
      trustedMs: fromMs + 24 * HOUR_MS + MINUTE_MS,
      doubt: null,
    });
  });
});
