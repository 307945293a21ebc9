import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { SeriesTable } from '../group/series-table.ts';
import { toBytes } from '../saving/snapshot.ts';
import { reloaded, warmDetector } from '../saving/testing.ts';
import { resolutionOf } from '../state/resolution.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import { STEP_MS } from './project-parts.ts';
import { FAILED_PAYMENTS } from './series-key.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** A shop with visits and payments, of which 3% fail unless it says otherwise. */
class Shop {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly #random: Random;

  constructor(seed = 1) {
    this.#random = new Random(seed);
  }

  /** One that has had five payments a minute for three days. */
  static async afterThreeDays(): Promise<Shop> {
    const shop = new Shop(2);
    shop.detector = await warmDetector(import.meta.url, 'payments', () => {
      const history = new Shop();
      history.run(3 * DAY, 5);
      return history;
    });
    return shop;
  }

  step(perMinute: number, share = 0.03): DetectorEvent[] {
    this.#visit(this.#random.poisson(30));
    const payments = this.#random.poisson(perMinute);
    let failed = 0;
    for (let i = 0; i < payments; i++) if (this.#random.uniform() < share) failed++;
    this.#count('payment', 'info', payments - failed);
    this.#count('payment', 'error', failed);
    return this.detector.endStepsBefore(this.detector.stepMs + STEP_MS, true);
  }

  run(minutes: number, perMinute: number, share?: number): DetectorEvent[] {
    return Array.from({ length: minutes }, () => this.step(perMinute, share)).flat();
  }

  pay(severity: 'info' | 'error', count: number, source?: string): void {
    this.#count('payment', severity, count, source);
  }

  #visit(count: number): void {
    const bucketMs = this.detector.stepMs;
    const lastMs = bucketMs + Math.floor(STEP_MS * this.#random.uniform());
    if (count > 0)
      this.detector.count({ type: 'http', severity: 'info', source: 'http', bucketMs, lastMs, count });
  }

  #count(type: string, severity: 'info' | 'error', count: number, source = type): void {
    const bucketMs = this.detector.stepMs;
    // At random times: what comes at the beginning of each minute would be a heartbeat.
    const times = Array.from(
      { length: count },
      () => bucketMs + Math.floor(STEP_MS * this.#random.uniform()),
    );
    for (const lastMs of times.sort((left, right) => left - right)) {
      this.detector.count({ type, severity, source, bucketMs, lastMs, count: 1 });
    }
  }
}

type AlarmEvent = Extract<DetectorEvent, { kind: 'opens' | 'attaches' }>;
const alarmsOf = (events: DetectorEvent[]) =>
  events.filter((event): event is AlarmEvent => event.kind === 'opens' || event.kind === 'attaches');
const ofPayments = (events: DetectorEvent[]) =>
  events.filter((event) => 'series' in event && event.series.kind === 'failed_payments');

describe('failed payments of a project', () => {
  it('opens one incident for payments that all fail at one a minute, and ends it within two hours of their return', () => {
    const shop = new Shop();
    expect(shop.run(5 * DAY, 1).filter(({ kind }) => kind === 'opens')).toEqual([]);
    const during = shop.run(HOUR, 1, 1);
    expect(during.filter(({ kind }) => kind === 'opens')).toHaveLength(1);
    const [found] = ofPayments(during);
    expect(found).toMatchObject({ anomaly: { rule: 'failed_payments', side: 0 } });
    if (found?.kind !== 'opens' && found?.kind !== 'attaches') throw new Error('It was not found.');
    const { exposure, windowMinutes } = found.anomaly;
    expect(exposure?.failures).toBeGreaterThanOrEqual(5);
    expect(exposure?.usualShare).toBeCloseTo(0.03, 1);
    expect(windowMinutes).toBeLessThanOrEqual(30);
    expect(shop.run(2 * HOUR, 1).map(({ kind }) => kind)).toContain('ends');
  });

  it('opens the incident with the failures that show it, before their minute is over', async () => {
    const shop = await Shop.afterThreeDays();
    shop.pay('error', 6);
    expect(ofPayments(shop.step(0))).toEqual([]);
    shop.pay('error', 6);
    expect(ofPayments(shop.detector.evaluatePartialStep())).toHaveLength(1);
    expect(ofPayments(shop.detector.evaluatePartialStep())).toEqual([]);
  });

  it('leaves the counts of their series alone', async () => {
    const shop = await Shop.afterThreeDays();
    const { registry, group } = shop.detector.save();
    const index = registry.series.findIndex(({ kind }) => kind === FAILED_PAYMENTS.kind);
    expect(new SeriesTable(resolutionOf(1), group.series).read(index).state.blocks(0)).toBe(0);
  });

  it('decides the same after saving and loading in the middle of a minute', async () => {
    const [shop, copy] = [await Shop.afterThreeDays(), await Shop.afterThreeDays()];
    for (const each of [shop, copy]) {
      each.run(HOUR, 5);
      each.pay('error', 2);
    }
    copy.detector = reloaded(copy.detector);
    expect(copy.run(HOUR, 5, 0.5)).toEqual(shop.run(HOUR, 5, 0.5));
    expect(toBytes(copy.detector.save())).toEqual(toBytes(shop.detector.save()));
  });

  it('evaluates failures after a person has resolved their incident', async () => {
    const shop = await Shop.afterThreeDays();
    shop.run(20, 5, 1);
    const resolved = shop.detector.nextIncident;
    for (const incident of shop.detector.incidents) shop.detector.resolve(incident);
    const again = ofPayments(shop.run(10, 5, 1)).filter((event) => event.kind !== 'suppressed');
    expect(again.map((event) => 'incident' in event && event.incident >= resolved)).toEqual([true]);
  });

  /** Window lengths in minutes at which the number of failed payments of a source may open an alarm. */
  const windowsOf = ({ detector }: Shop, source = 'payment') =>
    detector
      .describeSeries()
      .filter(({ series }) => series.severity === 'error' && series.source === source)
      .flatMap(({ opening }) => opening.map(({ windowMinutes }) => windowMinutes));

  it('evaluates the share of failed payments, not their number', () => {
    const shop = new Shop();
    shop.run(2 * DAY, 4);
    expect(windowsOf(shop)).toEqual([]);
  });

  it.each([0.2, 4, 20])(
    'opens nothing for ten tries of one payer in a minute, at %d payments a minute',
    (rate) => {
      const shop = new Shop();
      shop.run(2 * DAY, rate);
      for (let clump = 0; clump < 3; clump++) {
        shop.pay('error', 10);
        expect(alarmsOf(shop.detector.evaluatePartialStep())).toEqual([]);
        expect(alarmsOf(shop.run(2 * HOUR, rate))).toEqual([]);
      }
    },
  );

  it('tells failures of all payments by their share and their true number, before the errors of the project', async () => {
    const shop = await Shop.afterThreeDays();
    const alarms = alarmsOf(shop.run(10, 5, 1)).filter(({ anomaly }) => anomaly.side === 0);
    const [found] = alarms;
    expect(found?.series.kind).toBe('failed_payments');
    expect(new Set(alarms.map(({ incident }) => incident)).size).toBe(1);
    expect(found?.anomaly.exposure?.failures).toBe(found?.anomaly.exposure?.events);
    expect(found?.anomaly.exposure?.failures).toBeGreaterThan(7);
  });

  it('evaluates over hours the number of failed payments of one source among several', () => {
    const shop = new Shop();
    for (let minute = 0; minute < 2 * DAY; minute++) {
      if (minute % 50 === 7) shop.pay('error', 1, 'terminal');
      shop.step(4);
    }
    expect(Math.max(...windowsOf(shop))).toBeGreaterThan(120);
    expect(Math.max(...windowsOf(shop, 'terminal'))).toBeGreaterThan(120);
  });

  it('evaluates over hours the number of failed payments where the others are not sent', () => {
    const shop = new Shop();
    for (let minute = 0; minute < 2 * DAY; minute++) {
      if (minute % 50 === 7) shop.pay('error', 1);
      shop.step(0);
    }
    expect(Math.max(...windowsOf(shop))).toBeGreaterThan(120);
  });
});
