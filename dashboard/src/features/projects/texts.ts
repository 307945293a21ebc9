import type { KeyRecord } from '../../lib/api-types.ts';

/** Reasons for which the service refuses items and whole requests. */
const REFUSALS: Record<string, string> = {
  over_limit: 'over the request limit',
  over_quota: 'over a quota',
  over_rate: 'too often',
  over_share: 'too many at once',
  rejected: 'unreadable, or over a limit',
  too_large: 'too large',
  unavailable: 'service unavailable',
  undeclared: 'no such schedule',
};
const REFUSED_KINDS: Record<string, string> = {
  envelope: 'request',
  log_item: 'log record',
  monitor: 'check-in',
};

/** Texts of the pages of projects. */
export const texts = {
  apiKeys: {
    apiKeys: 'API keys',
    createKey: 'Create key',
    none: 'No API keys',
    noneHint: 'Nothing can send events to this project without a key.',
    name: 'Name',
    prefix: 'Prefix',
    created: 'Created',
    lastUsed: 'Last used',
    actions: 'Actions',
    never: 'never',
    revokeNamed: (name: string) => `Revoke key ${name}`,
    revoke: 'Revoke key',
    describeUse: ({ use, origins }: KeyRecord) =>
      use === 'ping' ? 'For pings' : ['For browsers', ...origins].join(' · '),
    restored: 'Restored from a backup',
    restoredHint:
      'Some keys come from a backup. Keys you revoked after that backup are valid again. Revoke them again.',
  },
  createKey: {
    created: (name: string) => `Key “${name}”`,
    done: 'Done',
    title: (name: string) => `Create a key for ${name}`,
    name: 'Name',
    nameHint: 'Where you’ll use it, such as “web server” or “nightly jobs”.',
    createKey: 'Create key',
    use: 'Use',
    uses: {
      server: 'Apps and servers',
      browser: 'Browser pages',
      ping: 'Job pings',
    } satisfies Record<KeyRecord['use'], string>,
    useHints: {
      server: 'Sends events and checks in for schedules.',
      browser:
        'Anyone can read a key in a page, so this one only takes data from Sentry’s client, up to 3,000 events in 5 minutes. No single error opens an incident.',
      ping: 'Part of ping addresses. Only checks in for this project’s schedules.',
    } satisfies Record<KeyRecord['use'], string>,
    origins: 'Allowed origins',
    originsHint:
      'Such as https://shop.example. Separate several with spaces, or leave empty to allow all pages.',
  },
  deleteProject: {
    title: 'Delete',
    hint: 'Permanently deletes the project and all its events, incidents and keys.',
    open: 'Delete project…',
    confirmTitle: (name: string) => `Delete ${name}`,
    confirm: 'Delete project',
    losses: 'This permanently deletes:',
    consequence: 'Apps sending to it will get 401 immediately.',
  },
  detectionNotes: {
    detection: 'Detection',
    paused: (until: string) =>
      `Detection failed for this project and is paused until ${until}. Its events are still stored and charted.`,
    late: (source: string | null, behind: string) =>
      `Events ${source === null ? 'without a source' : `from \`${source}\``} arrive ${behind} late, or their clock is behind. Detection uses their arrival time.`,
  },
  joinTeam: {
    title: 'Join a team',
    hint: 'Ask an owner of your team for an invitation link, then open it or paste it here. Only accounts without projects can join.',
    link: 'Invitation link',
    noLink: 'Paste the whole invitation link.',
    join: 'Join a team',
  },
  environments: {
    environments: 'Environments',
    hint: 'Only watched environments open incidents, announce groups and train detection. Events from others are still stored, searchable and counted.',
    own: (name: string) => `${name} (this project’s own)`,
    saved: 'Saved',
    missing: (name: string, percent: number) =>
      `${percent}% of the events in the last hour came from ${name}, which isn’t watched. No incidents open there until you turn it on.`,
  },
  newKey: {
    copyNow: 'Copy this key now. You won’t see it again.',
    secret: 'Anyone who has it can send events to this project.',
    apiKey: 'API key',
    copyKey: 'Copy key',
    dsn: 'DSN for Sentry clients',
    copyDsn: 'Copy DSN',
    ping: 'Ping address',
    copyPing: 'Copy address',
    pingSecret: 'Anyone who has it can check in for this project’s schedules.',
    pingHint: 'Append a schedule’s slug. Add ?create=1 to create the schedule with its first ping.',
  },
  newProjectPage: {
    newProject: 'New project',
    hint: 'A project is one app with its own events, incidents and API keys. Events can name another environment.',
    createProject: 'Create project',
  },
  projectFields: {
    name: 'Name',
    environment: 'Environment',
  },
  projectPage: {
    project: 'Project',
    alerts: 'Alerts',
    data: 'Data and limits',
    viewEvents: 'View events',
    requests: 'Where is my event?',
    firstSteps: 'First steps',
    integrations: 'Integrations',
    replace: 'Replace',
    withOneOfYours: 'with one of this project’s keys.',
    ledger: 'Ledger',
    refused: 'Refused:',
    refusal: (count: string, kind: string, reason: string) =>
      `${count} × ${REFUSED_KINDS[kind] ?? kind} (${REFUSALS[reason] ?? reason})`,
  },
  quotaNotes: {
    title: 'Exceeded quotas',
    limits: { per5Minutes: 'Events in 5 minutes', perHour: 'Events an hour', perDay: 'Events a day' },
    exceeded: (key: string | null, limit: string, since: string, refused: string) =>
      `${key === null ? 'This project' : `Key ${key}`} went over its quota (${limit.toLowerCase()}) on ${since}. ${refused} refused since then.`,
  },
  projectSettings: {
    settings: 'Settings',
    groupPrefix: 'Group key prefix',
    groupPrefixHint: (prefix: string) => `As in ${prefix}-12. Old keys keep working.`,
    save: 'Save',
  },
  projectsPage: {
    createProject: 'Create project',
    projects: 'Projects',
    noProjectsYet: 'No projects yet',
    hint: 'A project is one app. Create one to get an API key and start sending events.',
    name: 'Name',
    environment: 'Environment',
    created: 'Created',
    events24H: 'Events, 24 h',
  },
  revokeKey: {
    title: (name: string) => `Revoke key “${name}”`,
    confirm: 'Revoke key',
    consequence:
      'Apps using this key will get 401 immediately, and their events will be lost. You can’t undo this.',
    startsWith: 'The key starts with',
    neverUsed: 'It has never been used.',
    lastUsed: 'It was last used',
  },
  snippetTabs: {
    name: 'Ways to send events',
    terminal: 'Terminal',
    sendsOne: 'Sends one test event.',
    sdkFile: 'first-event.mjs',
    runSdk: 'Run `node first-event.mjs` to send an event and an error.',
    expressFile: 'server.mjs',
    runExpress:
      'Run `npm install express` and `node server.mjs`, then open `http://localhost:3000`. The page fails, and its error is reported.',
    sentryFile: 'sentry.mjs',
    runSentry:
      'Already using a Sentry client? Just change its DSN. Or run `npm install @sentry/node` and `node sentry.mjs` to send an error.',
    otlpFile: 'Your app’s environment',
    runOtlp: 'OpenTelemetry exporters read these variables. Logs and span exceptions become events.',
    alertmanagerFile: 'alertmanager.yml',
    runAlertmanager: 'Add the receiver and route alerts to it. Each alert group becomes an incident.',
    grafanaFile: 'Webhook contact point',
    runGrafana: 'Enter these values under Contact points and leave the payload unchanged.',
    pingFile: 'End of a job',
    runPing:
      'Needs a key for job pings. The first ping creates the schedule. Append `/start`, `/fail` or the exit status to the address.',
    cloudEventFile: 'Terminal',
    runCloudEvent: 'Sends one test event. Any CloudEvents client over HTTP works, too.',
    checkInFile: 'End of a job',
    runCheckIn: 'The first check-in creates the schedule.',
    deployFile: 'Deploy script',
    runDeploy: 'Send the same release with your events. Charts and incidents then name it.',
    hooksPlace: 'Hooks',
    runHooks: 'For Stripe, GitHub and Standard Webhooks, add a hook under',
    install: 'Install the SDK',
    inYourApp: 'Run it in your app’s directory.',
    copy: 'Copy snippet',
  },
};
