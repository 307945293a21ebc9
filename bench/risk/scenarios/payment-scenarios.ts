import { SHOP } from './projects.ts';
import { at, HOUR, type Scenario } from './scenario.ts';

export const PAYMENT_SCENARIOS: Scenario[] = [
  {
    id: '5a',
    title: 'all payments fail by night, 1 a minute, for an hour',
    project: SHOP,
    beginsAtMinute: at(3, 4),
    trouble: { minutes: HOUR, failingShare: 1 },
    watchMinutes: 5 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 15,
      severity: { least: 'error' },
      lead: 'payments',
      endsWithinMinutes: 3 * HOUR,
    },
  },
  {
    id: '5b',
    title: 'no payments by night, 1 a minute usual, for 2 h',
    project: SHOP,
    beginsAtMinute: at(3, 4),
    trouble: { minutes: 2 * HOUR, factor: ({ source }) => (source === 'pay' ? 0 : 1) },
    watchMinutes: 4 * HOUR,
    wish: {
      incidents: [1, 1],
      withinMinutes: 35,
      severity: { least: 'error' },
      lead: 'payments',
      endsWithinMinutes: 2 * HOUR,
    },
  },
  {
    id: '5c',
    title: '20% of 8 payments a minute fail (3% usual), for an hour',
    project: SHOP,
    beginsAtMinute: at(15, 6),
    trouble: { minutes: HOUR, failingShare: 0.2 },
    watchMinutes: 5 * HOUR,
    wish: { incidents: [1, 1], withinMinutes: 20, lead: 'payments', endsWithinMinutes: 3 * HOUR },
  },
];
