import { describe, expect, it } from 'vitest';
import { formatExactTime } from '../../lib/format.ts';
import { describeChanges, listChanges } from './audit-changes.ts';

describe('the changed fields of an entry of the audit log', () => {
  it('words settings of targets and routes without JSON and without ids', () => {
    const id = 'ntg_01h455vb4pex5vsknk084sn02q';
    const after = {
      targetId: id,
      projectId: 'proj_01h455vb4pex5vsknk084sn02q',
      changes: ['schedule_missed', 'group_regressed'],
      config: { url: 'https://example.com/hook', topic: null },
      quietHours: { from: '22:00', timeZone: 'Europe/Berlin', exceptCritical: true },
      rules: [{ type: 'checkout', minSeverity: 'error' }, { type: 'mail' }],
    };
    const names = new Map([[id, 'On call']]);
    const changes = listChanges({ before: null, after }, names);
    expect(changes.map(({ field, to }) => `${field}: ${to}`)).toEqual([
      'target: On call',
      'project: a deleted project',
      'changes: schedule missed, group came back',
      'config: url https://example.com/hook',
      'quiet hours: from 22:00, time zone Europe/Berlin, except critical yes',
      'rules: type checkout, from severity error; type mail',
    ]);
  });

  it('words settings that were empty, or are now', () => {
    const worded = (before: object, after: object) =>
      describeChanges(
        listChanges({ before: { retention: before }, after: { retention: after } }, new Map()),
        true,
      );
    expect(worded({}, { info: 30 })).toBe('Retention from none to info 30 days.');
    expect(worded({ info: 30 }, {})).toBe('Retention from info 30 days to none.');
  });

  it('words a name as it is, also one that every object has', () => {
    const [change] = listChanges(
      { before: { name: '__proto__' }, after: { name: 'constructor' } },
      new Map(),
    );
    expect([change?.from, change?.to]).toEqual(['__proto__', 'constructor']);
  });

  it('lists only the fields that differ, whatever their type', () => {
    expect(
      listChanges(
        { before: { name: 'Shop', plan: 'free', seats: 3 }, after: { name: 'Shop', plan: 'pro' } },
        new Map(),
      ),
    ).toEqual([
      { field: 'plan', from: 'free', to: 'pro' },
      { field: 'seats', from: '3', to: null },
    ]);
    expect(listChanges({ before: null, after: null }, new Map())).toEqual([]);
  });

  it('words changed fields as a sentence, with lengths of time in their largest unit', () => {
    const before = { graceSeconds: 300, intervalSeconds: null, timeZone: 'UTC', retention: { info: 7 } };
    const after = { graceSeconds: 600, intervalSeconds: 5_400, timeZone: null, retention: { info: 30 } };
    const sentence = (entry: Parameters<typeof listChanges>[0]) =>
      describeChanges(listChanges(entry, new Map()), entry.before !== null && entry.after !== null);
    expect(sentence({ before, after })).toBe(
      'Grace period from 5 minutes to 10 minutes, interval set to 90 minutes, time zone UTC removed, retention from info 7 days to info 30 days.',
    );
    expect(
      sentence({
        before: null,
        after: { slug: 'backup', graceSeconds: 300, failureAfter: 2, limit: 20_000 },
      }),
    ).toBe('Slug backup, grace period 5 minutes, incident after 2 failures, limit 20,000.');
    expect(sentence({ before: { slug: 'backup' }, after: null })).toBe('Slug backup.');
  });

  it('shows the times of an audit entry as the zone of the reader has them', () => {
    const after = { until: '2026-11-23T22:30:21.987Z', reason: 'until 2026-11-23' };
    expect(listChanges({ before: null, after }, new Map())).toEqual([
      { field: 'until', from: null, to: formatExactTime(after.until) },
      { field: 'reason', from: null, to: 'until 2026-11-23' },
    ]);
  });
});
