import { describe, expect, it } from 'vitest';
import { describeFailure, describeRecovery } from './words.ts';

const at = (text: string) => new Date(text);
const BACKUP = { name: 'Nightly backup', timeZone: 'Europe/Berlin', lastCheckInAt: null, runs: [] };

describe('the words of a failed schedule', () => {
  it('names the time that was missed and the last check-in, in the zone of the schedule', () => {
    const missed = {
      status: 'missed' as const,
      atMs: Date.parse('2026-11-21T02:05:00Z'),
      dueMs: Date.parse('2026-11-21T02:00:00Z'),
      runId: null,
    };
    expect(describeFailure({ ...BACKUP, lastCheckInAt: at('2026-11-20T02:01:00Z') }, missed)).toEqual({
      title: 'Nightly backup didn’t check in',
      sentence:
        'Nightly backup was due at 03:00 (Europe/Berlin) and hasn’t checked in. Last check-in: 20 Nov 03:01.',
    });
    expect(describeFailure(BACKUP, missed).sentence).toMatch(/It has never checked in\.$/);
  });

  it('names the failure that the job reported', () => {
    const failed = {
      status: 'error' as const,
      atMs: Date.parse('2026-11-21T02:05:00Z'),
      dueMs: null,
      runId: null,
    };
    expect(describeFailure(BACKUP, failed)).toEqual({
      title: 'Nightly backup failed',
      sentence: 'Nightly backup reported a failure at 03:05 (Europe/Berlin).',
    });
  });

  it('names the start of a run that does not end, and for how long it has run', () => {
    const endless = {
      status: 'timed_out' as const,
      atMs: Date.parse('2026-11-21T05:30:00Z'),
      dueMs: null,
      runId: null,
    };
    expect(
      describeFailure(
        { ...BACKUP, runs: [{ id: null, startMs: at('2026-11-21T02:00:00Z').getTime() }] },
        endless,
      ),
    ).toEqual({
      title: 'Nightly backup didn’t finish',
      sentence: 'Nightly backup started at 03:00 (Europe/Berlin) and hasn’t finished after 3 h.',
    });
  });

  it('counts the successes of a recovery', () => {
    expect(describeRecovery('Nightly backup', 1)).toBe('Nightly backup succeeded. Resolved automatically.');
    expect(describeRecovery('Nightly backup', 3)).toBe(
      'Nightly backup succeeded 3 times in a row. Resolved automatically.',
    );
  });
});
