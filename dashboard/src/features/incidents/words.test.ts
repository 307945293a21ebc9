import { describe, expect, it } from 'vitest';
import { countEvents, describeAffected, explainNoEvents, formatWindow } from './evidence/evidence-words.ts';
import { describeEntry, describeOwnEntry } from './timeline/timeline-words.ts';

const created = { status: 'open', title: 'Slow', severity: 'warn' } as const;

describe('a timeline entry of a person', () => {
  it.each([
    [null, null, 'Found it', 'added a note'],
    [null, created, null, 'created this incident · warn'],
    [null, { ...created, status: 'investigating' }, null, 'created this incident · warn · investigating'],
    [{ status: 'open' }, { status: 'investigating' }, null, 'started investigating'],
    [{ status: 'open' }, { status: 'resolved' }, null, 'resolved this'],
    [{ status: 'resolved' }, { status: 'investigating' }, null, 'undid the resolution'],
    [
      { severity: 'error', title: 'A' },
      { severity: 'critical', title: 'B' },
      null,
      'changed severity from error to critical, renamed “A” to “B”',
    ],
  ] as const)('reads for a change from %j to %j with the note %j: %s', (from, to, note, words) => {
    expect(describeEntry({ from, to, note })).toBe(words);
  });
});

describe('a timeline entry of the service', () => {
  it.each([
    [null, { ...created, severity: 'error' }, null, 'Opened automatically · error'],
    [{ status: 'open' }, { status: 'resolved' }, 'Back to normal', 'Tocsin resolved this'],
    [{ severity: 'warn' }, { severity: 'error' }, null, 'Tocsin changed severity from warn to error'],
    [null, null, 'Payments joined', 'Tocsin'],
  ] as const)('reads for a change from %j to %j with the note %j: %s', (from, to, note, words) => {
    expect(describeOwnEntry({ from, to, note })).toBe(words);
  });
});

describe('the facts of an incident', () => {
  it('says how long the window was, and when', () => {
    expect(formatWindow({ windowSeconds: 180, from: '2026-11-21T12:00:00.000Z' })).toMatch(
      /^3 min from .*Nov.*, \d\d:00$/,
    );
  });
});

describe('the events of an incident', () => {
  it('counts the events of an incident if its evidence does', () => {
    expect(countEvents({ eventCount: 0 }, String)).toBeNull();
    expect(countEvents({ eventCount: 1 }, String)).toBe('1 event');
    expect(countEvents({ eventCount: 12 }, String)).toBe('12 events');
  });

  it('says “at least” if not all users are known, names failed payments, and says nothing if there are neither', () => {
    const affectedOf = (count: number, isExact: boolean, text?: string) => {
      const payments = { count: 37, amounts: [], otherCurrencies: 0, from: null };
      const failedPayments = text === undefined ? null : { ...payments, text };
      return describeAffected({
        facts: { users: { count, isExact }, newestEvent: null, failedPayments, eventsKeptFrom: null },
      });
    };
    expect(affectedOf(322, true)).toBe('322 users');
    expect(affectedOf(1, false)).toBe('at least 1 user');
    expect(affectedOf(0, true)).toBeNull();
    expect(describeAffected({ facts: null })).toBeNull();
    const payments = '37 failed payments, €4,210';
    expect(affectedOf(0, true, payments)).toBe(payments);
    expect(affectedOf(322, true, payments)).toBe(`322 users · ${payments}`);
  });

  it('says that events are no longer stored only if there were any', () => {
    const sampleEventIds = ['evt_1'];
    expect(explainNoEvents({ rule: 'rise', sampleEventIds })).toBe('These events are no longer stored.');
    expect(explainNoEvents({ rule: 'rise', sampleEventIds: [] })).toBe('No events found.');
    expect(explainNoEvents({ rule: 'silence', sampleEventIds })).toBe('No earlier events.');
  });
});
