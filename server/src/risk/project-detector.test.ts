import { describe, expect, it } from 'vitest';
import { MAX_SERIES, ProjectDetector, type Verdict } from './project-detector.ts';
import { fromBytes, toBytes } from './saved-project.ts';
import { poisson, START_MS, seeded } from './testing.ts';

const MINUTE_MS = 60_000;
const DAY = 1_440;

/** A project whose sources send at random, all at the same rate. */
class Project {
  detector = new ProjectDetector(START_MS, 1);
  readonly verdicts: Verdict[] = [];
  readonly #random = seeded(1);

  run(minutes: number, rates: (source: number) => number, sources = 10): Verdict[] {
    const from = this.verdicts.length;
    for (let i = 0; i < minutes; i++) {
      for (let source = 0; source < sources; source++) {
        this.count(source, poisson(this.#random, rates(source)));
      }
      this.endStep();
    }
    return this.verdicts.slice(from);
  }

  count(source: number, count: number): void {
    const [type, severity, bucketMs] = ['order', 'info', this.detector.stepMs] as const;
    if (count > 0)
      this.detector.count({ type, severity, source: `source ${source}`, bucketMs, count, lastMs: bucketMs });
  }

  endStep(isKnown = true): void {
    this.verdicts.push(...this.detector.endStepsBefore(this.detector.stepMs + MINUTE_MS, isKnown));
  }
}

const kinds = (verdicts: Verdict[]) => verdicts.map(({ kind }) => kind).filter((kind) => kind !== 'reserved');

describe('a project', () => {
  it('has one incident for a cause that hits all of its series, and it ends with the last of them', () => {
    const project = new Project();
    expect(kinds(project.run(2 * DAY, () => 10))).toEqual([]);
    const during = kinds(project.run(20, () => 0));
    expect(during.filter((kind) => kind === 'opens')).toHaveLength(1);
    expect(during.filter((kind) => kind === 'joins').length).toBeGreaterThan(5);
    const after = kinds(project.run(180, () => 10));
    expect(after.filter((kind) => kind === 'ends')).toHaveLength(1);
    expect(after).not.toContain('opens');
  });

  it('finds a burst at the look after the event that crosses the line', () => {
    const project = new Project();
    project.run(DAY, () => 2);
    project.count(3, 150);
    const [burst] = project.detector.look();
    expect(burst).toMatchObject({ kind: 'opens', incident: 1, observed: 150 });
    expect(project.detector.look()).toEqual([]);
  });

  it('takes a gap of the service for no silence', () => {
    const project = new Project();
    project.run(DAY, () => 10);
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

  it('tells a bounded number of series apart', () => {
    const project = new Project();
    for (let source = 0; source < 2 * MAX_SERIES; source++) project.count(source, 1);
    expect(project.detector.save().keys).toHaveLength(MAX_SERIES + 1);
    expect(project.detector.save().keys.at(-1)).toEqual({ kind: 'other' });
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
    expect(project.verdicts).toMatchObject([{ kind: 'missed', incident: 1, isNew: true, usualMinutes: 60 }]);
    hourly(2);
    expect(project.verdicts.slice(1)).toMatchObject([{ kind: 'returned', incident: 1, isLast: true }]);
  });

  it('goes on after saving and loading, in the middle of a step, as if nothing had been', () => {
    const [project, copy] = [new Project(), new Project()];
    for (const each of [project, copy]) each.run(DAY / 2 + 7, (source) => source);
    for (const each of [project, copy]) each.count(1, 4);
    const saved = fromBytes(toBytes(copy.detector.save()));
    if (!saved) throw new Error('It was saved by the same version.');
    copy.detector = new ProjectDetector(0, 1, saved);
    for (const each of [project, copy]) each.run(300, (source) => (source === 4 ? 60 : source));
    expect(copy.verdicts).toEqual(project.verdicts);
    expect(toBytes(copy.detector.save())).toEqual(toBytes(project.detector.save()));
    expect(kinds(project.verdicts)).toContain('opens');
  });
});
