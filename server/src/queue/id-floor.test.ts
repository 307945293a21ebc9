import { describe, expect, it } from 'vitest';
import { IdFloor } from './id-floor.ts';

describe('the id at which a look for the oldest rows begins', () => {
  it('follows the oldest row 5 to 10 seconds behind', () => {
    let nowMs = 0;
    const floor = new IdFloor(() => nowMs);
    const begun: number[] = [];
    for (let second = 0; second <= 20; second++) {
      nowMs = second * 1_000;
      begun.push(floor.begin());
      floor.end(1_000 + second);
    }
    expect(begun.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 0));
    expect(begun.slice(11)).toEqual([1_005, 1_005, 1_005, 1_005, 1_005, 1_010, 1_010, 1_010, 1_010, 1_010]);
  });

  it('scans from the very beginning once in 30 seconds, and after a failed scan', () => {
    let nowMs = 0;
    const floor = new IdFloor(() => nowMs);
    const fullLooks: number[] = [];
    for (let second = 0; second <= 120; second++) {
      nowMs = second * 1_000;
      if (floor.begin() === 0 && second > 10) fullLooks.push(second);
      floor.end(1_000 + second);
      if (second === 100) floor.reset();
    }
    expect(fullLooks).toEqual([30, 60, 90, 101]);
  });

  it('spends at most a twentieth of the time on scans from the beginning', () => {
    let nowMs = 0;
    const floor = new IdFloor(() => nowMs);
    floor.begin();
    nowMs = 10_000;
    floor.end(5);
    const fullLooks: number[] = [];
    for (let second = 11; second <= 300; second++) {
      nowMs = second * 1_000;
      if (floor.begin() === 0 && second > 25) fullLooks.push(second);
      floor.end(1_000 + second);
    }
    expect(fullLooks).toEqual([210, 240, 270, 300]);
  });

  it('scans from a row that became visible late until it is gone', () => {
    let nowMs = 0;
    const floor = new IdFloor(() => nowMs);
    const look = (second: number, oldestId: number | null) => {
      nowMs = second * 1_000;
      const fromId = floor.begin();
      floor.end(oldestId);
      return fromId;
    };
    for (let second = 0; second < 30; second++) look(second, 1_000 + second);
    expect(look(29.5, null)).toBe(1_020);
    expect(look(30, 7)).toBe(0);
    expect(look(31, 7)).toBe(7);
    expect(look(36, 2_000)).toBe(7);
    expect(look(42, 2_001)).toBe(7);
    expect(look(43, 2_001)).toBe(2_000);
  });
});
