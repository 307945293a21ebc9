import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../state/durations.ts';
import { replay } from './replay.ts';

const DAY = 1_440;

describe('past counts', () => {
  it.each([
    ['far above any count', () => 1e38],
    ['infinite', () => Number.POSITIVE_INFINITY],
    ['negative', () => -500],
    ['unknown in turn', (step: number) => (step % 2 === 0 ? Number.NaN : 20)],
  ])('finds what follows values that are %s', (_, valueAt) => {
    const random = new Random(4);
    const counts = Array.from({ length: DAY }, (_, minute) =>
      minute >= 600 && minute < 660 ? valueAt(minute) : random.poisson(minute < 1_000 ? 20 : 300),
    );
    const openedAt = replay({ startMs: START_MS, stepMinutes: 1, counts }, 1).map(
      ({ openedAtMs }) => (openedAtMs - START_MS) / MINUTE_MS,
    );
    expect(openedAt).toEqual([1_000]);
  });

  it('lists which incidents past counts would have opened, when, why and for how long', () => {
    const random = new Random(1);
    const counts = Array.from({ length: 3 * DAY }, (_, minute) => {
      const isBurst = minute >= 2 * DAY && minute < 2 * DAY + 10;
      return random.poisson(isBurst ? 300 : 20);
    });
    const [incident, ...others] = replay({ startMs: START_MS, stepMinutes: 1, counts }, 1);
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      openedAtMs: START_MS + 2 * DAY * MINUTE_MS,
      direction: 'up',
      windowSeconds: 60,
      severity: 'critical',
    });
    expect(incident?.resolvedAtMs).toBeGreaterThan(incident?.openedAtMs ?? 0);
  });

  it('leaves an incident open where past counts end within it', () => {
    const counts = Array.from({ length: DAY }, (_, minute) => (minute < DAY - 5 ? 50 : 0));
    expect(replay({ startMs: START_MS, stepMinutes: 1, counts }, 1)).toMatchObject([
      { direction: 'down', observed: 0, resolvedAtMs: null, severity: 'critical' },
    ]);
  });

  it('finds that large counts which vary far more than by chance fall to a tenth', () => {
    const random = new Random(5);
    const storm = { from: 20 * 48 + 24, to: 20 * 48 + 48 };
    const counts = Array.from({ length: 28 * 48 }, (_, step) => {
      const ofDay = 1 + 0.5 * Math.sin((2 * Math.PI * step) / 48);
      const isStorm = step >= storm.from && step < storm.to;
      return random.count(15_000 * ofDay * Math.exp(0.06 * random.normal()) * (isStorm ? 0.1 : 1), 20);
    });
    const incidents = replay({ startMs: START_MS, stepMinutes: 30, counts }, 1);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({ direction: 'down' });
    const openedAt = ((incidents[0]?.openedAtMs ?? 0) - START_MS) / (30 * MINUTE_MS);
    expect(openedAt).toBeGreaterThanOrEqual(storm.from);
    expect(openedAt).toBeLessThanOrEqual(storm.from + 2);
  });

  it('expects of counts an hour what is usual at the time of the day', () => {
    const random = new Random(6);
    const night = (hour: number) => (hour % 24 < 8 ? 0.15 : 1);
    // Busy by day: at four in the morning as many as at noon is a burst, and opens the only incident.
    const burst = 24 * 20 + 4;
    const counts = Array.from({ length: 24 * 28 }, (_, hour) =>
      random.count(40 * (hour >= burst && hour < burst + 2 ? 1 : night(hour)), 2),
    );
    const incidents = replay({ startMs: START_MS, stepMinutes: 60, counts }, 1);
    const openedAt = incidents.map(({ openedAtMs }) => (openedAtMs - START_MS) / (60 * MINUTE_MS));
    expect(openedAt).toEqual([burst]);
  });

  it.each([1, 5, 60, 90, 120, 360, 1_440])('replays past counts in steps of %d minutes', (stepMinutes) => {
    const random = new Random(2);
    const counts = Array.from({ length: 400 }, (_, i) => random.poisson(i === 300 ? 900 : 20));
    const incidents = replay({ startMs: START_MS, stepMinutes, counts }, 1);
    expect(incidents.map(({ openedAtMs }) => (openedAtMs - START_MS) / stepMinutes / MINUTE_MS)).toContain(
      300,
    );
  });
});
