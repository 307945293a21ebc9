import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../lib/api-types.ts';
import { chartWindow, countedIn, expectedPerBucket } from './chart-window.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OPENED_MS = Date.parse('2026-11-21T12:00:10Z');

const evidence: Evidence = {
  sentence: '`checkout`: 42 errors in 60 s, expected 6.0 after the past hour.',
  rule: 'burst',
  series: { type: 'checkout', source: null },
  observed: 42,
  expected: 6,
  windowSeconds: 60,
  from: new Date(OPENED_MS).toISOString(),
  to: new Date(OPENED_MS + MINUTE_MS).toISOString(),
};
const isoOf = (ms: number) => new Date(ms).toISOString();

describe('the window of the chart', () => {
  it('begins half an hour before the incident and ends now, in whole minutes', () => {
    const { fromMs, toMs, intervalMs } = chartWindow(evidence, null, OPENED_MS + 5 * MINUTE_MS);
    expect([isoOf(fromMs), isoOf(toMs)]).toEqual(['2026-11-21T11:30:00.000Z', '2026-11-21T12:06:00.000Z']);
    expect(intervalMs).toBe(MINUTE_MS);
  });

  it('ends some minutes after the resolution', () => {
    const resolvedAt = isoOf(OPENED_MS + HOUR_MS);
    const { toMs } = chartWindow(evidence, resolvedAt, OPENED_MS + 100 * HOUR_MS);
    expect(isoOf(toMs)).toBe('2026-11-21T13:11:00.000Z');
  });

  it('holds the evidence even where it ends after now', () => {
    const { toMs } = chartWindow(evidence, null, OPENED_MS);
    expect(toMs).toBeGreaterThanOrEqual(OPENED_MS + MINUTE_MS);
  });

  it.each([1, 2, 8, 24, 1_000])('has at most some 120 whole buckets after %i hours', (hours) => {
    const { fromMs, toMs, intervalMs } = chartWindow(evidence, null, OPENED_MS + hours * HOUR_MS);
    expect((toMs - fromMs) / intervalMs).toBeLessThanOrEqual(121);
    expect([fromMs % intervalMs, toMs % intervalMs]).toEqual([0, 0]);
  });
});

describe('what is expected', () => {
  it('is as much more as a bucket is longer than the window of the evidence', () => {
    expect(expectedPerBucket(evidence, 5 * MINUTE_MS)).toBe(30);
  });
});

describe('what is counted', () => {
  const bucket = { start: isoOf(OPENED_MS), info: 1_000, warn: 20, error: 42, critical: 1 };

  it('is errors and worse, as in the evidence', () => {
    expect(countedIn([bucket], evidence)).toEqual([{ ...bucket, info: 0, warn: 0 }]);
  });

  it('is everything of payments, which may have failed at any severity', () => {
    const payments = { ...evidence, series: { type: 'payment', source: null } };
    expect(countedIn([bucket], payments)).toEqual([bucket]);
  });
});
