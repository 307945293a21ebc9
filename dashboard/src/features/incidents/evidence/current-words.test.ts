import { describe, expect, it } from 'vitest';
import type { Current } from '../../../lib/api-types.ts';
import { aSeries } from '../testing.ts';
import { describeCurrent, describeNow, describeShareNow } from './current-words.ts';

const CURRENT: Current = {
  at: '2026-11-21T12:05:00.000Z',
  windowSeconds: 300,
  observed: 60,
  perMinute: 12,
  expected: 10,
  trend: 'rising',
  peak: { perMinute: 20, at: '2026-11-21T12:01:00.000Z' },
  release: null,
  share: 3.75,
  series: [],
};

const formatTime = (timeMs: number) => new Date(timeMs).toISOString().slice(11, 16);
const describeAll = (current: Current, of: Parameters<typeof describeCurrent>[1]) =>
  describeCurrent(current, of, formatTime).join(' · ');

describe('describeCurrent', () => {
  it('describes the rate with what is usual, the worst minute, the trend, and the share', () => {
    expect(describeAll(CURRENT, { rule: 'rise', series: aSeries() })).toBe(
      'now 12/min (usually 2) · peak 20/min at 12:01 · rising · 4% of events',
    );
  });

  it('gives rates in the unit in which they are one or more, and what is usual in the same', () => {
    const rare = {
      ...CURRENT,
      perMinute: 0.2,
      expected: 0.1,
      peak: null,
      share: null,
      trend: 'steady',
    } as const;
    expect(describeAll(rare, { rule: 'rise', series: aSeries() })).toBe('now 12/h (usually 1.2)');
    expect(describeAll({ ...rare, observed: 0, perMinute: 0 }, { rule: 'silence', series: aSeries() })).toBe(
      'now none (usually 1.2/h)',
    );
    const silent = { ...rare, observed: 0, perMinute: 0, peak: { perMinute: 0, at: CURRENT.at } };
    expect(describeAll(silent, { rule: 'drop', series: aSeries() })).toContain('lowest none at 12:05');
  });

  it('names payments for a share of payments, and leaves out what is not known', () => {
    const { observed, perMinute } = CURRENT;
    const payments = { ...CURRENT, expected: null, share: 95, trend: 'steady', peak: null } as const;
    const series = aSeries({ kind: 'failed_payments' });
    expect(describeAll(payments, { rule: 'failed_payments', series })).toBe('now 12/min · 95% of payments');
    expect(describeNow({ observed, perMinute, trend: 'falling' })).toBe('12/min, falling');
    expect(describeNow({ observed: 0, perMinute: 0, trend: 'steady' })).toBe('none');
  });

  it('gives a share of errors in the unit of the sentence', () => {
    const shareOf = (share: number) =>
      describeAll(
        { ...CURRENT, expected: null, share, peak: null },
        { rule: 'error_share', series: aSeries() },
      );
    expect(shareOf(20)).toBe('now 12/min · rising · 25 errors per 100 events');
    expect(shareOf(80)).toBe('now 12/min · rising · 400 errors per 100 other events');
    expect(shareOf(100)).toBe('now 12/min · rising · 100% of events');
  });

  it('leaves the rate out beside a share', () => {
    expect(describeShareNow(CURRENT)).toBe('rising');
    expect(describeShareNow({ ...CURRENT, trend: 'steady' })).toBeNull();
    expect(describeShareNow({ ...CURRENT, observed: 0 })).toBe('none');
  });
});
