import { type Anomaly, DOWN, UP } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import { toPast } from '../../incidents/wording.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { toTitle } from './title.ts';
import { toSentence } from './words.ts';

const aSeries = (particulars: Partial<RiskSeries> = {}): RiskSeries => ({
  kind: 'events',
  type: 'checkout',
  severity: 'error',
  source: 'shop',
  fingerprint: null,
  ...particulars,
});

const anAnomaly = (particulars: Partial<Anomaly> = {}): Anomaly => ({
  rule: 'rise',
  side: UP,
  observed: 64,
  expected: 4.1,
  windowMinutes: 1,
  falseAlarmsPerWeek: null,
  strength: 1,
  usualMinutes: null,
  example: null,
  matched: null,
  ...particulars,
});

const total = aSeries({ kind: 'total', type: null, severity: null, source: null });
const payments = aSeries({ kind: 'failed_payments', type: 'payment', severity: null, source: null });
const anyCritical = aSeries({ kind: 'rule', type: null, severity: 'critical', source: null });
const orders = aSeries({ type: 'order', severity: 'info', source: 'web' });
const matched = { type: 'checkout', source: 'shop' };

/** Counted beginning, which is no edge of the window. */
const LEAD = { since: '2026-11-21T03:00:00.000Z' };
const FROM_MS = Date.parse('2026-11-21T02:35:00.000Z');
const timesOf = ({ windowMinutes }: Anomaly) => ({
  fromMs: FROM_MS,
  toMs: FROM_MS + windowMinutes * MINUTE_MS,
  lead: LEAD,
});

/** Series, their anomalies, and the sentences about them. */
const SENTENCES = [
  [
    aSeries(),
    {},
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4.',
  ],
  [
    aSeries(),
    { falseAlarmsPerWeek: 0.0095 },
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4. By chance this happens less than once in 2 years.',
  ],
  [
    aSeries(),
    { falseAlarmsPerWeek: 0.001, unseenMinutes: 15 * 1_440 + 30 },
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4. Nothing this unusual in the last 15 days.',
  ],
  [
    aSeries(),
    { falseAlarmsPerWeek: 0.1, unseenMinutes: 2 * 1_440 },
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4.',
  ],
  [
    orders,
    {
      rule: 'silence',
      side: DOWN,
      observed: 0,
      expected: 8,
      windowMinutes: 720,
      season: 'day',
      unseenMinutes: 10_080,
    },
    'No `order` events from `web` since 03:00 UTC, usually about 16 a day. Nothing this unusual in the last 7 days.',
  ],
  [
    aSeries(),
    { falseAlarmsPerWeek: 0.1, season: 'week' },
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4 on Saturdays at 02:00 UTC.',
  ],
  [
    aSeries(),
    { observed: 32, expected: 0.4 },
    '`checkout` errors in `shop` are 80× normal since 03:00 UTC: 32 in 1 min, usually about 0.4.',
  ],
  [
    payments,
    {
      rule: 'failed_payments',
      observed: 20.2,
      expected: 2.8,
      windowMinutes: 16,
      exposure: { events: 89, failures: 18, usualShare: 0.028, isInProportion: false },
    },
    'Payments fail since 03:00 UTC: 18 of 89 (20%) in 16 min, usually 3 of 100.',
  ],
  [
    aSeries(),
    { observed: 26, expected: 0, season: 'day' },
    '`checkout` errors in `shop` are up since 03:00 UTC: 26 in 1 min, normally close to zero.',
  ],
  [
    total,
    { observed: 900, expected: 300, season: 'day' },
    'Events in this project are 3× normal since 03:00 UTC: 900 in 1 min, usually about 300 at this time of day.',
  ],
  [
    orders,
    { rule: 'drop', side: DOWN, observed: 3, expected: 120, windowMinutes: 10, falseAlarmsPerWeek: 0.005 },
    '`order` events from `web` are down since 03:00 UTC: 3 in 10 min, usually about 120. By chance this happens less than once in 3 years.',
  ],
  [
    orders,
    { rule: 'drop', side: DOWN, observed: 9, expected: 317, windowMinutes: 30, season: 'day' },
    '`order` events from `web` are down since 03:00 UTC: 9 in 30 min, usually about 317 at this time of day.',
  ],
  [
    orders,
    { rule: 'drop', side: DOWN, observed: 50, expected: 155, windowMinutes: 720, season: 'day' },
    '`order` events from `web` are down since 03:00 UTC: 50 in 12 h, usually about 155.',
  ],
  [
    aSeries(),
    { exposure: { events: 5_000, failures: 64, usualShare: 0.001, isInProportion: false } },
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4. That is 13 errors per 1,000 events, usually 1.',
  ],
  [
    total,
    { observed: 24, expected: 2.3, windowMinutes: 180 },
    'Events in this project are 10× normal since 03:00 UTC: 24 in 3 h, usually about 2.',
  ],
  [
    aSeries(),
    {
      rule: 'error_share',
      observed: 44,
      expected: 2.5,
      windowMinutes: 5,
      exposure: { events: 200, failures: 44, usualShare: 0.0131, isInProportion: false },
    },
    '`checkout` errors in `shop` are 18× as frequent since 03:00 UTC: 22 errors per 100 events, usually 1.3.',
  ],
  [
    total,
    { rule: 'silence', side: DOWN, observed: 0, expected: 40, windowMinutes: 10, falseAlarmsPerWeek: 0.5 },
    'No events in this project since 03:00 UTC, usually about 4 a minute.',
  ],
  [
    orders,
    { rule: 'silence', side: DOWN, observed: 0, expected: 37, filledMinutes: 14 * 1_440 },
    'No `order` events from `web` since 03:00 UTC, usually about 37 a minute. The first minute without any in 14 days.',
  ],
  [
    orders,
    { rule: 'silence', side: DOWN, observed: 0, expected: 37, filledMinutes: 1_440 },
    'No `order` events from `web` since 03:00 UTC, usually about 37 a minute. The first minute without any in a day.',
  ],
  [
    orders,
    { rule: 'silence', side: DOWN, observed: 0, expected: 37, windowMinutes: 3, filledMinutes: 1_500 },
    'No `order` events from `web` since 03:00 UTC, usually about 12 a minute. Before that, no minute was empty for a day.',
  ],
  [
    orders,
    { rule: 'silence', side: DOWN, observed: 0, expected: 12, windowMinutes: 12, usualMinutes: 1 },
    'No `order` events from `web` since 03:00 UTC, usually every minute.',
  ],
  [
    orders,
    {
      rule: 'silence',
      side: DOWN,
      observed: 0,
      windowMinutes: 4,
      usualMinutes: 1,
      heartbeat: { seenMinutesAgo: 6, dueMinutesAgo: 3 },
    },
    'No `order` events from `web` since 03:00 UTC; until then every minute.',
  ],
  [
    aSeries({ type: 'backup', severity: 'info', source: 'nightly' }),
    {
      rule: 'silence',
      side: DOWN,
      observed: 0,
      windowMinutes: 1_800,
      usualMinutes: 1_440,
      heartbeat: { seenMinutesAgo: 1_800, dueMinutesAgo: 360 },
    },
    '`backup` events from `nightly` have not come: due Sun 02:35 UTC, last seen Sat 02:35 UTC.',
  ],
  [
    aSeries(),
    {
      rule: 'error_share',
      observed: 50,
      expected: 10,
      windowMinutes: 30,
      falseAlarmsPerWeek: 0.01,
      exposure: { events: 2_000, failures: 50, usualShare: 0.005, isInProportion: false },
    },
    '`checkout` errors in `shop` are 5× as frequent since 03:00 UTC: 2.5 errors per 100 events, usually 0.5.',
  ],
  [
    aSeries(),
    {
      observed: 90,
      expected: 5,
      falseAlarmsPerWeek: 0.01,
      exposure: { events: 18_000, failures: 90, usualShare: 0.0052, isInProportion: true },
    },
    '`checkout` errors in `shop` are 18× normal since 03:00 UTC: 90 in 1 min, usually about 5. Traffic has risen as much: 0.5 errors per 100 events, usually 0.5.',
  ],
  [
    payments,
    {
      rule: 'failed_payments',
      observed: 95,
      expected: 3,
      windowMinutes: 18,
      falseAlarmsPerWeek: 0.01,
      exposure: { events: 20, failures: 19, usualShare: 0.03, isInProportion: false },
    },
    'Payments fail since 03:00 UTC: 19 of 20 in 18 min, usually 3 of 100.',
  ],
  [
    payments,
    {
      rule: 'failed_payments',
      observed: 100,
      expected: 0,
      windowMinutes: 3_000,
      exposure: { events: 6, failures: 6, usualShare: 0.0001, isInProportion: false },
    },
    'Payments fail since Sat 03:00 UTC: 6 of 6 in 2 days, normally close to none.',
  ],
  [
    payments,
    { rule: 'failed_payments', observed: 40, expected: 2, windowMinutes: 5 },
    'Payments fail since 03:00 UTC: 40% in 5 min, usually about 2%.',
  ],
  [
    anyCritical,
    { rule: 'at_least', observed: 1, expected: 1, matched },
    'Critical event: `checkout` from `shop`. Matched your rule “any critical event”.',
  ],
  [
    anyCritical,
    { rule: 'at_least', observed: 3, expected: 1, matched },
    '3 critical events in 1 min: `checkout` from `shop`. Matched your rule “any critical event”.',
  ],
  [
    aSeries({ kind: 'rule', source: null }),
    { rule: 'at_least', observed: 1_200, expected: 1_000, windowMinutes: 5, matched },
    '1,200 errors in 5 min: `checkout` from `shop`. Matched your rule “at least 1,000 `checkout` errors in 5 min”.',
  ],
  [
    aSeries({ kind: 'new_kind' }),
    { rule: 'new_kind', example: 'No such card' },
    'New `checkout` error in `shop`: “No such card”.',
  ],
  [aSeries({ kind: 'new_kind' }), { rule: 'new_kind', example: '' }, 'New `checkout` error in `shop`.'],
] as const;

describe('the sentence of an incident', () => {
  it.each(SENTENCES)('about %j with %j is %s', (series, anomaly, sentence) => {
    const described = anAnomaly(anomaly);
    expect(toSentence(series, described, timesOf(described))).toBe(sentence);
  });

  it.each([
    [{}, '`checkout` errors in `shop` are 16× normal: 64 in 1 min, usually about 4.'],
    [
      { rule: 'silence', side: DOWN, observed: 0, expected: 40, windowMinutes: 10 },
      'No `checkout` errors in `shop` for 10 min, usually about 4 a minute.',
    ],
    [
      { rule: 'failed_payments', observed: 40, expected: 2, windowMinutes: 5 },
      'Payments fail: 40% in 5 min, usually about 2%.',
    ],
  ] as const)('says since when only where the beginning is counted: not for %j', (anomaly, sentence) => {
    const described = anAnomaly(anomaly);
    expect(toSentence(aSeries(), described, { ...timesOf(described), lead: null })).toBe(sentence);
  });

  it('says that a change may have begun earlier where it fills the searched time', () => {
    const described = anAnomaly({});
    const times = { ...timesOf(described), lead: { ...LEAD, mayBeEarlier: true } } as const;
    const sentence = toSentence(aSeries(), described, times);
    expect(sentence).toContain('are 16× normal since 03:00 UTC or earlier: 64 in 1 min');
    expect(toPast(sentence)).toContain('were 16× normal since 03:00 UTC or earlier: 64 in 1 min');
  });

  it.each(SENTENCES)(
    'about %j with %j is in the past tense once the incident is over: %s',
    (...[, , sentence]) => {
      const unquoted = toPast(sentence).replaceAll(/`[^`]*`|“[^”]*”/g, '');
      expect(unquoted).not.toMatch(/\b(are|is|has|have|fail|begin)\b/);
    },
  );
});

describe('the title of an incident', () => {
  it.each([
    [aSeries(), {}, 'checkout errors up in shop'],
    [total, {}, 'Events up in this project'],
    [orders, { rule: 'drop', side: DOWN }, 'order events down in web'],
    [orders, { rule: 'silence', side: DOWN }, 'No order events from web'],
    [
      aSeries({ type: 'payment', severity: 'info', source: 'pay' }),
      { rule: 'silence', side: DOWN },
      'No successful payments from pay',
    ],
    [payments, { rule: 'failed_payments' }, 'Failed payments'],
    [aSeries(), { rule: 'error_share' }, 'checkout errors more frequent in shop'],
    [anyCritical, { rule: 'at_least', expected: 1, matched }, 'Critical event: checkout from shop'],
    [
      aSeries({ kind: 'rule' }),
      { rule: 'at_least', expected: 10, windowMinutes: 5, matched },
      'At least 10 in 5 min: checkout from shop',
    ],
    [aSeries({ kind: 'new_kind' }), { rule: 'new_kind', example: 'No such card' }, 'No such card'],
  ] as const)('about %j with %j is %s', (series, anomaly, title) => {
    expect(toTitle(series, anAnomaly(anomaly))).toBe(title);
  });
});
