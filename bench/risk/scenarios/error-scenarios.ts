import { SHOP, SHOP_WITH_CRITICAL } from './projects.ts';
import { at, DAY, HOUR, isErrorStream, type Scenario } from './scenario.ts';

/** A rise that is over ends its incident within two hours. */
const ENDS = 2 * HOUR;

export const ERROR_SCENARIOS: Scenario[] = [
  {
    id: '1',
    title: 'deploy, 3 new errors, +3 a minute, for an hour',
    project: SHOP,
    beginsAtMinute: at(11, 4),
    trouble: {
      minutes: HOUR,
      extra: [
        {
          source: 'web',
          type: 'http',
          severity: 'error',
          perMinute: 3,
          rhythm: 'flat',
          dispersion: 1.3,
          errorGroups: 3,
          errorName: 'TypeError: cart is undefined',
        },
      ],
    },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 5, lead: 'errors', endsWithinMinutes: ENDS },
  },
  {
    id: '2',
    title: 'retry storm: api traffic ×8, its errors ×50, half an hour',
    project: SHOP,
    beginsAtMinute: at(15, 3),
    trouble: {
      minutes: 30,
      factor: (stream) => (stream.source === 'api' ? (isErrorStream(stream) ? 50 : 8) : 1),
    },
    watchMinutes: 4 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 2,
      severity: { least: 'error' },
      lead: 'errors',
      endsWithinMinutes: ENDS,
    },
  },
  {
    id: '4',
    title: 'leak: api errors double every 12 h for 3 days',
    project: SHOP,
    beginsAtMinute: at(9, 20),
    trouble: {
      minutes: 3 * DAY,
      factor: (stream, minute) =>
        stream.source === 'api' && isErrorStream(stream) ? 2 ** (minute / (12 * HOUR)) : 1,
    },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: 2 * DAY, lead: 'errors' },
  },
  {
    id: '4b',
    title: 'worker errors ×3 for 2 days (216 a day, 72 usual)',
    project: SHOP,
    beginsAtMinute: at(16, 20),
    trouble: {
      minutes: 2 * DAY,
      factor: (stream) => (stream.source === 'worker' && isErrorStream(stream) ? 3 : 1),
    },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: 17 * HOUR, severity: { most: 'error' }, lead: 'errors' },
  },
  {
    id: '4c',
    title: 'web errors ×5 by day for 2 h (2 a minute, 0.4 usual)',
    project: SHOP,
    beginsAtMinute: at(13, 7),
    trouble: {
      minutes: 2 * HOUR,
      factor: (stream) => (stream.source === 'web' && isErrorStream(stream) ? 5 : 1),
    },
    watchMinutes: 4 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 30,
      severity: { least: 'error' },
      lead: 'errors',
      endsWithinMinutes: ENDS,
    },
  },
  {
    id: '10',
    title: 'web traffic falls to 40% while its errors double, 2 h',
    project: SHOP,
    beginsAtMinute: at(14, 8),
    trouble: {
      minutes: 2 * HOUR,
      factor: (stream) => (stream.source === 'web' ? (isErrorStream(stream) ? 2 : 0.4) : 1),
    },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 15, lead: 'errors', endsWithinMinutes: ENDS },
  },
  {
    id: '10b',
    title: 'web errors stay at the count of the day by night (×8, 4 h)',
    project: SHOP,
    beginsAtMinute: at(2, 11),
    trouble: {
      minutes: 4 * HOUR,
      factor: (stream) => (stream.source === 'web' && isErrorStream(stream) ? 8 : 1),
    },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 75, lead: 'errors' },
  },
  {
    id: '12',
    title: 'one critical event a week, twice',
    project: SHOP_WITH_CRITICAL,
    beginsAtMinute: at(9, 59),
    trouble: { minutes: 1 },
    watchMinutes: 7 * DAY + 2 * HOUR,
    wish: { incidents: [2, 2], withinMinutes: 2, severity: { least: 'critical' } },
  },
];
