/*
 * Rules of imports between folders. A file belongs to the longest prefix that it begins with; `*` is any folder.
 */

/**
 * Order from the top to the bottom: each entry may import those below it, and none beside it.
 * @type {string[][]}
 */
export const ORDER = [
  ['server/src/main.ts', 'dashboard/src/main.tsx', 'sdk/src/'],
  ['server/src/cli/', 'dashboard/src/app/'],
  ['server/src/roles/', 'dashboard/src/features/*/'],
  ['server/src/config.ts', 'dashboard/src/ui/'],
  [
    'server/src/config-files.ts',
    'server/src/config-values.ts',
    'server/src/config-variables.ts',
    'dashboard/src/lib/',
  ],
  ['server/src/backup/', 'server/src/maintenance/'],
  ['server/src/requests/'],
  ['server/src/ingestion/', 'server/src/realtime/', 'server/src/risk/', 'server/src/notifications/'],
  ['server/src/risk/rebuild/'],
  [
    'server/src/ingestion/alerts/',
    'server/src/ingestion/bulk/',
    'server/src/ingestion/cloudevents/',
    'server/src/ingestion/envelopes/',
    'server/src/ingestion/hooks/',
    'server/src/ingestion/otlp/',
    'server/src/risk/replay/',
    'server/src/risk/series/',
  ],
  ['server/src/ingestion/quotas/', 'server/src/ingestion/spool/'],
  ['server/src/ingestion/intake/', 'server/src/risk/live/'],
  ['server/src/ingestion/authentication/', 'server/src/ingestion/mappers/', 'server/src/risk/incidents/'],
  ['server/src/risk/headline/'],
  [
    'server/src/ingestion/event/',
    'server/src/risk/releases/',
    'server/src/risk/settings/',
    'server/src/risk/counts/',
  ],
  ['server/src/notifications/channels/'],
  ['server/src/notifications/messages/'],
  ['server/src/schedules/pings/', 'server/src/erasures/'],
  ['server/src/schedules/'],
  ['server/src/processing/'],
  ['server/src/alerts/'],
  ['server/src/incidents/'],
  ['server/src/groups/'],
  // Incidents and groups write their changes to the outbox, and know nothing else of notifications.
  ['server/src/outbox/'],
  ['server/src/events/'],
  ['server/src/source-maps/'],
  ['server/src/releases/'],
  ['server/src/environments/'],
  ['server/src/tenancy/quotas/', 'server/src/tenancy/recovery/'],
  ['server/src/tenancy/accounts/', 'server/src/tenancy/api-keys/'],
  [
    'server/src/tenancy/tokens/',
    'server/src/tenancy/projects/',
    'server/src/tenancy/invitations/',
    'server/src/tenancy/second-factor/',
  ],
  ['server/src/tenancy/organizations/'],
  ['server/src/tenancy/'],
  ['server/src/tenancy/audit/'],
  ['server/src/queue/'],
  ['server/src/scrubbing/'],
  // The lowest term of the domain: a queued event has a severity as well.
  ['server/src/events/severity.ts'],
  ['server/src/events/severities.ts'],
  ['server/src/notifications/outgoing/'],
  ['server/src/http/', 'server/src/mail/'],
  ['server/src/database/'],
  ['server/src/platform/'],
  ['packages/detector/src/index.ts', 'packages/embedded-postgres/', 'packages/simulation/'],
  ['packages/detector/src/replay/'],
  ['packages/detector/src/saving/'],
  ['packages/detector/src/project/'],
  ['packages/detector/src/group/'],
  ['packages/detector/src/exposure/', 'packages/detector/src/heartbeat/', 'packages/detector/src/lateness/'],
  ['packages/detector/src/series/'],
  ['packages/detector/src/calibration/'],
  ['packages/detector/src/state/'],
  // The types that the detector shares with its callers.
  ['packages/detector/'],
];

/**
 * An import that is refused although the order would allow it. `sentence` quotes ARCHITECTURE.md, if it names the rule.
 * @typedef {object} Absence
 * @property {string} sentence
 * @property {string[]} from prefixes
 * @property {string[]} to prefixes that are refused; '' is everything
 * @property {string[]} [except] prefixes of `to` that are allowed
 * @property {string[]} [exceptFrom] prefixes of `from` that the rule leaves out
 */

const RESOURCES = [
  'server/src/tenancy/',
  'server/src/events/',
  'server/src/groups/',
  'server/src/incidents/',
  'server/src/alerts/',
];
const BASE = ['server/src/http/', 'server/src/database/', 'server/src/platform/', 'server/src/scrubbing/'];
const PACKAGES = ['packages/detector/', 'packages/embedded-postgres/', 'packages/simulation/'];

/**
 * Files of the server that the dashboard imports as code: the wording of series and numbers, the keys of groups, the names of environments, and the bounds of fields.
 * They import only types, so that no other code of the server reaches the pages.
 */
export const SHARED_WITH_DASHBOARD = [
  'server/src/environments/fold-environment.ts',
  'server/src/environments/limits.ts',
  'server/src/events/limits.ts',
  'server/src/tenancy/projects/group-key.ts',
  'server/src/groups/limits.ts',
  'server/src/http/limits.ts',
  'server/src/incidents/limits.ts',
  'server/src/incidents/wording.ts',
  'server/src/notifications/silences/limits.ts',
  'server/src/releases/limits.ts',
  'server/src/requests/limits.ts',
  'server/src/risk/settings/limits.ts',
  'server/src/scrubbing/limits.ts',
  'server/src/tenancy/accounts/limits.ts',
  'server/src/tenancy/api-keys/limits.ts',
  'server/src/tenancy/projects/limits.ts',
  'server/src/tenancy/tokens/limits.ts',
];
/** File through which the types of the API reach the dashboard. */
export const API_TYPES = 'dashboard/src/lib/api-types.ts';

/** @type {Absence[]} */
export const ABSENCES = [
  {
    sentence: '`http`, `database`, `platform` and `scrubbing` know no resource, no role and no route.',
    from: BASE,
    to: ['server/src/'],
    except: BASE,
  },
  {
    sentence: '`queue` knows no HTTP and nothing about what is in an event beyond its severity.',
    from: ['server/src/queue/'],
    to: ['server/src/http/', 'server/src/events/', 'server/src/ingestion/', 'npm:fastify'],
    except: ['server/src/events/severity.ts', 'server/src/events/severities.ts'],
  },
  {
    sentence: 'A resource knows nothing of ingestion, processing, risk or realtime.',
    from: RESOURCES,
    to: [
      'server/src/ingestion/',
      'server/src/processing/',
      'server/src/risk/',
      'server/src/realtime/',
      'packages/detector/',
    ],
  },
  {
    sentence: 'Resources and realtime do not know that a queue exists.',
    from: [...RESOURCES, 'server/src/realtime/'],
    to: ['server/src/queue/'],
  },
  {
    sentence: 'Ingestion knows no user, session or organization, and nothing of risk.',
    from: ['server/src/ingestion/'],
    to: [
      'server/src/tenancy/',
      'server/src/risk/',
      'server/src/incidents/',
      'server/src/realtime/',
      'packages/detector/',
    ],
    except: ['server/src/tenancy/api-keys/'],
  },
  {
    sentence: '`packages/detector` knows nothing but itself: no database, no clock, no file.',
    from: ['packages/detector/'],
    to: [''],
    except: ['packages/detector/'],
  },
  {
    sentence: '`packages/embedded-postgres` knows nothing but itself, Node and the driver.',
    from: ['packages/embedded-postgres/'],
    to: [''],
    except: ['packages/embedded-postgres/', 'node:', 'npm:pg'],
  },
  {
    sentence: 'A package is known by its entry alone.',
    from: ['server/src/', 'dashboard/src/', 'sdk/src/'],
    to: PACKAGES,
    except: PACKAGES.map((name) => `${name}src/index.ts`),
  },
  {
    sentence: 'No source knows what is only for tests.',
    from: [''],
    to: ['packages/simulation/', 'server/test/', 'dashboard/test/', 'sdk/test/', 'npm:vitest'],
    exceptFrom: ['packages/simulation/'],
  },
  {
    sentence: 'The SDK knows nothing of the server’s code, and has no dependency.',
    from: ['sdk/src/'],
    to: [''],
    except: ['sdk/src/', 'node:'],
  },
  {
    sentence: 'The server does not know the dashboard.',
    from: ['server/src/'],
    to: ['dashboard/', 'sdk/'],
  },
];
