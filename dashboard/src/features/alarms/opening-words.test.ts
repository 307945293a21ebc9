import { describe, expect, it } from 'vitest';
import { formatMissed, formatUsualShare, listCounts, listFailures, type Opening } from './opening-words.ts';

const MINUTE = 60;
const HOUR = 3_600;

function counts(step: number, window: number, rise: number | null, drop: number | null): Opening {
  return { stepSeconds: step, windowSeconds: window, expected: 1, rise, drop };
}

describe('listCounts', () => {
  it('lists the counts of all steps by the length of their windows', () => {
    const opening = [
      counts(MINUTE, MINUTE, 5, null),
      counts(MINUTE, 30 * MINUTE, 8, null),
      counts(6 * HOUR, 6 * HOUR, 10, 0),
      counts(2 * HOUR, 2 * HOUR, 9, null),
    ];
    expect(listCounts(opening, 'rise')).toEqual(['5 in 1 min', '8 in 30 min', '9 in 2 h', '10 in 6 h']);
    expect(listCounts(opening, 'drop')).toEqual(['0 in 6 h']);
  });

  it('leaves out counts that a window of the same step implies', () => {
    const opening = [counts(60, 60, 5, 2), counts(60, 180, 5, 2), counts(60, 600, 6, 9)];
    expect(listCounts(opening, 'rise')).toEqual(['5 in 3 min', '6 in 10 min']);
    expect(listCounts(opening, 'drop')).toEqual(['2 in 1 min', '9 in 10 min']);
  });

  it('lists the count that opens first for windows of the same length', () => {
    const opening = [counts(2 * HOUR, 6 * HOUR, 12, 1), counts(6 * HOUR, 6 * HOUR, 10, 2)];
    expect(listCounts(opening, 'rise')).toEqual(['10 in 6 h']);
    expect(listCounts(opening, 'drop')).toEqual(['2 in 6 h']);
  });
});

describe('The words for failures and silences', () => {
  const opening = [{ windowSeconds: 600, events: 1_200, failures: 9 }];

  it('names the payments beside failures, and the events beside errors', () => {
    expect(listFailures({ of: 'payments', usualShare: 0.03, opening })).toEqual([
      '9 of 1,200 payments in 10 min',
    ]);
    expect(listFailures({ of: 'traffic', usualShare: 0.005, opening })).toEqual([
      '9 next to 1,200 events in 10 min',
    ]);
    expect(formatUsualShare({ of: 'payments', usualShare: 0.03, opening })).toBe('usually 3% fail');
  });

  it('describes how much of a silence has passed, in expected events', () => {
    expect(formatMissed({ expected: 15, threshold: 21, dueAt: null })).toBe(
      '15 of 21 expected events missed',
    );
  });
});
