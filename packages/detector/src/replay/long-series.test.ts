import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import type { AlarmChange } from '../series/alarm-state.ts';
import { HOUR_MS, WEEK_MS } from '../state/durations.ts';
import { DOWN, UP } from '../state/side.ts';
import { LongSeries } from './long-series.ts';
import { scoreSteps } from './score-steps.ts';

const DAY = 24;
const WEEK = 7 * DAY;

/** Returns the alarms that open, by the hour that has just ended. */
function openedIn(counts: number[]): [hour: number, side: number][] {
  const series = new LongSeries(START_MS, 60, 0.05);
  return counts.flatMap((count, hour) => {
    series.count({ count });
    const changes: AlarmChange[] = series.endStepsBefore(START_MS + (hour + 1) * HOUR_MS, true);
    return changes.filter(({ kind }) => kind === 'opens').map(({ side }): [number, number] => [hour, side]);
  });
}

const drawn = (seed: number, hours: number, rateOf: (hour: number) => number) => {
  const random = new Random(seed);
  return Array.from({ length: hours }, (_, hour) => random.poisson(rateOf(hour)));
};
const byDay = (hour: number) => (hour % DAY >= 8 && hour % DAY < 20 ? 200 : 20);
const isWeekend = (hour: number) => Math.floor(hour / DAY) % 7 >= 5;

describe('a series that is alone, at steps of an hour', () => {
  it.each([
    ['next to nothing comes at noon', 12, 10, DOWN],
    ['as much comes at night as by day', 3, 200, UP],
  ])('opens where %s, and nowhere in three weeks before', (_, hourOfDay, last, side) => {
    const hour = 3 * WEEK + hourOfDay;
    expect(openedIn([...drawn(1, hour, byDay), last])).toEqual([[hour, side]]);
  });

  it('opens where all hours are alike, and next to nothing comes', () => {
    const hour = 3 * WEEK + 12;
    expect(openedIn([...drawn(1, hour, () => 100), 5])).toEqual([[hour, DOWN]]);
  });

  it('expects a weekend that is unlike other days, from its second time on', () => {
    const rateOf = (hour: number) => byDay(hour) * (isWeekend(hour) ? 0.3 : 1);
    expect(openedIn(drawn(2, 6 * WEEK, rateOf)).filter(([hour]) => hour >= WEEK)).toEqual([]);
  });

  it('finds each of ten outages of a hundred times the usual errors, however often they come', () => {
    const troubles = Array.from({ length: 10 }, (_, index) => 2 * WEEK + index * 61);
    const isTrouble = (hour: number) => troubles.some((from) => hour >= from && hour < from + 8);
    const opened = openedIn(drawn(3, 6 * WEEK, (hour) => (isTrouble(hour) ? 1_500 : 15)));
    expect(opened).toEqual(troubles.map((hour) => [hour, UP]));
  });

  it('takes what comes at the same hour of each week for usual after four weeks', () => {
    const isJob = (hour: number) => hour % WEEK === 50 && hour > 2 * WEEK;
    const opened = openedIn(drawn(4, 10 * WEEK, (hour) => (isJob(hour) ? 250 : 100)));
    expect(opened).toEqual([2, 3, 4, 5].map((week) => [week * WEEK + 50, UP]));
  });

  it('opens nothing in the first two weeks of steps of a day, whose noise is not known', () => {
    const series = new LongSeries(START_MS, 24 * 60, 0.5);
    const changes = Array.from({ length: 14 }, (_, day) => {
      series.count({ count: 1_000 * (1 + (day % 3)) });
      return series.endStepsBefore(START_MS + (day + 1) * DAY * HOUR_MS, true);
    });
    expect(changes.flat()).toEqual([]);
  });

  it('opens one alarm for a silence that lasts over a night without events', () => {
    const rateOf = (hour: number) => (hour % DAY < 8 ? 0.01 : 100);
    const isSilent = (hour: number) => hour >= 3 * WEEK + 15 && hour < 3 * WEEK + DAY + 12;
    const opened = openedIn(drawn(5, 4 * WEEK, (hour) => (isSilent(hour) ? 0 : rateOf(hour))));
    expect(opened).toEqual([[3 * WEEK + 15, DOWN]]);
  });

  it('evaluates nothing where counts are not known, and goes on as before', () => {
    const hour = 3 * WEEK + 12;
    const counts = drawn(6, hour, byDay).fill(Number.NaN, 2 * WEEK, 2 * WEEK + 60);
    expect(openedIn([...counts, 10])).toEqual([[hour, DOWN]]);
  });
});

describe('weekly counts with the season of a year', () => {
  const YEAR = 52;
  const WEEK_MINUTES = WEEK_MS / 60_000;
  /** A winter with ten times the cases of a summer. */
  const winter = (week: number) => 50 * Math.exp(1.15 * Math.cos((2 * Math.PI * week) / YEAR));

  it('opens for an outbreak in summer, and for no winter after the second', () => {
    const series = new LongSeries(START_MS, WEEK_MINUTES, 0.02, YEAR);
    const counts = drawn(1, 10 * YEAR, (week) => winter(week) * (week >= 494 && week < 497 ? 3 : 1));
    const opened = counts.flatMap((count, week) => {
      series.count({ count });
      const changes = series.endStepsBefore(START_MS + (week + 1) * WEEK_MS, true);
      return changes.flatMap(({ kind, side }) => (kind === 'opens' ? [[week, side]] : []));
    });
    expect(opened.filter(([week]) => (week ?? 0) >= 2 * YEAR)).toEqual([[494, UP]]);
  });

  it('keeps false steps near a budget of one in a hundred', () => {
    let falseSteps = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const past = { startMs: START_MS, stepMinutes: WEEK_MINUTES, counts: drawn(seed, 12 * YEAR, winter) };
      falseSteps += scoreSteps(past, 0.02, 11 * YEAR, YEAR).filter(Boolean).length;
    }
    expect(falseSteps / (20 * YEAR)).toBeLessThanOrEqual(0.02);
  });

  it.each([0, 1, -52, 7.5, Number.NaN])('refuses a season of %d steps', (season) => {
    const past = { startMs: START_MS, stepMinutes: WEEK_MINUTES, counts: [1, 2, 3] };
    expect(() => scoreSteps(past, 0.02, 1, season)).toThrow(RangeError);
  });
});
