import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { toBytes } from '../saving/snapshot.ts';
import { reloaded } from '../saving/testing.ts';
import { DEFAULT_SETTINGS, type Severity } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import type { UnlearnedTime } from './unlearned-times.ts';

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 1_440;
const DAYS = 2;
const LOAD = { from: DAYS * DAY, until: DAYS * DAY + 2 * HOUR };
const AFTER = LOAD.until + 30;

interface Series {
  type: string;
  severity: Severity;
  source: string;
  perMinute: number;
}

const SERIES: Series[] = [
  { type: 'http', severity: 'info', source: 'web', perMinute: 30 },
  { type: 'http', severity: 'error', source: 'web', perMinute: 0.3 },
  { type: 'order', severity: 'info', source: 'shop', perMinute: 2 },
  { type: 'login', severity: 'warn', source: 'shop', perMinute: 0.1 },
];
/** A job of every five minutes. */
const JOB = { type: 'job', severity: 'info', source: 'cron' } as const;

interface Way {
  /** How many times the usual comes in the time of the load. */
  load?: number;
  unlearned?: Partial<UnlearnedTime>;
  /** The service was down in this time. */
  isGap?: boolean;
  /** How many times the usual errors come from half an hour after the load on. */
  fault?: number;
  minutes?: number;
  /** Saves and loads the detector after these minutes. */
  restoredAt?: number[];
}

const atMs = (minute: number) => START_MS + minute * MINUTE_MS;
const timeOf = (time: Partial<UnlearnedTime>, until = LOAD.until): UnlearnedTime => {
  const any = { type: null, severity: null, source: null };
  return { ...any, fromMs: atMs(LOAD.from), untilMs: atMs(until), ...time };
};

/** Counts a minute, in which each series draws a number of its own: all ways have the same but for their factors. */
function count(
  detector: ProjectDetector,
  minute: number,
  factorOf: (series: Series) => number = () => 1,
): void {
  const bucketMs = detector.stepMs;
  SERIES.forEach((one, index) => {
    const { perMinute, ...series } = one;
    const events = new Random(10 * minute + index).poisson(perMinute * factorOf(one));
    if (events > 0) detector.count({ ...series, bucketMs, lastMs: bucketMs + MINUTE_MS - 1, count: events });
  });
  if (minute % 5 === 0) detector.count({ ...JOB, bucketMs, lastMs: bucketMs + 1, count: 1 });
}

/** All ways have the same days before the load. */
const history = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
for (let minute = 0; minute < LOAD.from; minute++) {
  count(history, minute);
  history.endStepsBefore(history.stepMs + MINUTE_MS, true);
}

/** @returns the detector, and what it reported from the beginning of the load on */
function run({ load = 1, unlearned, isGap = false, fault = 1, minutes = AFTER, restoredAt = [] }: Way) {
  let detector = reloaded(history);
  if (unlearned) detector.setUnlearned([timeOf(unlearned)]);
  const events: (DetectorEvent & { minute: number })[] = [];
  for (let minute = LOAD.from; minute < minutes; minute++) {
    const isLoad = minute < LOAD.until;
    if (restoredAt.includes(minute)) detector = reloaded(detector);
    count(detector, minute, ({ severity }) => {
      const isFault = minute >= AFTER && severity === 'error';
      return (isLoad ? load : 1) * (isFault ? fault : 1);
    });
    for (const event of detector.endStepsBefore(detector.stepMs + MINUTE_MS, !(isGap && isLoad)))
      events.push({ ...event, minute });
  }
  return { detector, events };
}

const watched = ({ detector }: ReturnType<typeof run>) =>
  detector.describeSeries().map(({ series, perMinute, opening }) => ({ ...series, perMinute, opening }));
const opened = ({ events }: ReturnType<typeof run>, from = 0) =>
  events.filter(({ kind, minute }) => kind === 'opens' && minute >= from);

describe('a time from which nothing is learned', () => {
  const learned = run({ load: 30 });
  const unlearned = run({ load: 30, unlearned: {} });
  const gap = run({ isGap: true, load: 0 });

  it('opens incidents as always, and leaves each level and threshold as a gap of the service does', () => {
    expect(opened(unlearned).length).toBeGreaterThan(0);
    expect(watched(unlearned)).toEqual(watched(gap));
    const rateOf = (way: ReturnType<typeof run>) => Number(watched(way)[0]?.perMinute);
    const quiet = run({});
    expect(Math.abs(rateOf(unlearned) / rateOf(quiet) - 1)).toBeLessThan(0.05);
    expect(rateOf(learned) / rateOf(quiet)).toBeGreaterThan(1.5);
  });

  it('ends the incidents of its rises with it, in the minute in which it ends', () => {
    const ends = unlearned.events.filter(({ kind }) => kind === 'ends');
    expect(ends.map(({ minute }) => minute)).toEqual(opened(unlearned).map(() => LOAD.until - 1));
  });

  it('finds a fault after it as soon as after a gap, and none of its own where the load was learned', () => {
    const fault = { fault: 12, minutes: AFTER + 3 * HOUR };
    const foundAt = (way: Way) => opened(run({ ...way, ...fault }), AFTER)[0]?.minute;
    const afterGap = Number(foundAt({ isGap: true, load: 0 }));
    expect(afterGap - Number(foundAt({}))).toBeLessThan(5);
    expect(foundAt({ load: 30, unlearned: {} })).toBe(afterGap);
    // It joins the incident of the load, or opens none.
    expect(foundAt({ load: 30 })).toBeUndefined();
  });

  it('goes on after saving and loading as if nothing had been', () => {
    const way = { load: 30, unlearned: {}, minutes: AFTER };
    const restored = run({ ...way, restoredAt: [LOAD.from + 17, LOAD.from + 61, LOAD.until + 3] });
    expect(restored.events).toEqual(run(way).events);
    expect(Buffer.from(toBytes(restored.detector.save()))).toEqual(
      Buffer.from(toBytes(run(way).detector.save())),
    );
  });

  it('leaves out the series that it names and the sums that hold them: others learn', () => {
    const ofWeb = run({ load: 30, unlearned: { source: 'web' } });
    const rateOf = (way: ReturnType<typeof run>, source: string | null, type: string | null) =>
      Number(watched(way).find((each) => each.source === source && each.type === type)?.perMinute);
    const quiet = run({});
    for (const [source, type] of [
      ['web', 'http'],
      [null, null],
    ] as const)
      expect(Math.abs(rateOf(ofWeb, source, type) / rateOf(quiet, source, type) - 1)).toBeLessThan(0.05);
    expect(rateOf(ofWeb, 'shop', 'order')).toBe(rateOf(learned, 'shop', 'order'));
  });

  it('ends early where its end is set anew', () => {
    const { detector } = run({ load: 30, unlearned: {}, minutes: LOAD.from + HOUR });
    expect(detector.incidents).toHaveLength(1);
    detector.setUnlearned([timeOf({}, LOAD.from + HOUR)]);
    expect(detector.incidents).toEqual([]);
    const before = watched({ detector, events: [] })[0]?.perMinute;
    for (let minute = 0; minute < HOUR; minute++) {
      const bucketMs = detector.stepMs;
      detector.count({
        type: 'http',
        severity: 'info',
        source: 'web',
        bucketMs,
        lastMs: bucketMs,
        count: 90,
      });
      detector.endStepsBefore(bucketMs + MINUTE_MS, true);
    }
    expect(Number(watched({ detector, events: [] })[0]?.perMinute)).toBeGreaterThan(1.5 * Number(before));
  });

  it('keeps the rhythm of a regular sender that sends on in it', () => {
    const job = unlearned.detector.describeSeries().find(({ series }) => series.type === 'job');
    expect(job?.heartbeat?.usualMinutes).toBeCloseTo(5, 3);
    const silences = unlearned.events.filter(
      (event) => 'anomaly' in event && event.anomaly.rule === 'silence',
    );
    expect(silences).toEqual([]);
  });

  it('changes nothing for a project without one', () => {
    const set = run({ load: 30, unlearned: { type: 'nothing', source: 'of it', untilMs: 0 } });
    const { unlearned: times, ...saved } = set.detector.save();
    expect(times).toHaveLength(1);
    expect(Object.keys(saved)).toEqual(Object.keys(learned.detector.save()));
    expect(watched(set)).toEqual(watched(learned));
    expect(set.events).toEqual(learned.events);
  });
});
