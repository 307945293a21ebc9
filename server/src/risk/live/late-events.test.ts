import {
  DEFAULT_SETTINGS,
  type DetectorEvent,
  fromBytes,
  LATE_MS,
  ProjectDetector,
  SeriesGroup,
  toBytes,
} from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../test/support/run-to-end.ts';
import type { Severity } from '../../events/severity.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { addUp } from './add-up.ts';
import type { InboxDelta } from './inbox/queries.ts';
import { applyRound, type Round } from './round.ts';

const DAY = 1_440;
const applyWhole = (...args: Parameters<typeof applyRound>) => runToEnd(applyRound(...args));

interface SentEvents {
  events: number;
  lateMs?: number;
  type?: string;
  severity?: Severity;
  source?: string;
  /** Minutes for which they waited on disk; missing: they did not. */
  waitedMinutes?: number;
}

/** A project, round by round: one a minute. */
class Project {
  readonly detectorEvents: DetectorEvent[] = [];
  readonly random: Random;
  #minute = 0;
  readonly #detectors = new Map<string, ProjectDetector>();

  constructor(seed = 7) {
    this.random = new Random(seed);
  }

  /** One that has had ten events a minute for a day, which is simulated once. */
  static afterADay(): Project {
    aDay ??= simulateADay();
    const project = new Project(8);
    project.#detectors.set('shop', new ProjectDetector(0, DEFAULT_SETTINGS, fromBytes(aDay) ?? undefined));
    project.#minute = DAY;
    return project;
  }

  /** Returns what a worker saves. */
  toBytes(): Uint8Array {
    const detector = this.#detectors.get('shop');
    if (!detector) throw new Error('No round has begun.');
    return toBytes(detector.save());
  }

  run(minutes: number, sentAt: (minute: number) => SentEvents[]): DetectorEvent[] {
    const from = this.detectorEvents.length;
    for (let i = 0; i < minutes; i++) this.#round(sentAt(i));
    return this.detectorEvents.slice(from).filter(({ kind }) => kind === 'opens');
  }

  #round(sent: SentEvents[]): void {
    const bucketMs = START_MS + this.#minute * MINUTE_MS + 20_000;
    const deltas = sent
      .filter(({ events }) => events > 0)
      .map((group): InboxDelta => {
        const {
          events,
          lateMs = 0,
          type = 'order',
          severity = 'info',
          source = 'web',
          waitedMinutes,
        } = group;
        const receivedMs = bucketMs - (waitedMinutes ?? 0) * MINUTE_MS;
        return {
          projectId: 'shop',
          type,
          severity,
          source,
          bucketMs: receivedMs,
          lastMs: receivedMs,
          count: events,
          lateMs,
          ...(waitedMinutes !== undefined && { isSpooled: true }),
        };
      });
    const detector = this.#detectors.get('shop');
    const added = addUp(deltas, 0, () => ({
      hasSeries: (delta) => detector?.hasSeries(delta) ?? false,
      isEvaluated: (source, lateMs, receivedMs) =>
        detector?.isEvaluated(source, lateMs, receivedMs) ?? lateMs <= LATE_MS,
      followsLateness: (source) => detector?.followsLateness(source) ?? false,
      rules: DEFAULT_SETTINGS.rules,
    }));
    const begun =
      this.#minute === 0 ? [{ projectId: 'shop', settings: DEFAULT_SETTINGS, firstIncident: 1 }] : [];
    this.#minute++;
    const timeMs = START_MS + this.#minute * MINUTE_MS;
    const round: Round = {
      id: this.#minute,
      version: 1,
      sinceMs: 0,
      begun,
      set: [],
      resolved: [],
      errors: {},
      timeMs,
      downtimes: [],
      ...added,
    };
    const outcome = applyWhole(this.#detectors, JSON.parse(JSON.stringify(round))).get('shop');
    if (outcome?.fault) throw outcome.fault;
    this.detectorEvents.push(...(outcome?.detectorEvents ?? []));
  }

  /** Expected events a minute of each series. */
  levels(): number[] {
    const group = new SeriesGroup(1, 1, this.#detectors.get('shop')?.save().group);
    return group.series.indices().map((index) => group.levelOf(index));
  }

  random10(): number {
    return this.random.poisson(10);
  }
}

let aDay: Uint8Array | undefined;

function simulateADay(): Uint8Array {
  const project = new Project();
  expect(project.run(DAY, () => [{ events: project.random10() }])).toEqual([]);
  return project.toBytes();
}

describe('events that were captured long before their receipt', () => {
  it('opens nothing for late events, whatever they are: an import is no burst', () => {
    const project = Project.afterADay();
    const usual = (): SentEvents => ({ events: project.random10() });
    const imported = (minute: number): SentEvents[] => [
      usual(),
      { events: 5_000, lateMs: 50 * HOUR_MS - minute * HOUR_MS },
      { events: 3_000, lateMs: 20 * HOUR_MS, severity: 'error' },
      { events: 20, lateMs: 20 * HOUR_MS, severity: 'critical', type: 'disk' },
      { events: 500, lateMs: 20 * HOUR_MS, type: 'payment', severity: 'error', source: 'bank' },
    ];
    expect(project.run(10, imported)).toEqual([]);
    expect(project.run(120, () => [usual()])).toEqual([]);
    const reports = project.detectorEvents.filter(({ kind }) => kind === 'late');
    expect(reports).toMatchObject([
      { late: { source: 'web', events: 10 * 8_020 } },
      { late: { source: 'bank', events: 5_000 } },
    ]);
  });

  /** All events of three days up to now, of a source that sends `perMinute`, in ten rounds. */
  const importOf = (
    round: number,
    event: Omit<SentEvents, 'events' | 'lateMs'>,
    perMinute = 8,
  ): SentEvents[] =>
    Array.from({ length: 432 }, (_, i) => ({
      ...event,
      events: perMinute,
      lateMs: (3 * DAY - 432 * round - i) * MINUTE_MS - 30_000,
    }));

  it('opens nothing in a new project for an import that reaches up to now, also not for its errors', () => {
    const project = new Project();
    const imported = (round: number) => [
      ...importOf(round, {}),
      ...importOf(round, { severity: 'error', source: 'api' }),
      ...importOf(round, { type: 'payment', severity: 'error', source: 'bank' }),
    ];
    expect(project.run(10, imported)).toEqual([]);
    expect(project.run(180, () => [{ events: project.random10() }])).toEqual([]);
  });

  it('opens nothing for an import into a series that it knows, and finds the sender that stops after it', () => {
    const project = new Project();
    const beat: SentEvents = { events: 1, type: 'beat', source: 'scheduler' };
    const usual = (): SentEvents => ({ events: project.random10() });
    expect(project.run(DAY, () => [usual(), beat])).toEqual([]);
    const imported = (round: number) => [
      usual(),
      beat,
      ...importOf(round, {}, 25),
      ...importOf(round, { type: 'beat', source: 'scheduler' }),
    ];
    expect(project.run(10, imported)).toEqual([]);
    expect(project.run(5, () => [usual()])).toMatchObject([
      { anomaly: { rule: 'silence' }, series: { source: 'scheduler' } },
    ]);
  });

  it('expects after an import what it expected before', () => {
    const levelsAfter = (imports: boolean) => {
      const project = Project.afterADay();
      project.run(10, (round) => [{ events: project.random10() }, ...(imports ? importOf(round, {}) : [])]);
      return project.levels();
    };
    const [before, after] = [levelsAfter(false), levelsAfter(true)];
    expect(after).toHaveLength(before.length);
    after.forEach((level, series) => {
      expect(level / (before[series] ?? 0)).toBeGreaterThan(0.95);
      expect(level / (before[series] ?? 0)).toBeLessThan(1.05);
    });
  });

  it('treats events as late from five minutes on, and not a moment earlier', () => {
    const burst = (lateMs: number) => {
      const project = Project.afterADay();
      return project.run(3, () => [{ events: 300, lateMs }]).length;
    };
    expect(burst(LATE_MS)).toBe(1);
    expect(burst(LATE_MS + 1)).toBe(0);
  });

  it('lets late events keep their source from being silent, without hiding a rise', () => {
    const project = Project.afterADay();
    const late = (): SentEvents => ({
      events: project.random10(),
      lateMs: project.random.uniform() * 20 * HOUR_MS + HOUR_MS,
    });
    expect(project.run(120, () => [late()])).toEqual([]);
    expect(project.run(5, () => [late(), { events: 200 }])).toHaveLength(1);
  });

  it('finds a drop that late events do not make up for', () => {
    const project = new Project();
    project.run(DAY, () => [{ events: 10 * project.random10() }]);
    const late: SentEvents = { events: 1, lateMs: 10 * HOUR_MS };
    expect(project.run(30, () => [late])).toMatchObject([{ anomaly: { rule: 'drop' } }]);
  });
});

describe('a source that is late by a nearly constant time', () => {
  const late = (project: Project, events = project.random10()): SentEvents => ({
    events,
    source: 'shipper',
    lateMs: 7 * MINUTE_MS + project.random.uniform() * 30_000,
  });
  const errors = (project: Project): SentEvents => ({
    ...late(project, 1 + project.random.poisson(3)),
    severity: 'error',
  });

  it('evaluates a source that is late by a nearly constant time by receipt, without a rise at its beginning', () => {
    const project = Project.afterADay();
    const usual = (): SentEvents => ({ events: project.random10() });
    expect(project.run(6 * 60, () => [usual(), late(project), errors(project)])).toEqual([]);
    const opened = project.run(3, () => [usual(), late(project, 300), errors(project)]);
    expect(opened).toHaveLength(1);
  });

  it('opens an incident for a burst in a project of its own, and for its silence', () => {
    const project = new Project();
    expect(project.run(8 * 60, () => [late(project), errors(project)])).toEqual([]);
    expect(project.run(3, () => [late(project, 300), errors(project)])).toHaveLength(1);
    expect(project.run(3 * 60, () => [late(project), errors(project)])).toEqual([]);
    expect(project.run(10, () => [])).toMatchObject([{ anomaly: { rule: 'silence' } }]);
  });

  it('evaluates no import', () => {
    const project = new Project();
    project.run(6 * 60, () => [late(project)]);
    const imported = { events: 5_000, source: 'shipper', lateMs: 30 * HOUR_MS };
    expect(project.run(10, () => [late(project), imported])).toEqual([]);
  });

  it('sees neither silence nor rise where a source that was on time becomes late', () => {
    const project = new Project();
    const onTime = (): SentEvents => ({ events: project.random10(), source: 'shipper' });
    const usual = (): SentEvents => ({ events: project.random10() });
    expect(project.run(DAY, () => [usual(), onTime()])).toEqual([]);
    expect(project.run(6 * 60, () => [usual(), late(project)])).toEqual([]);
    expect(project.run(6 * 60, () => [usual(), onTime()])).toEqual([]);
  });
});

describe('events that waited on disk while the database was lost', () => {
  it.each([0, 1, 10, 600])(
    'opens nothing for events that waited on disk for %i minutes, whatever they are',
    (waitedMinutes) => {
      const project = Project.afterADay();
      const usual = (): SentEvents => ({ events: project.random10() });
      const drained = (): SentEvents[] => [
        usual(),
        { events: 5_000, waitedMinutes },
        { events: 40, waitedMinutes, severity: 'critical', type: 'disk' },
        { events: 500, waitedMinutes, type: 'payment', severity: 'error', source: 'bank' },
      ];
      expect(project.run(1, drained)).toEqual([]);
      expect(project.run(120, () => [usual()])).toEqual([]);
      expect(project.run(3, () => [{ events: 300 }])).toHaveLength(1);
    },
  );

  it('takes an event that waited on disk as a sign of its sender', () => {
    /** Returns the minute in which the sender is found to be silent, after its last beat in the minute -20. */
    const silentAt = (drained: SentEvents[]): number => {
      const project = new Project();
      project.run(2 * DAY, (minute) => [
        { events: project.random10() },
        { events: minute % 20 === 0 ? 1 : 0, type: 'beat', source: 'scheduler' },
      ]);
      for (let minute = 0; minute < 120; minute++) {
        const [opened] = project.run(1, () => [
          { events: project.random10() },
          ...(minute === 10 ? drained : []),
        ]);
        if (opened) return minute;
      }
      throw new Error('The silence is not found.');
    };
    const beat = { events: 1, type: 'beat', source: 'scheduler', waitedMinutes: 10 };
    expect(silentAt([beat]) - silentAt([])).toBe(20);
  });
});
