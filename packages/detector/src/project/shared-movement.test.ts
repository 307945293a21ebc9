import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { type SavedGroup, SeriesGroup } from '../group/series-group.ts';
import { reloaded, warmDetector } from '../saving/testing.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { DOWN, type Side, UP } from '../state/side.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import type { CountDelta } from './count-delta.ts';
import { ProjectDetector } from './project-detector.ts';
import { eventsSeries, TOTAL } from './series-key.ts';
import { type SavedRegistry, SeriesRegistry } from './series-registry.ts';
import { memberOf } from './shared-cause.ts';
import { isSharedMovement } from './shared-movement.ts';

const DAY = 1_440;
const RATES = { web: 60, api: 30, pay: 5, worker: 12, cron: 0.2 };
type Source = keyof typeof RATES;
type Factors = Partial<Record<Source, number>>;

/** Five sources; the last one is too small to show anything in minutes. */
class Project {
  readonly group: SeriesGroup;
  readonly registry: SeriesRegistry;
  readonly #random = new Random(5);
  #minute = 0;

  constructor(saved?: { group: SavedGroup; registry: SavedRegistry }) {
    this.group = new SeriesGroup(1, 1, saved?.group);
    const hooks = { mayReplace: () => false, onReplaced: () => {} };
    this.registry = new SeriesRegistry(this.group, hooks, structuredClone(saved?.registry));
    this.registry.ensure(TOTAL);
  }

  copy(): Project {
    const copy = new Project({ group: this.group.save(), registry: this.registry.save() });
    copy.#minute = this.#minute;
    return copy;
  }

  run(minutes: number, factors: Factors = {}): void {
    for (let i = 0; i < minutes; i++) {
      const bucketMs = START_MS + this.#minute++ * MINUTE_MS;
      for (const [source, rate] of Object.entries(RATES)) {
        const count = this.#random.poisson(rate * (factors[source as Source] ?? 1));
        const delta: CountDelta = {
          type: 'http',
          severity: 'info',
          source,
          bucketMs,
          lastMs: bucketMs,
          count,
        };
        this.group.count(this.registry.ensureForEvents(delta, false), count);
      }
      this.group.endStep(bucketMs, true, () => {});
    }
  }

  isShared(
    source: Source | null,
    factor: number,
    { side = UP, minutes = 10 }: { side?: Side; minutes?: number } = {},
  ): boolean {
    const series = source === null ? TOTAL : eventsSeries('http', 'info', source);
    const anomaly = { observed: 1_000 * factor, expected: 1_000 };
    const atMs = START_MS + this.#minute * MINUTE_MS;
    return isSharedMovement(this, { member: memberOf(series), anomaly, side, minutes, atMs });
  }
}

describe('isSharedMovement', () => {
  const history = new Project();
  history.run(8 * DAY);

  it('finds that most of the traffic has risen by the same factor, and that one source has not', () => {
    const project = history.copy();
    project.run(10, { web: 2.5, api: 2.5, pay: 2.5 });
    expect(project.isShared('pay', 2.5)).toBe(true);
    expect(project.isShared(null, 2)).toBe(true);
    expect(project.isShared('pay', 0.4, { side: DOWN })).toBe(false);
  });

  it('finds none where only the source of the series, or one beside it, has moved', () => {
    const project = history.copy();
    project.run(10, { web: 2.5 });
    expect(project.isShared('web', 2.5)).toBe(false);
    expect(project.isShared('pay', 2.5)).toBe(false);
  });

  it('finds none where the traffic moves far less than the series', () => {
    const project = history.copy();
    project.run(10, { web: 2, api: 2, pay: 2 });
    expect(project.isShared('worker', 3)).toBe(true);
    expect(project.isShared('worker', 20)).toBe(false);
    project.run(30, { web: 0.35, api: 0.35, pay: 0.35, worker: 0 });
    expect(project.isShared('worker', 0, { side: DOWN, minutes: 30 })).toBe(false);
    expect(project.isShared('pay', 0.35, { side: DOWN, minutes: 30 })).toBe(true);
  });

  it('finds a silence of everything', () => {
    const project = history.copy();
    project.run(10, { web: 0, api: 0, pay: 0, worker: 0, cron: 0 });
    expect(project.isShared('worker', 0, { side: DOWN })).toBe(true);
  });

  it('finds what goes on for hours, which the levels have followed', () => {
    const project = history.copy();
    project.run(300, { web: 0.35, api: 0.35, pay: 0.35 });
    expect(project.isShared('api', 0.35, { side: DOWN, minutes: 300 })).toBe(true);
  });

  it('finds nothing where so little is known that no place tells anything', () => {
    const project = history.copy();
    project.run(1, { web: 1, api: 1, pay: 1 });
    expect(project.isShared('worker', 1.3, { minutes: 1 })).toBe(false);
    expect(project.isShared('worker', 1, { minutes: 30 })).toBe(false);
  });
});

describe('isSharedMovement in the first week', () => {
  it('compares with the levels from before it began, in the first week', () => {
    const project = new Project();
    project.run(DAY);
    project.run(15, { web: 3, api: 3, pay: 3 });
    expect(project.isShared('pay', 3, { minutes: 15 })).toBe(true);
    expect(project.isShared('worker', 0.3, { side: DOWN, minutes: 15 })).toBe(false);
  });

  it('finds nothing before the first step has ended', () => {
    expect(new Project().isShared('web', 2)).toBe(false);
  });
});

type Alarm = Extract<DetectorEvent, { kind: 'opens' | 'attaches' }>;
type FactorsOf = (minute: number) => Record<string, number>;

/** All of this source and type come from visitors. */
const OF_VISITORS = ['web', 'api', 'pay', 'signup', 'contact', 'refund'];
const visitors =
  (share: (minute: number) => number): FactorsOf =>
  (minute) =>
    Object.fromEntries(OF_VISITORS.map((type) => [type, share(minute)]));

/** The factor of the time of day of visitors. */
const daylight = (minute: number) => 0.9 - 0.7 * Math.cos(2 * Math.PI * (minute / DAY - 1 / 6));

/** The same sources with few signups, contacts and refunds beside the others, by the production code. */
class Service {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly #streams: { source: string; type: string; rate: number }[];
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#streams = [
      ...Object.entries(RATES).map(([source, rate]) => ({ source, type: source, rate })),
      { source: 'api', type: 'signup', rate: 0.3 },
      { source: 'web', type: 'contact', rate: 0.15 },
      { source: 'pay', type: 'refund', rate: 0.15 },
    ];
  }

  /** A service after days of the same rates at all times of day. */
  static async afterSteadyDays(seed: number): Promise<Service> {
    return new Service(seed).#after('steady-visitors', 8, () => ({}));
  }

  /** A service after days of visitors who come by day. */
  static async afterDaylight(seed: number): Promise<Service> {
    return new Service(seed).#after('visitors-by-day', 10, visitors(daylight));
  }

  async #after(name: string, days: number, factorsOf: FactorsOf): Promise<this> {
    this.detector = await warmDetector(import.meta.url, name, () => {
      const history = new Service(11);
      history.run(days * DAY, factorsOf);
      return history;
    });
    return this;
  }

  /** @returns the type and the incident of each alarm, in their order */
  run(minutes: number, factorsOf: FactorsOf) {
    const alarms: Alarm[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      const bucketMs = this.detector.stepMs;
      for (const { source, type, rate } of this.#streams) {
        const count = this.#random.poisson(rate * (factorsOf(minute)[type] ?? 1));
        if (count > 0)
          this.detector.count({ type, severity: 'info', source, bucketMs, lastMs: bucketMs, count });
      }
      for (const event of this.detector.endStepsBefore(bucketMs + MINUTE_MS, true)) {
        if (event.kind === 'opens' || event.kind === 'attaches') alarms.push(event);
      }
    }
    return alarms.map(({ incident, series }) => [series.type, incident] as const);
  }
}

describe('the incidents of a project', () => {
  it('opens one incident for the slow growth of all visitors, and another for the worker that rises alone', async () => {
    const service = await Service.afterSteadyDays(11);
    const first = service.detector.nextIncident;
    const grown = visitors((minute) => 1 + (5 * Math.min(minute, 180)) / 180);
    const alarms = service.run(200, grown);
    expect(new Set(alarms.map(([, incident]) => incident))).toEqual(new Set([first]));
    expect(alarms.map(([type]) => type)).toEqual(expect.arrayContaining([null, 'web', 'api', 'pay']));
    service.detector = reloaded(service.detector);
    const later = service.run(5, (minute) => ({ ...grown(200 + minute), worker: 30 }));
    expect(later).toContainEqual(['worker', first + 1]);
  });

  it('reports no sparse traffic that falls with all visitors, and reports it when it stops', async () => {
    const service = await Service.afterDaylight(16);
    const first = service.detector.nextIncident;
    const holiday = visitors((minute) => 0.3 * daylight(minute));
    const alarms = service.run(DAY / 2, holiday);
    expect(new Set(alarms.map(([, incident]) => incident))).toEqual(new Set([first]));
    expect(alarms.map(([type]) => type)).not.toContain('signup');
    expect(service.detector.incidents).toEqual([]);
    const afterwards = service.run(DAY / 2, (minute) => ({ ...holiday(DAY / 2 + minute), signup: 0 }));
    expect(afterwards).toContainEqual(['signup', first + 1]);
  });

  it.each([1, 4].slice(0, rounds(1, 2)))(
    'opens one incident for a quiet day that sparse series show hours apart (%i)',
    async (seed) => {
      const service = await Service.afterDaylight(seed);
      const first = service.detector.nextIncident;
      const quiet = (minute: number) => 1 - 0.65 * Math.min(1, minute / (9 * 60));
      const alarms = service.run(
        DAY,
        visitors((minute) => quiet(minute) * daylight(minute)),
      );
      // In one of them a minute of the sum is low by chance in the evening, which is no sparse series.
      const ofSparse = alarms.filter(([type]) => type !== null).map(([, incident]) => incident);
      expect(new Set(ofSparse)).toEqual(new Set([first]));
    },
  );

  it.each([5, 6].slice(0, rounds(1, 2)))(
    'ends with all traffic a rise of sparse series that rose with it (%i)',
    async (seed) => {
      const service = await Service.afterSteadyDays(seed);
      const types = service
        .run(
          120,
          visitors(() => 3),
        )
        .map(([type]) => type);
      expect(types).toContain('signup');
      service.run(130, () => ({}));
      expect(service.detector.incidents).toEqual([]);
    },
  );
});
