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
const ruled = aSeries({
  kind: 'rule',
  severity: null,
  source: null,
  field: { path: ['card', 'status'], operator: 'not', value: 'ok' },
});
const ABOVE = { rule: 'above_share', expected: 5, windowMinutes: 10 } as const;
const orders = aSeries({ type: 'order', severity: 'info', source: 'web' });
const matched = { type: 'checkout', source: 'shop' };

/** Counted beginning, which is no edge of the window. */
const LEAD = { since: '2026-11-21T03:00:00.000Z' };
const FROM_MS = Date.parse('2026-11-21T02:35:00.000Z');
const timesOf = ({ windowMinutes }: Anomaly) => ({
  toMs: FROM_MS + windowMinutes * MINUTE_MS,
  lead: LEAD,
});

/** Series, their anomalies, and the sentences about them. */
const SENTENCES = [
  [
    aSeries({ source: 'chat-v2' }),
    {
      observed: 28,
      expected: 1.2,
      windowMinutes: 360,
      sourceMinutes: 70,
      exposure: { events: 14_000, failures: 28, usualShare: 0.0001, isInProportion: false },
    },
    '`checkout` errors in `chat-v2` are up since 03:00 UTC: 28 in 6 h, from a source with traffic only since 07:25 UTC. That is 20 of 10,000 events, elsewhere 1 of 10,000.',
  ],
  // The events beside the errors are known of two hours: a count of these would contradict the one of the day.
  [
    aSeries(),
    {
      observed: 28,
      expected: 1.2,
      windowMinutes: 1_440,
      exposure: { events: 4_000, failures: 9, usualShare: 0.0001, isInProportion: false },
    },
    '`checkout` errors in `shop` are 23× normal since Sat 03:00 UTC: 28 in 24 h, usually about 1.2. That is 22 of 10,000 events, usually 1 of 10,000.',
  ],
  [
    aSeries(),
    {},
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4.',
  ],
  [
    aSeries(),
    { falseAlarmsPerWeek: 0.0095 },
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4. By chance this happens less than once a year.',
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
    '`order` events from `web` are down since 03:00 UTC: 3 in 10 min, usually about 120. By chance this happens less than once a year.',
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
    '`checkout` errors in `shop` are 16× normal since 03:00 UTC: 64 in 1 min, usually about 4. That is 13 of 1,000 events, usually 1 of 1,000.',
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
    '`checkout` errors in `shop` are 14× as frequent since 03:00 UTC: 18 of 100 events in 5 min, usually 13 of 1,000.',
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
    '`backup` events from `nightly` are missing: due Sun 02:35 UTC, last seen Sat 02:35 UTC.',
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
    '`checkout` errors in `shop` are 4.9× as frequent since 03:00 UTC: 24 of 1,000 events in 30 min, usually 5 of 1,000.',
  ],
  [
    aSeries(),
    {
      observed: 90,
      expected: 5,
      falseAlarmsPerWeek: 0.01,
      exposure: { events: 18_000, failures: 90, usualShare: 0.0052, isInProportion: true },
    },
    '`checkout` errors in `shop` are 18× normal since 03:00 UTC: 90 in 1 min, usually about 5. Traffic has risen as much: 5 of 1,000 events, usually 5 of 1,000.',
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
    ruled,
    { rule: 'at_least', observed: 3, expected: 3, windowMinutes: 5, matched, ruleName: 'Cards ”fail”\u202e' },
    '3 events in 5 min: `checkout` from `shop`. Matched your rule “Cards "fail": at least 3 `checkout` events where `card.status` is not `ok` in 5 min”.',
  ],
  [
    ruled,
    {
      ...ABOVE,
      observed: 12.5,
      exposure: { events: 400, failures: 50, usualShare: 0.05, isInProportion: false },
    },
    '50 of 400 `checkout` events in 10 min (13%) matched your rule “more than 5% of `checkout` events where `card.status` is not `ok`”.',
  ],
  [
    aSeries({ kind: 'new_kind' }),
    { rule: 'new_kind', example: 'No such card' },
    'New `checkout` error in `shop`: “No such card”.',
  ],
  [aSeries({ kind: 'new_kind' }), { rule: 'new_kind', example: '' }, 'New `checkout` error in `shop`.'],
] as const;

const DROP = { rule: 'drop', side: DOWN } as const;
const SILENCE = { rule: 'silence', side: DOWN, observed: 0 } as const;
const SHARE = { rule: 'error_share', windowMinutes: 86 } as const;
const event = (type: string, source: string) => aSeries({ type, severity: 'info', source });
const error = (type: string, source: string) => aSeries({ type, source });
const allErrors = aSeries({ kind: 'errors', type: null, source: null });
const shareOf = (failures: number, events: number, usualShare: number, isInProportion = false) => ({
  exposure: { events, failures, usualShare, isInProportion },
});

/** A night of alarms: when each was said, since when it lasts, and the part of a sum that has most of it. */
const NIGHT = [
  [
    ['2026-11-25T17:01', '2026-11-25T17:00', null],
    error('req', 'login'),
    { observed: 93, expected: 0.585, season: 'week', ...shareOf(93, 51, 0.004) },
    '`req` errors in `login` are 159× normal since 17:00 UTC: 93 in 1 min, usually about 0.6 on Wednesdays at 17:00 UTC. That is 6 of 10 events, usually 4 of 1,000.',
  ],
  [
    ['2026-11-26T03:30', '2026-11-26T02:15', null],
    payments,
    { rule: 'failed_payments', windowMinutes: 75, ...shareOf(9, 38, 0.03) },
    'Payments fail since 02:15 UTC: 9 of 38 (24%) in 75 min, usually 3 of 100.',
  ],
  [
    ['2026-11-26T11:00', '2026-11-26T10:19', null],
    payments,
    { rule: 'failed_payments', windowMinutes: 41, ...shareOf(16, 21, 0.03) },
    'Payments fail since 10:19 UTC: 16 of 21 (76%) in 41 min, usually 3 of 100.',
  ],
  [
    ['2026-11-26T14:18', '2026-11-26T13:54', null],
    event('tick', 'sync'),
    {
      ...SILENCE,
      windowMinutes: 24,
      usualMinutes: 10,
      heartbeat: { seenMinutesAgo: 24, dueMinutesAgo: 14 },
    },
    'No `tick` events from `sync` since 13:54 UTC; until then every 10 min.',
  ],
  [
    ['2026-11-26T14:18', '2026-11-26T13:54', null],
    event('tick', 'sync'),
    {
      ...SILENCE,
      windowMinutes: 24,
      usualMinutes: 10,
      heartbeat: { seenMinutesAgo: 24, dueMinutesAgo: 14 },
      renamedTo: 'sync-eu',
    },
    'No `tick` events from `sync` since 13:54 UTC; until then every 10 min. Renamed to `sync-eu`?',
  ],
  [
    ['2026-11-26T11:28', '2026-11-26T11:20', null],
    event('api', 'tenant-07'),
    { ...SILENCE, expected: 56, windowMinutes: 10, lastEventMinutesAgo: 8, renamedTo: 'tenant-7' },
    'No `api` events from `tenant-07` since 11:20 UTC, usually about 5.6 a minute. Renamed to `tenant-7`?',
  ],
  [
    ['2026-11-26T11:28', '2026-11-26T11:20', null],
    event('api', 'tenant-07'),
    { ...SILENCE, expected: 56, windowMinutes: 10, lastEventMinutesAgo: 8, season: 'day' },
    'No `api` events from `tenant-07` since 11:20 UTC, usually about 5.6 a minute at this time of day.',
  ],
  [
    ['2026-11-26T12:31', '2026-11-26T11:05', null],
    error('http', 'web'),
    { ...SHARE, observed: 170, expected: 34.7, ...shareOf(170, 9_830, 0.0035) },
    '`http` errors in `web` are 4.9× as frequent since 11:05 UTC: 17 of 1,000 events in 86 min, usually 3 of 1,000.',
  ],
  [
    ['2026-11-26T11:01', '2026-11-26T11:00', null],
    error('http', 'api'),
    { observed: 27, expected: 0.07 },
    '`http` errors in `api` are up since 11:00 UTC: 27 in 1 min, usually about 0.1.',
  ],
  [
    ['2026-11-26T11:01', '2026-11-26T11:00', '27 of 29 in `api`'],
    allErrors,
    { observed: 29, expected: 0.644 },
    'Errors in this project are 45× normal since 11:00 UTC, 27 of 29 in `api`: 29 in 1 min, usually about 0.6.',
  ],
  [
    ['2026-11-29T07:16', '2026-11-28T08:59', null],
    event('batch', 'pricing'),
    { ...SILENCE, expected: 1_800, windowMinutes: 10, lastEventMinutesAgo: 1_337, season: 'week' },
    'No `batch` events from `pricing` since Sat 08:59 UTC, usually about 180 a minute on Sundays at 07:00 UTC.',
  ],
  [
    ['2026-11-26T11:14', '2026-11-26T10:04', null],
    error('req', 'chat-v2'),
    { observed: 28, expected: 0.04, windowMinutes: 70 },
    '`req` errors in `chat-v2` are up since 10:04 UTC: 28 in 70 min, normally close to zero.',
  ],
  [
    ['2026-11-26T06:50', '2026-11-26T05:00', null],
    error('sent', 'mailer'),
    { ...SHARE, windowMinutes: 110, observed: 6, expected: 0.176, ...shareOf(6, 109, 0.0015) },
    '`sent` errors in `mailer` are 35× as frequent since 05:00 UTC: 6 of 115 events in 110 min, usually 15 of 10,000.',
  ],
  [
    ['2026-11-26T10:01', '2026-11-26T10:00', null],
    total,
    { ...DROP, observed: 196, expected: 1_037, falseAlarmsPerWeek: 0.0005 },
    'Events in this project are down since 10:00 UTC: 196 in 1 min, usually about 1,037. By chance this happens less than once a year.',
  ],
  [
    ['2026-11-26T22:38', '2026-11-26T22:28', null],
    event('sent', 'mailer'),
    { ...DROP, observed: 13, expected: 35, windowMinutes: 10, lastEventMinutesAgo: 8.2 },
    '`sent` events from `mailer` are down since 22:28 UTC: 13 in 10 min, usually about 35; none for 8 min.',
  ],
  [
    ['2026-11-26T11:49', '2026-11-26T11:00', null],
    error('http', 'web'),
    {
      observed: 72,
      expected: 14.3,
      windowMinutes: 49,
      season: 'day',
      unseenMinutes: 7 * 1_440,
      ...shareOf(72, 5_000, 0.003),
    },
    '`http` errors in `web` are 5× normal since 11:00 UTC: 72 in 49 min, usually about 14 at this time of day. That is 14 of 1,000 events, usually 3 of 1,000. Nothing this unusual in the last 7 days.',
  ],
  [
    ['2026-11-26T11:30', '2026-11-26T11:00', null],
    allErrors,
    { observed: 54, expected: 17, windowMinutes: 30, ...shareOf(54, 13_446, 0.003, true) },
    'Errors in this project are 3.2× normal since 11:00 UTC: 54 in 30 min, usually about 17. Traffic has risen as much: 4 of 1,000 events, usually 3 of 1,000.',
  ],
] as const;

describe('the sentence of an incident at three in the morning', () => {
  it.each(NIGHT)('said and lasting since %j, about %j with %j, is %s', (when, series, anomaly, sentence) => {
    const [said, since, part] = when;
    const times = { toMs: Date.parse(`${said}Z`), lead: { since: `${since}:00.000Z` } };
    expect(toSentence(series, anAnomaly(anomaly), times, part)).toBe(sentence);
    expect(toPast(sentence).replaceAll(/`[^`]*`/g, '')).not.toMatch(/\b(are|is|has|have|fail)\b/);
  });

  it.each([
    [0, true],
    [0.019, true],
    [0.02, false],
    [1_234, false],
  ])('states a chance of %d a week only where it is rarer than once a year', (falseAlarmsPerWeek, isSaid) => {
    const described = anAnomaly({ falseAlarmsPerWeek });
    expect(toSentence(aSeries(), described, timesOf(described)).endsWith('less than once a year.')).toBe(
      isSaid,
    );
  });

  it('says how long nothing has come only of a drop in whose end events are missing', () => {
    const say = (anomaly: Partial<Anomaly>) => {
      const described = anAnomaly({ ...DROP, observed: 13, windowMinutes: 10, ...anomaly });
      return toSentence(orders, described, timesOf(described));
    };
    expect(say({ expected: 35, lastEventMinutesAgo: 2 })).toContain('; none for 2 min.');
    expect(say({ expected: 35, lastEventMinutesAgo: 0.9 })).not.toContain('none');
    expect(say({ expected: 20, lastEventMinutesAgo: 2 })).not.toContain('none');
    expect(say({ expected: 35 })).not.toContain('none');
  });

  it('says without a counted beginning for how long nothing has come', () => {
    const described = anAnomaly({ ...SILENCE, expected: 40, windowMinutes: 10, lastEventMinutesAgo: 2_821 });
    expect(toSentence(orders, described, { ...timesOf(described), lead: null })).toBe(
      'No `order` events from `web` for 47 h, usually about 4 a minute.',
    );
  });
});

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
    [ruled, { ...ABOVE, ruleName: 'Cards fail' }, 'Cards fail'],
    [ruled, ABOVE, 'More than 5% of checkout events where card.status is not ok'],
    [
      aSeries({ kind: 'rule' }),
      { ...ABOVE, expected: 2.5 },
      'More than 2.5% of checkout events from shop that are errors',
    ],
    [aSeries({ kind: 'new_kind' }), { rule: 'new_kind', example: 'No such card' }, 'No such card'],
  ] as const)('about %j with %j is %s', (series, anomaly, title) => {
    expect(toTitle(series, anAnomaly(anomaly))).toBe(title);
  });
});
