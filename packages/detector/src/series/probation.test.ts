import { describe, expect, it } from 'vitest';
import { DOWN } from '../state/side.ts';
import { opened, SimulatedSeries } from './testing.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** Returns the days on which a drop opens: of traffic that falls where a habit says so, from its third week on. */
function daysOfDrops(days: number, perMinute: number, factorOf: (minute: number) => number): number[] {
  const traffic = new SimulatedSeries(1);
  traffic.run(14 * DAY, perMinute);
  const changes = opened(traffic.run(days * DAY, (minute) => perMinute * factorOf(minute)));
  const drops = changes.flatMap((change) => ('minute' in change ? [Number(change.minute)] : []));
  return [...new Set(drops.map((minute) => Math.floor(minute / DAY)))];
}
const isSaturday = (minute: number) => Math.floor(minute / DAY) % 7 === 5;
const isBetween = (minute: number, from: number, to: number) =>
  minute % DAY >= from * HOUR && minute % DAY < to * HOUR;

describe('a fall of traffic that has become usual', () => {
  it.each([10, 100])('reports new quiet Saturdays once, of %d a minute', (perMinute) => {
    const days = daysOfDrops(28, perMinute, (minute) => (isSaturday(minute) ? 0.2 : 1));
    expect(days).toEqual([19]);
  });

  it.each([10, 100])('reports new quiet hours of Saturdays at most twice, of %d a minute', (perMinute) => {
    const factorOf = (minute: number) => (isSaturday(minute) && isBetween(minute, 10, 16) ? 0.3 : 1);
    expect([[19], [19, 26]]).toContainEqual(daysOfDrops(28, perMinute, factorOf));
  });

  it.each([10, 100])('reports new quiet hours of each day twice, of %d a minute', (perMinute) => {
    const factorOf = (minute: number) => (isBetween(minute, 10, 12) ? 0.3 : 1);
    expect(daysOfDrops(7, perMinute, factorOf)).toEqual([14, 15]);
  });
});

describe('traffic that comes back from a rise', () => {
  it('opens no drop when a fifth of what was before is missing', () => {
    const traffic = new SimulatedSeries(1);
    traffic.run(14 * DAY + 10 * HOUR, 50);
    traffic.run(10 * HOUR, 200);
    expect(opened(traffic.run(6 * HOUR, 40)).filter(({ side }) => side === DOWN)).toEqual([]);
  });
});
