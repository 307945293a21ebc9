import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import type { AlarmChange } from '../series/alarm-state.ts';
import { HOUR_MS } from '../state/durations.ts';
import { LoneSeries } from './lone-series.ts';

const DAYS = 21;

/** What opens at the end of the hour that follows three weeks of counts. */
function openedAfter(rateOf: (hourOfDay: number) => number, hourOfDay: number, last: number): AlarmChange[] {
  const random = new Random(1);
  const series = new LoneSeries(START_MS, 60, 1);
  const hours = 24 * DAYS + hourOfDay;
  let changes: AlarmChange[] = [];
  for (let hour = 0; hour <= hours; hour++) {
    series.count({ count: hour === hours ? last : random.poisson(rateOf(hour % 24)) });
    changes = series.endStepsBefore(START_MS + (hour + 1) * HOUR_MS, true);
  }
  return changes.filter(({ kind }) => kind === 'opens');
}

const byDay = (hour: number) => (hour >= 8 && hour < 20 ? 200 : 20);

describe('a series that is alone, at steps of an hour', () => {
  it('names the time of the day where it gives the expectation', () => {
    expect(openedAfter(byDay, 12, 10)).toMatchObject([{ kind: 'opens', season: 'day' }]);
    expect(openedAfter(byDay, 3, 200)).toMatchObject([{ kind: 'opens', season: 'day' }]);
  });

  it('names no season where all hours are alike', () => {
    const [alarm, ...others] = openedAfter(() => 100, 12, 5);
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ kind: 'opens' });
    expect(alarm).not.toHaveProperty('season');
  });
});
