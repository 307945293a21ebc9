import { describe, expect, it } from 'vitest';
import type { RiskSeries } from './schema.ts';
import {
  describeJoined,
  formatAmount,
  formatEvery,
  formatRate,
  formatSpan,
  nameOfSeries,
  titleOfChange,
  titleOfSeries,
} from './wording.ts';

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
    [{ source: 'shop' }, '`checkout` errors in `shop`', 'checkout errors in shop'],
    [{ severity: 'warn', source: 'shop' }, '`checkout` warnings in `shop`', 'checkout warnings in shop'],
    [
      { severity: 'critical', source: 'shop' },
      '`checkout` critical events from `shop`',
      'checkout critical events from shop',
    ],
    [{ severity: null, type: null, source: 'shop' }, 'events from `shop`', 'Events from shop'],
    [{ kind: 'rule', severity: null, type: null }, 'events', 'Events'],
    [{ kind: 'rule', severity: 'critical', type: null }, 'critical events', 'Critical events'],
    [{ kind: 'total', severity: null, type: null }, 'events in this project', 'Events in this project'],
    [{ kind: 'errors', severity: null, type: null }, 'errors in this project', 'Errors in this project'],
    [{ kind: 'other', severity: null, type: null }, 'other events', 'Other events'],
    [{ kind: 'failed_payments', severity: null, type: 'payment' }, 'failed payments', 'Failed payments'],
    [{ kind: 'new_kind', fingerprint: '00000000000000ff' }, 'new `checkout` errors', 'New checkout errors'],
    [{ type: 'a`b\n\u202ec' }, '`a’b c` errors', 'a’b c errors'],
  ] as const)('names the series %j as %s', (particulars, name, title) => {
    expect(nameOfSeries(aSeries(particulars))).toBe(name);
    expect(titleOfSeries(aSeries(particulars))).toBe(title);
  });

  it('says in the title of an incident which way a series changed, and where', () => {
    expect(titleOfChange(aSeries({ source: 'shop' }), 'up')).toBe('checkout errors up in shop');
    expect(titleOfChange(aSeries({ severity: 'info', source: 'shop' }), 'down')).toBe(
      'checkout events down in shop',
    );
    expect(titleOfChange(aSeries({ kind: 'total', severity: null, type: null }), 'up')).toBe(
      'Events up in this project',
    );
    expect(titleOfChange(aSeries({ kind: 'other', severity: null, type: null }), 'down')).toBe(
      'Other events down',
    );
  });
});

describe('the numbers of a series that joined', () => {
  it.each([
    [{ rule: 'rise', observed: 35, expected: 0.1 }, '35 in 3 min, usually about 0.1'],
    [{ rule: 'rise', observed: 1_234, expected: 0 }, '1,234 in 3 min, normally close to zero'],
    [{ rule: 'silence', observed: 0, expected: 40 }, 'none in 3 min, usually about 40'],
    [{ rule: 'failed_payments', observed: 35, expected: 2.04 }, '35% in 3 min, usually about 2%'],
    [{ rule: 'failed_payments', observed: 35, expected: 0 }, '35% in 3 min, normally close to zero'],
    [{ rule: 'at_least', observed: 12, expected: 10 }, '12 in 3 min, matching your rule (at least 10)'],
    [{ rule: 'new_kind', observed: 1, expected: 0 }, 'never seen before'],
  ] as const)('words the numbers %j as %s', (numbers, words) => {
    expect(describeJoined({ ...numbers, windowSeconds: 180 })).toBe(words);
  });
});

describe('how often chance alone brings the same', () => {
  it.each([
    [0, 'less than once in 20 years'],
    [0.0009, 'less than once in 20 years'],
    [0.00097, 'about once in 20 years'],
    [0.0011, 'about once in 17 years'],
    [0.0098, 'about once in 2 years'],
    [0.0102, 'about once in 98 weeks'],
    [0.02, 'about once in 50 weeks'],
    [0.5, 'about once in 2 weeks'],
    [0.6, 'about once in 2 weeks'],
    [0.9, 'about once a week'],
    [1.4, 'about once a week'],
    [2.6, 'about 3 times a week'],
    [1_234, 'about 1,234 times a week'],
  ])('words a rate of %j a week as %s', (rate, words) => {
    expect(formatRate(rate)).toBe(words);
  });
});

describe('an amount', () => {
  it.each([
    [0, 'close to zero'],
    [0.049, 'close to zero'],
    [0.05, '0.1'],
    [1.37, '1.4'],
    [6, '6'],
    [9.94, '9.9'],
    [9.96, '10'],
    [10.4, '10'],
    [1_234.4, '1,234'],
  ])('words the amount %d as %s', (count, words) => {
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
  ])('words a span of %d minutes as %s', (minutes, words) => {
    expect(formatSpan(minutes)).toBe(words);
  });
});

describe('an interval', () => {
  it.each([
    [0.5, 'every 30 s'],
    [1, 'every minute'],
    [5, 'every 5 min'],
    [60, 'every hour'],
    [1_440, 'every day'],
  ])('words an interval of %d minutes as %s', (minutes, words) => {
    expect(formatEvery(minutes)).toBe(words);
  });
});
