import { describe, expect, it } from 'vitest';
import type { Bucket } from './api-types.ts';
import { intervalSecondsOf, joined } from './histogram-scans.ts';

const bucket = (start: string, critical: number): Bucket => ({ start, info: 1, warn: 0, error: 0, critical });

describe('scans of a range', () => {
  it('divides a range into at most 120 buckets of one length', () => {
    const hours = (count: number) => intervalSecondsOf(0, count * 3_600_000);
    expect([hours(1), hours(24), hours(7 * 24), hours(30 * 24)]).toEqual([60, 900, 10_800, 21_600]);
    for (const days of [1, 400, 4_000])
      expect((days * 86_400) / (hours(days * 24) ?? 0)).toBeLessThanOrEqual(120);
  });

  it('adds up scans, shared buckets included, and reaches as far back as the earlier one', () => {
    const later = {
      buckets: [bucket('2026-11-20T06:00Z', 2), bucket('2026-11-20T07:00Z', 1)],
      scan: { fromMs: 20, events: 5 },
    };
    const earlier = {
      buckets: [bucket('2026-11-20T05:00Z', 0), bucket('2026-11-20T06:00Z', 3)],
      scan: { fromMs: 10, events: 7 },
    };
    const both = joined(earlier, later);
    expect(both.buckets.map(({ start, info, critical }) => [start, info, critical])).toEqual([
      ['2026-11-20T05:00Z', 1, 0],
      ['2026-11-20T06:00Z', 2, 5],
      ['2026-11-20T07:00Z', 1, 1],
    ]);
    expect(both.scan?.fromMs).toBe(10);
    expect(joined({ ...earlier, scan: null }, later).scan).toBeNull();
  });
});
