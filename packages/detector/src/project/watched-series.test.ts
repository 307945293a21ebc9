import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { fromBytes, toBytes } from '../saving/snapshot.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import type { CountDelta } from './count-delta.ts';
import { ProjectDetector } from './project-detector.ts';
import type { WatchedSeries } from './watched-series.ts';

const MINUTE_MS = 60_000;

/** Returns a day of a project with 40 requests a minute, an error in every hour and a job in every five minutes. */
function aDay(): ProjectDetector {
  const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  for (let minute = 0; minute < 1_500; minute++) {
    const atMs = START_MS + minute * MINUTE_MS;
    const count = (type: string, severity: CountDelta['severity'], events: number) =>
      detector.count({ type, severity, source: 'web', bucketMs: atMs, count: events, lastMs: atMs });
    count('request', 'info', 40 + (minute % 7));
    if (minute % 60 === 13) count('request', 'error', 1);
    if (minute % 5 === 0) count('job', 'info', 1);
    detector.endStepsBefore(atMs + MINUTE_MS, true);
  }
  return detector;
}

describe('The list of a project’s series', () => {
  const series = aDay().describeSeries();
  const named = (type: string | null, severity: string | null) =>
    series.find((one) => one.series.type === type && one.series.severity === severity);

  it('lists each series and sum once, with its rate and its last event', () => {
    expect(series.map((one) => one.series.kind)).toEqual(['total', 'events', 'events', 'events', 'errors']);
    expect(named('request', 'info')?.perMinute).toBeCloseTo(43, 0);
    expect(named('request', 'info')?.lastEventMs).toBe(START_MS + 1_499 * MINUTE_MS);
    expect(named('request', 'error')?.lastEventMs).toBe(START_MS + 1_453 * MINUTE_MS);
    expect(series.find((one) => one.series.kind === 'errors')?.lastEventMs).toBe(
      START_MS + 1_453 * MINUTE_MS,
    );
  });

  it('says which counts of each window would open an incident', () => {
    const [minute] = named('request', 'info')?.opening ?? [];
    expect(minute?.windowMinutes).toBe(1);
    expect(minute?.rise).toBeGreaterThan(60);
    expect(minute?.drop).toBeLessThan(35);
  });

  it('says that fewer errors open nothing', () => {
    const opening = named('request', 'error')?.opening ?? [];
    expect(opening.map(({ windowMinutes }) => windowMinutes)).toEqual(
      // The longer windows of 6 hours are not known after a day.
      [1, 3, 10, 30, 30, 90, 180, 120, 360, 720, 360],
    );
    expect(opening.every(({ drop }) => drop === null)).toBe(true);
  });

  it('says when the next event of a regular sender is overdue', () => {
    const heartbeat = named('job', 'info')?.heartbeat;
    expect(heartbeat?.usualMinutes).toBeCloseTo(5, 1);
    expect(heartbeat?.dueMs).toBeGreaterThan(START_MS + 1_500 * MINUTE_MS);
    expect(heartbeat?.dueMs).toBeLessThan(START_MS + 1_515 * MINUTE_MS);
    expect(named('request', 'info')?.heartbeat).toBeNull();
  });
});

const DAY = 1_440;

/** A shop at random: traffic, payments of which 3% fail, few signups and few errors. */
class Shop {
  readonly detector: ProjectDetector;
  readonly #random = new Random(5);

  constructor(detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS)) {
    this.detector = detector;
  }

  run(minutes: number, signups = 18 / DAY): DetectorEvent[] {
    return Array.from({ length: minutes }, () => {
      this.count('http', 'info', this.#random.poisson(20));
      this.count('signup', 'info', this.#random.poisson(signups));
      this.count('http', 'error', this.#random.poisson(4 / DAY));
      const payments = this.#random.poisson(2);
      for (let i = 0; i < payments; i++) {
        this.count('payment', this.#random.uniform() < 0.03 ? 'error' : 'info', 1);
      }
      return this.detector.endStepsBefore(this.detector.stepMs + MINUTE_MS, true);
    }).flat();
  }

  count(type: string, severity: CountDelta['severity'], events: number): void {
    const { detector } = this;
    for (let i = 0; i < events; i++) {
      const lastMs = detector.stepMs + Math.floor(MINUTE_MS * this.#random.uniform());
      detector.count({ type, severity, source: type, bucketMs: detector.stepMs, count: 1, lastMs });
    }
  }

  watched(kind: string, type: string | null, severity: string | null): WatchedSeries {
    const found = this.detector
      .describeSeries()
      .find(({ series }) => series.kind === kind && series.type === type && series.severity === severity);
    if (!found) throw new Error('It has come.');
    return found;
  }

  restored(): Shop {
    const saved = fromBytes(toBytes(this.detector.save()));
    return new Shop(new ProjectDetector(0, DEFAULT_SETTINGS, saved ?? undefined));
  }
}

describe('What would open an incident of a shop', () => {
  const saved = new Shop();
  const quietWeeks = saved.run(15 * DAY);
  const isOf = (event: DetectorEvent, type: string) =>
    (event.kind === 'opens' || event.kind === 'attaches') && event.series.type === type;

  it('names the count of each coarse step of a sparse series: so many errors open an incident, a third does not', () => {
    expect(quietWeeks.filter(({ kind }) => kind === 'opens')).toEqual([]);
    const { opening } = saved.watched('events', 'http', 'error');
    expect(new Set(opening.map(({ stepMinutes }) => stepMinutes))).toEqual(new Set([1, 30, 120, 360]));
    const of6Hours = opening.find(
      ({ stepMinutes, windowMinutes }) => stepMinutes === 360 && windowMinutes === 360,
    );
    const rise = of6Hours?.rise ?? Number.NaN;
    expect(rise).toBeGreaterThan(1);
    const errors = (count: number) => {
      const shop = saved.restored();
      return Array.from({ length: count }, () => {
        shop.count('http', 'error', 1);
        return shop.run(Math.floor(350 / count));
      }).flat();
    };
    expect(errors(rise).some((event) => isOf(event, 'http'))).toBe(true);
    expect(errors(Math.floor(rise / 3)).some((event) => isOf(event, 'http'))).toBe(false);
  });

  it('names no coarse step of a series that is not sparse', () => {
    const { opening } = saved.watched('events', 'http', 'info');
    expect(new Set(opening.map(({ stepMinutes }) => stepMinutes))).toEqual(new Set([1]));
  });

  it('says when a sparse series is overdue if nothing comes, and nothing once that was reported for a day', () => {
    const shop = saved.restored();
    const { silence } = shop.watched('events', 'signup', 'info');
    expect(silence?.expected).toBeLessThan(silence?.threshold ?? 0);
    expect(shop.watched('events', 'http', 'info').silence).toBeNull();
    expect(shop.watched('events', 'http', 'error').silence).toBeNull();
    expect(silence?.dueMs).toBeGreaterThan(shop.detector.stepMs);
    const opened = shop.run(DAY * 2, 0).find((event) => isOf(event, 'signup'));
    expect(opened?.kind).toBe('opens');
    expect(shop.watched('events', 'signup', 'info').silence).toBeNull();
  });

  it('names the failed payments of each window that open an incident, and the usual share', () => {
    const payments = saved.watched('failed_payments', 'payment', null);
    expect(payments.opening).toEqual([]);
    expect(payments.share?.usualShare).toBeCloseTo(0.03, 1);
    const windows = payments.share?.opening ?? [];
    expect(windows.map(({ windowMinutes }) => windowMinutes)).toEqual([10, 30, expect.any(Number)]);
    const [short] = windows;
    if (!short) throw new Error('It has three.');
    expect(short.events).toBeGreaterThan(10);
    expect(short.failures).toBeLessThanOrEqual(short.events);
    const fail = (count: number) => {
      const shop = saved.restored();
      // The failures of three minutes may be of one payer.
      const until = (minute: number) => Math.floor((minute * count) / short.windowMinutes);
      const events = Array.from({ length: short.windowMinutes }, (_, minute) => {
        shop.count('payment', 'error', until(minute + 1) - until(minute));
        return shop.run(1, 0);
      }).flat();
      return events.filter((event) => 'series' in event && event.series.kind === 'failed_payments');
    };
    expect(fail(2 * short.failures)).toHaveLength(1);
    expect(fail(Math.floor(short.failures / 2))).toEqual([]);
  });

  it('compares errors with their traffic where there is enough of it', () => {
    const { share } = saved.watched('events', 'http', 'error');
    expect(share?.trials).toBe('traffic of source');
    expect(share?.usualShare).toBeLessThan(0.001);
    expect(share?.opening.length).toBeGreaterThan(0);
    expect(share?.opening.every(({ events, failures }) => failures >= 5 && events >= 20)).toBe(true);
    expect(saved.watched('events', 'http', 'info').share).toBeNull();
    expect(saved.watched('events', 'signup', 'info').share).toBeNull();
  });

  it('changes nothing of what follows', () => {
    const [asked, other] = [saved.restored(), saved.restored()];
    asked.detector.describeSeries();
    expect(toBytes(asked.detector.save())).toEqual(toBytes(other.detector.save()));
  });
});
