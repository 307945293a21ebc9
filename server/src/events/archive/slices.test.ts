import { expect, it } from 'vitest';
import { WEEK_MS } from '../../platform/durations.ts';
import { slicesOf } from './slices.ts';

const weeks = (range: [from: number, until: number], order: 'asc' | 'desc') =>
  [...slicesOf({ fromMs: range[0] * WEEK_MS, untilMs: range[1] * WEEK_MS }, order)].map(
    ({ fromMs, untilMs }) => [fromMs / WEEK_MS, untilMs / WEEK_MS],
  );

it('reads a range from its end in slices that begin with a week and double', () => {
  expect(weeks([0, 10], 'desc')).toEqual([
    [9, 10],
    [7, 9],
    [3, 7],
    [0, 3],
  ]);
});

it('reads a range from its beginning in the same way', () => {
  expect(weeks([0, 10], 'asc')).toEqual([
    [0, 1],
    [1, 3],
    [3, 7],
    [7, 10],
  ]);
});

it('never reads more than sixteen weeks at a time', () => {
  const lengths = weeks([0, 100], 'desc').map(([from = 0, until = 0]) => until - from);
  expect(Math.max(0, ...lengths.slice(0, 8))).toBe(16);
});

it('reads nothing of an empty range', () => {
  expect(weeks([3, 3], 'desc')).toEqual([]);
});
