import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime, parseIsoTime } from './time.ts';

describe('parseIsoTime', () => {
  it('reads back every time that the service writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (timeMs) => {
        expect(parseIsoTime(isoTime(timeMs))).toBe(timeMs);
      }),
    );
  });

  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T12:30', '2026-03-01T12:30:00.000Z'],
    ['2026-03-01T12:30:15+02:00', '2026-03-01T10:30:15.000Z'],
    ['2026-03-01T12:30:15.5-0130', '2026-03-01T14:00:15.500Z'],
    ['2026-03-01 12:30:15.123456789Z', '2026-03-01T12:30:15.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('accepts the ISO time %s', (text, expected) => {
    expect(isoTime(parseIsoTime(text) ?? Number.NaN)).toBe(expected);
  });

  it.each([
    '2026-02-30',
    '2025-02-29T00:00:00Z',
    '2026-13-01',
    '0000-01-01',
    '+012026-01-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+24:00',
    'yesterday',
    '1700000000',
    '',
  ])('refuses %j as an ISO time', (text) => {
    expect(parseIsoTime(text)).toBeNull();
  });
});
