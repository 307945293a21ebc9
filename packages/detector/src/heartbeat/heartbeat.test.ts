import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { RecordBuffer } from '../state/record-buffer.ts';
import { advanceHeartbeat, type HeartbeatChange, recordEvent, recordLateEvent } from './heartbeat.ts';
import { HEARTBEAT_FLOATS, HeartbeatState, MERGED_MS } from './heartbeat-state.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const createHeartbeat = () =>
  new HeartbeatState({ buffer: new RecordBuffer(HEARTBEAT_FLOATS), first: 0 }).begin(START_MS);

const NORM = { budgetPerWeek: 1 / 30, lowestRate: () => 0 };

type Timed = HeartbeatChange & { atMs: number };

/** Sends at the times that a function gives, watched minute by minute. */
function watch(
  next: (timeMs: number) => number,
  endMs: number,
  deadFromMs = Number.POSITIVE_INFINITY,
): Timed[] {
  const heartbeat = createHeartbeat();
  const changes: Timed[] = [];
  let eventMs = next(START_MS);
  for (let timeMs = START_MS; timeMs < endMs; timeMs += MINUTE_MS) {
    for (; eventMs < timeMs + MINUTE_MS; eventMs = next(eventMs)) {
      const change = eventMs < deadFromMs ? recordEvent(heartbeat, eventMs, 1) : null;
      if (change) changes.push({ ...change, atMs: eventMs });
    }
    const change = advanceHeartbeat(heartbeat, { timeMs: timeMs + MINUTE_MS, isKnown: true }, NORM);
    if (change) changes.push({ ...change, atMs: timeMs + MINUTE_MS });
  }
  return changes;
}

describe('a regular sender', () => {
  it('says how long ago its last event came, and the next was due', () => {
    const deadFromMs = START_MS + 30 * HOUR_MS + MINUTE_MS;
    const [overdue] = watch((timeMs) => timeMs + HOUR_MS, START_MS + 40 * HOUR_MS, deadFromMs);
    if (overdue?.kind !== 'overdue') throw new Error('It was not found.');
    expect(overdue.seenMinutesAgo).toBe((overdue.atMs - START_MS) / MINUTE_MS - 30 * 60);
    expect(overdue.dueMinutesAgo).toBeCloseTo(overdue.seenMinutesAgo - 60, 6);
  });

  it.each([10_000, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS])(
    'finds a sender of every %d ms, give or take a fifth, overdue within three heartbeats and a minute',
    (period) => {
      const random = new Random(period);
      const next = (timeMs: number) => timeMs + period * (0.8 + 0.4 * random.uniform());
      const deadFromMs = START_MS + 10 * DAY_MS;
      const changes = watch(next, deadFromMs + 4 * period + 10 * MINUTE_MS, deadFromMs);
      expect(changes.map(({ kind }) => kind)).toEqual(['overdue']);
      expect((changes[0]?.atMs ?? 0) - deadFromMs).toBeLessThanOrEqual(3 * period + 2 * MINUTE_MS);
    },
  );

  it.each([
    [DAY_MS, 2, 15, 1.2],
    [DAY_MS, 2, 6, 1.2],
    [DAY_MS, 20, 15, 1.25],
    [12 * HOUR_MS, 2, 15, 1.2],
    [6 * HOUR_MS, 2, 30, 1.25],
    [HOUR_MS, 2, 200, 2.5],
  ])(
    'finds a job of every %d ms that strays by %d minutes overdue after its %dth run, %f periods later',
    (period, jitter, runs, periods) => {
      const random = new Random(period + jitter + runs);
      const lastMs = START_MS + runs * period;
      const next = (timeMs: number) => {
        const run = Math.floor((timeMs - START_MS + period / 2) / period) + 1;
        return START_MS + run * period + jitter * MINUTE_MS * (2 * random.uniform() - 1);
      };
      const changes = watch(next, lastMs + 4 * period, lastMs + period / 2);
      expect(changes.map(({ kind }) => kind)).toEqual(['overdue']);
      expect(((changes[0]?.atMs ?? 0) - lastMs) / period).toBeGreaterThanOrEqual(
        Math.min(periods, 1.2) - 0.01,
      );
      expect(((changes[0]?.atMs ?? 0) - lastMs) / period).toBeLessThanOrEqual(periods + 0.08);
    },
  );

  it('tolerates a run that comes four hours late, and a run of the hour that is skipped', () => {
    const daily = (timeMs: number) => {
      const day = Math.floor((timeMs - START_MS + 2 * HOUR_MS) / DAY_MS) + 1;
      return START_MS + day * DAY_MS + (day % 9 === 8 ? 4 * HOUR_MS : 0);
    };
    const hourly = (timeMs: number) =>
      timeMs + ((timeMs - START_MS) % (30 * HOUR_MS) === 0 ? 2 : 1) * HOUR_MS;
    expect(watch(daily, START_MS + 30 * DAY_MS)).toEqual([]);
    expect(watch(hourly, START_MS + 30 * DAY_MS)).toEqual([]);
  });

  it('finds a sender of batches overdue by its batches', () => {
    const next = (timeMs: number) =>
      (timeMs - START_MS) % HOUR_MS < 5_000 ? timeMs + 500 : Math.ceil(timeMs / HOUR_MS) * HOUR_MS;
    const deadFromMs = START_MS + 5 * DAY_MS;
    expect(watch(next, deadFromMs + 4 * HOUR_MS, deadFromMs)).toMatchObject([{ kind: 'overdue' }]);
  });

  it('finds a sender that is silent every night not overdue in its quiet hours', () => {
    const next = (timeMs: number) => {
      const later = timeMs + 5 * MINUTE_MS;
      const hour = ((later - START_MS) % DAY_MS) / HOUR_MS;
      return hour < 6 ? later + (6 - hour) * HOUR_MS : later;
    };
    const changes = watch(next, START_MS + 14 * DAY_MS);
    expect(changes.filter(({ kind, atMs }) => kind === 'overdue' && atMs > START_MS + 3 * DAY_MS)).toEqual(
      [],
    );
  });

  it('keeps what it has learned of a sender through the import of its past, and finds its death after that', () => {
    const random = new Random(11);
    const heartbeat = createHeartbeat();
    const learned = () =>
      MERGED_MS.map((_, index) => {
        const { mean, logMean } = heartbeat.tracker(index);
        return { mean, logMean };
      });
    let timeMs = START_MS;
    const advance = (isImporting: boolean): HeartbeatChange | null => {
      timeMs += 5_000;
      if (isImporting) for (let i = 0; i < 5; i++) recordLateEvent(heartbeat, timeMs - 1_000 * i);
      return advanceHeartbeat(heartbeat, { timeMs, isKnown: true }, NORM);
    };
    const beat = (isImporting: boolean) => {
      const nextMs = timeMs + MINUTE_MS * (0.7 + 0.6 * random.uniform());
      while (timeMs < nextMs) expect(advance(isImporting)).toBeNull();
      recordEvent(heartbeat, nextMs, 1);
    };
    while (timeMs < START_MS + 2 * DAY_MS) beat(false);
    const before = learned();
    for (let i = 0; i < 20; i++) beat(true);
    learned().forEach((after, tracker) => {
      expect(after.mean).toBeCloseTo(before[tracker]?.mean ?? 0, 0);
      expect(after.logMean).toBeCloseTo(before[tracker]?.logMean ?? 0, 0);
    });
    const importEndMs = timeMs;
    while (timeMs < importEndMs + 10 * MINUTE_MS && !advance(false));
    expect(timeMs - importEndMs).toBeLessThanOrEqual(4 * MINUTE_MS);
  });

  it('leaves quiet hours as they were where events of other hours are imported in them', () => {
    const heartbeat = createHeartbeat();
    const isNight = (timeMs: number) => (timeMs - START_MS) % DAY_MS >= 16 * HOUR_MS;
    const overdue: number[] = [];
    for (let timeMs = START_MS; timeMs < START_MS + 20 * DAY_MS; timeMs += MINUTE_MS) {
      if (!isNight(timeMs)) recordEvent(heartbeat, timeMs, 1);
      else if (timeMs > START_MS + 10 * DAY_MS && timeMs < START_MS + 11 * DAY_MS)
        recordLateEvent(heartbeat, timeMs);
      const change = advanceHeartbeat(heartbeat, { timeMs: timeMs + MINUTE_MS, isKnown: true }, NORM);
      if (change?.kind === 'overdue') overdue.push(Math.floor((timeMs - START_MS) / DAY_MS));
    }
    expect(overdue.filter((day) => day > 1)).toEqual([]);
  });

  it('never finds a sender of random events overdue', () => {
    const random = new Random(3);
    const next = (timeMs: number) => timeMs - 10 * MINUTE_MS * Math.log(1 - random.uniform());
    expect(watch(next, START_MS + 28 * DAY_MS)).toEqual([]);
  });

  it('reports the return of a sender with its next event', () => {
    const next = (timeMs: number) => {
      const later = timeMs + MINUTE_MS;
      return later - START_MS > 3 * DAY_MS && later - START_MS < 3.1 * DAY_MS
        ? START_MS + 3.1 * DAY_MS
        : later;
    };
    expect(watch(next, START_MS + 4 * DAY_MS).map(({ kind }) => kind)).toEqual(['overdue', 'returned']);
  });
});
