import { describe, expect, it } from 'vitest';
import { dueAfterCheckIn, findFault, nextDue } from './timetable.ts';

const cron = (expression: string, timeZone = 'UTC') => ({
  cron: expression,
  intervalSeconds: null,
  timeZone,
});
const every = (intervalSeconds: number) => ({ cron: null, intervalSeconds, timeZone: 'UTC' });
const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();

const NOW_MS = at('2026-11-21T00:00:00Z');

describe('the timetable of a job', () => {
  it('expects an interval from the check-in before it', () => {
    expect(iso(nextDue(every(3_600), at('2026-11-21T10:07:30Z')))).toBe('2026-11-21T11:07:30.000Z');
  });

  it('expects a cron expression by the wall clock of its zone, in winter and in summer', () => {
    const nightly = cron('0 3 * * *', 'Europe/Berlin');
    expect(iso(nextDue(nightly, at('2026-11-21T10:00:00Z')))).toBe('2026-11-22T02:00:00.000Z');
    expect(iso(nextDue(nightly, at('2026-07-21T10:00:00Z')))).toBe('2026-07-22T01:00:00.000Z');
  });

  it('expects a job of the hour that is skipped in spring right after the gap, on that day alone', () => {
    const nightly = cron('30 2 * * *', 'Europe/Berlin');
    const skipped = nextDue(nightly, at('2026-03-28T12:00:00Z'));
    expect(iso(skipped)).toBe('2026-03-29T01:00:00.000Z');
    expect(iso(nextDue(nightly, skipped))).toBe('2026-03-30T00:30:00.000Z');
  });

  it('expects a job of the hour that comes twice in autumn once', () => {
    const nightly = cron('30 2 * * *', 'Europe/Berlin');
    const first = nextDue(nightly, at('2026-10-24T12:00:00Z'));
    expect(iso(first)).toBe('2026-10-25T00:30:00.000Z');
    expect(iso(nextDue(nightly, first))).toBe('2026-10-26T01:30:00.000Z');
  });

  it('expects a job of each half hour without a break over both changes of daylight time', () => {
    for (const day of ['2026-03-29', '2026-10-25']) {
      let dueMs = at(`${day}T00:00:00Z`);
      for (let half = 1; half <= 8; half++) {
        dueMs = nextDue(cron('*/30 * * * *', 'Europe/Berlin'), dueMs);
        expect(dueMs).toBe(at(`${day}T00:00:00Z`) + half * 30 * 60_000);
      }
    }
  });

  it('assigns a check-in shortly before its time to that time', () => {
    const hourly = cron('0 * * * *');
    expect(iso(dueAfterCheckIn(hourly, at('2026-11-21T09:59:10Z')))).toBe('2026-11-21T11:00:00.000Z');
    expect(iso(dueAfterCheckIn(hourly, at('2026-11-21T09:58:10Z')))).toBe('2026-11-21T10:00:00.000Z');
    const minutely = cron('* * * * *');
    expect(iso(dueAfterCheckIn(minutely, at('2026-11-21T09:59:50Z')))).toBe('2026-11-21T10:00:00.000Z');
    expect(iso(dueAfterCheckIn(minutely, at('2026-11-21T09:59:55Z')))).toBe('2026-11-21T10:01:00.000Z');
  });

  it('refuses expressions without five fields, those that never match, and unknown zones', () => {
    for (const expression of ['* * * * * *', '0 3 * *', '99 * * * *', 'at three', '']) {
      expect(findFault(cron(expression), NOW_MS)?.field, expression).toBe('cron');
    }
    expect(findFault(cron('0 3 30 2 *'), NOW_MS)).toEqual({ field: 'cron', fault: 'never comes' });
    expect(findFault(cron('0 3 * * *', 'Europe/Nowhere'), NOW_MS)?.field).toBe('timeZone');
    for (const expression of ['0 3 * * *', '@daily', '*/5 8-18 * * mon-fri', '0 0 L * *']) {
      expect(findFault(cron(expression), NOW_MS), expression).toBeNull();
    }
    expect(findFault(every(60), NOW_MS)).toBeNull();
  });
});
