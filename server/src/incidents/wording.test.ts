import { describe, expect, it } from 'vitest';
import type { ReleaseShare, RiskSeries } from './evidence-schema.ts';
import {
  describeJoined,
  formatAmount,
  formatClock,
  formatDays,
  formatEvery,
  formatFrequency,
  formatHourOfWeek,
  formatSpan,
  nameOfSeries,
  releaseSentence,
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

const OVER: RiskSeries['field'] = { path: ['amount'], operator: 'greater', value: 500 };
const SET: RiskSeries['field'] = { path: ['coupon'], operator: 'exists', value: null };

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
    [
      { kind: 'rule', source: 'shop', field: OVER },
      '`checkout` errors in `shop` where `amount` is over `500`',
      'checkout errors in shop where amount is over 500',
    ],
    [
      {
        kind: 'rule',
        severity: null,
        type: null,
        field: SET,
      },
      'events where `coupon` is set',
      'Events where coupon is set',
    ],
    [{ kind: 'total', severity: null, type: null }, 'events in this project', 'Events in this project'],
    [{ kind: 'errors', severity: null, type: null }, 'errors in this project', 'Errors in this project'],
    [{ kind: 'other', severity: null, type: null }, 'other events', 'Other events'],
    [{ kind: 'failed_payments', severity: null, type: 'payment' }, 'failed payments', 'Failed payments'],
    [{ kind: 'new_kind', fingerprint: '00000000000000ff' }, 'new `checkout` errors', 'New checkout errors'],
    [
      { type: 'payment', severity: 'info', source: 'pay' },
      'successful payments from `pay`',
      'Successful payments from pay',
    ],
    [{ type: 'payment', source: 'pay' }, '`payment` errors in `pay`', 'payment errors in pay'],
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
    [{ rule: 'drop', observed: 0, expected: 40 }, 'none in 3 min, usually about 40'],
    [
      {
        rule: 'silence',
        observed: 0,
        expected: 30,
        from: '2026-11-21T08:59:12.345Z',
        at: '2026-11-23T07:00:00.000Z',
      },
      'none for 46 h, usually about 30 in 3 min',
    ],
    [{ rule: 'failed_payments', observed: 35, expected: 2.04 }, '35% in 3 min, usually about 2%'],
    [{ rule: 'failed_payments', observed: 35, expected: 0 }, '35% in 3 min, normally close to zero'],
    [{ rule: 'failed_payments', observed: 5.26, expected: 1.4 }, '5% in 3 min, usually about 1.4%'],
    [
      {
        rule: 'error_share',
        observed: 44,
        expected: 5.2,
        exposure: { events: 200, failures: 44, usualShare: 0.026, isInProportion: false },
      },
      '44 of 244 events (18%) in 3 min, usually about 3%',
    ],
    [
      {
        rule: 'error_share',
        observed: 2,
        expected: 0.1,
        exposure: { events: 0, failures: 2, usualShare: 0.01, isInProportion: false },
      },
      '2 of 2 events (100%) in 3 min, usually about 1%',
    ],
    [{ rule: 'at_least', observed: 12, expected: 10 }, '12 in 3 min, matching your rule (at least 10)'],
    [{ rule: 'above_share', observed: 12.5, expected: 5 }, '13% in 3 min, matching your rule (more than 5%)'],
    [{ rule: 'new_kind', observed: 1, expected: 0 }, 'never seen before'],
  ] as const)('words the numbers %j as %s', (numbers, words) => {
    expect(describeJoined({ ...numbers, windowSeconds: 180 })).toBe(words);
  });
});

describe('a time', () => {
  const AT_MS = Date.parse('2026-11-09T18:05:00.000Z');

  it.each([
    [10, '18:05 UTC'],
    [354, '18:05 UTC'],
    [355, 'Mon 18:05 UTC'],
    [1_440, 'Mon 18:05 UTC'],
    [6 * 1_440, '9 Nov 18:05 UTC'],
  ])('words what was %d minutes ago as %s', (agoMinutes, words) => {
    expect(formatClock(AT_MS, agoMinutes)).toBe(words);
  });

  it('words the hour of the week in which something is usual', () => {
    expect(formatHourOfWeek(AT_MS)).toBe('on Mondays at 18:00 UTC');
  });
});

describe('a rate', () => {
  it.each([
    [37.2, '37 a minute'],
    [1, '1 a minute'],
    [0.2, '12 an hour'],
    [0.01, '14 a day'],
  ])('words %f a minute as %s', (perMinute, words) => {
    expect(formatFrequency(perMinute)).toBe(words);
  });
});

describe('whole days', () => {
  it.each([
    [1_440, 'day'],
    [2_879, 'day'],
    [15 * 1_440 + 900, '15 days'],
  ])('words %d minutes as %s', (minutes, words) => {
    expect(formatDays(minutes)).toBe(words);
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

describe('what releases say', () => {
  const share: ReleaseShare = {
    release: '4.18.1',
    says: 'all',
    failed: 1_230,
    allFailed: 1_230,
    trafficShare: 0.2,
    isByUser: true,
    deployedAt: null,
    isDeployReported: true,
    minutesBefore: 3,
    isPartial: false,
    from: '',
    to: '',
  };
  it.each<[Partial<ReleaseShare>, string]>([
    [{}, 'All 1,230 are from `4.18.1`, deployed 3 min before.'],
    [{ minutesBefore: null }, 'All 1,230 are from `4.18.1`.'],
    [
      { isDeployReported: false, minutesBefore: 0.4 },
      'All 1,230 are from `4.18.1`, first seen less than 1 min before.',
    ],
    [{ isPartial: true, minutesBefore: 180 }, 'The newest 1,230 are all from `4.18.1`, deployed 3 h before.'],
    [
      { says: 'more', failed: 900 },
      '900 of 1,230 are from `4.18.1`, which has 20% of the events, deployed 3 min before.',
    ],
    [
      { says: 'more', failed: 900, isPartial: true, trafficShare: null, minutesBefore: null },
      '900 of the newest 1,230 are from `4.18.1`.',
    ],
    [{ says: 'timing' }, '`4.18.1` was deployed 3 min before.'],
  ])('words %j as %s', (changes, words) => {
    expect(releaseSentence({ ...share, ...changes })).toBe(words);
  });
});
