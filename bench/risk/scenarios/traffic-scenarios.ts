import { isPeople, MICROSERVICES, SERVICES, SHOP } from './projects.ts';
import { at, HOUR, isErrorStream, type Scenario } from './scenario.ts';

const ENDS = 2 * HOUR;
const BLACK_FRIDAY = { factor: 6, rampMinutes: 3 * HOUR, minutes: 12 * HOUR };

/** Grows for three hours, stays, and falls as slowly. */
function blackFriday(minute: number): number {
  const { factor, rampMinutes, minutes } = BLACK_FRIDAY;
  return 1 + (factor - 1) * Math.min(1, minute / rampMinutes, (minutes - minute) / rampMinutes);
}

export const TRAFFIC_SCENARIOS: Scenario[] = [
  {
    id: '6',
    title: 'a dependency of ten services fails: calls to 30%, errors ×60, an hour',
    project: MICROSERVICES,
    beginsAtMinute: at(14, 3),
    trouble: { minutes: HOUR, factor: (stream) => (isErrorStream(stream) ? 60 : 0.3) },
    watchMinutes: 4 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 2,
      severity: { least: 'error' },
      sources: SERVICES / 2,
      endsWithinMinutes: ENDS,
    },
  },
  {
    id: '7',
    title: 'bot scan: warnings of web ×100 by night, half an hour',
    project: SHOP,
    beginsAtMinute: at(4, 2),
    trouble: {
      minutes: 30,
      factor: ({ source, severity }) => (source === 'web' && severity === 'warn' ? 100 : 1),
    },
    watchMinutes: 4 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 5,
      severity: { most: 'warn' },
      lead: 'traffic',
      endsWithinMinutes: ENDS,
    },
  },
  {
    id: '9',
    title: 'campaign ×20 for an hour, errors in proportion',
    project: SHOP,
    beginsAtMinute: at(18, 3),
    trouble: { minutes: HOUR, factor: ({ source }) => (isPeople(source) ? 20 : 1) },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 5, severity: { most: 'warn' }, endsWithinMinutes: ENDS },
  },
  {
    id: '9b',
    title: 'campaign ×2.5 for 2 h, errors in proportion',
    project: SHOP,
    beginsAtMinute: at(18, 3),
    trouble: { minutes: 2 * HOUR, factor: ({ source }) => (isPeople(source) ? 2.5 : 1) },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [0, 1], severity: { most: 'warn' }, endsWithinMinutes: ENDS },
  },
  {
    id: '13',
    title: 'Black Friday: ×6 within 3 h, errors in proportion',
    project: SHOP,
    beginsAtMinute: at(7, 10),
    trouble: {
      minutes: BLACK_FRIDAY.minutes,
      factor: ({ source }, minute) => (isPeople(source) ? blackFriday(minute) : 1),
    },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 3 * HOUR, severity: { most: 'warn' } },
  },
  {
    id: '16',
    title: 'a new service sends 100 a minute',
    project: SHOP,
    beginsAtMinute: at(9, 3),
    trouble: {
      minutes: 8 * HOUR,
      extra: [
        { source: 'search', type: 'query', severity: 'info', perMinute: 100, rhythm: 'flat', dispersion: 3 },
      ],
    },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: 30, severity: { most: 'warn' } },
  },
  {
    id: '20',
    title: 'two causes 12 min apart: api errors ×60; the worker stops',
    project: SHOP,
    beginsAtMinute: at(11, 6),
    trouble: {
      minutes: HOUR,
      factor: (stream, minute) => {
        if (stream.source === 'api' && stream.type === 'rpc' && isErrorStream(stream)) return 60;
        return stream.source === 'worker' && minute >= 12 ? 0 : 1;
      },
    },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [2, 2], withinMinutes: 10 },
  },
];
