import { expect, it } from 'vitest';
import { decodeRecord, encodeRecord } from '../spool/record.ts';
import { readCheckIn } from './read-check-in.ts';

const UUID = '0190a000-0000-7000-8000-000000000000';

const checkIn = (value: string, timezone: string) =>
  readCheckIn({
    monitor_slug: 'backup',
    status: 'ok',
    monitor_config: { schedule: { type: 'crontab', value }, timezone },
  });

it('reads a check-in with the longest texts of a timetable as one that can wait on disk', () => {
  const report = checkIn('0'.repeat(100), 'Z'.repeat(64));
  const item = { projectId: UUID, keyId: UUID, events: [], claim: { key: 'a', jobId: UUID, answer: null } };
  const record = { receivedAt: '2026-11-27T09:00:00.000Z', item, checkIn: report };
  expect(decodeRecord(encodeRecord(record).trimEnd())).toEqual(record);
});

it.each([
  ['0'.repeat(101), 'UTC'],
  ['0 3 * * *', 'Z'.repeat(65)],
])('refuses a check-in whose timetable has a longer text', (cron, timeZone) => {
  expect(() => checkIn(cron, timeZone)).toThrow('A text of a monitor_config has more than');
});
