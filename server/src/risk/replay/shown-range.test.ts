import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { isoTime } from '../../platform/time.ts';
import { evidenceOf, NOW_MS, silence } from '../incidents/testing.ts';
import { shownRange } from './shown-range.ts';

describe('shownRange', () => {
  const toMs = NOW_MS - 2 * HOUR_MS;
  const silent = (days: number) => ({
    ...evidenceOf(silence),
    from: isoTime(toMs - days * DAY_MS),
    to: isoTime(toMs),
  });

  it('shows a silence of days from its last event until it is over', () => {
    const range = shownRange(silent(3), null, NOW_MS);
    expect(range.fromMs).toBeLessThanOrEqual(toMs - 3 * DAY_MS);
    expect(range.toMs).toBe(NOW_MS);
    const resolvedMs = NOW_MS - HOUR_MS;
    expect(shownRange(silent(3), new Date(resolvedMs), NOW_MS).toMs).toBeGreaterThan(resolvedMs);
  });

  it('shows the end of a silence that is too long for its points', () => {
    expect(shownRange(silent(40), null, NOW_MS)).toEqual({
      intervalMs: HOUR_MS,
      fromMs: NOW_MS - 180 * HOUR_MS,
      toMs: NOW_MS,
    });
  });

  it('ends a day after the alarm', () => {
    for (const days of [0, 3]) {
      const { toMs: endMs, intervalMs } = shownRange(silent(days), null, NOW_MS + 5 * DAY_MS);
      expect(endMs - (toMs + DAY_MS)).toBeLessThan(intervalMs);
      expect(endMs).toBeGreaterThanOrEqual(toMs + DAY_MS - MINUTE_MS);
    }
  });
});
