import { FRESH, NOTHING, STARTUP } from './projects.ts';
import { at, DAY, HOUR, type Scenario } from './scenario.ts';

const ERRORS = { source: 'app', type: 'http', severity: 'error', rhythm: 'flat' } as const;
/** Evenly spaced. */
const EXACT = 0;

/** Start-ups, and the first minutes of projects. */
export const SMALL_PROJECT_SCENARIOS: Scenario[] = [
  {
    id: '11a',
    title: 'start-up (2 errors a day): 5 errors in 10 min',
    project: STARTUP,
    beginsAtMinute: at(11, 7),
    trouble: { minutes: 10, extra: [{ ...ERRORS, perMinute: 5 / 10, dispersion: EXACT }] },
    watchMinutes: 9 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 20, lead: 'errors', endsWithinMinutes: 8 * HOUR },
  },
  {
    id: '11b',
    title: 'start-up (2 errors a day): 10 errors in an hour',
    project: STARTUP,
    beginsAtMinute: at(11, 13),
    trouble: { minutes: HOUR, extra: [{ ...ERRORS, perMinute: 10 / 60, dispersion: EXACT }] },
    watchMinutes: 6 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 75, lead: 'errors' },
  },
  {
    id: '11c',
    title: 'start-up (20 events a day) is silent for 3 days',
    project: STARTUP,
    beginsAtMinute: at(9, 25),
    trouble: { minutes: 3 * DAY, factor: () => 0 },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: 30 * HOUR, lead: 'silence' },
  },
  {
    id: '11d',
    title: 'start-up: 200 signups a day, 20 usual',
    project: STARTUP,
    beginsAtMinute: at(9, 25),
    trouble: { minutes: DAY, factor: ({ type }) => (type === 'signup' ? 10 : 1) },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: DAY, severity: { most: 'warn' }, lead: 'traffic' },
  },
  {
    id: '21b',
    title: 'first day of a project, nothing is wrong',
    project: FRESH,
    historyDays: 0,
    beginsAtMinute: 0,
    trouble: { minutes: DAY },
    watchMinutes: 0,
    wish: { incidents: [0, 0] },
  },
  {
    id: '21c',
    title: 'the first 100 events of a project are errors, in one minute',
    project: NOTHING,
    historyDays: 0,
    beginsAtMinute: 0,
    trouble: { minutes: 1, extra: [{ ...ERRORS, perMinute: 100, dispersion: EXACT }] },
    watchMinutes: 4 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 1,
      severity: { least: 'error' },
      lead: 'errors',
      endsWithinMinutes: 3 * HOUR,
    },
  },
  {
    id: '21d',
    title: 'a project sends 10 errors a minute from its first minute on',
    project: FRESH,
    historyDays: 0,
    beginsAtMinute: 0,
    trouble: { minutes: 2 * HOUR, extra: [{ ...ERRORS, perMinute: 10, dispersion: 1.3 }] },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: 30, lead: 'errors' },
  },
];
