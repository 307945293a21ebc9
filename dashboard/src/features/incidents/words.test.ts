import { describe, expect, it } from 'vitest';
import { sayWindow } from './evidence/evidence-words.ts';
import { headlineOf } from './headline.ts';
import { anEvidence } from './testing.ts';
import { describeEntry } from './timeline/timeline-words.ts';

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

  it('is the sentence alone where the service worded the title', () => {
    expect(headlineOf({ title: 'The disk is full', titleOrigin: 'generated', evidence })).toEqual({
      sentence: evidence.sentence,
      chosenTitle: null,
    });
  });

  it.each(['The disk is full', 'Critical: cards of bank X are refused', 'Errors: see ticket 4711'])(
    'has the title too where a person chose it: %s',
    (title) => {
      expect(headlineOf({ title, titleOrigin: 'person', evidence }).chosenTitle).toBe(title);
    },
  );

  it('is the title where somebody opened it by hand', () => {
    expect(headlineOf({ title: 'Errors: all over', titleOrigin: 'person', evidence: null })).toEqual({
      sentence: 'Errors: all over',
      chosenTitle: null,
    });
  });
});

describe('the facts of an incident', () => {
  it('say how long the window was, and when', () => {
    expect(sayWindow({ windowSeconds: 180, from: '2026-11-21T12:00:00.000Z' })).toMatch(
      /^3 min from .*Nov.*, \d\d:00$/,
    );
  });
});
