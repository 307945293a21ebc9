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
  share: 3.75,
  series: [],
};

describe('describeCurrent', () => {
  it('describes the rate, its trend, what is usual in a minute, and the share', () => {
    expect(describeCurrent(CURRENT, { rule: 'rise', series: aSeries() })).toBe(
      '12 a minute, rising (usually 2), 4% of events',
    );
  });

  it('names payments for a share of payments, and leaves out what is not known', () => {
    const { observed, perMinute } = CURRENT;
    const payments = { ...CURRENT, expected: null, share: 95, trend: 'steady' } as const;
    const series = aSeries({ kind: 'failed_payments' });
    expect(describeCurrent(payments, { rule: 'failed_payments', series })).toBe(
      '12 a minute, 95% of payments',
    );
    expect(describeNow({ observed, perMinute, trend: 'falling' })).toBe('12 a minute, falling');
    expect(describeNow({ observed: 0, perMinute: 0, trend: 'steady' })).toBe('none');
  });

  it('gives a share of errors in the unit of the sentence', () => {
    const shareOf = (share: number) =>
      describeCurrent({ ...CURRENT, expected: null, share }, { rule: 'error_share', series: aSeries() });
    expect(shareOf(20)).toBe('12 a minute, rising, 25 errors per 100 events');
    expect(shareOf(80)).toBe('12 a minute, rising, 400 errors per 100 other events');
    expect(shareOf(100)).toBe('12 a minute, rising, 100% of events');
  });

  it('leaves the rate out beside a share', () => {
    expect(describeShareNow(CURRENT)).toBe('rising');
    expect(describeShareNow({ ...CURRENT, trend: 'steady' })).toBeNull();
    expect(describeShareNow({ ...CURRENT, observed: 0 })).toBe('none');
  });
});
