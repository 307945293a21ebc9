import { LATE_MS, MAX_SERIES } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import { addUp, type KnownProject } from './add-up.ts';
import type { InboxDelta } from './inbox/queries.ts';

const delta = (changes: Partial<InboxDelta>): InboxDelta => ({
  projectId: 'shop',
  type: 'order',
  severity: 'info',
  source: 'web',
  bucketMs: 5_000,
  count: 1,
  lastMs: 6_000,
  ...changes,
});
const stranger: KnownProject = {
  hasSeries: () => false,
  isEvaluated: (_source, lateMs) => lateMs <= LATE_MS,
  followsLateness: () => false,
  rules: [],
};
const storm = (changes: Partial<InboxDelta> = {}) =>
  Array.from({ length: 10 * MAX_SERIES }, (_, i) => delta({ type: `type-${i}`, ...changes }));
const sumOf = (counts: { count: number }[] = []) => counts.reduce((sum, { count }) => sum + count, 0);

describe('adding up the counts of a round', () => {
  it('merges deltas of the same series and bucket, in the time of the detectors', () => {
    const deltas = [delta({ count: 2 }), delta({ count: 3, lastMs: 7_000 }), delta({ bucketMs: 10_000 })];
    expect(addUp(deltas, 1_000, () => stranger).counts.shop).toMatchObject([
      { bucketMs: 6_000, count: 5, lastMs: 8_000 },
      { bucketMs: 11_000, count: 1 },
    ]);
  });

  it('folds what lies beyond the places of a project, and loses no event', () => {
    const { shop, other } = addUp([...storm(), delta({ projectId: 'other' })], 0, () => stranger).counts;
    expect(shop).toHaveLength(MAX_SERIES + 1);
    expect(shop?.filter(({ isOther }) => isOther)).toMatchObject([{ count: 9 * MAX_SERIES }]);
    expect(sumOf(shop)).toBe(10 * MAX_SERIES);
    expect(other).toHaveLength(1);
  });

  it('keeps series that the detector knows, wherever they stand in a storm', () => {
    const known = delta({ type: 'known', count: 7 });
    const hasSeries = ({ type }: { type: string }) => type === 'known';
    const { shop } = addUp([...storm(), known], 0, () => ({ ...stranger, hasSeries })).counts;
    expect(shop?.find(({ type }) => type === 'known')).toMatchObject({ count: 7 });
  });

  it('folds apart what sums, shares and rules count apart', () => {
    const rule = {
      name: null,
      field: null,
      percent: null,
      type: null,
      severity: null,
      source: 'cart',
      events: 1,
      minutes: 1,
    };
    const deltas = [...storm(), ...storm({ severity: 'error' }), ...storm({ source: 'cart' })];
    const payments = Array.from({ length: 3 }, (_, i) => delta({ type: 'payment', source: `bank-${i}` }));
    const { shop } = addUp([...deltas, ...payments], 0, () => ({ ...stranger, rules: [rule] })).counts;
    const others = shop?.filter(({ isOther }) => isOther) ?? [];
    expect(
      others.map(({ type, severity, source, count }) => [type === 'payment', severity, source, count]),
    ).toEqual([
      [false, 'info', 'web', 9 * MAX_SERIES],
      [false, 'error', 'web', 10 * MAX_SERIES],
      [false, 'info', 'cart', 10 * MAX_SERIES],
      [true, 'info', 'bank-0', 3],
    ]);
  });
});
