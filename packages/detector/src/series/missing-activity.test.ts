import { describe, expect, it } from 'vitest';
import { resolutionOf } from '../state/resolution.ts';
import { DOWN } from '../state/side.ts';
import { usualRate } from './missing-activity.ts';
import { seasonalPositionOf } from './seasonal-position.ts';
import { opened, SimulatedSeries } from './testing.ts';

const DAY = 1_440;
const HOUR = 60;
const OPENING = 8 * HOUR;
const CLOSING = 17 * HOUR;
const NIGHT = 2;

/** Working hours from Monday to Friday; the first minute is that of a Monday. */
const office = (minute: number) => {
  const [day, ofDay] = [Math.floor(minute / DAY) % 7, minute % DAY];
  return day < 5 && ofDay >= OPENING && ofDay < CLOSING ? 100 : NIGHT;
};
const brokenOn = (day: number) => (minute: number) =>
  Math.floor(minute / DAY) === day ? NIGHT : office(minute);

/** Alarms of too little, as minutes since the opening of their days. */
function drops(series: SimulatedSeries, days: number, rateAt = office): number[] {
  return opened(series.run(days * DAY, rateAt)).flatMap((change) =>
    change.kind === 'opens' && change.side === 1
      ? [((series.changes.find((known) => known === change)?.minute ?? 0) % DAY) - OPENING]
      : [],
  );
}

describe('a working morning that does not come', () => {
  it.each([14, 15, 18])(
    'opens one alarm on day %d within an hour and a half, which the next morning ends',
    (day) => {
      const series = new SimulatedSeries(day);
      series.run(day * DAY, office);
      const changes = series.run(2 * DAY, brokenOn(day));
      const [alarm, ...others] = opened(changes);
      expect(others).toEqual([]);
      expect(alarm).toMatchObject({ side: 1, window: expect.any(Number) });
      const [first] = changes.filter(({ kind }) => kind === 'opens');
      expect((first?.minute ?? 0) - day * DAY - OPENING).toBeGreaterThan(HOUR);
      expect((first?.minute ?? 0) - day * DAY - OPENING).toBeLessThanOrEqual(1.5 * HOUR);
      const closed = changes.find(({ kind }) => kind === 'closes');
      expect((closed?.minute ?? 0) - (day + 1) * DAY).toBeLessThanOrEqual(OPENING + 1.5 * HOUR);
    },
  );

  it('reports what is usual as expected, not the least of it that is normal', () => {
    const series = new SimulatedSeries(1);
    series.run(15 * DAY, office);
    const [alarm] = opened(series.run(DAY, brokenOn(15)));
    if (alarm?.kind !== 'opens') throw new Error('No alarm has opened.');
    // The mean of all days is 72.
    expect(alarm.expected / alarm.knownSteps).toBeGreaterThan(85);
    expect(alarm.expected / alarm.knownSteps).toBeLessThan(110);
    expect(alarm.observed / alarm.knownSteps).toBeLessThan(5);
    expect(alarm).toMatchObject({ season: 'week' });
    expect(alarm).not.toHaveProperty('unseenMinutes');
  });

  it('keeps quiet at weekends and on the Mondays after them, from the first week on', () => {
    expect(drops(new SimulatedSeries(2), 28).filter((minute) => minute < CLOSING - OPENING)).toEqual([]);
  });

  it.each([-HOUR, -45, 45, HOUR])('keeps quiet where the working day begins %d minutes off', (shift) => {
    const series = new SimulatedSeries(3);
    series.run(14 * DAY, office);
    const mornings = opened(series.run(12 * HOUR, (minute) => office(minute + shift))).filter(
      (change) => change.kind === 'opens' && change.side === 1,
    );
    expect(mornings).toEqual([]);
  });

  it('keeps quiet where the working day begins an hour early, but for more than it brings', () => {
    const series = new SimulatedSeries(7);
    series.run(14 * DAY, office);
    const early = opened(series.run(OPENING - 30, (minute) => office(minute + HOUR)));
    expect(early).toEqual([]);
    expect(opened(series.run(10, 400))).toMatchObject([{ side: 0 }]);
  });

  it('keeps quiet on a holiday with a third of the usual events', () => {
    const series = new SimulatedSeries(4);
    series.run(14 * DAY, office);
    expect(
      series
        .run(DAY, (minute) => Math.max(NIGHT, 0.35 * office(minute)))
        .filter(
          (change) =>
            change.kind === 'opens' && change.minute % DAY > OPENING && change.minute % DAY < CLOSING - HOUR,
        ),
    ).toEqual([]);
  });

  it('reports on two days that what was usual does not come back, and then accepts it', () => {
    const series = new SimulatedSeries(5);
    series.run(15 * DAY, office);
    const changes = series.run(6 * DAY, () => NIGHT).filter(({ kind }) => kind !== 'suppressed');
    expect(changes.map(({ kind }) => kind)).toEqual(['opens', 'closes', 'opens', 'closes']);
    const [first, , second, last] = changes.map(({ minute }) => minute - 15 * DAY);
    expect(first).toBeLessThanOrEqual(OPENING + 1.5 * HOUR);
    expect(second).toBeLessThanOrEqual(DAY + OPENING + 1.5 * HOUR);
    expect(last).toBeLessThanOrEqual(3 * DAY);
  });

  it('knows no usual rate in the first week', () => {
    const series = new SimulatedSeries(6);
    const resolution = resolutionOf(1);
    const position = seasonalPositionOf(resolution, Date.UTC(2026, 0, 5, 12));
    series.run(6 * DAY, 50);
    expect(usualRate(series.state, { resolution, position })).toBe(0);
    series.run(2 * DAY, 50);
    expect(usualRate(series.state, { resolution, position })).toBeGreaterThan(35);
    expect(usualRate(series.state, { resolution, position })).toBeLessThanOrEqual(55);
  });
});

describe('a sender of one kind of day', () => {
  /** By day at weekends, and nothing on other days. */
  const weekend = (minute: number) => {
    const [day, hour] = [Math.floor(minute / DAY) % 7, (minute % DAY) / HOUR];
    return day >= 5 && hour >= 6 && hour < 18 ? 180 : 0;
  };

  it('reports as usual what comes on that kind of day, not the mean of all days', () => {
    const series = new SimulatedSeries(7);
    series.run(19 * DAY, weekend);
    const [missed] = series.run(DAY, () => 0).filter(({ kind }) => kind === 'opens');
    if (missed?.kind !== 'opens') throw new Error('It has opened.');
    expect(missed.season).toBe('week');
    expect(missed.expected / missed.knownSteps).toBeGreaterThan(140);
    expect(missed.expected / missed.knownSteps).toBeLessThan(200);
  });

  it('misses nothing on the days on which nothing comes', () => {
    const series = new SimulatedSeries(8);
    series.run(19 * DAY, weekend);
    series.run(2 * DAY, weekend);
    const changes = series.run(5 * DAY, () => 0);
    expect(changes.filter(({ kind, side }) => kind === 'opens' && side === DOWN)).toEqual([]);
  });
});
