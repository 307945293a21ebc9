import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { SeriesTable } from '../group/series-table.ts';
import { toBytes } from '../saving/snapshot.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { resolutionOf } from '../state/resolution.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { CountDelta } from './count-delta.ts';
import { ProjectDetector } from './project-detector.ts';

const bytesOf = (detector: ProjectDetector) => toBytes(detector.save());

function deltaAt(detector: ProjectDetector, count: number): CountDelta {
  const bucketMs = detector.stepMs;
  return { type: 'order', severity: 'error', source: 'web', bucketMs, count, lastMs: bucketMs };
}

function runHours(detector: ProjectDetector, hours: number): void {
  const random = new Random(3);
  for (let minute = 0; minute < 60 * hours; minute++) {
    detector.count(deltaAt(detector, 1 + random.poisson(20)));
    detector.endStepsBefore(detector.stepMs + MINUTE_MS, true);
  }
}

describe('counts of a project', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -3, 1e13, 1e38])(
    'refuses %d events and stays exactly as it was',
    (count) => {
      const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
      runHours(detector, 3);
      const before = bytesOf(detector);
      expect(detector.count(deltaAt(detector, count))).toBe(false);
      expect(bytesOf(detector)).toEqual(before);
      expect(detector.count(deltaAt(detector, 5_000))).toBe(true);
      expect(detector.evaluatePartialStep()).toContainEqual(expect.objectContaining({ kind: 'opens' }));
    },
  );

  it('refuses a count without a time', () => {
    const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
    const delta = deltaAt(detector, 4);
    expect(detector.count({ ...delta, bucketMs: Number.NaN })).toBe(false);
    expect(detector.count({ ...delta, lastMs: Number.POSITIVE_INFINITY })).toBe(false);
    expect(detector.seriesCount).toBe(1);
  });

  it('keeps every number of its state finite under the largest counts that it takes', () => {
    const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
    for (let minute = 0; minute < 600; minute++) {
      for (let i = 0; i < 20; i++) detector.count(deltaAt(detector, minute % 3 === 0 ? 1e12 : minute));
      detector.endStepsBefore(detector.stepMs + MINUTE_MS, true);
    }
    new SeriesTable(resolutionOf(1), detector.save().group.series).forEach(({ state }) => {
      const { level, shape, dispersion, deviations, expectations } = state;
      for (const value of [level, shape, dispersion, deviations, expectations]) {
        expect(value).toSatisfy(Number.isFinite);
      }
    });
  });
});
