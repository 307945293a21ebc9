import { describe, expect, it } from 'vitest';
import { IdLowerBound } from './id-lower-bound.ts';

describe('the id at which a scan for the oldest rows begins', () => {
  it('follows the oldest row 5 to 10 seconds behind', () => {
    let nowMs = 0;
    const bound = new IdLowerBound(() => nowMs);
    const begun: number[] = [];
    for (let second = 0; second <= 20; second++) {
      nowMs = second * 1_000;
      begun.push(bound.begin());
      bound.end(1_000 + second);
    }
    expect(begun.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 0));
    expect(begun.slice(11)).toEqual([1_005, 1_005, 1_005, 1_005, 1_005, 1_010, 1_010, 1_010, 1_010, 1_010]);
  });

  it('scans from the very beginning once in 30 seconds, and after a failed scan', () => {
    let nowMs = 0;
    const bound = new IdLowerBound(() => nowMs);
    const fullScans: number[] = [];
    for (let second = 0; second <= 120; second++) {
      nowMs = second * 1_000;
      if (bound.begin() === 0 && second > 10) fullScans.push(second);
      bound.end(1_000 + second);
      if (second === 100) bound.reset();
    }
    expect(fullScans).toEqual([30, 60, 90, 101]);
  });

  it('spends at most a twentieth of the time on scans from the beginning', () => {
    let nowMs = 0;
    const bound = new IdLowerBound(() => nowMs);
    bound.begin();
    nowMs = 10_000;
    bound.end(5);
    const fullScans: number[] = [];
    for (let second = 11; second <= 300; second++) {
      nowMs = second * 1_000;
      if (bound.begin() === 0 && second > 25) fullScans.push(second);
      bound.end(1_000 + second);
    }
    expect(fullScans).toEqual([210, 240, 270, 300]);
  });

  it('scans from a row that became visible late until it is gone', () => {
    let nowMs = 0;
    const bound = new IdLowerBound(() => nowMs);
    const scan = (second: number, oldestId: number | null) => {
      nowMs = second * 1_000;
      const fromId = bound.begin();
      bound.end(oldestId);
      return fromId;
    };
    for (let second = 0; second < 30; second++) scan(second, 1_000 + second);
    expect(scan(29.5, null)).toBe(1_020);
    expect(scan(30, 7)).toBe(0);
    expect(scan(31, 7)).toBe(7);
    expect(scan(36, 2_000)).toBe(7);
    expect(scan(42, 2_001)).toBe(7);
    expect(scan(43, 2_001)).toBe(2_000);
  });
});
