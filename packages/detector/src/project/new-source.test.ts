import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { warmDetector } from '../saving/testing.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import { STEP_MS } from './project-parts.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** Requests a minute of a source, and how many of them fail. */
interface Sender {
  source: string;
  perMinute: number;
  share: number;
  /** Errors a minute beside them. */
  errors?: number;
}

const API: Sender = { source: 'api', perMinute: 60, share: 0.003 };
const CHAT: Sender = { source: 'chat', perMinute: 40, share: 0.002 };

/** A project of two services. */
class Services {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  static async afterFiveDays(): Promise<Services> {
    const services = new Services(2);
    services.detector = await warmDetector(import.meta.url, 'two-services', () => {
      const history = new Services(1);
      history.run(5 * DAY, [API, CHAT]);
      return history;
    });
    return services;
  }

  /** @param sendersOf rates of the senders in each minute, or always */
  run(minutes: number, sendersOf: Sender[] | ((minute: number) => Sender[])): DetectorEvent[] {
    return Array.from({ length: minutes }, (_, minute) => {
      const senders = typeof sendersOf === 'function' ? sendersOf(minute) : sendersOf;
      for (const { source, perMinute, share, errors = 0 } of senders) {
        this.#count(source, 'info', this.#random.poisson(perMinute));
        this.#count(source, 'error', this.#random.poisson(perMinute * share + errors));
      }
      return this.detector.endStepsBefore(this.detector.stepMs + STEP_MS, true);
    }).flat();
  }

  #count(source: string, severity: 'info' | 'error', count: number): void {
    if (count === 0) return;
    const bucketMs = this.detector.stepMs;
    const lastMs = bucketMs + Math.floor(STEP_MS * this.#random.uniform());
    this.detector.count({ type: 'req', severity, source, bucketMs, lastMs, count });
  }
}

type Alarm = Extract<DetectorEvent, { kind: 'opens' | 'attaches' }>;
const alarmsOf = (events: DetectorEvent[]) =>
  events.filter((event): event is Alarm => event.kind === 'opens' || event.kind === 'attaches');
const errorsOf = (events: DetectorEvent[], source: string) =>
  alarmsOf(events).filter(({ series }) => series.source === source && series.severity === 'error');

/** Chat moves to another name within half an hour. */
const renamed = (minute: number): Sender[] => {
  const moved = Math.min(1, (minute + 1) / 30);
  return [
    API,
    { ...CHAT, perMinute: 40 * (1 - moved) },
    { ...CHAT, source: 'chat-v2', perMinute: 40 * moved },
  ];
};

describe('the errors of a new source', () => {
  it('open nothing while they are as frequent as those of the other sources', async () => {
    const services = await Services.afterFiveDays();
    const events = services.run(2 * DAY, [API, CHAT, { source: 'mail', perMinute: 200, share: 0.004 }]);
    expect(errorsOf(events, 'mail')).toEqual([]);
  });

  it('open nothing beside the one incident of the service that has got another name', async () => {
    const services = await Services.afterFiveDays();
    const events = services.run(DAY + 12 * HOUR, renamed);
    expect(errorsOf(events, 'chat-v2')).toEqual([]);
    expect(events.filter(({ kind }) => kind === 'opens').length).toBeLessThanOrEqual(1);
  });

  it('open an incident that says how long the source is known, where ten times as many fail as elsewhere', async () => {
    const services = await Services.afterFiveDays();
    services.run(HOUR, [API, CHAT, { ...CHAT, source: 'mail' }]);
    const mail: Sender = { source: 'mail', perMinute: 40, share: 0.05 };
    const [found] = errorsOf(services.run(HOUR, [API, CHAT, mail]), 'mail');
    expect(found?.anomaly.sourceMinutes).toBeGreaterThanOrEqual(HOUR);
    expect(found?.anomaly.sourceMinutes).toBeLessThanOrEqual(2 * HOUR);
    expect(found?.anomaly.exposure).toMatchObject({ isInProportion: false });
    expect(found?.anomaly.expected).toBeGreaterThan(0.1);
    expect(found?.anomaly.exposure?.usualShare).toBeCloseTo(0.0026, 3);
  });

  it('open an incident for a source that has sent errors alone before, and is not new', async () => {
    const services = await Services.afterFiveDays();
    const mail: Sender = { source: 'mail', perMinute: 0, share: 0.004, errors: 0.02 };
    services.run(DAY, [API, CHAT, mail]);
    const [found] = errorsOf(services.run(2 * HOUR, [API, CHAT, { ...mail, perMinute: 400 }]), 'mail');
    expect(found?.anomaly.rule).toBe('rise');
    expect(found?.anomaly.sourceMinutes).toBeUndefined();
  });

  it('say nothing of a new source in a known one, or on the first day of a project', async () => {
    const services = await Services.afterFiveDays();
    const known = errorsOf(services.run(HOUR, [API, { ...CHAT, share: 0.1 }]), 'chat');
    const young = new Services(5);
    young.run(6 * HOUR, [API]);
    const first = errorsOf(young.run(HOUR, [API, { ...CHAT, share: 0.1 }]), 'chat');
    for (const alarms of [known, first]) {
      expect(alarms.length).toBeGreaterThan(0);
      expect(alarms.every(({ anomaly }) => anomaly.sourceMinutes === undefined)).toBe(true);
    }
  });
});
