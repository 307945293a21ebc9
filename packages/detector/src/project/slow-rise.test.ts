import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { warmDetector } from '../saving/testing.ts';
import { DEFAULT_SETTINGS, type Severity } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 1_440;
const HISTORY = 15 * DAY + 13 * HOUR + 7;
const SEEDS = [1, 2, 3].slice(0, rounds(1, 3));

/** Factor of the rates of a series. */
interface Trouble {
  worker?: number;
  web?: number;
  shop?: number;
  /** The visitors come so much earlier. */
  aheadMinutes?: number;
}

/** A shop whose visitors come by day, six times as many at noon as at midnight; its worker fails at any hour. */
class Shop {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  minute = 0;
  #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  run(minutes: number, { worker = 1, web = 1, shop = 1, aheadMinutes = 0 }: Trouble = {}): DetectorEvent[] {
    const events: DetectorEvent[] = [];
    for (let i = 0; i < minutes; i++) {
      const ofDay = 1 - 0.71 * Math.cos((2 * Math.PI * (this.minute + aheadMinutes)) / DAY);
      this.#send('http', 'info', 'web', 20 * ofDay);
      this.#send('http', 'error', 'web', 0.25 * ofDay * web);
      this.#send('order', 'info', 'web', 0.5 * ofDay * shop);
      this.#send('signup', 'info', 'web', 0.2 * ofDay * shop);
      this.#send('job', 'error', 'worker', 0.05 * worker);
      this.minute++;
      events.push(...this.detector.endStepsBefore(this.detector.stepMs + MINUTE_MS, true));
    }
    return events;
  }

  /** One that has known two weeks and a half day of the visitors, and no trouble. */
  static async afterTwoWeeks(seed: number): Promise<Shop> {
    const shop = new Shop(seed);
    shop.detector = await warmDetector(import.meta.url, 'slow-rise', () => {
      const history = new Shop(5);
      history.run(HISTORY);
      return history;
    });
    shop.minute = HISTORY;
    return shop;
  }

  #send(type: string, severity: Severity, source: string, rate: number): void {
    const count = this.#random.poisson(rate);
    const bucketMs = this.detector.stepMs;
    if (count > 0)
      this.detector.count({ type, severity, source, bucketMs, lastMs: bucketMs + 30_000, count });
  }
}

const opened = (events: DetectorEvent[]) => events.filter(({ kind }) => kind === 'opens');

describe('slow trouble in a project that follows the day', () => {
  it('opens nothing in two weeks without trouble', async () => {
    expect((await Shop.afterTwoWeeks(1)).detector.nextIncident).toBe(1);
  });

  it.each(SEEDS)(
    'opens one incident within 17 hours for three times as many errors, 72 a day usual (%i)',
    async (seed) => {
      const shop = await Shop.afterTwoWeeks(seed);
      const found = shop.run(17 * HOUR, { worker: 3 });
      expect(opened(found)).toHaveLength(1);
      expect(found).toContainEqual(
        expect.objectContaining({ kind: 'opens', series: expect.objectContaining({ source: 'worker' }) }),
      );
    },
  );

  it.each(SEEDS)(
    'opens one for errors that are doubled in 12 hours, and holds it by night (%i)',
    async (seed) => {
      const project = await Shop.afterTwoWeeks(seed);
      const events: DetectorEvent[] = [];
      for (let hour = 0; hour < 48; hour++) events.push(...project.run(HOUR, { web: 2 ** (hour / 12) }));
      expect(opened(events)).toHaveLength(1);
      expect(events.filter(({ kind }) => kind === 'ends')).toEqual([]);
    },
  );

  it.each(SEEDS)(
    'opens one for five times as many errors for two hours, which ends within two hours (%i)',
    async (seed) => {
      const project = await Shop.afterTwoWeeks(seed);
      const found = project.run(2 * HOUR, { web: 5 });
      expect(opened(found)).toHaveLength(1);
      const after = project.run(2 * HOUR);
      expect(after.filter(({ kind }) => kind === 'ends')).toHaveLength(1);
      expect(opened(project.run(8 * HOUR))).toEqual([]);
    },
  );

  it('opens nothing for a day that comes an hour earlier', async () => {
    const shop = await Shop.afterTwoWeeks(1);
    expect(opened(shop.run(2 * DAY, { aheadMinutes: 60 }))).toEqual([]);
  });
});
