import type { Delivery, NotificationRoute, NotificationTarget, QuietHours } from '../../lib/api-types.ts';

type Change = NotificationRoute['changes'][number];

/** What a user reads on the page of notifications. */
export const texts = {
  page: {
    title: 'Notifications',
    intro:
      'A target is where messages go; a route says which changes it is sent. Nothing is sent until a route leads to a target.',
    noPublicUrl:
      'Messages have no links, because PUBLIC_URL is not set: the operator of the service sets it to the address of this page.',
    failing: (names: string) =>
      names.includes(', ') ? `These targets fail: ${names}.` : `The target ${names} fails.`,
    failingHint: 'The log of a target says why. Send a test once it is fixed.',
    held: (count: number) =>
      `${count.toLocaleString('en')} ${count === 1 ? 'message is' : 'messages are'} held: from a restored backup, or older than 24 hours.`,
    release: 'Send them now',
    drop: 'Never send them',
    memberHint: 'Owners can change targets and routes.',
  },
  targets: {
    title: 'Targets',
    list: 'Notification targets',
    none: 'No targets yet',
    noneHint: 'Add a webhook, then a route that says what it is sent.',
    add: 'Add target',
    test: 'Send a test',
    testNamed: (name: string) => `Send a test to ${name}`,
    log: 'Log',
    logNamed: (name: string) => `Log of ${name}`,
    change: 'Change',
    changeNamed: (name: string) => `Change ${name}`,
    enable: 'Enable',
    enableNamed: (name: string) => `Enable ${name}`,
    disable: 'Disable',
    disableNamed: (name: string) => `Disable ${name}`,
    remove: 'Delete',
    removeNamed: (name: string) => `Delete ${name}`,
    kinds: {
      webhook: 'Webhook',
      ntfy: 'ntfy',
      slack: 'Slack',
      discord: 'Discord',
      telegram: 'Telegram',
      teams: 'Microsoft Teams',
      pagerduty: 'PagerDuty',
      email: 'E-mail',
      webpush: 'Browsers',
    } satisfies Record<NotificationTarget['kind'], string>,
    states: {
      working: 'Working',
      failing: 'Failing',
      disabled: 'Disabled',
      unused: 'Nothing sent yet',
    } satisfies Record<NotificationTarget['health']['state'], string>,
    lastSuccess: 'last message',
    since: 'since',
  },
  confirmation: {
    waiting: 'Waiting for confirmation',
    asked: '· asked by mail',
    notAsked: '· not asked yet',
    deliversUntil: (time: string) => `messages are sent until ${time}`,
    send: 'Send the question',
    sendAgain: 'Send again',
    askNamed: (name: string) => `Ask the address of ${name} for its confirmation`,
  },
  test: {
    delivered: (status: number | null, ms: number) =>
      `The test arrived: ${status === null ? 'accepted' : `answered ${status}`} in ${ms.toLocaleString('en')} ms.`,
    failed: (reason: string | null, ms: number) =>
      `The test did not arrive, after ${ms.toLocaleString('en')} ms: ${reason ?? 'no reason was given.'}`,
    answer: 'Its answer:',
  },
  targetForm: {
    title: 'Add a target',
    change: (name: string) => `Change ${name}`,
    keptHint: 'Leave it empty to keep what is stored.',
    save: 'Save',
    name: 'Name',
    nameHint: 'As it is shown in lists and messages.',
    nameMissing: 'Enter a name.',
    kind: 'Kind',
    missing: 'Enter a value.',
    webhook: {
      url: [
        'Address',
        'Receives a POST for each message. An address in your own network needs OUTBOUND_ALLOW.',
      ],
    },
    ntfy: {
      server: ['Server', 'The address of the ntfy server.'],
      topic: [
        'Topic',
        'Subscribe to it in the app. On a public server a long random one: it is the only secret.',
      ],
      token: ['Access token', 'Where the topic is protected.'],
    },
    slack: {
      webhookUrl: ['Incoming webhook', 'Its messages cannot be edited. Or leave it out for a bot:'],
      botToken: [
        'Bot token',
        'Of an app with the scope chat:write. One message an incident, kept up to date.',
      ],
      channel: ['Channel id', 'With a bot token: a channel that the app was invited to.'],
    },
    discord: {
      url: ['Webhook address', 'Channel settings, Integrations, Webhooks.'],
    },
    telegram: {
      token: ['Bot token', '@BotFather gives it out.'],
      chatId: ['Chat id', 'Negative for a group, or @name of a public channel.'],
    },
    teams: {
      url: [
        'Workflow address',
        'Of “Post to a channel when a webhook request is received”. Its messages cannot be edited.',
      ],
    },
    pagerduty: {
      routingKey: ['Integration key', 'Of a service: integrations, Events API v2.'],
      region: ['Region', 'us (default) or eu: where the account is kept.'],
    },
    email: {
      to: ['Address', 'One address. A group of people: their list, or a target each.'],
    },
    webpush: {
      userId: [
        'Whose browsers',
        'Those in which they have switched notifications on, under Settings, Account.',
      ],
      everybody: 'All members',
    },
    cancel: 'Cancel',
    add: 'Add target',
    created: 'Target added',
    secret: 'Signing secret',
    secretHint:
      'Requests are signed with it by Standard Webhooks: copy it now, it is not shown again. Then add a route to this target.',
    copy: 'Copy secret',
    done: 'Done',
  },
  removeTarget: {
    title: (name: string) => `Delete ${name}?`,
    losses: 'Its routes and its log are deleted with it, and what waits for it is not sent.',
    cancel: 'Cancel',
    confirm: 'Delete target',
  },
  routes: {
    title: 'Routes',
    list: 'Notification routes',
    none: 'No routes: nothing is sent',
    noneHint: 'Add a route, so that a target is sent something.',
    needsTarget: 'Add a target first.',
    add: 'Add route',
    allProjects: 'All projects',
    fromSeverity: (severity: string) => (severity === 'critical' ? 'critical' : `${severity} or worse`),
    to: (target: string) => `to ${target}`,
    fallback: (target: string) => `, else ${target}`,
    remove: 'Delete',
    removeNamed: (route: string) => `Delete the route: ${route}`,
    preview: 'Preview',
    previewNamed: (route: string) => `Preview of the route: ${route}`,
    changes: {
      opened: 'opened',
      worse: 'worse',
      resolved: 'resolved',
      group_new: 'new group',
      group_regressed: 'group came back',
      schedule_missed: 'schedule missed',
    } satisfies Record<Change, string>,
    unknown: 'a deleted target',
    change: 'Change',
    changeNamed: (route: string) => `Change the route: ${route}`,
    bound: (maxPerWeek: number | null) => (maxPerWeek === null ? '' : `; at most ${maxPerWeek} a week`),
  },
  preview: {
    ask: 'Preview on past data',
    sent: (days: number, messages: number, atNight: number) =>
      `In the last ${days} days it would have sent ${messages === 1 ? '1 message' : `${messages.toLocaleString('en')} messages`}, ${atNight === 0 ? 'none' : atNight.toLocaleString('en')} at night.`,
    digests: (count: number) =>
      count === 0 ? '' : ` ${count === 1 ? '1 of them sums' : `${count} of them sum`} up a storm.`,
    held: (held: number, dropped: number) =>
      held === 0
        ? ''
        : ` Quiet hours would have held ${held.toLocaleString('en')} ${held === 1 ? 'change' : 'changes'}${dropped === 0 ? '' : `; ${dropped.toLocaleString('en')} of them would never have been sent, because they were over by then`}.`,
    beyond: (count: number, digests: number) =>
      count === 0
        ? ''
        : ` ${count.toLocaleString('en')} ${count === 1 ? 'change' : 'changes'} beyond the limit would have come in ${digests === 1 ? '1 digest' : `${digests} digests`}.`,
    incomplete: ' There were more changes than a preview reads.',
    bySeverity: 'By severity, without a limit:',
    columns: ['From severity', 'Messages', 'At night', 'Most in 7 days'],
    fitting: (maxPerWeek: number, severity: string | null) =>
      severity === null
        ? `No severity keeps to ${maxPerWeek} a week by itself.`
        : `From severity ${severity} on, it keeps to ${maxPerWeek} a week by itself.`,
  },
  quietHours: {
    legend: 'Quiet hours',
    has: 'Quiet hours',
    hint: 'Only severe changes are sent during them. The others are sent when they end, unless they are over by then.',
    from: 'From',
    to: 'To',
    defaults: { from: '22:00', to: '07:00' },
    days: 'They start on',
    weekdays: {
      mon: 'Mon',
      tue: 'Tue',
      wed: 'Wed',
      thu: 'Thu',
      fri: 'Fri',
      sat: 'Sat',
      sun: 'Sun',
    } satisfies Record<QuietHours['weekdays'][number], string>,
    timeZone: 'Time zone',
    minSeverity: 'Still sent, from severity',
    noDays: 'Choose at least one day.',
    noTime: 'Enter a time such as 22:00.',
    said: ({ weekdays, from, to, timeZone, minSeverity }: QuietHours) =>
      `Quiet from ${from} to ${to} (${timeZone})${weekdays.length === 7 ? '' : ` on ${weekdays.map((day) => texts.quietHours.weekdays[day]).join(', ')}`}, except ${minSeverity === 'critical' ? 'critical' : `${minSeverity} or worse`}.`,
  },
  routeForm: {
    title: 'Add a route',
    change: 'Change a route',
    toTarget: (name: string) => `To the target ${name}.`,
    target: 'Target',
    project: 'Project',
    severity: 'From severity',
    changes: 'Changes',
    changesMissing: 'Choose at least one change.',
    fallback: 'Fallback target',
    fallbackHint: 'Used after 3 failed attempts or 5 minutes.',
    maxPerWeek: 'Messages per week, at most',
    maxPerWeekHint:
      'Further changes are sent as one digest a day; incidents that open as critical are always sent. Empty: no limit.',
    noBound: 'Enter a whole number from 1 on, or leave it empty.',
    noFallback: 'None',
    sameFallback: 'Choose another target than the first one.',
    labels: {
      opened: 'An incident opens',
      worse: 'It gets worse',
      resolved: 'It is resolved',
      group_new: 'A new group of errors',
      group_regressed: 'A resolved group comes back',
      schedule_missed: 'A schedule is missed',
    } satisfies Record<Change, string>,
    cancel: 'Cancel',
    save: 'Save',
    add: 'Add route',
  },
  log: {
    title: (name: string) => `Log of ${name}`,
    none: 'Nothing was sent yet. “Send a test” shows whether messages arrive.',
    end: 'End of the log',
    close: 'Close',
    open: (kind: Delivery['subject']['kind']) =>
      ({ incident: 'Incident', group: 'Group', schedule: 'Incident', digest: 'Digest' })[kind],
  },
  incident: {
    title: 'Who was notified',
    back: (title: string) => `Back to “${title}”`,
    sent: 'Messages',
    none: 'No message was sent.',
    why: 'What each route decided',
    noRoutes: 'No route was asked: the organization had none at that time.',
    change: (change: string) => change.replaceAll('_', ' '),
    target: (name: string | null) => name ?? 'A deleted target',
  },
};
