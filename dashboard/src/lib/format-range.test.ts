import { expect, it } from 'vitest';
import { formatRange } from './format-range.ts';

const NOW = Date.parse('2026-11-21T22:00:00.000Z');

it.each([
  ['2026-11-21T21:20Z', '2026-11-21T21:24Z', '21:20 – 21:24'],
  ['2026-11-21T21:20:05Z', '2026-11-21T21:24Z', '21:20:05 – 21:24:00'],
  ['2026-11-20T21:20Z', '2026-11-20T21:24Z', '20 Nov, 21:20 – 21:24'],
  ['2026-11-20T21:20Z', '2026-11-21T06:00Z', '20 Nov, 21:20 – 21 Nov, 06:00'],
  ['2025-12-31T21:20Z', '2026-01-01T06:00Z', '31 Dec 2025, 21:20 – 1 Jan, 06:00'],
  ['2026-11-20T00:00Z', '2026-11-21T00:00Z', '20 Nov'],
  ['2026-11-14T00:00Z', '2026-11-21T00:00Z', '14 Nov – 20 Nov'],
])('shows %s to %s as %s', (from, to, expected) => {
  expect(formatRange(Date.parse(from), Date.parse(to), NOW, 'UTC')).toBe(expected);
});
