import { describe, expect, it } from 'vitest';
import { sayChance, sayExpectation, sayWindow } from './evidence-words.ts';
import { headlineOf } from './headline.ts';
import { saySeries, titleChart } from './series-words.ts';
import { anEvidence, aSeries } from './testing.ts';
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
  const evidence = anEvidence();

  it.each([
    'Rise: checkout from shop',
    'Drop: orders',
    'Silence: heartbeat',
    'Failed payments',
    'New error: checkout',
    'At least 5 errors in 3 min',
    'Critical events: db',
    '1,200 events in 5 min: checkout',
    // Of versions before.
    'Critical: db',
    'Errors: checkout in shop',
  ])('is the sentence alone where the title is the one that the service gave: %s', (title) => {
    expect(headlineOf({ title, evidence })).toEqual({ sentence: evidence.sentence, chosenTitle: null });
  });

  it.each(['The disk is full', 'Rise and shine', '12 orders lost'])(
    'has the title too where somebody chose it: %s',
    (title) => {
      expect(headlineOf({ title, evidence }).chosenTitle).toBe(title);
    },
  );

  it('is the title where somebody opened it by hand', () => {
    expect(headlineOf({ title: 'Errors: all over', evidence: null })).toEqual({
      sentence: 'Errors: all over',
      chosenTitle: null,
    });
  });
});

describe('what a series counts', () => {
  it.each([
    [{}, 'errors of `checkout`'],
    [{ severity: 'critical', source: 'shop' }, 'critical events of `checkout` from `shop`'],
    [{ severity: null, type: null, source: 'shop' }, 'events from `shop`'],
    [{ kind: 'rule', severity: null, type: null }, 'all events'],
    [{ kind: 'rule', severity: 'critical', type: null }, 'critical events'],
    [{ kind: 'total', severity: null, type: null }, 'all events of the project'],
    [{ kind: 'other', severity: null, type: null }, 'events of all further kinds'],
    [{ kind: 'failed_payments', severity: null, type: null }, 'failed payments'],
    [{ kind: 'failed_payments', severity: null, type: 'payment' }, 'failed payments'],
    [{ kind: 'new_kind', fingerprint: '00000000000000ff' }, 'errors of a new kind of `checkout`'],
  ] as const)('with %j is %s', (particulars, words) => {
    expect(saySeries(aSeries(particulars))).toBe(words);
  });

  it('is plain text over a chart', () => {
    expect(titleChart(aSeries({ source: 'shop' }))).toBe('Errors of checkout from shop');
    expect(titleChart(aSeries({ kind: 'failed_payments' }))).toBe('Failed payments');
  });
});

describe('how often the like comes by chance', () => {
  it.each([
    [null, null],
    [0, 'by chance less than once in 1,000 weeks'],
    [0.0009, 'by chance less than once in 1,000 weeks'],
    [0.001, 'by chance about once in 1,000 weeks'],
    [0.0011, 'by chance about once in 910 weeks'],
    [0.02, 'by chance about once in 50 weeks'],
    [0.5, 'by chance about once in 2 weeks'],
    [0.9, 'by chance about once a week'],
    [1, 'by chance about once a week'],
    [1.4, 'by chance about once a week'],
    [2.6, 'by chance about 3 times a week'],
    [1_234, 'by chance about 1,234 times a week'],
  ])('%j a week reads %s', (chance, words) => {
    expect(sayChance(chance)).toBe(words);
  });
});

describe('the facts of an incident', () => {
  it('say what was expected where anything was', () => {
    expect(sayExpectation({ rule: 'rise', expected: 6.04 })).toBe('expected 6');
    expect(sayExpectation({ rule: 'drop', expected: 1_234.4 })).toBe('expected 1,234');
    expect(sayExpectation({ rule: 'rise', expected: 0.01 })).toBe('expected nearly none');
    expect(sayExpectation({ rule: 'failed_payments', expected: 2.5 })).toBe('expected 2.5 of 100');
    expect(sayExpectation({ rule: 'at_least', expected: 0 })).toBeNull();
    expect(sayExpectation({ rule: 'new_kind', expected: 0 })).toBeNull();
  });

  it('say how long the window was, and when', () => {
    expect(sayWindow({ windowSeconds: 180, from: '2026-11-21T12:00:00.000Z' })).toMatch(
      /^3 min from .*Nov.*, \d\d:00$/,
    );
  });
});
