import { type Half, seedsOf } from '@tocsin/simulation/random';
import { median } from '../support/median.ts';
import { trialsNeeded } from './binomial-tail.ts';
import { isAbout, type LoggedAlarm, toAlarm } from './scenarios/incident-log.ts';
import type { Project } from './scenarios/project-definition.ts';
import { RHYTHMS } from './scenarios/rhythms.ts';
import { at, DAY } from './scenarios/scenario.ts';
import { type SavedService, SimulatedService, startOf } from './scenarios/simulated-service.ts';
import { printTable } from './table.ts';

const HISTORY_DAYS = 15;
const USUAL_SHARE = 0.03;
/** A minute, when the trouble begins. */
const RATES = [0.2, 1, 4, 20];
const TIMES = [
  { title: 'day', beginsAtMinute: at(15) },
  { title: 'night', beginsAtMinute: at(3) },
];
const SHARES = [1, 0.2, 0.1];
/** About what the budget of a project allows a week over all of its windows and series. */
const EXACT_NATS = 21;
/** So long a trouble lasts: until about so many payments came, within these limits. */
const TROUBLE = { payments: 600, minMinutes: 2 * 60, maxMinutes: 16 * 60 };

/** Share of the runs of a row that are found within the limit, for the row to keep it. */
const ENOUGH = 0.9;

/** How late it may be found; null where nothing is asked for. */
type Limit = { minutes: number } | { payments: number } | null;

function limitOf(share: number, rate: number): Limit {
  if (share === 1) return rate >= 1 ? { minutes: 30 } : { payments: 10 };
  if (share === 0.2) return rate >= 4 ? { minutes: 30 } : { payments: 120 };
  return rate >= 20 ? { minutes: 15 } : null;
}

interface Delay {
  minutes: number;
  payments: number;
}

/** The payments of a project begin to fail: how soon an incident names payments, by rate, time of day and share. */
export function evaluatePayments({ seeds, half }: { seeds: number; half: Half }): void {
  const rows: (string | number)[][] = [];
  const quiet = { weeks: 0, ofPayments: 0, all: 0 };
  const limited = { kept: 0, all: 0 };
  for (const rate of RATES) {
    for (const time of TIMES) {
      const project = projectOf(rate, time.beginsAtMinute);
      const warm = seedsOf(half, seeds).map((seed) => ({ seed, saved: warmUp(project, seed, quiet) }));
      for (const share of SHARES) {
        const delays = warm.map(({ seed, saved }) => {
          const service = SimulatedService.resume(project, seed, { ...saved, name: `${share}` });
          return findFailures(service, { ...time, rate, share });
        });
        const limit = limitOf(share, rate);
        const within = limit === null ? null : countWithin(delays, limit);
        if (within !== null) {
          limited.all++;
          if (within >= ENOUGH * seeds) limited.kept++;
        }
        const title = [rate, time.title, `${100 * share}%`];
        rows.push([...title, ...describe(delays, share), describeLimit(limit), within ?? '']);
      }
    }
  }
  printTable(
    `Payments that fail (${100 * USUAL_SHARE}% usual), ${seeds} seeds a row`,
    ['A minute', 'When', 'Failing', 'Found', 'Minutes', 'Payments', 'Exact needs', 'Allowed', 'Within it'],
    rows,
  );
  console.log(
    `\n${limited.kept} of ${limited.all} rows keep what is allowed in ${100 * ENOUGH}% of the runs.`,
  );
  console.log(
    `Incidents a week before that, in ${Math.round(quiet.weeks)} weeks: ` +
      `${(quiet.ofPayments / quiet.weeks).toFixed(3)} begin with payments, ${(quiet.all / quiet.weeks).toFixed(3)} of all.`,
  );
}

/** Payments, and visits that have nothing to do with how many of them fail. */
function projectOf(rate: number, beginsAtMinute: number): Project {
  const perMinute = rate / RHYTHMS.shop((HISTORY_DAYS % 7) * DAY + beginsAtMinute);
  const common = { severity: 'info', rhythm: 'shop' } as const;
  return {
    name: `payments ${rate}`,
    streams: [
      { ...common, source: 'web', type: 'http', perMinute: 30, dispersion: 2 },
      {
        ...common,
        source: 'pay',
        type: 'payment',
        perMinute,
        dispersion: 1.5,
        failingShare: USUAL_SHARE,
      },
    ],
    jobs: [],
  };
}

/** Counts the incidents of a time in which nothing is wrong. */
function warmUp(
  project: Project,
  seed: number,
  quiet: { weeks: number; ofPayments: number; all: number },
): SavedService {
  const service = SimulatedService.begin(project, seed, 0);
  while (service.minute < HISTORY_DAYS * DAY) {
    for (const event of service.step().events) {
      const alarm = toAlarm(event, 0);
      if (event.kind !== 'opens' || !alarm) continue;
      quiet.all++;
      if (isAbout(alarm, 'payments')) quiet.ofPayments++;
    }
  }
  quiet.weeks += HISTORY_DAYS / 7;
  return service.save();
}

/** @returns how late an alarm names payments; null where none does while the trouble lasts */
function findFailures(
  service: SimulatedService,
  { beginsAtMinute, rate, share }: { beginsAtMinute: number; rate: number; share: number },
): Delay | null {
  const begin = service.minute + beginsAtMinute;
  while (service.minute < begin) service.step();
  const minutes = Math.min(TROUBLE.maxMinutes, Math.max(TROUBLE.minMinutes, TROUBLE.payments / rate));
  const trouble = { minutes, failingShare: share };
  let payments = 0;
  while (service.minute < begin + minutes) {
    const { events, traffic } = service.step({ trouble, begin });
    for (const { type, count } of traffic.deltas) if (type === 'payment') payments += count;
    const alarms = events.map((event): LoggedAlarm | null => toAlarm(event, startOf(begin)));
    const found = alarms.find((alarm) => alarm !== null && isAbout(alarm, 'payments'));
    if (found) return { minutes: found.minute, payments };
  }
  return null;
}

function countWithin(delays: (Delay | null)[], limit: NonNullable<Limit>): number {
  const isWithin = ({ minutes, payments }: Delay) =>
    'minutes' in limit ? minutes <= limit.minutes : payments <= limit.payments;
  return delays.filter((delay) => delay !== null && isWithin(delay)).length;
}

function describe(delays: (Delay | null)[], share: number): (string | number)[] {
  const found = delays.filter((delay) => delay !== null);
  return [
    found.length,
    found.length === 0 ? '' : Math.round(median(found.map(({ minutes }) => minutes))),
    found.length === 0 ? '' : median(found.map(({ payments }) => payments)),
    trialsNeeded(share, USUAL_SHARE, EXACT_NATS),
  ];
}

function describeLimit(limit: Limit): string {
  if (limit === null) return '';
  return 'minutes' in limit ? `${limit.minutes} min` : `${limit.payments} payments`;
}
