import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { correctTime } from './read-time.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const seconds = (ms: number) => ms / 1_000;

it.each([
  ['an hour behind', NOW - HOUR_MS, NOW - HOUR_MS - MINUTE_MS, [NOW - MINUTE_MS, true]],
  ['two hours ahead', NOW + 2 * HOUR_MS, NOW + 2 * HOUR_MS - MINUTE_MS, [NOW - MINUTE_MS, true]],
  ['55 minutes behind', NOW - 55 * MINUTE_MS, NOW - HOUR_MS, [NOW - 5 * MINUTE_MS, true]],
  ['54 minutes behind', NOW - 54 * MINUTE_MS, NOW - HOUR_MS, [NOW - HOUR_MS, false]],
  ['unknown', null, NOW - HOUR_MS, [NOW - HOUR_MS, false]],
  ['a little ahead', NOW + 2_000, NOW + 2_000, [NOW, true]],
  ['ahead by less than a second', NOW + 900, NOW + 900, [NOW, false]],
  ['right, for an old event', NOW, NOW - 8 * DAY_MS, [NOW - 7 * DAY_MS, true]],
] as const)(
  'corrects the time of an event by a clock that is %s',
  (_clock, sentAtMs, claimedMs, [capturedAtMs, isCorrected]) => {
    const times = { receivedAtMs: NOW, sentAtMs };
    expect(correctTime(seconds(claimedMs), times)).toEqual({ capturedAtMs, isCorrected });
  },
);

it.each([
  ['seconds', seconds(NOW) - 60],
  ['seconds as a text', String(seconds(NOW) - 60)],
  ['ISO 8601', '2026-11-21T09:29:00Z'],
  ['ISO 8601 with an offset', '2026-11-21T10:29:00+01:00'],
  ['ISO 8601 without a zone, as Python sends it', '2026-11-21T09:29:00.000000'],
])('reads the time of an event in %s', (_form, value) => {
  const times = { receivedAtMs: NOW, sentAtMs: NOW };
  expect(correctTime(value, times)).toEqual({ capturedAtMs: NOW - MINUTE_MS, isCorrected: false });
});

it.each([undefined, null, '', 'now', -1, Number.POSITIVE_INFINITY, {}])(
  'takes the time of receipt for the time %s of an event',
  (value) => {
    const times = { receivedAtMs: NOW, sentAtMs: NOW - DAY_MS };
    expect(correctTime(value, times)).toEqual({ capturedAtMs: NOW, isCorrected: false });
  },
);
