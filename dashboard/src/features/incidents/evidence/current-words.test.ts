import { describe, expect, it } from 'vitest';
import type { Current } from '../../../lib/api-types.ts';
import { describeCurrent, describeNow } from './current-words.ts';

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
    expect(describeCurrent(CURRENT, false)).toBe('12 a minute, rising (usually 2), 3.8% of events');
  });

  it('names payments for a share of payments, and leaves out what is not known', () => {
    const { observed, perMinute } = CURRENT;
    const payments = { ...CURRENT, expected: null, share: 95, trend: 'steady' } as const;
    expect(describeCurrent(payments, true)).toBe('12 a minute, 95% of payments');
    expect(describeNow({ observed, perMinute, trend: 'falling' })).toBe('12 a minute, falling');
    expect(describeNow({ observed: 0, perMinute: 0, trend: 'steady' })).toBe('none');
  });
});
