import { describe, expect, it } from 'vitest';
import { formatSlot, formatTimeBeside, labelTimes } from './chart-time.ts';

const HOUR_MS = 3_600_000;
/** In the local time zone, as the chart shows it. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 0, day, hour, minute).getTime();

describe('times in a chart', () => {
  it('labels times with the hour, and with the day where a new one begins', () => {
    expect(labelTimes([at(27, 18), at(28, 0), at(28, 6)], 6 * HOUR_MS)).toEqual(['18:00', '28 Jan', '06:00']);
    expect(labelTimes([at(27, 0), at(28, 0)], 24 * HOUR_MS)).toEqual(['27 Jan', '28 Jan']);
    expect(labelTimes([at(28, 0), at(28, 0) + 30_000], 30_000)).toEqual(['28 Jan', '00:00:30']);
  });

  it('names the interval of a bar, with the day once where one is enough', () => {
    expect(formatSlot({ startMs: at(28, 14, 5), endMs: at(28, 14, 10) })).toBe('28 Jan, 14:05 – 14:10');
    expect(formatSlot({ startMs: at(28, 21), endMs: at(29, 3) })).toBe('28 Jan, 21:00 – 29 Jan, 03:00');
    expect(formatSlot({ startMs: at(28, 0), endMs: at(28, 0) + 24 * HOUR_MS })).toBe('28 Jan');
  });

  it('names the day of a moment beside another one only where it differs', () => {
    expect(formatTimeBeside(at(28, 14), at(28, 15))).toBe('15:00');
    expect(formatTimeBeside(at(28, 14), at(30, 9, 30))).toBe('30 Jan, 09:30');
  });
});
