import { describe, expect, it } from 'vitest';
import { localizeTimes, splitTimes } from './local-times.ts';

/** A Monday. */
const NOW_MS = Date.parse('2026-11-23T10:30:00.000Z');
const TOKYO = 'Asia/Tokyo';

describe('the times of a sentence', () => {
  it.each([
    ['errors are up since 03:00 UTC: 64 in 1 min', 'errors are up since 12:00: 64 in 1 min'],
    ['since 20:00 UTC', 'since Mon 05:00'],
    ['since 23:00 UTC', 'since 08:00'],
    ['due Sun 20:10 UTC, last seen Sat 20:10 UTC.', 'due Mon 05:10, last seen Sun 05:10.'],
    ['since 3 Nov 20:00 UTC', 'since 4 Nov 05:00'],
    ['since 31 Dec 20:00 UTC', 'since 1 Jan 05:00'],
    ['usually about 105 on Mondays at 18:00 UTC.', 'usually about 105 on Tuesdays at 03:00.'],
    ['usually about 105 on Wednesdays at 01:00 UTC.', 'usually about 105 on Wednesdays at 10:00.'],
  ])('shows "%s" in the reader’s time zone as "%s"', (sentence, local) => {
    expect(localizeTimes(sentence, NOW_MS, TOKYO)).toBe(local);
  });

  it.each([
    'New `job` error: “Timeout at 03:00 UTC”.',
    'since 99:99 UTC',
    'captured from 2025-11-16 16:09 to 2026-11-22 14:35 UTC, late',
    'since 3 Foo 20:00 UTC',
    'usually about 3',
    '',
  ])('leaves "%s" as it is', (sentence) => {
    expect(localizeTimes(sentence, NOW_MS, TOKYO)).toBe(sentence);
  });

  it('keeps the wording in UTC beside each time', () => {
    expect(splitTimes('No events since 03:00 UTC.', { nowMs: NOW_MS }, TOKYO)).toEqual([
      { text: 'No events since ', utc: null },
      { text: '12:00', utc: '03:00 UTC' },
      { text: '.', utc: null },
    ]);
  });

  it('follows the daylight saving time of the reader', () => {
    const berlin = (nowMs: number) => localizeTimes('since 03:00 UTC', nowMs, 'Europe/Berlin');
    expect(berlin(NOW_MS)).toBe('since 04:00');
    expect(berlin(Date.parse('2026-07-06T10:30:00.000Z'))).toBe('since 05:00');
  });

  it.each([
    [1, 'since 04:00'],
    [13, 'since Mon 04:00'],
    [24, 'since Mon 04:00'],
    [24 * 7, 'since 23 Nov 04:00'],
  ])('adds the day to a time that is read %d hours later', (hours, words) => {
    const writtenMs = Date.parse('2026-11-23T03:05:00.000Z');
    const reading = { nowMs: writtenMs + hours * 3_600_000, writtenMs };
    const [part] = splitTimes('since 03:00 UTC', reading, 'Europe/Berlin').slice(1);
    expect(`since ${part?.text}`).toBe(words);
  });

  it('takes a time of day as the last one before the sentence was written', () => {
    const writtenMs = Date.parse('2026-11-23T00:10:00.000Z');
    const reading = { nowMs: writtenMs + 48 * 3_600_000, writtenMs };
    expect(splitTimes('since 23:58 UTC', reading, 'UTC')).toMatchObject([{}, { text: 'Sun 23:58' }]);
  });
});
