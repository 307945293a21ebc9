import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longForm, rounds } from '../../../../server/test/support/test-length.ts';
import { opened, SimulatedSeries } from './testing.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const RHYTHMS = {
  none: () => 1,
  daily: (minute: number) => 1 + 0.8 * Math.sin((2 * Math.PI * minute) / DAY),
  weekly: (minute: number) => (Math.floor(minute / DAY) % 7 < 5 ? 1.2 : 0.5),
};
const rhythms = fc.constantFrom(...Object.values(RHYTHMS));
const troubles = fc.record({
  rhythm: rhythms,
  perMinute: fc.constantFrom(0.05, 0.5, 5, 50),
  times: fc.integer({ min: 10, max: 60 }),
  minutes: fc.integer({ min: HOUR / 2, max: 2 * DAY }),
  seed: fc.nat(1_000),
});

/**
 * The short form draws the same troubles each time. About one in a hundred of others is beyond these bounds by an event or by
 * a few minutes: the long form draws them, and prints its seed.
 */
const RUNS = { numRuns: rounds(10, 100), ...(!longForm && { seed: 1 }) };

/** Errors of two weeks, in the middle of a morning. */
function errorsOfTwoWeeks(seed: number, usual: (minute: number) => number): SimulatedSeries {
  const errors = new SimulatedSeries(seed, true);
  errors.run(14 * DAY + 10 * HOUR, usual);
  return errors;
}

/** The minute in which a rise is reported, counted from its beginning. */
function minuteOfRise(errors: SimulatedSeries, minutes: number, mean: (minute: number) => number): number {
  const began = errors.minute;
  const [first] = opened(errors.run(minutes, mean));
  if (!first || !('minute' in first)) return Number.POSITIVE_INFINITY;
  return Number(first.minute) - began;
}

describe('errors that were reported', () => {
  it('asks ten quiet days after an incident for at most 1.5 times the count of before', () => {
    fc.assert(
      fc.property(troubles, ({ rhythm, perMinute, times, minutes, seed }) => {
        const usual = (minute: number) => perMinute * rhythm(minute);
        const errors = errorsOfTwoWeeks(seed, usual);
        const before = errors.openingRises();
        errors.run(minutes, (minute) => times * usual(minute));
        errors.run(14 * DAY - minutes, usual);
        const after = errors.openingRises();
        for (const [window, count] of before.entries())
          expect(after[window] ?? 0).toBeLessThanOrEqual(Math.ceil(1.5 * (count ?? 0)));
      }),
      RUNS,
    );
  });

  it('reports the same rise at the same hour of the next day, and of the next week, as fast as the first', () => {
    fc.assert(
      fc.property(troubles, fc.constantFrom(1, 7), ({ rhythm, seed, ...trouble }, days) => {
        const perMinute = Math.max(0.5, trouble.perMinute);
        const times = Math.max(20, trouble.times);
        const minutes = Math.min(5 * HOUR, trouble.minutes);
        const usual = (minute: number) => perMinute * rhythm(minute);
        const unusual = (minute: number) => times * usual(minute);
        const errors = errorsOfTwoWeeks(seed, usual);
        const first = minuteOfRise(errors, minutes, unusual);
        errors.run(days * DAY - minutes, usual);
        expect(minuteOfRise(errors, minutes, unusual)).toBeLessThanOrEqual(first + 2);
      }),
      RUNS,
    );
  });

  it('reports the fourteenth of many outages as fast as the first', () => {
    const errors = errorsOfTwoWeeks(1, () => 0.5);
    const delays = Array.from({ length: 14 }, () => {
      const delay = minuteOfRise(errors, 5 * HOUR, () => 10);
      errors.run(36 * HOUR, () => 0.5);
      return delay;
    });
    expect(Math.max(0, ...delays)).toBeLessThanOrEqual(3);
  });
});
