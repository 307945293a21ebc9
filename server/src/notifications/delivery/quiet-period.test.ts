import { describe, expect, it } from 'vitest';
import { findQuietHoursFault, type QuietHours, WEEKDAYS, withDefaults } from '../targets/quiet-hours.ts';
import { findQuietPeriod, followQuietPeriods } from './quiet-period.ts';

const MINUTE_MS = 60_000;
const quiet = (from: string, to: string, timeZone = 'UTC', weekdays?: QuietHours['weekdays']) =>
  withDefaults({ from, to, timeZone, ...(weekdays && { weekdays }) });

/** Quiet periods between two times, found by a walk minute by minute. */
function stretches(quietHours: QuietHours, from: string, to: string): [string, string][] {
  const found: [string, string][] = [];
  const follow = followQuietPeriods(quietHours);
  let beganMs: number | null = null;
  for (let atMs = Date.parse(from); atMs <= Date.parse(to); atMs += MINUTE_MS) {
    const { isQuiet, untilMs } = follow(atMs);
    expect(untilMs).toBeGreaterThan(atMs);
    if (isQuiet && beganMs === null) beganMs = atMs;
    if (isQuiet || beganMs === null) continue;
    // The end that was announced at the beginning is the actual end.
    expect(findQuietPeriod(quietHours, beganMs).untilMs).toBe(atMs);
    found.push([new Date(beganMs).toISOString().slice(5, 16), new Date(atMs).toISOString().slice(5, 16)]);
    beganMs = null;
  }
  return found;
}

describe('quiet hours', () => {
  it('covers windows over midnight, as part of the day on which they begin', () => {
    const nights = quiet('22:00', '07:00', 'UTC', ['fri']);
    expect(stretches(nights, '2026-11-19T00:00Z', '2026-11-23T00:00Z')).toEqual([
      ['11-20T22:00', '11-21T07:00'],
    ]);
  });

  it('joins windows that touch, over the whole weekend', () => {
    const weekend = quiet('00:00', '24:00', 'UTC', ['sat', 'sun']);
    expect(stretches(weekend, '2026-11-20T00:00Z', '2026-11-24T00:00Z')).toEqual([
      ['11-21T00:00', '11-23T00:00'],
    ]);
  });

  it.each<[string, [string, string], string, string]>([
    ['a night of 8 hours', ['22:00', '07:00'], '03-28T21:00', '03-29T05:00'],
    ['a beginning in the hour that is skipped at its end', ['02:30', '05:00'], '03-29T01:00', '03-29T03:00'],
    ['an end in the hour that is skipped at its end', ['01:00', '02:30'], '03-29T00:00', '03-29T01:00'],
  ])('finds %s in spring', (_, [from, to], ...stretch) => {
    const found = stretches(quiet(from, to, 'Europe/Berlin'), '2026-03-28T12:00Z', '2026-03-29T12:00Z');
    expect(found).toEqual([stretch]);
  });

  it('leaves a window out on the day on which both of its ends are skipped', () => {
    const found = stretches(
      quiet('02:15', '02:45', 'Europe/Berlin'),
      '2026-03-28T12:00Z',
      '2026-03-30T12:00Z',
    );
    expect(found).toEqual([['03-30T00:15', '03-30T00:45']]);
    expect(
      stretches(quiet('02:30', '03:00', 'Europe/Berlin'), '2026-03-28T12:00Z', '2026-03-29T12:00Z'),
    ).toEqual([]);
  });

  it.each<[string, [string, string], string, string]>([
    ['a night of 10 hours', ['22:00', '07:00'], '10-24T20:00', '10-25T06:00'],
    [
      'an end at the first time of the hour that comes twice',
      ['22:00', '02:30'],
      '10-24T20:00',
      '10-25T00:30',
    ],
    ['a beginning at the first time of it', ['02:30', '05:00'], '10-25T00:30', '10-25T04:00'],
    ['no second window in it', ['02:10', '02:40'], '10-25T00:10', '10-25T00:40'],
  ])('finds %s in autumn', (_, [from, to], ...stretch) => {
    const found = stretches(quiet(from, to, 'Europe/Berlin'), '2026-10-24T12:00Z', '2026-10-25T12:00Z');
    expect(found).toEqual([stretch]);
  });

  it('covers a whole day of 23 and of 25 hours', () => {
    const sundays = quiet('00:00', '24:00', 'Europe/Berlin', ['sun']);
    expect(stretches(sundays, '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual([
      ['03-28T23:00', '03-29T22:00'],
    ]);
    expect(stretches(sundays, '2026-10-24T12:00Z', '2026-10-26T12:00Z')).toEqual([
      ['10-24T22:00', '10-25T23:00'],
    ]);
  });

  it('follows zones with half hours, and one that changes by half an hour', () => {
    expect(
      stretches(quiet('22:00', '06:30', 'Asia/Kolkata'), '2026-11-20T12:00Z', '2026-11-21T12:00Z'),
    ).toEqual([['11-20T16:30', '11-21T01:00']]);
    const lordHowe = quiet('22:00', '02:15', 'Australia/Lord_Howe');
    expect(stretches(lordHowe, '2026-10-03T03:00Z', '2026-10-04T03:00Z')).toEqual([
      ['10-03T11:30', '10-03T15:30'],
    ]);
    expect(
      stretches(quiet('22:00', '01:45', 'Australia/Lord_Howe'), '2026-04-04T03:00Z', '2026-04-05T03:00Z'),
    ).toEqual([['04-04T11:00', '04-04T14:45']]);
  });

  it('follows zones that change at midnight', () => {
    const nights = quiet('22:00', '00:00', 'Africa/Cairo');
    // On 24 April 2026 midnight is skipped; on 29 October the hour before it comes twice.
    expect(stretches(nights, '2026-04-23T12:00Z', '2026-04-24T12:00Z')).toEqual([
      ['04-23T20:00', '04-23T22:00'],
    ]);
    expect(stretches(nights, '2026-10-29T12:00Z', '2026-10-30T12:00Z')).toEqual([
      ['10-29T19:00', '10-29T22:00'],
    ]);
    const fridays = quiet('00:00', '24:00', 'Africa/Cairo', ['fri']);
    expect(stretches(fridays, '2026-04-23T12:00Z', '2026-04-25T12:00Z')).toEqual([
      ['04-23T22:00', '04-24T21:00'],
    ]);
  });

  it('returns when the next window begins', () => {
    const nights = quiet('22:00', '07:00', 'Europe/Berlin', ['mon']);
    const { isQuiet, untilMs } = findQuietPeriod(nights, Date.parse('2026-11-24T12:00Z'));
    expect([isQuiet, new Date(untilMs).toISOString()]).toEqual([false, '2026-11-30T21:00:00.000Z']);
  });

  it('refuses quiet hours that are empty, never end, or have an unknown zone', () => {
    const fields = [
      quiet('07:00', '07:00'),
      quiet('00:00', '24:00'),
      quiet('22:00', '07:00', 'Mars/Olympus'),
      quiet('00:00', '24:00', 'UTC', ['sat']),
    ].map((each) => findQuietHoursFault(each)?.pointer);
    expect(fields).toEqual(['/quietHours/to', '/quietHours/weekdays', '/quietHours/timeZone', undefined]);
    expect(withDefaults({ from: '22:00', to: '07:00', timeZone: 'UTC' })).toMatchObject({
      weekdays: WEEKDAYS,
      minSeverity: 'critical',
    });
  });
});
