import { describe, expect, it } from 'vitest';
import { headlineOf } from './headline.ts';
import { describeEntry } from './timeline-words.ts';

describe('an entry of the timeline', () => {
  it.each([
    [null, null, null],
    [null, { status: 'open', title: 'Slow', severity: 'warn' }, 'opened it as warn'],
    [null, { status: 'investigating', title: 'Slow', severity: 'warn' }, 'opened it as warn, investigating'],
    [{ status: 'open' }, { status: 'resolved' }, 'open → resolved'],
    [
      { severity: 'error', title: 'A' },
      { severity: 'critical', title: 'B' },
      'severity error → critical, title “A” → “B”',
    ],
  ] as const)('from %j to %j reads %s', (from, to, words) => {
    expect(describeEntry({ from, to })).toBe(words);
  });
});

describe('the headline of an incident', () => {
  const evidence = {
    sentence: 'A critical event: `db`.',
    rule: 'critical',
    series: { type: 'db', source: null },
    observed: 1,
    expected: 0,
    windowSeconds: 60,
    from: '2026-11-21T12:00:00.000Z',
    to: '2026-11-21T12:01:00.000Z',
  } as const;

  it('is the sentence alone where the title is the one that the service gave', () => {
    expect(headlineOf({ title: 'Critical: db', evidence })).toEqual({
      sentence: 'A critical event: `db`.',
      chosenTitle: null,
    });
  });

  it('has the title too where somebody chose it', () => {
    expect(headlineOf({ title: 'The disk is full', evidence }).chosenTitle).toBe('The disk is full');
  });

  it('is the title where somebody opened it by hand', () => {
    expect(headlineOf({ title: 'Errors: all over', evidence: null })).toEqual({
      sentence: 'Errors: all over',
      chosenTitle: null,
    });
  });
});
