import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { fromBytes, toBytes } from '../saving/snapshot.ts';
import { COARSE_STEPS } from '../state/resolution.ts';
import { coarseLayoutOf, SERIES_BYTES } from '../state/series-layout.ts';
import { DEFAULT_SETTINGS, type Severity } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import { ProjectDetector } from './project-detector.ts';

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 1_440;

/** A start-up: eighteen signups and two errors a day, at random. */
class StartUp {
  detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  readonly events: DetectorEvent[] = [];
  readonly #random = new Random(5);

  run(minutes: number, { signups = 18, errors = 2, isKnown = true } = {}): DetectorEvent[] {
    const from = this.events.length;
    for (let minute = 0; minute < minutes; minute++) {
      this.count('signup', 'info', this.#random.poisson(signups / DAY));
      this.count('http', 'error', this.#random.poisson(errors / DAY));
      this.events.push(...this.detector.endStepsBefore(this.detector.stepMs + MINUTE_MS, isKnown));
    }
    return this.events.slice(from);
  }

  count(type: string, severity: Severity, count: number): void {
    const bucketMs = this.detector.stepMs;
    if (count > 0)
      this.detector.count({ type, severity, source: 'app', bucketMs, lastMs: bucketMs + 30_000, count });
  }

  /** Counts ten errors, evenly spread over an hour. */
  tenErrors(): DetectorEvent[] {
    return this.errors(10, 6);
  }

  /** Errors at intervals of so many minutes, and none beside them. */
  errors(count: number, everyMinutes: number): DetectorEvent[] {
    const from = this.events.length;
    for (let error = 0; error < count; error++) {
      this.count('http', 'error', 1);
      this.run(everyMinutes, { errors: 0 });
    }
    return this.events.slice(from);
  }

  restored(): StartUp {
    const copy = new StartUp();
    copy.detector = new ProjectDetector(
      0,
      DEFAULT_SETTINGS,
      fromBytes(toBytes(this.detector.save())) ?? undefined,
    );
    return copy;
  }
}

function afterTwoWeeks(): StartUp {
  const project = new StartUp();
  expect(project.run(14 * DAY + 11 * HOUR).filter(({ kind }) => kind === 'opens')).toEqual([]);
  return project;
}

const kinds = (events: DetectorEvent[]) =>
  events.map(({ kind }) => kind).filter((kind) => kind !== 'suppressed');

describe('a project whose series are sparse', () => {
  const saved = afterTwoWeeks();
  const project = () => saved.restored();

  it('opens one incident within the hour for ten errors in an hour where two a day are usual', () => {
    const trouble = project();
    const beganMs = trouble.detector.stepMs;
    const found = trouble.tenErrors();
    expect(kinds(found).filter((kind) => kind === 'opens')).toHaveLength(1);
    const opened = found.find(({ kind }) => kind === 'opens');
    if (opened?.kind !== 'opens') throw new Error('It has opened.');
    expect(opened.anomaly.rule).toBe('rise');
    // The half hour that found them is reported from their first minute on.
    const minutesSince = (opened.atMs - beganMs) / MINUTE_MS;
    expect(opened.anomaly.windowMinutes).toBeLessThanOrEqual(minutesSince);
    expect(opened.anomaly.windowMinutes).toBeGreaterThan(minutesSince - 10);
    // The alarm of each step closes by itself.
    const after = kinds(trouble.run(DAY));
    expect(after).not.toContain('opens');
    expect(after.filter((kind) => kind === 'ends')).toHaveLength(1);
  });

  it('opens one incident for five errors in ten minutes where two a day are usual, and none for four', () => {
    expect(kinds(project().errors(4, 2))).toEqual([]);
    const trouble = project();
    expect(kinds(trouble.errors(5, 2)).filter((kind) => kind === 'opens')).toHaveLength(1);
    expect(kinds(trouble.run(DAY)).filter((kind) => kind === 'ends')).toHaveLength(1);
  });

  it('opens nothing for the usual two errors, nor in a time of which nothing is known', () => {
    const trouble = project();
    expect(kinds(trouble.run(2 * HOUR))).toEqual([]);
    expect(kinds(trouble.run(2 * DAY, { signups: 0, errors: 0, isKnown: false }))).toEqual([]);
  });

  it('skips the steps of a long gap, and continues with those of the day', () => {
    const trouble = project();
    trouble.detector.skipTo(trouble.detector.stepMs + (5 * DAY + 7 * HOUR + 13) * MINUTE_MS);
    expect(kinds(trouble.run(3 * HOUR))).toEqual([]);
    expect(kinds(trouble.tenErrors())).toContain('opens');
  });

  it('continues identically after saving and loading within coarse steps', () => {
    const [left, right] = [project(), project()];
    for (const each of [left, right]) {
      each.run(47);
      each.count('http', 'error', 3);
    }
    const loaded = fromBytes(toBytes(right.detector.save()));
    if (!loaded) throw new Error('It was saved by the same version.');
    right.detector = new ProjectDetector(0, DEFAULT_SETTINGS, loaded);
    for (const each of [left, right]) each.tenErrors();
    expect(right.events).toEqual(left.events);
    expect(toBytes(right.detector.save())).toEqual(toBytes(left.detector.save()));
  });

  it('watches a series at a minute alone once it is no longer sparse', () => {
    const trouble = project();
    const sparse = () => trouble.detector.save().sparse?.groups.map(({ series }) => series.indices);
    expect(sparse()).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
    trouble.run(4 * DAY, { signups: 10 * DAY });
    expect(sparse()?.[0]).not.toContain(1);
  });

  it('opens a new incident for what comes after a person has resolved one', () => {
    const trouble = project();
    trouble.tenErrors();
    const [incident = 0] = trouble.detector.incidents;
    trouble.detector.resolve(incident);
    expect(kinds(trouble.run(HOUR, { errors: 0 }))).not.toContain('opens');
    trouble.run(12 * HOUR, { errors: 0 });
    expect(kinds(trouble.tenErrors())).toContain('opens');
  });

  it('keeps the states of its coarse steps in less than the state of a minute and a half', () => {
    const bytes = COARSE_STEPS.reduce((sum, step) => sum + 4 * coarseLayoutOf(step).floats, 0);
    expect(bytes).toBeLessThan(1.5 * SERIES_BYTES);
  });
});
