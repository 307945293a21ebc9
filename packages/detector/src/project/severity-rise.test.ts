import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { reloaded, warmDetector } from '../saving/testing.ts';
import { DEFAULT_SETTINGS, type Severity } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import { STEP_MS } from './project-parts.ts';
import { severityOfAlarm } from './severity.ts';

const DAY = 1_440;

interface Minute {
  /** Factor of the usual twenty errors a minute. */
  errors?: number;
  /** Share of the twenty payments a minute that fail. */
  failing?: number;
}

/** A shop with steady traffic, errors beside it, and payments of which 3% fail. */
class Shop {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  static async afterThreeDays(seed = 2): Promise<Shop> {
    const shop = new Shop(seed);
    shop.detector = await warmDetector(import.meta.url, 'steady-errors', () => {
      const history = new Shop(1);
      for (let minute = 0; minute < 3 * DAY; minute++) history.run({});
      return history;
    });
    return shop;
  }

  run({ errors = 1, failing = 0.03 }: Minute): DetectorEvent[] {
    this.#count('visit', 'info', 'web', 600);
    this.#count('http', 'error', 'web', 20 * errors);
    this.#count('payment', 'info', 'bank', 20 * (1 - failing));
    this.#count('payment', 'error', 'bank', 20 * failing);
    return this.detector.endStepsBefore(this.detector.stepMs + STEP_MS, true);
  }

  /** Severities of the alarms about one type or all failed payments, in the order in which they were reported. */
  severitiesOf(about: 'http' | 'failed_payments', minutes: Minute[]): Severity[] {
    return minutes
      .flatMap((minute) => this.run(minute))
      .flatMap((event) => {
        if (event.kind !== 'opens' && event.kind !== 'attaches') return [];
        const { series, anomaly } = event;
        const isAbout = series.kind === about || (series.type === about && anomaly.rule === 'rise');
        return isAbout ? severityOfAlarm(series, anomaly) : [];
      });
  }

  #count(type: string, severity: 'info' | 'error', source: string, mean: number): void {
    const count = this.#random.poisson(mean);
    const bucketMs = this.detector.stepMs;
    const lastMs = bucketMs + Math.floor(STEP_MS * this.#random.uniform());
    if (count > 0) this.detector.count({ type, severity, source, bucketMs, lastMs, count });
  }
}

const during = (minutes: number, minute: Minute) => Array.from({ length: minutes }, () => minute);

describe('reportRisenSeverities', () => {
  it.each<['http' | 'failed_payments', Severity, (factor: number) => Minute]>([
    ['http', 'error', (factor) => ({ errors: factor })],
    ['failed_payments', 'critical', (factor) => ({ failing: 0.03 * factor })],
  ])('ends %s with the severity %s, at once or over half an hour', async (about, severity, minuteOf) => {
    const ramp = Array.from({ length: 30 }, (_, minute) => minuteOf(1 + (12 * minute) / 30));
    const trouble = during(30, minuteOf(13));
    const sudden = (await Shop.afterThreeDays()).severitiesOf(about, trouble);
    const slow = (await Shop.afterThreeDays()).severitiesOf(about, [...ramp, ...trouble]);
    expect([sudden.at(-1), slow.at(-1)]).toEqual([severity, severity]);
  });

  it('reports errors once more that were a warning and go on to rise, each severity once', async () => {
    const shop = await Shop.afterThreeDays();
    expect(shop.severitiesOf('http', during(20, { errors: 2.4 }))).toEqual(['warn']);
    expect(shop.severitiesOf('http', during(60, { errors: 4 }))).toEqual(['error']);
    expect(shop.severitiesOf('http', during(60, { errors: 4 }))).toEqual([]);
  });

  it('reports nothing once more for a trouble that stays as it is', async () => {
    const shop = await Shop.afterThreeDays();
    expect(shop.severitiesOf('http', during(120, { errors: 2.2 }))).toEqual(['warn']);
  });

  it('reports failed payments once more whose share goes on to rise', async () => {
    const shop = await Shop.afterThreeDays();
    expect(shop.severitiesOf('failed_payments', during(40, { failing: 0.15 })).at(-1)).toBe('error');
    expect(shop.severitiesOf('failed_payments', during(40, { failing: 0.6 })).at(-1)).toBe('critical');
  });

  it('reports the same after a restart as without one', async () => {
    const shop = await Shop.afterThreeDays();
    shop.severitiesOf('http', during(20, { errors: 2.4 }));
    shop.detector = reloaded(shop.detector);
    expect(shop.severitiesOf('http', during(60, { errors: 4 }))).toEqual(['error']);
    shop.detector = reloaded(shop.detector);
    expect(shop.severitiesOf('http', during(60, { errors: 4 }))).toEqual([]);
  });
});
