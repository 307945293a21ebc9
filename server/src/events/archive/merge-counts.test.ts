import { expect, it } from 'vitest';
import type { TopShares } from '../read-types.ts';
import { mergeHistograms, mergeKeys, mergeTops } from './merge-counts.ts';

const SCAN = { fromMs: 5, events: 2 };

it('adds counts of the same bucket and severity, and keeps how far the older ones were read', () => {
  const left = {
    counts: [
      { bucketStartMs: 0, severity: 'info' as const, count: 2 },
      { bucketStartMs: 60, severity: 'info' as const, count: 1 },
    ],
    scan: null,
  };
  const right = {
    counts: [
      { bucketStartMs: 0, severity: 'info' as const, count: 3 },
      { bucketStartMs: 0, severity: 'error' as const, count: 1 },
    ],
    scan: SCAN,
  };
  expect(mergeHistograms(left, right)).toEqual({
    counts: [
      { bucketStartMs: 0, severity: 'info', count: 5 },
      { bucketStartMs: 60, severity: 'info', count: 1 },
      { bucketStartMs: 0, severity: 'error', count: 1 },
    ],
    scan: SCAN,
  });
});

it('adds the events of a key, and spans the times of both', () => {
  const left = { keys: [{ key: 'user', count: 1, firstMs: 50, lastMs: 60 }], scan: null };
  const right = {
    keys: [
      { key: 'order', count: 4, firstMs: 1, lastMs: 2 },
      { key: 'user', count: 2, firstMs: 3, lastMs: 4 },
    ],
    scan: null,
  };
  expect(mergeKeys(left, right)).toEqual({
    keys: [
      { key: 'order', count: 4, firstMs: 1, lastMs: 2 },
      { key: 'user', count: 3, firstMs: 3, lastMs: 60 },
    ],
    scan: null,
  });
});

it('sums the shares of a value, takes the worse severity and the newer label, and sorts by count', () => {
  const top = (values: Partial<TopShares>[]) => ({
    values: values.map((value) => ({
      value: 'a',
      label: null,
      groupId: null,
      severity: 'info' as const,
      shares: [0, 0],
      ...value,
    })),
    scan: null,
    range: null,
  });
  const left = top([
    { value: 'a', label: 'new', shares: [1, 2] },
    { value: null, shares: [0, 1] },
  ]);
  const right = top([
    { value: 'b', shares: [9, 0] },
    { value: 'a', label: 'old', severity: 'error', shares: [1, 0] },
    { value: 'c', shares: [1, 0] },
  ]);
  expect(
    mergeTops(left, right, 3).values.map(({ value, label, severity, shares }) => [
      value,
      label,
      severity,
      shares,
    ]),
  ).toEqual([
    ['b', null, 'info', [9, 0]],
    ['a', 'new', 'error', [2, 2]],
    ['c', null, 'info', [1, 0]],
  ]);
});
