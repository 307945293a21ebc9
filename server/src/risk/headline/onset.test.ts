import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../platform/durations.ts';
import { findDropOnset, findFirst, findRiseOnset, findSilenceOnset } from './onset.ts';

/** Counts of minutes from 0 on. */
const minutes = (...counts: number[]) =>
  counts.flatMap((events, index) => (events > 0 ? [{ minuteMs: index * MINUTE_MS, events }] : []));
const request = (counts: number[], usualPerMinute: number) => ({
  counts: minutes(...counts),
  fromMs: 0,
  toMs: counts.length * MINUTE_MS,
  usualPerMinute,
});

describe('findRiseOnset', () => {
  it.each([
    ['a burst after nothing', [0, 0, 0, 70, 70, 20], 0.01, 3],
    ['a slow beginning', [0, 0, 1, 3, 70], 0.01, 2],
    ['a gap within the excess', [0, 40, 0, 0, 40], 0.01, 1],
    ['a single event long before', [1, 0, 0, 0, 0, 40], 0.01, 5],
    ['usual noise before', [9, 7, 12, 8, 55, 60], 8, 4],
  ])('finds the first minute of %s', (_name, counts, usual, minute) => {
    expect(findRiseOnset(request(counts, usual))).toBe(minute * MINUTE_MS);
  });

  it('finds nothing where no minute has more than usual', () => {
    expect(findRiseOnset(request([8, 9, 7], 8))).toBeNull();
  });
});

describe('findDropOnset', () => {
  it('finds the first minute with less than half of what is usual', () => {
    expect(findDropOnset(request([10, 9, 11, 2, 0, 1], 10))).toBe(3 * MINUTE_MS);
  });

  it('does not reach over usual minutes to an earlier time without events', () => {
    expect(findDropOnset(request([0, 0, 0, 0, 10, 10, 10, 10, 10, 2, 0, 1], 10))).toBe(9 * MINUTE_MS);
  });
});

describe('findSilenceOnset', () => {
  it('finds the end of the last minute with an event', () => {
    expect(findSilenceOnset(minutes(4, 2, 0, 0))).toBe(2 * MINUTE_MS);
    expect(findSilenceOnset([])).toBeNull();
  });
});

describe('findFirst', () => {
  it('finds the first minute with an event from the minute of a time on', () => {
    expect(findFirst(minutes(4, 0, 2, 3), MINUTE_MS + 1)).toBe(2 * MINUTE_MS);
    expect(findFirst(minutes(4), MINUTE_MS)).toBeNull();
  });
});
