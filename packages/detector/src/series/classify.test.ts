import { describe, expect, it } from 'vitest';
import { opened, SimulatedSeries } from './testing.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const PEAK = 18 * HOUR;

/** Ten times as many from 16:00 to 21:00, on some days; the first minute is that of a Monday. */
const evenings =
  (isOn: (day: number) => boolean) =>
  (minute: number): number => {
    const ofDay = minute % DAY;
    const isEvening = ofDay >= PEAK - 2 * HOUR && ofDay < PEAK + 3 * HOUR;
    return isEvening && isOn(Math.floor(minute / DAY) % 7) ? 100 : 10;
  };

describe('the expectation of an alarm', () => {
  it('names no season where the level alone gives the expectation', () => {
    const series = new SimulatedSeries(1);
    series.run(8 * DAY, 20);
    const [alarm] = opened(series.run(5, 400));
    expect(alarm?.kind).toBe('opens');
    expect(alarm).not.toHaveProperty('season');
  });

  it('names the time of the day where yesterday gives the expectation', () => {
    const rates = evenings(() => true);
    const series = new SimulatedSeries(2);
    series.run(2 * DAY + PEAK - 2 * HOUR, rates);
    expect(opened(series.run(1, 2_000))).toMatchObject([{ season: 'day' }]);
  });

  it('names the hour of the week where last week gives the expectation', () => {
    const rates = evenings((day) => day === 0);
    const series = new SimulatedSeries(3);
    series.run(2 * WEEK + PEAK - 2 * HOUR, rates);
    expect(opened(series.run(1, 2_000))).toMatchObject([{ season: 'week' }]);
  });
});
