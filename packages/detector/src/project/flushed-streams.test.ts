import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { reloaded, warmDetector } from '../saving/testing.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import { STEP_MS } from './project-parts.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Second of the minute in which the application sends its collected events. */
const FLUSH_MS = 13_000;

/** Events a minute, at a minute since the beginning of a Monday. */
type Rate = (minute: number) => number;

/** 0.3 at one in the night, 20 at one in the afternoon. */
const daily: Rate = (minute) => {
  const phase = 0.5 - 0.5 * Math.cos((2 * Math.PI * (minute - HOUR)) / DAY);
  return 0.3 * (20 / 0.3) ** phase;
};
const office: Rate = (minute) => {
  const [day, hour] = [Math.floor(minute / DAY) % 7, (minute % DAY) / HOUR];
  return day < 5 && hour >= 9 && hour < 17 ? 20 : 0.3;
};

type CountOf = (minute: number, random: Random) => number;
const poisson =
  (rate: Rate): CountOf =>
  (minute, random) =>
    random.poisson(rate(minute));

interface Stream {
  name: string;
  seed: number;
  countOf: CountOf;
}
const DAILY: Stream = { name: 'daily', seed: 8, countOf: poisson(daily) };
const OFFICE: Stream = { name: 'office', seed: 7, countOf: poisson(office) };

/** A project of one application that sends once a minute what it has collected. */
class Flushed {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly #random: Random;
  readonly #countOf: CountOf;
  #minute = 0;

  constructor(seed: number, countOf: CountOf) {
    this.#random = new Random(seed);
    this.#countOf = countOf;
  }

  static poisson(seed: number, rate: Rate): Flushed {
    return new Flushed(seed, poisson(rate));
  }

  /** One that has gone on for whole days, of which its detector knows. */
  static async after(days: number, { name, seed, countOf }: Stream): Promise<Flushed> {
    const stream = new Flushed(seed + 100, countOf);
    stream.detector = await warmDetector(import.meta.url, `flushed-${name}`, () => {
      const history = new Flushed(seed, countOf);
      history.run(days * DAY);
      return history;
    });
    stream.#minute = days * DAY;
    return stream;
  }

  /** @returns the changes, with the minute after which they came */
  run(minutes: number, isAlive = true): (DetectorEvent & { minute: number })[] {
    return Array.from({ length: minutes }, () => this.#step(isAlive)).flat();
  }

  #step(isAlive: boolean): (DetectorEvent & { minute: number })[] {
    const bucketMs = this.detector.stepMs;
    const count = isAlive ? this.#countOf(this.#minute, this.#random) : 0;
    const stream = { type: 'rpc', severity: 'info', source: 'svc1' } as const;
    if (count > 0) this.detector.count({ ...stream, bucketMs, lastMs: bucketMs + FLUSH_MS, count });
    this.#minute++;
    const changes = this.detector.endStepsBefore(bucketMs + STEP_MS, true);
    return changes.map((change) => ({ ...change, minute: this.#minute }));
  }
}

const isHeartbeat = (change: DetectorEvent) => 'anomaly' in change && change.anomaly.usualMinutes !== null;
const opened = <T extends DetectorEvent>(changes: T[]) => changes.filter(({ kind }) => kind === 'opens');

describe('a stream that is sent once a minute', () => {
  it('opens nothing in two weeks of 0.3 events a minute by night and 20 by day', () => {
    for (const seed of [1, 2, 3].slice(0, rounds(1, 3)))
      expect(opened(Flushed.poisson(seed, daily).run(14 * DAY))).toEqual([]);
  });

  it('opens nothing for a heartbeat in two weeks of an office, whose hours have hard edges', () => {
    for (const seed of [4, 5, 6].slice(0, rounds(1, 3))) {
      const changes = opened(Flushed.poisson(seed, office).run(14 * DAY));
      expect(changes.filter(isHeartbeat)).toEqual([]);
    }
  });

  it.each([
    ['a daily rhythm', DAILY, 13 * HOUR],
    ['office hours', OFFICE, 11 * HOUR],
  ] as const)(
    'opens an incident within five minutes when one of %s stops by day',
    async (_, history, atMinute) => {
      const stream = await Flushed.after(8, history);
      stream.run(atMinute);
      expect(opened(stream.run(5, false))).toHaveLength(1);
    },
  );

  it('opens an incident within an hour when one of a daily rhythm stops in the evening', async () => {
    const stream = await Flushed.after(8, DAILY);
    stream.run(20 * HOUR);
    expect(opened(stream.run(HOUR, false))).toHaveLength(1);
  });

  it.each([
    ['one event', () => 1],
    ['four events', () => 4],
    ['one event, rarely two', (minute: number) => (minute % 40 === 7 ? 2 : 1)],
  ])('finds a health check of %s a minute overdue within three heartbeats', async (events, countOf) => {
    const name = `check-${events.replaceAll(/[^a-z]+/g, '-')}`;
    const check = await Flushed.after(8, { name, seed: 9, countOf });
    expect(check.detector.nextIncident).toBe(1);
    // The counts of several events a minute find the third empty minute as well.
    expect(opened(check.run(4, false))).toMatchObject([{ anomaly: { rule: 'silence' } }]);
  });

  it.each([
    ['9 to 11', (random: Random) => 9 + Math.floor(3 * random.uniform())],
    ['5 to 150', (random: Random) => Math.round(5 * 30 ** random.uniform())],
  ])(
    'finds a job of every five minutes overdue within four runs, where a run has %s events',
    async (events, run) => {
      const countOf: CountOf = (minute, random) => (minute % 5 === 0 ? run(random) : 0);
      const name = `job-${events.replaceAll(' ', '-')}`;
      const job = await Flushed.after(8, { name, seed: 10, countOf });
      expect(job.detector.nextIncident).toBe(1);
      expect(opened(job.run(20, false))).toHaveLength(1);
    },
  );

  it('finds a nightly job overdue after 1.2 periods, whatever the number of its events', async () => {
    const countOf: CountOf = (minute, random) => (minute % DAY === 2 * HOUR ? random.poisson(200) : 0);
    // Its first runs are rises.
    const job = await Flushed.after(14, { name: 'nightly-job', seed: 11, countOf });
    expect(opened(job.run(6 * DAY))).toEqual([]);
    const [found, ...others] = opened(job.run(DAY, false));
    expect(found?.kind === 'opens' && found.anomaly.usualMinutes).toBeCloseTo(DAY, 0);
    expect(others).toEqual([]);
  });

  it('says of a stream by night that the next event is overdue later than by day', async () => {
    const due = async (hour: number) => {
      const stream = await Flushed.after(8, DAILY);
      stream.run(hour * HOUR);
      const [series] = stream.detector.describeSeries().filter(({ series }) => series.kind === 'events');
      const dueMs = series?.heartbeat?.dueMs ?? Number.POSITIVE_INFINITY;
      return (dueMs - stream.detector.stepMs) / STEP_MS;
    };
    expect(await due(13)).toBeLessThan(5);
    expect(await due(20)).toBeGreaterThan(5);
  });

  it('finds the same where it is saved and loaded in a silence', async () => {
    const [kept, copy] = [await Flushed.after(8, DAILY), await Flushed.after(8, DAILY)];
    for (const stream of [kept, copy]) stream.run(20 * HOUR);
    const expected = kept.run(HOUR, false);
    const before = copy.run(2, false);
    copy.detector = reloaded(copy.detector);
    expect([...before, ...copy.run(HOUR - 2, false)]).toEqual(expected);
    expect(opened(expected)).toHaveLength(1);
  });
});
