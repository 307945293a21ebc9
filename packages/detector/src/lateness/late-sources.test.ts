import { describe, expect, it } from 'vitest';
import type { LateReport } from './late-reports.ts';
import { LateSources, MAX_LATE_SOURCES } from './late-sources.ts';
import { LATE_MS, Lateness } from './lateness.ts';
import type { SourceArrivals } from './observed-lateness.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 0, 5);

/** Events of one minute of receipt, that came so late. */
function arrivals(minute: number, lateMs: number[], source: string | null = 'web'): SourceArrivals {
  const lateness = new Lateness();
  for (const late of lateMs) lateness.add(late, 1);
  const firstMs = START_MS + minute * MINUTE_MS;
  const late = lateMs.filter((ms) => ms > LATE_MS).map((ms) => firstMs - ms);
  return {
    source,
    lateness: lateness.save(),
    events: lateMs.length,
    firstMs,
    lastMs: firstMs + 30_000,
    late:
      late.length === 0 ? null : { events: late.length, errors: 0, fromMs: late[0] ?? 0, toMs: late[0] ?? 0 },
  };
}

/** Returns sources with the arrivals of so many minutes. */
function observe(minutes: number, lateMsOf: (minute: number) => number[]): LateSources {
  const sources = new LateSources();
  for (let minute = 0; minute < minutes; minute++)
    sources.take({ sources: [arrivals(minute, lateMsOf(minute))], others: null });
  return sources;
}

const minutesLate = (...minutes: number[]) => minutes.map((late) => late * MINUTE_MS);

describe('a source that delivers late', () => {
  it('evaluates a source by receipt once 100 events in 30 minutes were late by nearly the same time', () => {
    expect(observe(30, () => minutesLate(7, 7, 7, 7.5)).isEvaluated('web', 7 * MINUTE_MS)).toBe(false);
    const steady = observe(31, () => minutesLate(7, 7, 7, 7.5));
    expect(steady.isEvaluated('web', 7 * MINUTE_MS)).toBe(true);
    expect(steady.takeSteady()).toMatchObject([{ source: 'web', behindMs: 7 * MINUTE_MS }]);
    expect(observe(31, () => minutesLate(7, 7, 7)).isEvaluated('web', 7 * MINUTE_MS)).toBe(false);
    expect(observe(34, () => minutesLate(7, 7, 7)).isEvaluated('web', 7 * MINUTE_MS)).toBe(true);
  });

  it('calls no source steadily late from an interquartile range of 2 minutes on', () => {
    const spread = (range: number) => observe(60, () => minutesLate(10, 10, 10 + range, 10 + range));
    expect(spread(1.8).isEvaluated('web', 11 * MINUTE_MS)).toBe(true);
    expect(spread(2).isEvaluated('web', 11 * MINUTE_MS)).toBe(false);
  });

  it('stays steady beside a few events of long ago, which are not evaluated', () => {
    const sources = observe(60, (minute) => minutesLate(7, 7, 7, 7, 7, minute * 60));
    expect(sources.isEvaluated('web', 7 * MINUTE_MS)).toBe(true);
    expect(sources.isEvaluated('web', 300 * MINUTE_MS)).toBe(false);
  });

  it('stays steady beside an import of a few minutes, however large, and the import is not what is usual', () => {
    const import30h = Array.from({ length: 5_000 }, () => 30 * 60 * MINUTE_MS);
    const sources = observe(31, (minute) => (minute < 5 ? import30h : minutesLate(7, 7, 7, 7)));
    expect(sources.isEvaluated('web', 7 * MINUTE_MS)).toBe(true);
    expect(sources.isEvaluated('web', 30 * 60 * MINUTE_MS)).toBe(false);
  });

  it('calls a source steadily late however long it is behind', () => {
    const sources = observe(40, () => minutesLate(12 * 60, 12 * 60, 12 * 60 + 1));
    expect(sources.isEvaluated('web', 12 * 60 * MINUTE_MS)).toBe(true);
    expect(sources.isEvaluated('web', 11 * 60 * MINUTE_MS)).toBe(false);
  });

  it('evaluates a source throughout that is late by five minutes more or less', () => {
    const sources = observe(60, () => minutesLate(4.7, 4.8, 5.1, 5.2));
    expect(sources.isEvaluated('web', 5.2 * MINUTE_MS)).toBe(true);
  });

  it('forgets a late source when none of its events is late any more, and names none whose events mostly come at once', () => {
    const sources = observe(40, (minute) =>
      minute < 5 ? minutesLate(0, 0, 90, 0) : minutesLate(0, 0, 0, 0),
    );
    expect(sources.isEvaluated('web', 90 * MINUTE_MS)).toBe(false);
    expect(sources.takeSteady()).toEqual([]);
    expect(sources.passTime(START_MS + 40 * MINUTE_MS)).toHaveLength(1);
    for (let minute = 40; minute < 90 && sources.isFollowed('web'); minute++)
      sources.take({ sources: [arrivals(minute, minutesLate(0, 0, 0, 0))], others: null });
    expect(sources.isFollowed('web')).toBe(false);
  });

  it('ends the steady lateness of a source when its clock is set right', () => {
    const sources = observe(120, (minute) =>
      minute < 40 ? minutesLate(7, 7, 7, 7) : minutesLate(0, 0, 0, 0),
    );
    expect(sources.takeSteady()).toEqual([]);
    expect(sources.isEvaluated('web', 0)).toBe(true);
  });

  it('reports the same late sources after saving and loading', () => {
    const saved = JSON.parse(JSON.stringify(observe(31, () => minutesLate(7, 7, 7, 7)).save()));
    expect(new LateSources(saved).isEvaluated('web', 7 * MINUTE_MS)).toBe(true);
  });
});

describe('steady late sources of the detector before', () => {
  it('evaluates their events by receipt from the first one on, and says nothing new about them', () => {
    const steady = [{ source: 'web', behindMs: 7 * MINUTE_MS, sinceMs: START_MS }];
    const sources = new LateSources();
    sources.adopt(steady, START_MS);
    expect(sources.isEvaluated('web', 7 * MINUTE_MS)).toBe(true);
    expect(sources.isEvaluated('api', 7 * MINUTE_MS)).toBe(false);
    expect(sources.takeSteady()).toBeNull();
    expect(sources.steady).toEqual(steady);
  });
});

describe('reports of late events', () => {
  const reportsOf = (sources: LateSources, minutes: number[]): [number, LateReport][] =>
    minutes.flatMap((minute) =>
      sources.passTime(START_MS + minute * MINUTE_MS).map((report): [number, LateReport] => [minute, report]),
    );

  it('reports late events when they pause, with their number and range of capture', () => {
    const sources = observe(3, (minute) => minutesLate(100 + minute, 100 + minute));
    expect(reportsOf(sources, [3, 4, 5])).toEqual([
      [
        4,
        {
          source: 'web',
          events: 6,
          fromMs: START_MS - 100 * MINUTE_MS,
          toMs: START_MS - 100 * MINUTE_MS,
        },
      ],
    ]);
  });

  it('reports late events once an hour from a source that is late repeatedly', () => {
    const sources = new LateSources();
    const reports: number[] = [];
    for (let minute = 0; minute < 180; minute++) {
      sources.take({ sources: [arrivals(minute, minutesLate(minute, 100 + minute))], others: null });
      if (sources.passTime(START_MS + (minute + 1) * MINUTE_MS).length > 0) reports.push(minute + 1);
    }
    expect(reports).toEqual([10, 70, 130]);
  });

  it('names a bounded number of late sources, and counts the others', () => {
    const sources = new LateSources();
    const names = Array.from({ length: MAX_LATE_SOURCES + 30 }, (_, i) => `source ${i}`);
    for (const name of names) {
      sources.take({ sources: [arrivals(0, minutesLate(60), name)], others: null });
    }
    const reports = sources.passTime(START_MS + 2 * MINUTE_MS);
    expect(reports).toHaveLength(MAX_LATE_SOURCES + 1);
    expect(reports.at(-1)).toEqual({ events: 30, fromMs: expect.any(Number), toMs: expect.any(Number) });
  });
});

describe('a histogram of lateness', () => {
  it('bounds a histogram of lateness, and keeps its quartiles', () => {
    const lateness = new Lateness();
    for (let i = 0; i < 10_000; i++) lateness.add(7 * MINUTE_MS + (i % 5) * 10_000, 1);
    for (let i = 0; i < 2_000; i++) lateness.add(i * 30 * MINUTE_MS, 1);
    expect(lateness.save().length).toBeLessThanOrEqual(128);
    expect(lateness.save().reduce((sum, [, events]) => sum + events, 0)).toBe(12_000);
    expect(lateness.quartiles()).toEqual({ low: 430_000, median: 440_000, high: 460_000 });
  });

  it('measures a wide interquartile range for events from all times', () => {
    const lateness = new Lateness();
    for (let i = 0; i < 20_000; i++) lateness.add((i * 7_919_000) % (7 * 24 * 60 * MINUTE_MS), 1);
    const { low, high } = lateness.quartiles();
    expect(high - low).toBeGreaterThan(20 * MINUTE_MS);
  });
});
