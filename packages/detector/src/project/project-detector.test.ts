import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { SeriesTable } from '../group/series-table.ts';
import { toBytes } from '../saving/snapshot.ts';
import { reloaded, warmDetector } from '../saving/testing.ts';
import { resolutionOf } from '../state/resolution.ts';
import { DEFAULT_SETTINGS, type Severity } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';
import { MAX_SERIES } from './series-registry.ts';

const MINUTE_MS = 60_000;
const DAY = 1_440;

interface Kind {
  type: string;
  severity: Severity;
}

/** A project whose sources send at random, all at the same rate. */
class Project {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly verdicts: DetectorEvent[] = [];
  readonly #random: Random;

  constructor(seed = 1) {
    this.#random = new Random(seed);
  }

  /** One that has had ten events a minute of each source for two days, and no incident. */
  static async afterTwoDays(): Promise<Project> {
    const project = new Project(2);
    project.detector = await warmDetector(import.meta.url, 'ten-sources', () => {
      const history = new Project();
      history.run(2 * DAY, () => 10);
      return history;
    });
    return project;
  }

  run(minutes: number, rates: (source: number) => number, sources = 10): DetectorEvent[] {
    const from = this.verdicts.length;
    for (let i = 0; i < minutes; i++) {
      for (let source = 0; source < sources; source++) {
        this.count(source, this.#random.poisson(rates(source)));
      }
      this.endStep();
    }
    return this.verdicts.slice(from);
  }

  count(source: number, count: number, { type = 'order', severity = 'info' }: Partial<Kind> = {}): void {
    const bucketMs = this.detector.stepMs;
    if (count > 0)
      this.detector.count({ type, severity, source: `source ${source}`, bucketMs, count, lastMs: bucketMs });
  }

  see(fingerprint: string): void {
    const error = { type: 'order', severity: 'error', source: null, message: 'It failed' } as const;
    this.detector.recordError({ ...error, fingerprint, atMs: this.detector.stepMs });
  }

  look(): DetectorEvent[] {
    const verdicts = this.detector.evaluatePartialStep();
    this.verdicts.push(...verdicts);
    return verdicts;
  }

  endStep(isKnown = true): void {
    this.verdicts.push(...this.detector.endStepsBefore(this.detector.stepMs + MINUTE_MS, isKnown));
  }
}

const kinds = (verdicts: DetectorEvent[]) =>
  verdicts.map(({ kind }) => kind).filter((kind) => kind !== 'suppressed');
const ERRORS = { severity: 'error' as const };

describe('a project', () => {
  it('opens one incident for a cause that affects all series of a project, and ends it with the last of them', async () => {
    const project = await Project.afterTwoDays();
    expect(project.detector.nextIncident).toBe(1);
    const during = kinds(project.run(20, () => 0));
    expect(during.filter((kind) => kind === 'opens')).toHaveLength(1);
    expect(during.filter((kind) => kind === 'attaches').length).toBeGreaterThan(5);
    const after = kinds(project.run(180, () => 10));
    expect(after.filter((kind) => kind === 'ends')).toHaveLength(1);
    expect(after).not.toContain('opens');
  });

  it('finds a burst at the look after the event that crosses the line', async () => {
    const project = await Project.afterTwoDays();
    project.count(3, 150);
    const [burst] = project.detector.evaluatePartialStep();
    expect(burst).toMatchObject({ kind: 'opens', incident: 1, anomaly: { rule: 'rise', observed: 150 } });
    expect(project.detector.evaluatePartialStep()).toEqual([]);
  });

  it('reports no silence during a gap of the service', async () => {
    const project = await Project.afterTwoDays();
    for (let i = 0; i < 60; i++) project.endStep(false);
    expect(kinds(project.run(60, () => 10))).toEqual([]);
  });

  it('counts nothing that comes too late', () => {
    const { detector } = new Project();
    detector.endStepsBefore(START_MS + 10 * MINUTE_MS, true);
    const late = { type: 'order', severity: 'info', source: null, count: 1, lastMs: START_MS } as const;
    expect(detector.count({ ...late, bucketMs: START_MS + 9 * MINUTE_MS })).toBe(true);
    expect(detector.count({ ...late, bucketMs: START_MS + 8 * MINUTE_MS })).toBe(false);
  });

  it('tracks a bounded number of series separately', () => {
    const project = new Project();
    for (let source = 0; source < 2 * MAX_SERIES; source++) project.count(source, 1);
    expect(project.detector.save().registry.series).toHaveLength(MAX_SERIES + 1);
    expect(project.detector.save().registry.series.at(-1)).toMatchObject({ kind: 'other' });
  });

  it('misses the beats of an hourly job, in one incident that ends with its return', () => {
    const project = new Project();
    const hourly = (hours: number) => {
      for (let minute = 0; minute < hours * 60; minute++) {
        if (minute % 60 === 0) project.count(0, 1);
        project.endStep();
      }
    };
    hourly(3 * 24);
    expect(kinds(project.verdicts)).toEqual([]);
    for (let minute = 0; minute < 240; minute++) project.endStep();
    expect(project.verdicts).toMatchObject([
      { kind: 'opens', incident: 1, anomaly: { rule: 'silence', usualMinutes: 60 } },
    ]);
    hourly(2);
    expect(kinds(project.verdicts.slice(1))).toEqual(['detaches', 'ends']);
  });

  it('continues identically after saving and loading in the middle of a step', () => {
    const [project, copy] = [new Project(), new Project()];
    for (const each of [project, copy]) each.run(DAY / 2 + 7, (source) => source);
    for (const each of [project, copy]) each.count(1, 4);
    copy.detector = reloaded(copy.detector);
    for (const each of [project, copy]) each.run(300, (source) => (source === 4 ? 60 : source));
    expect(copy.verdicts).toEqual(project.verdicts);
    expect(toBytes(copy.detector.save())).toEqual(toBytes(project.detector.save()));
    expect(kinds(project.verdicts)).toContain('opens');
  });

  it('counts what comes ahead of time into its own step', () => {
    const { detector } = new Project();
    const early = { type: 'order', severity: 'info', source: null, count: 7, lastMs: START_MS } as const;
    detector.count({ ...early, bucketMs: START_MS + MINUTE_MS });
    const counts = () => {
      const table = new SeriesTable(resolutionOf(1), detector.save().group.series);
      return table.indices().map((index) => table.read(index).count);
    };
    expect(counts()).toEqual([0]);
    detector.endStepsBefore(START_MS + MINUTE_MS, true);
    expect(counts()).toEqual([7, 7]);
  });
});

describe('a project that began with a burst', () => {
  it.each([1, 5, 20])(
    'opens no silence incident when nothing follows the first %d minutes of a burst',
    (minutes) => {
      const project = new Project();
      project.run(minutes, () => 30, 1);
      project.run(DAY, () => 0, 1);
      expect(kinds(project.verdicts)).toEqual([]);
    },
  );
});

describe('errors', () => {
  it('opens an incident for the first burst of errors of a young project, of one series or spread over many', () => {
    const [one, spread] = [new Project(), new Project()];
    one.count(0, 20, ERRORS);
    for (let source = 0; source < 20; source++) spread.count(source, 1, ERRORS);
    expect(kinds(one.look())).toEqual(['opens', 'attaches']);
    expect(spread.look()).toMatchObject([{ kind: 'opens', series: { kind: 'errors' } }]);
  });

  it('opens nothing for errors that are few and far between', () => {
    const project = new Project();
    for (let hour = 0; hour < 48; hour++) {
      project.count(hour % 5, 2, ERRORS);
      for (let minute = 0; minute < 60; minute++) project.endStep();
    }
    expect(kinds(project.verdicts)).toEqual([]);
  });

  it('opens an incident for the first burst of errors in a series that never failed, days later', async () => {
    const project = await Project.afterTwoDays();
    project.count(3, 40, ERRORS);
    expect(kinds(project.look())).toContain('opens');
  });

  it('opens no incident for fewer errors, and reports why', () => {
    const project = new Project();
    const failing = (minutes: number, count: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        project.count(0, count, ERRORS);
        project.count(0, 200);
        project.endStep();
      }
    };
    failing(DAY, 30);
    const before = project.verdicts.length;
    failing(240, 0);
    const since = project.verdicts.slice(before);
    expect(kinds(since).filter((kind) => kind === 'opens')).toEqual([]);
    expect(since).toContainEqual(expect.objectContaining({ reason: 'fewer_errors' }));
    // The events that come back are trouble again, and no recovery.
    failing(1, 300);
    expect(kinds(project.verdicts.slice(before))).toContain('opens');
  });

  it('opens no incident for the end of a crash loop in a project that sends nothing else', () => {
    const project = new Project();
    const crash = { type: 'crash', severity: 'critical' } as const;
    for (let minute = 0; minute < 90; minute++) {
      project.count(0, 17, crash);
      project.endStep();
    }
    const before = project.verdicts.length;
    project.run(DAY, () => 0);
    const since = project.verdicts.slice(before);
    expect(kinds(since)).not.toContain('opens');
    expect(since).toContainEqual(expect.objectContaining({ reason: 'fewer_errors' }));
  });

  it('continues an incident of errors until a person resolves it, and then opens another one', () => {
    const project = new Project();
    project.count(0, 30, ERRORS);
    expect(kinds(project.look())).toContain('opens');
    project.detector.takeAdditionalEvents();
    project.count(0, 5, ERRORS);
    expect(kinds(project.look())).toEqual([]);
    expect(project.detector.takeAdditionalEvents()).toEqual(new Map([[1, 5]]));
    project.detector.resolve(1);
    project.count(0, 5, ERRORS);
    expect(kinds(project.look())).toEqual([]);
    project.count(0, 25, ERRORS);
    expect(project.look()).toContainEqual(expect.objectContaining({ kind: 'opens', incident: 2 }));
  });
});

describe('a silence that a person has resolved', () => {
  it('does not report a silence again while it lasts after a person has resolved it', () => {
    const project = new Project();
    project.run(DAY, () => 10, 1);
    project.run(10, () => 0, 1);
    expect(kinds(project.verdicts)).toContain('opens');
    const [incident] = project.detector.incidents;
    const told = project.verdicts.length;
    project.detector.resolve(incident ?? 0);
    project.run(6 * 60, () => 0, 1);
    expect(kinds(project.verdicts.slice(told))).toEqual([]);
  });
});

describe('a rule of a project', () => {
  it('opens with the event that fulfils it, is raised by those after it, and ends an hour after the last', () => {
    const project = new Project();
    const critical = { severity: 'critical' as const };
    project.count(0, 1, critical);
    expect(project.look()).toMatchObject([
      {
        kind: 'opens',
        incident: 1,
        series: { kind: 'rule', severity: 'critical' },
        anomaly: { observed: 1 },
      },
    ]);
    project.count(1, 2, critical);
    expect(project.look()).toEqual([]);
    expect(project.detector.takeAdditionalEvents()).toEqual(new Map([[1, 2]]));
    for (let minute = 0; minute < 62; minute++) project.endStep();
    expect(kinds(project.verdicts)).toEqual(['opens', 'detaches', 'ends']);
  });

  it('asks for so many in so many minutes, of those that match', () => {
    const project = new Project();
    const rule = {
      name: null,
      field: null,
      percent: null,
      type: 'order',
      severity: 'info',
      source: 'source 1',
      events: 5,
      minutes: 3,
    } as const;
    project.detector.set({ ...DEFAULT_SETTINGS, rules: [rule] });
    for (const source of [1, 1, 2, 1, 1, 2]) {
      project.count(source, 1);
      project.look();
      project.endStep();
    }
    expect(kinds(project.verdicts)).toEqual([]);
    project.count(1, 4);
    expect(project.look()).toMatchObject([{ kind: 'opens', anomaly: { observed: 5, expected: 5 } }]);
  });

  it('remembers a bounded number of counts, however long its window and however much comes', () => {
    const project = new Project();
    const rule = {
      name: null,
      field: null,
      percent: null,
      type: null,
      severity: null,
      source: null,
      events: 1_000_000,
      minutes: 1_440,
    } as const;
    project.detector.set({ ...DEFAULT_SETTINGS, rules: [rule] });
    project.run(2 * DAY, () => 5, 1);
    const [watched] = project.detector.save().rules;
    expect(watched?.parts.length).toBeLessThanOrEqual(61);
    const kept = watched?.parts.reduce((sum, [, count]) => sum + count, 0) ?? 0;
    expect(kept / (5 * DAY)).toBeCloseTo(1, 0);
  });

  it('ends the alarm of a rule that is removed', () => {
    const project = new Project();
    project.count(0, 1, { severity: 'critical' });
    project.look();
    project.detector.set({ ...DEFAULT_SETTINGS, rules: [] });
    expect(kinds(project.look())).toEqual(['detaches']);
  });
});

describe('a kind of error', () => {
  it('reports new kinds of errors after a day of history only, and a burst of them as one incident', () => {
    const project = new Project();
    project.see('aaaaaaaaaaaaaaaa');
    expect(project.look()).toEqual([]);
    for (let minute = 0; minute < DAY; minute++) project.endStep();
    project.see('aaaaaaaaaaaaaaaa');
    expect(project.look()).toEqual([]);
    for (let kind = 0; kind < 200; kind++) project.see(`bbbbbbbbb${kind}`.padEnd(16, 'b'));
    const told = project.look();
    expect(told).toHaveLength(20);
    expect(told.map(({ kind }) => kind)).toEqual(['opens', ...Array.from({ length: 19 }, () => 'attaches')]);
    expect(new Set(told.map((verdict) => 'incident' in verdict && verdict.incident))).toEqual(new Set([1]));
  });

  it('reports no new kind of error where new ones are usual', () => {
    const project = new Project();
    for (let day = 0; day < 6; day++) {
      project.see(`${day}`.repeat(16));
      project.look();
      for (let minute = 0; minute < DAY; minute++) project.endStep();
    }
    project.see('f'.repeat(16));
    expect(project.look()).toMatchObject([{ kind: 'suppressed', reason: 'new_kinds_are_usual' }]);
  });
});

describe('payments', () => {
  it('opens an incident for payments that fail more often than usual, though their number stays within bounds', () => {
    const project = new Project();
    const random = new Random(5);
    const pay = (minutes: number, rate: number, share: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        const failed = random.poisson(rate * share);
        project.count(0, failed, { type: 'payment', severity: 'error' });
        project.count(0, random.poisson(rate * (1 - share)), { type: 'payment' });
        project.endStep();
      }
    };
    pay(2 * DAY, 60, 0.03);
    const before = project.verdicts.length;
    expect(kinds(project.verdicts)).toEqual([]);
    pay(10, 60, 0.4);
    expect(project.verdicts.slice(before)).toContainEqual(
      expect.objectContaining({ series: expect.objectContaining({ kind: 'failed_payments' }) }),
    );
  });
});

describe('a project with as many series as are told apart', () => {
  it('replaces a dead series by a new one in a full project', () => {
    const project = new Project();
    const count = MAX_SERIES - 1;
    for (let source = 0; source < count; source++) project.count(source, 1);
    project.endStep(false);
    project.detector.skipTo(START_MS + 2 * DAY * MINUTE_MS);
    for (let source = 1; source < count; source++) project.count(source, 1);
    project.count(9_999, 1);
    const sources = project.detector.save().registry.series.map(({ source }) => source);
    expect(sources).not.toContain('source 0');
    expect(sources).toContain('source 9999');
  });

  it('replaces a dead series by a new one under a lower limit as well, and watches the rest as one', () => {
    const project = new Project();
    for (let source = 0; source < 5; source++) project.count(source, 1);
    project.endStep(false);
    project.detector.limitSeries(4);
    project.detector = reloaded(project.detector);
    project.detector.endStepsBefore(START_MS + 2 * DAY * MINUTE_MS, false);
    for (let source = 1; source < 5; source++) project.count(source, 1);
    for (const source of [100, 101]) project.count(source, 1);
    const keysOf = () => project.detector.save().registry.series.map(({ kind, source }) => source ?? kind);
    expect(keysOf()).toEqual(['total', 'source 100', ...[1, 2, 3, 4].map((i) => `source ${i}`), 'other']);
    project.detector.limitSeries(MAX_SERIES);
    project.count(102, 1);
    expect(keysOf().at(-1)).toBe('source 102');
  });

  it('counts series of minutes to come as series of its own, until those minutes begin', () => {
    const { detector } = new Project();
    const ahead = (type: string) =>
      ({
        type,
        severity: 'info',
        source: null,
        count: 1,
        bucketMs: START_MS + 5 * MINUTE_MS,
        lastMs: 0,
      }) as const;
    for (const type of ['order', 'order', 'refund']) detector.count(ahead(type));
    expect([
      detector.seriesCount,
      detector.hasSeries(ahead('order')),
      detector.hasSeries(ahead('new')),
    ]).toEqual([3, true, false]);
    expect(reloaded(detector).seriesCount).toBe(3);
    detector.endStepsBefore(START_MS + 6 * MINUTE_MS, true);
    expect(detector.save().registry.series).toHaveLength(3);
    expect(detector.seriesCount).toBe(3);
  });
});
