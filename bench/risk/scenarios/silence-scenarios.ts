import { SHOP } from './projects.ts';
import { at, DAY, HOUR, isErrorStream, type Scenario } from './scenario.ts';

const QUEUE_HOURS = 2;
const DRAIN_MINUTES = 3;

export const SILENCE_SCENARIOS: Scenario[] = [
  {
    id: '3a',
    title: 'a job of every 5 minutes stops',
    project: SHOP,
    beginsAtMinute: at(11, 3),
    trouble: { minutes: 2 * HOUR, stoppedJobs: ['sync'] },
    watchMinutes: 2 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 15, lead: 'silence', endsWithinMinutes: HOUR },
  },
  {
    id: '3b',
    title: 'an hourly job stops',
    project: SHOP,
    beginsAtMinute: at(11),
    trouble: { minutes: 8 * HOUR, stoppedJobs: ['report'] },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 3 * HOUR, lead: 'silence', endsWithinMinutes: 2 * HOUR },
  },
  {
    id: '3c',
    title: 'the nightly backup of 02:10 does not run',
    project: SHOP,
    beginsAtMinute: at(2),
    trouble: { minutes: 20 * HOUR, stoppedJobs: ['backup'] },
    watchMinutes: 8 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 6 * HOUR, lead: 'silence' },
  },
  {
    id: '8',
    title: 'flapping: web is down for 5 of 10 minutes, its errors ×50, for 6 h',
    project: SHOP,
    beginsAtMinute: at(11, 8),
    trouble: {
      minutes: 6 * HOUR,
      factor: (stream, minute) => {
        const isDown = minute % 10 < 5 && stream.source === 'web';
        if (!isDown) return 1;
        return isErrorStream(stream) ? 50 : 0;
      },
    },
    watchMinutes: 4 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 3,
      severity: { least: 'error' },
      endsWithinMinutes: 2 * HOUR,
    },
  },
  {
    id: '17',
    title: 'the worker is switched off for good',
    project: SHOP,
    beginsAtMinute: at(11, 8),
    trouble: { minutes: 30 * HOUR, factor: ({ source }) => (source === 'worker' ? 0 : 1) },
    watchMinutes: 0,
    wish: { incidents: [1, 1], withinMinutes: 5, lead: 'silence', endsWithinMinutes: -HOUR },
  },
  {
    id: '18',
    title: 'nothing is known for 2 h',
    project: SHOP,
    beginsAtMinute: at(11, 8),
    trouble: { minutes: 2 * HOUR, isUnknown: true },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [0, 0] },
  },
  {
    id: '19',
    title: 'a queue stands for 2 h and drains in 3 min',
    project: SHOP,
    beginsAtMinute: at(11, 8),
    trouble: {
      minutes: QUEUE_HOURS * HOUR + DRAIN_MINUTES,
      factor: ({ source, type, severity }, minute) => {
        if (source !== 'worker' || type !== 'job' || severity !== 'info') return 1;
        return minute < QUEUE_HOURS * HOUR ? 0 : (QUEUE_HOURS * HOUR) / DRAIN_MINUTES;
      },
    },
    watchMinutes: 4 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 5, endsWithinMinutes: 2 * HOUR },
  },
  {
    id: '21a',
    title: 'nothing for a week',
    project: SHOP,
    beginsAtMinute: 0,
    trouble: { minutes: 7 * DAY },
    watchMinutes: 0,
    wish: { incidents: [0, 0] },
  },
];
