import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { toBytes } from '../saving/snapshot.ts';
import { reloaded, warmDetector } from '../saving/testing.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import { STEP_MS } from './project-parts.ts';
import { severityOfAlarm } from './severity.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** Traffic and errors a minute. */
interface Rates {
  traffic: number;
  errors: number;
}

/** A project whose errors follow its traffic by day and night, unless it says otherwise. */
class Service {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly #random: Random;

  constructor(seed = 3) {
    this.#random = new Random(seed);
  }

  static async afterFiveDays(): Promise<Service> {
    const service = new Service(4);
    service.detector = await warmDetector(import.meta.url, 'errors-beside-traffic', () => {
      const history = new Service();
      history.run(5 * DAY, RATES);
      return history;
    });
    return service;
  }

  run(
    minutes: number,
    { traffic, errors }: Rates,
    factors: Rates = { traffic: 1, errors: 1 },
  ): DetectorEvent[] {
    return Array.from({ length: minutes }, () => {
      const ofDay = 1 + 0.7 * Math.sin((2 * Math.PI * this.detector.stepMs) / (DAY * STEP_MS));
      this.#count('info', this.#random.poisson(traffic * ofDay * factors.traffic));
      this.#count('error', this.#random.poisson(errors * ofDay * factors.errors));
      return this.detector.endStepsBefore(this.detector.stepMs + STEP_MS, true);
    }).flat();
  }

  errors(count: number): DetectorEvent[] {
    this.#count('error', count);
    return this.detector.evaluatePartialStep();
  }

  #count(severity: 'info' | 'error', count: number): void {
    if (count === 0) return;
    const bucketMs = this.detector.stepMs;
    const lastMs = bucketMs + Math.floor(STEP_MS * this.#random.uniform());
    this.detector.count({ type: 'http', severity, source: 'web', bucketMs, lastMs, count });
  }
}

type Alarm = Extract<DetectorEvent, { kind: 'opens' | 'attaches' }>;
const alarmsOf = (events: DetectorEvent[]) =>
  events.filter((event): event is Alarm => event.kind === 'opens' || event.kind === 'attaches');
const ofErrors = (events: DetectorEvent[]) =>
  alarmsOf(events).filter(({ series }) => series.kind === 'errors' || series.severity === 'error');
const severitiesOf = (alarms: Alarm[]) =>
  new Set(alarms.map(({ series, anomaly }) => severityOfAlarm(series, anomaly)));

const RATES = { traffic: 60, errors: 0.3 };

describe('errors beside the traffic of their source', () => {
  it('opens at most a warning for errors that rise in proportion to the traffic, and says so', async () => {
    const service = await Service.afterFiveDays();
    const alarms = ofErrors(service.run(HOUR, RATES, { traffic: 20, errors: 20 }));
    expect(alarms.length).toBeGreaterThan(0);
    expect(alarms.map(({ anomaly }) => anomaly.exposure?.isInProportion)).not.toContain(false);
    expect(severitiesOf(alarms)).toEqual(new Set(['warn']));
  });

  it('says no traffic to have risen where the usual share has followed a leak for days', () => {
    const service = new Service();
    const rates = { traffic: 60, errors: 0.1 };
    service.run(5 * DAY, rates);
    const alarms: Alarm[] = [];
    for (let hour = 0; hour < 72; hour++)
      alarms.push(...ofErrors(service.run(HOUR, rates, { traffic: 1, errors: 2 ** (hour / 12) })));
    const long = alarms.filter(({ anomaly }) => anomaly.windowMinutes > 2 * HOUR);
    expect(long.length).toBeGreaterThan(0);
    expect(long.map(({ anomaly }) => anomaly.exposure?.isInProportion)).not.toContain(true);
  });

  it('opens an error for errors that rise while the traffic stays', async () => {
    const service = await Service.afterFiveDays();
    const alarms = ofErrors(service.run(HOUR, RATES, { traffic: 1, errors: 30 }));
    expect(severitiesOf(alarms)).toContain('error');
    expect(alarms[0]?.anomaly.exposure).toMatchObject({ isInProportion: false });
  });

  it('opens an error for a share that goes on to rise after errors had risen with the traffic', async () => {
    const service = await Service.afterFiveDays();
    service.run(HOUR, RATES, { traffic: 20, errors: 20 });
    const alarms = ofErrors(service.run(HOUR, RATES, { traffic: 20, errors: 150 }));
    expect(alarms.map(({ anomaly }) => anomaly.rule)).toContain('error_share');
    expect(severitiesOf(alarms)).toContain('error');
  });

  it('opens no share for errors whose number is reported, whatever errors of the days before were', async () => {
    const service = await Service.afterFiveDays();
    const before = ofErrors(service.run(HOUR, RATES, { traffic: 20, errors: 20 }));
    expect(before.map(({ anomaly }) => anomaly.exposure?.isInProportion)).toContain(true);
    service.run(6 * HOUR, RATES);
    const alarms = ofErrors(service.run(HOUR, RATES, { traffic: 0.1, errors: 60 }));
    expect(alarms[0]?.anomaly.exposure).toBeUndefined();
    expect(alarms.map(({ anomaly }) => anomaly.rule)).not.toContain('error_share');
  });

  it('finds errors that become more frequent while the traffic falls', async () => {
    const service = await Service.afterFiveDays();
    const alarms = ofErrors(service.run(HOUR, RATES, { traffic: 0.3, errors: 3 }));
    const share = alarms.find(({ anomaly }) => anomaly.rule === 'error_share');
    expect(share?.anomaly.exposure?.usualShare).toBeCloseTo(0.3 / 60, 2);
    const { observed = 0, expected = 1 } = share?.anomaly ?? {};
    expect(observed / expected).toBeGreaterThan(3);
  });

  it('opens no share of few errors whose number is hardly more than usual, while the traffic is that of the night', () => {
    const service = new Service();
    // Errors by a timer: as many by night as by day.
    for (let day = 0; day < 5; day++) {
      service.run(12 * HOUR, { traffic: 60, errors: 0.02 });
      service.run(12 * HOUR, { traffic: 60, errors: 0.02 }, { traffic: 1, errors: 0.3 });
    }
    const alarms = Array.from({ length: 6 }, () => {
      const bursts = service.run(18, { traffic: 60, errors: 0 }, { traffic: 0.08, errors: 0 });
      return [...bursts, ...service.errors(1)];
    }).flat();
    expect(ofErrors(alarms)).toEqual([]);
  });

  it('opens nothing for traffic and errors that are as usual, whether or not errors follow the traffic', () => {
    const days = rounds(4, 9);
    const service = new Service();
    expect(ofErrors(service.run(days * DAY, RATES))).toEqual([]);
    const steady = new Service();
    const ofDay = (minute: number) => 1 + 0.7 * Math.sin((2 * Math.PI * minute) / DAY);
    const begin = Math.floor(START_MS / STEP_MS);
    const alarms = Array.from({ length: days * DAY }, (_, minute) =>
      ofErrors(steady.run(1, RATES, { traffic: 1, errors: 1 / ofDay(begin + minute) })),
    ).flat();
    expect(alarms).toEqual([]);
  });

  it('gets used to errors that burst by themselves several times a day', () => {
    const service = new Service(2);
    const random = new Random(2);
    const alarms: Alarm[] = [];
    for (let minute = 0; minute < rounds(7, 14) * DAY; minute++) {
      const isBurst = random.uniform() < 1 / (6 * HOUR);
      const rates = { traffic: 20, errors: isBurst ? 2 : 0.05 };
      alarms.push(...ofErrors(service.run(isBurst ? 20 : 1, rates)));
    }
    const shares = alarms.filter(({ anomaly }) => anomaly.rule === 'error_share');
    expect(shares.length).toBeLessThanOrEqual(2);
  });

  it('opens one incident of severity error within a step for 300 errors that are the first events of a project', () => {
    const service = new Service();
    const events = service.errors(300);
    expect(events.filter(({ kind }) => kind === 'opens')).toHaveLength(1);
    expect(severitiesOf(alarmsOf(events))).toEqual(new Set(['error']));
    expect(alarmsOf(events).every(({ anomaly }) => anomaly.exposure === undefined)).toBe(true);
  });

  it('evaluates a project that sends errors alone by their number, as before', () => {
    const service = new Service();
    service.run(rounds(5, 15) * DAY, { traffic: 0, errors: 2 });
    expect(service.detector.save().shares).toEqual([]);
    const alarms = ofErrors(service.run(10, { traffic: 0, errors: 2 }, { traffic: 1, errors: 10 }));
    expect(severitiesOf(alarms)).toEqual(new Set(['error']));
    expect(alarms.every(({ anomaly }) => anomaly.exposure === undefined)).toBe(true);
  });

  it('evaluates errors by their number on the first day, and where traffic is rare', () => {
    const young = new Service();
    young.run(20 * HOUR, RATES);
    const rare = new Service();
    rare.run(5 * DAY, { traffic: 0.7, errors: 0.05 });
    const alarms = [
      ...ofErrors(young.run(30, RATES, { traffic: 20, errors: 40 })),
      ...ofErrors(rare.run(30, { traffic: 0.7, errors: 0.05 }, { traffic: 60, errors: 60 })),
    ];
    expect(alarms.length).toBeGreaterThan(1);
    expect(alarms.every(({ anomaly }) => anomaly.exposure === undefined)).toBe(true);
    expect(severitiesOf(alarms)).toContain('error');
  });

  it('decides the same after saving and loading', async () => {
    const [service, copy] = [await Service.afterFiveDays(), await Service.afterFiveDays()];
    for (const each of [service, copy]) each.run(HOUR + 7, RATES);
    copy.detector = reloaded(copy.detector);
    const factors = { traffic: 0.5, errors: 8 };
    expect(copy.run(HOUR, RATES, factors)).toEqual(service.run(HOUR, RATES, factors));
    expect(toBytes(copy.detector.save())).toEqual(toBytes(service.detector.save()));
  });
});
