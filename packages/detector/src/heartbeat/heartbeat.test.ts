import { seeded } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { digamma, gammaUpperQuantile, logGamma, normalUpperQuantile } from './gamma-distribution.ts';
import { beat, createHeartbeat, type HeartbeatChange, passTime } from './heartbeat.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Told = HeartbeatChange & { atMs: number };

/** Sends at the times that a function gives, watched minute by minute. */
function watch(
  next: (timeMs: number) => number,
  endMs: number,
  deadFromMs = Number.POSITIVE_INFINITY,
): Told[] {
  const heartbeat = createHeartbeat(START_MS);
  const told: Told[] = [];
  let eventMs = next(START_MS);
  for (let timeMs = START_MS; timeMs < endMs; timeMs += MINUTE_MS) {
    for (; eventMs < timeMs + MINUTE_MS; eventMs = next(eventMs)) {
      const change = eventMs < deadFromMs ? beat(heartbeat, eventMs) : null;
      if (change) told.push({ ...change, atMs: eventMs });
    }
    const change = passTime(heartbeat, timeMs + MINUTE_MS, true, 1 / 30);
    if (change) told.push({ ...change, atMs: timeMs + MINUTE_MS });
  }
  return told;
}

describe('a regular sender', () => {
  it.each([10_000, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS])(
    'misses a sender of one event every %d ms, give or take a fifth, within three heartbeats and a minute',
    (period) => {
      const random = seeded(period);
      const next = (timeMs: number) => timeMs + period * (0.8 + 0.4 * random());
      const deadFromMs = START_MS + 10 * DAY_MS;
      const told = watch(next, deadFromMs + 4 * period + 10 * MINUTE_MS, deadFromMs);
      expect(told.map(({ kind }) => kind)).toEqual(['missed']);
      expect((told[0]?.atMs ?? 0) - deadFromMs).toBeLessThanOrEqual(3 * period + 2 * MINUTE_MS);
    },
  );

  it('recognises a regular sender of batches by its batches', () => {
    const next = (timeMs: number) =>
      (timeMs - START_MS) % HOUR_MS < 5_000 ? timeMs + 500 : Math.ceil(timeMs / HOUR_MS) * HOUR_MS;
    const deadFromMs = START_MS + 5 * DAY_MS;
    expect(watch(next, deadFromMs + 4 * HOUR_MS, deadFromMs)).toMatchObject([{ kind: 'missed' }]);
  });

  it('does not miss a regular sender in its nightly pauses', () => {
    const next = (timeMs: number) => {
      const later = timeMs + 5 * MINUTE_MS;
      const hour = ((later - START_MS) % DAY_MS) / HOUR_MS;
      return hour < 6 ? later + (6 - hour) * HOUR_MS : later;
    };
    const told = watch(next, START_MS + 14 * DAY_MS);
    expect(told.filter(({ kind, atMs }) => kind === 'missed' && atMs > START_MS + 3 * DAY_MS)).toEqual([]);
  });

  it('recognises no heartbeat in a random sender', () => {
    const random = seeded(3);
    const next = (timeMs: number) => timeMs - 10 * MINUTE_MS * Math.log(1 - random());
    expect(watch(next, START_MS + 28 * DAY_MS)).toEqual([]);
  });

  it('returns with its next event', () => {
    const next = (timeMs: number) => {
      const later = timeMs + MINUTE_MS;
      return later - START_MS > 3 * DAY_MS && later - START_MS < 3.1 * DAY_MS
        ? START_MS + 3.1 * DAY_MS
        : later;
    };
    expect(watch(next, START_MS + 4 * DAY_MS).map(({ kind }) => kind)).toEqual(['missed', 'returned']);
  });
});

describe('the functions of the gamma distribution', () => {
  it('agree with known values', () => {
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 8);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 8);
    expect(digamma(1)).toBeCloseTo(-0.577215665, 7);
    expect(normalUpperQuantile(0.025)).toBeCloseTo(1.96, 2);
    expect(gammaUpperQuantile(4, 0.01)).toBeCloseTo(2.511, 1);
  });
});
