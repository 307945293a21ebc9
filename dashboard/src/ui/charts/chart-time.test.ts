import { describe, expect, it } from 'vitest';
import { formatSlot, labelTimes } from './chart-time.ts';

const HOUR_MS = 3_600_000;
/** In the local time zone, as the chart shows it. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 0, day, hour, minute).getTime();

describe('times in a chart', () => {
  it('labels times with the hour, and with the day where a new one begins', () => {
    expect(labelTimes([at(27, 18), at(28, 0), at(28, 6)], 6 * HOUR_MS)).toEqual(['18:00', 'Jan 28', '06:00']);
    expect(labelTimes([at(27, 0), at(28, 0)], 24 * HOUR_MS)).toEqual(['Jan 27', 'Jan 28']);
    expect(labelTimes([at(28, 0), at(28, 0) + 30_000], 30_000)).toEqual(['Jan 28', '00:00:30']);
  });

  it('names the interval of a bar, with the day once where one is enough', () => {
    expect(formatSlot({ startMs: at(28, 14, 5), endMs: at(28, 14, 10) })).toBe('Jan 28, 14:05 – 14:10');
    expect(formatSlot({ startMs: at(28, 21), endMs: at(29, 3) })).toBe('Jan 28, 21:00 – Jan 29, 03:00');
    expect(formatSlot({ startMs: at(28, 0), endMs: at(28, 0) + 24 * HOUR_MS })).toBe('Jan 28');
  });
});
