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
const RUNS = { numRuns: rounds(6, 100), ...(!longForm && { seed: 1 }) };

/** Series after two weeks, in the middle of a morning. */
function countsOfTwoWeeks(
  seed: number,
  usual: (minute: number) => number,
  isErrorSeries = true,
): SimulatedSeries {
  const series = new SimulatedSeries(seed, isErrorSeries);
  series.run(14 * DAY + 10 * HOUR, usual);
  return series;
}

/** Returns the minute in which trouble is reported, counted from its beginning. */
function minuteOfTrouble(series: SimulatedSeries, minutes: number, mean: (minute: number) => number): number {
  const began = series.minute;
  const [first] = opened(series.run(minutes, mean));
  if (!first || !('minute' in first)) return Number.POSITIVE_INFINITY;
  return Number(first.minute) - began;
}

describe('trouble that was reported', () => {
  it.each([true, false])(
    'asks ten quiet days after it for at most 1.5 times the count of before, of errors: %s',
    (isErrorSeries) => {
      fc.assert(
        fc.property(troubles, ({ rhythm, perMinute, times, minutes, seed }) => {
          const usual = (minute: number) => perMinute * rhythm(minute);
          const series = countsOfTwoWeeks(seed, usual, isErrorSeries);
          const before = series.openingRises();
          series.run(minutes, (minute) => times * usual(minute));
          series.run(14 * DAY - minutes, usual);
          const after = series.openingRises();
          for (const [window, count] of before.entries())
            expect(after[window] ?? 0).toBeLessThanOrEqual(Math.ceil(1.5 * (count ?? 0)));
        }),
        RUNS,
      );
    },
  );

  it.each([0, 20, 60])(
    'reports traffic of %d times the usual a day, two or a week later as fast as the first',
    (times) => {
      fc.assert(
        fc.property(troubles, fc.constantFrom(1, 2, 7), ({ rhythm, seed, ...trouble }, days) => {
          // A silence of more than four hours counts as a night.
          const [least, longest] = times === 0 ? [50, 3 * HOUR] : [5, 12 * HOUR];
          const perMinute = Math.max(least, trouble.perMinute);
          const minutes = Math.min(longest, trouble.minutes);
          const usual = (minute: number) => perMinute * rhythm(minute);
          const unusual = (minute: number) => times * usual(minute);
          const traffic = countsOfTwoWeeks(seed, usual, false);
          const first = minuteOfTrouble(traffic, minutes, unusual);
          traffic.run(days * DAY - minutes, usual);
          expect(minuteOfTrouble(traffic, minutes, unusual)).toBeLessThanOrEqual(first + 1);
        }),
        { ...RUNS, numRuns: rounds(4, 100) },
      );
    },
  );

  it('reports a new job of every night in two nights, and then takes it for usual', () => {
    const traffic = countsOfTwoWeeks(1, () => 10, false);
    const reported = opened(traffic.run(6 * DAY, (minute) => (minute % DAY < 20 ? 200 : 10)));
    expect(reported.map((change) => 'minute' in change && Number(change.minute) % DAY)).toEqual([0, 0]);
  });

  it('reports the same rise of errors at the same hour of the next day, and of the next week, as fast as the first', () => {
    fc.assert(
      fc.property(troubles, fc.constantFrom(1, 7), ({ rhythm, seed, ...trouble }, days) => {
        const perMinute = Math.max(0.5, trouble.perMinute);
        const times = Math.max(20, trouble.times);
        const minutes = Math.min(5 * HOUR, trouble.minutes);
        const usual = (minute: number) => perMinute * rhythm(minute);
        const unusual = (minute: number) => times * usual(minute);
        const errors = countsOfTwoWeeks(seed, usual);
        const first = minuteOfTrouble(errors, minutes, unusual);
        errors.run(days * DAY - minutes, usual);
        expect(minuteOfTrouble(errors, minutes, unusual)).toBeLessThanOrEqual(first + 2);
      }),
      RUNS,
    );
  });

  it('reports the fourteenth of many outages as fast as the first', () => {
    const errors = countsOfTwoWeeks(1, () => 0.5);
    const delays = Array.from({ length: 14 }, () => {
      const delay = minuteOfTrouble(errors, 5 * HOUR, () => 10);
      errors.run(36 * HOUR, () => 0.5);
      return delay;
    });
    expect(Math.max(0, ...delays)).toBeLessThanOrEqual(3);
  });
});
