import { describe, expect, it } from 'vitest';
import { NewErrorDetector } from './new-errors.ts';

const DAY_MS = 24 * 60 * 60_000;
const error = (group: number, atMs: number) => ({
  fingerprint: group.toString(16).padStart(16, '0').split('').reverse().join(''),
  type: 'job',
  severity: 'error' as const,
  source: null,
  message: 'failed',
  atMs,
});

describe('the detector of new errors', () => {
  it('finds no error group new in the first day of a project', () => {
    expect(new NewErrorDetector(0, null).recordError(error(1, DAY_MS - 1))).toBe('known');
  });

  it('finds a group new once', () => {
    const detector = new NewErrorDetector(0, null);
    const novelties = [0, 1].map((i) => detector.recordError(error(1, DAY_MS + i)));
    expect(novelties).toEqual(['new', 'known']);
  });

  it('finds a project noisy in which new groups came on three of the last seven days', () => {
    const detector = new NewErrorDetector(0, null);
    const novelties = [1, 2, 3, 4, 5].map((day) => detector.recordError(error(day, day * DAY_MS)));
    expect(novelties).toEqual(['new', 'new', 'new', 'noisy', 'noisy']);
  });

  it('knows all adopted errors, and learns as many new ones on that day as before', () => {
    const detector = new NewErrorDetector(0, null);
    const adopted = Array.from({ length: 6_000 }, (_, group) => error(group, 2 * DAY_MS));
    detector.adopt(adopted);
    expect(detector.size).toBe(5_000);
    const before = detector.save();
    expect(before.learned.groups).toBe(0);
    expect(detector.recordError(error(1_000, 2 * DAY_MS))).toBe('known');
    expect(detector.recordError(error(5_999, 2 * DAY_MS))).toBe('known');
    expect(detector.recordError(error(999, 2 * DAY_MS))).toBe('new');
    expect(detector.recordError(error(999, 2 * DAY_MS))).toBe('known');
  });

  it('learns a late error without anomaly it new', () => {
    const detector = new NewErrorDetector(0, null);
    expect(detector.recordError({ ...error(1, 2 * DAY_MS), isLate: true })).toBe('known');
    expect(detector.recordError(error(1, 2 * DAY_MS))).toBe('known');
  });

  it('knows an error whose earlier fingerprint it knows, and from then on by its own', () => {
    const detector = new NewErrorDetector(0, null);
    detector.recordError(error(1, 0));
    const earlierFingerprints = [error(7, 0).fingerprint, error(1, 0).fingerprint];
    const restored = new NewErrorDetector(0, detector.save());
    expect(restored.recordError({ ...error(2, 2 * DAY_MS), earlierFingerprints })).toBe('known');
    expect(restored.recordError(error(2, 2 * DAY_MS))).toBe('known');
    expect(restored.recordError({ ...error(3, 2 * DAY_MS), earlierFingerprints: ['00f0'] })).toBe('new');
  });

  it('knows all of 5,000 error groups by their earlier fingerprints, whatever else comes between', () => {
    const detector = new NewErrorDetector(0, null);
    for (let group = 0; group < 5_000; group++)
      detector.recordError(error(group, Math.floor(group / 1_000) * DAY_MS));
    let restored = new NewErrorDetector(0, detector.save());
    for (let group = 0; group < 5_000; group++) {
      const earlierFingerprints = [error(group, 0).fingerprint];
      const renamed = { ...error(100_000 + group, 6 * DAY_MS), earlierFingerprints };
      expect(restored.recordError(renamed)).toBe('known');
      restored.recordError(error(4_999, 6 * DAY_MS));
      if (group === 2_500) restored = new NewErrorDetector(0, restored.save());
    }
    expect(restored.size).toBe(10_000);
    restored.recordError(error(4_999, 14 * DAY_MS));
    expect(restored.size).toBe(5_000);
  });

  it('remembers at most 5,000 groups, and forgets the one that was seen longest ago', () => {
    const detector = new NewErrorDetector(0, null);
    for (let group = 0; group <= 5_000; group++) {
      detector.recordError(error(group, Math.floor(group / 1_000) * DAY_MS));
    }
    expect(detector.size).toBe(5_000);
    expect(detector.recordError(error(1, 20 * DAY_MS))).toBe('known');
    expect(detector.recordError(error(0, 20 * DAY_MS))).toBe('new');
  });
});
