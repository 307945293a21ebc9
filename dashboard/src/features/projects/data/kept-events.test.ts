import { expect, it } from 'vitest';
import { DAY_MS } from '../../../lib/durations.ts';
import { countKept } from './kept-events.ts';

const NOW_MS = Date.parse('2026-11-27T18:00:00Z');
const days = [0, 1, 2, 3, 4].map((day) => ({
  start: new Date(Date.parse('2026-11-27T00:00:00Z') - day * DAY_MS).toISOString(),
  info: 100,
  warn: 0,
  error: day === 4 ? 7 : 0,
  critical: 0,
}));

it('keeps a part of the day in which the retention begins', () => {
  // Three days ago at 18:00: a quarter of that day, and the three days behind it.
  const kept = countKept(days, { info: 3 }, { nowMs: NOW_MS, retentionDays: 90 });
  expect(kept).toEqual({ info: 325, warn: 0, error: 7, critical: 0 });
});
