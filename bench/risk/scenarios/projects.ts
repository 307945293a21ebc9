import type { Job, Project, Stream } from './project-definition.ts';

const shop = { rhythm: 'shop', dispersion: 2 } as const;
const office = { rhythm: 'office', dispersion: 2 } as const;
const errors = { severity: 'error', dispersion: 1.3, errorGroups: 3 } as const;

const PAYMENTS: Stream = {
  ...shop,
  source: 'pay',
  type: 'payment',
  severity: 'info',
  perMinute: 5,
  dispersion: 1.5,
  failingShare: 0.03,
};

const SHOP_JOBS: Job[] = [
  { source: 'cron', type: 'sync', severity: 'info', everyMinutes: 5, atMinute: 2, jitterMinutes: 0.1 },
  { source: 'cron', type: 'report', severity: 'info', everyMinutes: 60, atMinute: 7, jitterMinutes: 0.3 },
  {
    source: 'nightly',
    type: 'backup',
    severity: 'info',
    everyMinutes: 1_440,
    atMinute: 130,
    jitterMinutes: 2,
  },
];

/** Eight payments a minute in the afternoon and one at night; web errors 0.4 and 0.05. */
export const SHOP: Project = {
  name: 'shop',
  streams: [
    { ...shop, source: 'web', type: 'http', severity: 'info', perMinute: 60, dispersion: 3 },
    { ...shop, source: 'web', type: 'http', severity: 'warn', perMinute: 1 },
    { ...shop, ...errors, source: 'web', type: 'http', perMinute: 0.25 },
    { ...shop, source: 'api', type: 'rpc', severity: 'info', perMinute: 40, dispersion: 3 },
    { ...shop, source: 'api', type: 'login', severity: 'info', perMinute: 6 },
    { ...shop, source: 'api', type: 'signup', severity: 'info', perMinute: 0.3, dispersion: 1.2 },
    { ...shop, ...errors, source: 'api', type: 'rpc', perMinute: 0.1 },
    { source: 'worker', type: 'job', severity: 'info', perMinute: 12, rhythm: 'mild', dispersion: 2 },
    { source: 'worker', type: 'job', severity: 'warn', perMinute: 0.2, rhythm: 'mild', dispersion: 1.3 },
    { ...errors, source: 'worker', type: 'job', perMinute: 0.05, rhythm: 'flat', errorGroups: 2 },
    PAYMENTS,
  ],
  jobs: SHOP_JOBS,
};

/** Returns true if the shop's visitors cause the events of a source. */
export function isPeople(source: string): boolean {
  return source === 'web' || source === 'api' || source === 'pay';
}

/** The shop with a critical event each Tuesday at ten. */
export const SHOP_WITH_CRITICAL: Project = {
  ...SHOP,
  name: 'shop with a weekly critical event',
  jobs: [
    ...SHOP_JOBS,
    {
      source: 'nightly',
      type: 'disk',
      severity: 'critical',
      everyMinutes: 7 * 1_440,
      atMinute: 1_440 + 600,
      jitterMinutes: 0,
    },
  ],
};

/** Used from eight to five on working days. */
export const OFFICE: Project = {
  name: 'office',
  streams: [
    { ...office, source: 'app', type: 'http', severity: 'info', perMinute: 60, dispersion: 3 },
    { ...office, source: 'app', type: 'login', severity: 'info', perMinute: 4 },
    { ...office, source: 'app', type: 'http', severity: 'warn', perMinute: 0.5 },
    { ...office, ...errors, source: 'app', type: 'http', perMinute: 0.15 },
    { source: 'sync', type: 'job', severity: 'info', perMinute: 2, rhythm: 'flat', dispersion: 1.3 },
  ],
  jobs: [],
};

/** Eighteen signups and two errors a day, and nothing else. */
export const STARTUP: Project = {
  name: 'start-up',
  streams: [
    { source: 'app', type: 'signup', severity: 'info', perMinute: 18 / 1_440, rhythm: 'mild', dispersion: 1 },
    { ...errors, source: 'app', type: 'http', perMinute: 2 / 1_440, rhythm: 'mild', errorGroups: 1 },
  ],
  jobs: [],
};

export const SERVICES = 10;

/** Ten services that call each other, of very different size. */
export const MICROSERVICES: Project = {
  name: 'ten services',
  streams: Array.from({ length: SERVICES }, (_, index): Stream[] => {
    const source = `svc${index}`;
    const perMinute = 5 * 1.5 ** index;
    return [
      { ...shop, source, type: 'rpc', severity: 'info', perMinute, dispersion: 3 },
      { ...shop, ...errors, source, type: 'rpc', perMinute: perMinute / 500 },
    ];
  }).flat(),
  jobs: [],
};

/** Nothing but a few page views. */
export const FRESH: Project = {
  name: 'fresh',
  streams: [{ source: 'web', type: 'http', severity: 'info', perMinute: 5, rhythm: 'flat', dispersion: 2 }],
  jobs: [],
};

export const NOTHING: Project = { name: 'nothing', streams: [], jobs: [] };
