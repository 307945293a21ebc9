import { describe, expect, it } from 'vitest';
import { RecordBuffer } from '../state/record-buffer.ts';
import { HEARTBEAT_FLOATS, HeartbeatState } from './heartbeat-state.ts';
import { advanceTo, isQuietHour } from './quiet-hours.ts';

const HALF_HOUR_MS = 30 * 60_000;
const DAY = 48;

/** Returns the quiet hours after so many half hours since a Monday, with events in those that a function names. */
function quietHoursAfter(halfHours: number, hasEvents: (halfHour: number) => boolean) {
  const start = Date.UTC(2026, 0, 5);
  const quiet = new HeartbeatState({ buffer: new RecordBuffer(HEARTBEAT_FLOATS), first: 0 }).begin(start);
  for (let i = 0; i <= halfHours; i++) {
    advanceTo(quiet, start + i * HALF_HOUR_MS);
    if (hasEvents(i % DAY)) quiet.hasEvents = true;
  }
  return quiet;
}

describe('quiet hours', () => {
  const worksByDay = (halfHour: number) => halfHour >= 16 && halfHour < 36;

  it('finds a half hour quiet that was silent yesterday, while last week is not known', () => {
    expect(isQuietHour(quietHoursAfter(2 * DAY + 4, worksByDay), 0)).toBe(true);
    expect(isQuietHour(quietHoursAfter(2 * DAY + 24, worksByDay), 0)).toBe(false);
  });

  it('finds no half hour quiet before anything is known', () => {
    expect(isQuietHour(quietHoursAfter(4, worksByDay), 0)).toBe(false);
  });

  it('asks of a rare sender that the half hours around were silent as well', () => {
    const rare = quietHoursAfter(2 * DAY + 5, (halfHour) => halfHour % 2 === 0);
    expect(isQuietHour(rare, 0)).toBe(true);
    expect(isQuietHour(rare, 1)).toBe(false);
  });

  it('keeps what it knows when more than a week is missing, and goes on from then', () => {
    const quiet = quietHoursAfter(DAY, worksByDay);
    advanceTo(quiet, Date.UTC(2026, 5, 1));
    expect(quiet.currentHalfHour).toBe(Date.UTC(2026, 5, 1) / HALF_HOUR_MS);
    expect(quiet.hadEvents).toBe(true);
  });
});
