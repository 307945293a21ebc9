import { describe, expect, it } from 'vitest';
import { checkEnd, endOf, readLength } from './lengths.ts';

const nowMs = Date.parse('2026-11-22T22:30:00Z');
const at = (length: Parameters<typeof endOf>[0], typed = '') =>
  endOf(length, typed, { nowMs, timeZone: 'UTC' });

describe('the length of a silence', () => {
  it('ends after hours, a week, tomorrow at nine or at a typed time in the zone of the reader', () => {
    expect(new Date(at('4h')).toISOString()).toBe('2026-11-23T02:30:00.000Z');
    expect(new Date(at('tomorrow')).toISOString()).toBe('2026-11-23T09:00:00.000Z');
    expect(new Date(at('1w')).toISOString()).toBe('2026-11-29T22:30:00.000Z');
    expect(new Date(at('custom', '2026-11-24T08:15')).toISOString()).toBe('2026-11-24T08:15:00.000Z');
    const local = new Date(endOf('custom', '2026-11-24T08:15', { nowMs, timeZone: undefined }));
    expect([local.getHours(), local.getMinutes()]).toEqual([8, 15]);
  });

  it('refuses what is no time, has passed, or is more than 30 days ahead', () => {
    expect(checkEnd(at('custom', 'soon'), nowMs)).toBe('missing');
    expect(checkEnd(at('custom', '2026-11-22T22:00'), nowMs)).toBe('missing');
    expect(checkEnd(at('custom', '2026-12-23T00:00'), nowMs)).toBe('too late');
    expect(checkEnd(at('1h'), nowMs)).toBeNull();
  });

  it('reads the length from an address, and takes an unknown one as an hour', () => {
    expect([undefined, '4h', 'tomorrow', true, '9h', 4].map(readLength)).toEqual([
      null,
      '4h',
      'tomorrow',
      '1h',
      '1h',
      '1h',
    ]);
  });
});
