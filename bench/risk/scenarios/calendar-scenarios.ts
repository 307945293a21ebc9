import { isPeople, OFFICE, SHOP } from './projects.ts';
import { OFFICE_AT_NIGHT } from './rhythms.ts';
import { at, DAY, HOUR, type Scenario } from './scenario.ts';

/** Fifteen days after a Friday are over at the beginning of a Saturday. */
const FRIDAY = 4;
const CLOCK_CHANGE = { firstWeekday: FRIDAY, beginsAtMinute: DAY + at(2), watchMinutes: 2 * DAY };
const HOLIDAY_SHARE = 0.35;

/** The clock of a Sunday night, and the two days after it. */
function clockChange(clockAheadMinutes: number) {
  return {
    ...CLOCK_CHANGE,
    trouble: { minutes: 0, clockAheadMinutes },
    wish: { incidents: [0, 0] },
  } satisfies Partial<Scenario>;
}

/** As many sleep as on other nights; from nine on the day is a holiday. */
function quietMorning(minute: number): number {
  return 1 - (1 - HOLIDAY_SHARE) * Math.min(1, minute / at(9));
}

export const CALENDAR_SCENARIOS: Scenario[] = [
  { id: '14a', title: 'shop, clocks one hour ahead', project: SHOP, ...clockChange(HOUR) },
  { id: '14b', title: 'office, clocks one hour ahead', project: OFFICE, ...clockChange(HOUR) },
  { id: '14c', title: 'office, clocks one hour back', project: OFFICE, ...clockChange(-HOUR) },
  {
    id: '15',
    title: 'holiday: the shop at 35% from midnight on',
    project: SHOP,
    beginsAtMinute: 0,
    trouble: { minutes: DAY, factor: ({ source }) => (isPeople(source) ? HOLIDAY_SHARE : 1) },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: at(12), severity: { most: 'error' }, lead: 'silence' },
  },
  {
    id: '15b',
    title: 'office: the login breaks at 05:00, the morning of 08:00 does not come',
    project: OFFICE,
    beginsAtMinute: at(5),
    trouble: {
      minutes: at(8),
      factor: ({ source }, minute) => (source === 'app' && minute >= at(3) ? OFFICE_AT_NIGHT : 1),
    },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: at(4, 30), lead: 'silence' },
  },
  {
    id: '15c',
    title: 'holiday: the night as ever, 35% from nine on',
    project: SHOP,
    beginsAtMinute: 0,
    trouble: {
      minutes: DAY,
      factor: ({ source }, minute) => (isPeople(source) ? quietMorning(minute) : 1),
    },
    watchMinutes: 0,
    wish: { incidents: [0, 1], notBeforeMinutes: at(5), severity: { most: 'error' } },
  },
];
