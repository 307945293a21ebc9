import { describe, expect, it } from 'vitest';
import type { RiskSeries } from './schema.ts';
import { formatAmount, formatChance, formatSpan, nameOfSeries, titleOfSeries } from './wording.ts';

const aSeries = (particulars: Partial<RiskSeries>): RiskSeries => ({
  kind: 'events',
  type: 'checkout',
  severity: 'error',
  source: null,
  fingerprint: null,
  ...particulars,
});

describe('the name of a series', () => {
  it.each([
    [{}, '`checkout` errors', 'checkout errors'],
    [
      { severity: 'critical', source: 'shop' },
      '`checkout` critical events from `shop`',
      'checkout critical events from shop',
    ],
    [{ severity: null, type: null, source: 'shop' }, 'events from `shop`', 'Events from shop'],
    [{ kind: 'rule', severity: null, type: null }, 'events', 'Events'],
    [{ kind: 'rule', severity: 'critical', type: null }, 'critical events', 'Critical events'],
    [
      { kind: 'total', severity: null, type: null },
      'events of the whole project',
      'Events of the whole project',
    ],
    [
      { kind: 'errors', severity: null, type: null },
      'errors of the whole project',
      'Errors of the whole project',
    ],
    [{ kind: 'other', severity: null, type: null }, 'events of rare kinds', 'Events of rare kinds'],
    [{ kind: 'failed_payments', severity: null, type: 'payment' }, 'failed payments', 'Failed payments'],
    [
      { kind: 'new_kind', fingerprint: '00000000000000ff' },
      '`checkout` errors of a new kind',
      'checkout errors of a new kind',
    ],
    [{ type: 'a`b\n\u202ec' }, '`a’b c` errors', 'a’b c errors'],
  ] as const)('with %j is %s', (particulars, name, title) => {
    expect(nameOfSeries(aSeries(particulars))).toBe(name);
    expect(titleOfSeries(aSeries(particulars))).toBe(title);
  });
});

describe('how often the like comes by chance', () => {
  it.each([
    [0, 'less than once in 1,000 weeks'],
    [0.0009, 'less than once in 1,000 weeks'],
    [0.001, 'about once in 1,000 weeks'],
    [0.0011, 'about once in 910 weeks'],
    [0.0098, 'about once in 100 weeks'],
    [0.02, 'about once in 50 weeks'],
    [0.5, 'about once in 2 weeks'],
    [0.6, 'about once in 2 weeks'],
    [0.9, 'about once a week'],
    [1.4, 'about once a week'],
    [2.6, 'about 3 times a week'],
    [1_234, 'about 1,234 times a week'],
  ])('%j a week is %s', (chance, words) => {
    expect(formatChance(chance)).toBe(words);
  });
});

describe('an amount', () => {
  it.each([
    [0, 'nearly none'],
    [0.049, 'nearly none'],
    [0.05, '0.1'],
    [1.37, '1.4'],
    [6, '6'],
    [9.94, '9.9'],
    [9.96, '10'],
    [10.4, '10'],
    [1_234.4, '1,234'],
  ])('of %d is %s', (count, words) => {
    expect(formatAmount(count)).toBe(words);
  });
});

describe('a span', () => {
  it.each([
    [0.5, '30 s'],
    [1, '1 min'],
    [90, '90 min'],
    [180, '3 h'],
    [4_320, '3 days'],
  ])('of %d minutes is %s', (minutes, words) => {
    expect(formatSpan(minutes)).toBe(words);
  });
});
