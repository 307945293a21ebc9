import { describe, expect, it } from 'vitest';
import { formatBadge, formatClock, formatDay, formatExactTime } from './format.ts';

// In the local time zone.
const at = new Date(2026, 10, 3, 21, 4, 8, 7).getTime();

describe('a time', () => {
  it('shows an exact time with 24 hours and its milliseconds', () => {
    expect(formatClock(at)).toBe('21:04:08.007');
    expect(formatDay(at)).toBe('3 Nov');
    expect(formatExactTime(at)).toMatch(/^3 Nov 2026, 21:04:08\.007 \S+$/);
    expect(formatClock(new Date(2026, 10, 3).getTime())).toBe('00:00:00.000');
  });
});

it('caps the number in a badge at 99', () => {
  expect([1, 99, 100, 12_345].map(formatBadge)).toEqual(['1', '99', '99+', '99+']);
});
