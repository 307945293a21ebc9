import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../state/durations.ts';
import { DOWN, UP } from '../state/side.ts';
import { LongSeries } from './long-series.ts';

const DAY = 24;
const WEEK = 7 * DAY;
const FROM = 3 * WEEK + 10;

interface HourlyChange {
  hour: number;
  kind: string;
  side: number;
}

/** Change of the hours of counts by a rhythm of the day; those from `FROM` on are a multiple. */
function changesOf(seed: number, hours: number, timesAt: (hoursSince: number) => number): HourlyChange[] {
  const random = new Random(seed);
  const series = new LongSeries(START_MS, 60, 0.5);
  return Array.from({ length: FROM + hours }, (_, hour) => {
    const usual = 100 * (1 + 0.6 * Math.sin((2 * Math.PI * hour) / DAY));
    series.count({ count: random.poisson(usual * (hour < FROM ? 1 : timesAt(hour - FROM))) });
    const changes = series.endStepsBefore(START_MS + (hour + 1) * HOUR_MS, true);
    return changes.map(({ kind, side }) => ({ hour: hour - FROM, kind, side }));
  }).flat();
}
const sidesOpened = (changes: HourlyChange[]) =>
  changes.filter(({ kind, hour }) => kind === 'opens' && hour >= 0).map(({ side }) => side);

describe('the return from trouble of more than a day, at steps of an hour', () => {
  it.each([
    ['a rise to 4 times', 4, 36, UP],
    ['a rise to 3 times', 3, 60, UP],
    ['a fall to a quarter', 0.25, 48, DOWN],
    ['a silence', 0, 72, DOWN],
  ])('opens nothing after %s the usual', (_, times, hours, side) => {
    for (const seed of [1, 2, 3]) {
      const changes = changesOf(seed, hours + WEEK, (hour) => (hour < hours ? times : 1));
      expect(new Set(sidesOpened(changes))).toEqual(new Set([side]));
    }
  });

  it('opens a drop where less than half of what was usual before a rise is left', () => {
    const changes = changesOf(1, 48, (hour) => (hour < 36 ? 4 : 0.1));
    expect(sidesOpened(changes)).toEqual([UP, DOWN]);
  });

  it('finds the same rise again once counts are as before', () => {
    const changes = changesOf(1, 96, (hour) => (hour < 36 || hour >= 60 ? 4 : 1));
    expect(sidesOpened(changes)).toEqual([UP, UP]);
  });
});

describe('a silence without an end, at steps of an hour', () => {
  it('closes its alarm, when nothing is usual', () => {
    const changes = changesOf(1, 4 * WEEK, () => 0).filter(({ hour }) => hour >= 0);
    expect(changes.at(-1)).toMatchObject({ kind: 'closes', side: DOWN });
  });
});
