import { type Anomaly, DOWN, UP } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../incidents/schema.ts';
import { toSentence, toTitle } from './words.ts';

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

const SINCE_MS = Date.parse('2026-11-21T03:00:00.000Z');

describe('the sentence of an incident', () => {
  it.each([
    [aSeries(), {}, '`checkout` errors in `shop` are 16× normal: 64 in 1 min, usually about 4.1.'],
    [
      aSeries(),
      { falseAlarmsPerWeek: 0.0098 },
      '`checkout` errors in `shop` are 16× normal: 64 in 1 min, usually about 4.1. A random blip this big happens about once in 2 years.',
    ],
    [
      aSeries(),
      { observed: 26, expected: 0 },
      '`checkout` errors in `shop` are up: 26 in 1 min, normally close to zero.',
    ],
    [
      total,
      { observed: 900, expected: 300 },
      'Events in this project are 3× normal: 900 in 1 min, usually about 300.',
    ],
    [
      orders,
      { rule: 'drop', side: DOWN, observed: 3, expected: 120, windowMinutes: 10, falseAlarmsPerWeek: 0.02 },
      '`order` events from `web` are down: 3 in 10 min, usually about 120. A random dip this deep happens about once in 50 weeks.',
    ],
    [
      total,
      { rule: 'silence', side: DOWN, observed: 0, expected: 40, windowMinutes: 12, falseAlarmsPerWeek: 0.02 },
      'No events in this project for 12 min, usually about 40. A random gap this long happens about once in 50 weeks.',
    ],
    [
      orders,
      { rule: 'silence', side: DOWN, observed: 0, expected: 12, windowMinutes: 12, usualMinutes: 1 },
      'No `order` events from `web` for 12 min (usually every minute).',
    ],
    [
      payments,
      {
        rule: 'failed_payments',
        observed: 95,
        expected: 3,
        windowMinutes: 18,
        falseAlarmsPerWeek: 0.01,
        exposure: { events: 20, failures: 19, usualShare: 0.03 },
      },
      '19 of the last 20 payments failed since 03:00 UTC; usually 3 of 100.',
    ],
    [
      payments,
      {
        rule: 'failed_payments',
        observed: 100,
        expected: 0,
        windowMinutes: 3_000,
        exposure: { events: 6, failures: 6, usualShare: 0.0001 },
      },
      'All of the last 6 payments failed since Sat 03:00 UTC; normally close to none.',
    ],
    [
      payments,
      { rule: 'failed_payments', observed: 40, expected: 2, windowMinutes: 5 },
      '40% of payments failed since 03:00 UTC, usually about 2%.',
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
  ] as const)('about %j with %j is %s', (series, anomaly, sentence) => {
    expect(toSentence(series, anAnomaly(anomaly), SINCE_MS)).toBe(sentence);
  });
});

describe('the title of an incident', () => {
  it.each([
    [aSeries(), {}, 'checkout errors up in shop'],
    [total, {}, 'Events up in this project'],
    [orders, { rule: 'drop', side: DOWN }, 'order events down in web'],
    [orders, { rule: 'silence', side: DOWN }, 'No order events from web'],
    [payments, { rule: 'failed_payments' }, 'Failed payments'],
    [anyCritical, { rule: 'at_least', expected: 1, matched }, 'Critical event: checkout from shop'],
    [
      aSeries({ kind: 'rule' }),
      { rule: 'at_least', expected: 10, windowMinutes: 5, matched },
      'At least 10 in 5 min: checkout from shop',
    ],
    [aSeries({ kind: 'new_kind' }), { rule: 'new_kind', example: 'No such card' }, 'New error: No such card'],
  ] as const)('about %j with %j is %s', (series, anomaly, title) => {
    expect(toTitle(series, anAnomaly(anomaly))).toBe(title);
  });
});
