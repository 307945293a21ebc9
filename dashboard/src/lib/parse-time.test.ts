import { describe, expect, it } from 'vitest';
import { formatField, midnightOf, parseTime, splitRange } from './parse-time.ts';

const NOW = Date.parse('2026-11-21T14:05:30.000Z');
const read = (text: string) => {
  const timeMs = parseTime(text, NOW, 'UTC');
  return timeMs === null ? null : new Date(timeMs).toISOString();
};

describe('a typed time', () => {
  it.each([
    ['2026-11-20T06:00:00.000Z', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20T06:00:00.123456Z', '2026-11-20T06:00:00.123Z'],
    ['2026-11-20t06:00+02:00', '2026-11-20T04:00:00.000Z'],
    ['2026-11-20 06:00:00,5 -0330', '2026-11-20T09:30:00.500Z'],
    ['  2026-11-20 06:00 ', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['20 Nov 06:00', '2026-11-20T06:00:00.000Z'],
    ['20 Nov, 06:00', '2026-11-20T06:00:00.000Z'],
    ['21 November 2026, 21:14:38.412 GMT+1', '2026-11-21T20:14:38.412Z'],
    ['21 Nov 2026, 21:14:38.412 UTC', '2026-11-21T21:14:38.412Z'],
    ['24 Dec 06:00', '2025-12-24T06:00:00.000Z'],
    ['14:05', '2026-11-21T14:05:00.000Z'],
    ['14:06', '2026-11-20T14:06:00.000Z'],
    ['yesterday 14:06', '2026-11-20T14:06:00.000Z'],
    ['yesterday', '2026-11-20T00:00:00.000Z'],
    ['today', '2026-11-21T00:00:00.000Z'],
    ['now', '2026-11-21T14:05:30.000Z'],
    ['1763618400', '2025-11-20T06:00:00.000Z'],
    ['1763618400123', '2025-11-20T06:00:00.123Z'],
  ])('reads the time %s as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    '',
    'tomorrow',
    '2026-02-30',
    '2026-13-01 06:00',
    '25:00',
    '24:01',
    '12:60',
    '20 Foo 06:00',
    '12',
    '32 Jan',
  ])('refuses the text %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('shows a time in a form that it reads as the same time', () => {
    for (const timeMs of [NOW, NOW + 7]) {
      expect(parseTime(formatField(timeMs, 'UTC'), NOW, 'UTC')).toBe(timeMs);
      expect(parseTime(formatField(timeMs, undefined), NOW, undefined)).toBe(timeMs);
    }
    expect(formatField(NOW, 'UTC')).toBe('2026-11-21 14:05:30');
  });

  it('finds when days begin', () => {
    expect(new Date(midnightOf(NOW, -1, 'UTC')).toISOString()).toBe('2026-11-20T00:00:00.000Z');
    const firstOfMonth = Date.parse('2026-11-01T10:00:00.000Z');
    expect(parseTime('yesterday 14:06', firstOfMonth, 'UTC')).toBe(Date.parse('2026-10-31T14:06:00.000Z'));
    expect(new Date(midnightOf(firstOfMonth, -1, 'UTC')).toISOString()).toBe('2026-10-31T00:00:00.000Z');
  });
});

describe('a pasted range', () => {
  it.each<[string, [string, string] | null]>([
    ['2026-11-20T06:00Z/2026-11-20T07:00Z', ['2026-11-20T06:00Z', '2026-11-20T07:00Z']],
    ['20 Nov, 06:00 – 07:00', ['20 Nov, 06:00', '07:00']],
    ['06:00 to 07:00', ['06:00', '07:00']],
    ['2026-11-20 06:00', null],
    ['a - b - c', null],
  ])('splits the range %s', (text, expected) => {
    expect(splitRange(text)).toEqual(expected);
  });
});
