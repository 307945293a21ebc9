import type { Delivery, NotificationRoute, NotificationTarget, QuietHours } from '../../lib/api-types.ts';
import { texts as deliveryWords } from '../../ui/delivery/texts.ts';

type Change = NotificationRoute['changes'][number];

/** Texts of the notifications page. */
export const texts = {
  page: {
    title: 'Destinations',
    intro: 'Routes choose which alerts go to which target.',
    noPublicUrl: 'Set PUBLIC_URL so messages can link back here.',
    failing: (names: string) =>
      names.includes(', ') ? `These targets are failing: ${names}.` : `The target ${names} is failing.`,
    failingHint: 'The log shows why.',
    held: (count: number) => {
      const [are, they] = count === 1 ? ['message is', 'it’s'] : ['messages are', 'they’re'];
      return `${count.toLocaleString('en')} ${are} held because a backup was restored or ${they} over 24 hours old.`;
    },
    release: 'Send now',
    drop: 'Discard',
    memberHint: 'Owners can change targets and routes.',
  },
  targets: {
    title: 'Targets',
    list: 'Notification targets',
    none: 'No targets yet',
    noneHint: 'Add one, then a route to it.',
    add: 'Add target',
    test: 'Send a test',
    testNamed: (name: string) => `Send a test to ${name}`,
    log: 'Log',
    logNamed: (name: string) => `${name} log`,
    change: 'Change',
    enable: 'Enable',
    disable: 'Disable',
    remove: 'Delete',
    kinds: {
      webhook: 'Webhook',
      ntfy: 'ntfy',
      slack: 'Slack',
      discord: 'Discord',
      telegram: 'Telegram',
      teams: 'Microsoft Teams',
      pagerduty: 'PagerDuty',
      email: 'Email',
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
    asked: '· confirmation email sent',
    notAsked: '· no confirmation email sent yet',
    send: 'Send confirmation email',
    sendAgain: 'Send again',
    askNamed: (name: string) => `Send a confirmation email to ${name}`,
  },
  test: {
    delivered: (status: number | null, ms: number) =>
      `The test arrived: ${status === null ? 'accepted' : `answered ${status}`} in ${ms.toLocaleString('en')} ms.`,
    failed: (reason: string | null, ms: number) =>
      `The test failed after ${ms.toLocaleString('en')} ms: ${reason ?? 'no reason was given.'}`,
    answer: 'Response:',
  },
  targetForm: {
    title: 'Add a target',
    change: (name: string) => `Change ${name}`,
    keptHint: 'Leave empty to keep it.',
    save: 'Save',
    name: 'Name',
    nameMissing: 'Enter a name.',
    kind: 'Kind',
    missing: 'Enter a value.',
    webhook: {
      url: ['Address', 'Addresses in your own network need OUTBOUND_ALLOW.'],
    },
    ntfy: {
      server: ['Server'],
      topic: ['Topic', 'On a public server, choose a long random name.'],
      token: ['Access token', 'If the topic is protected.'],
    },
    slack: {
      webhookUrl: ['Incoming webhook', 'Leave empty to use a bot.'],
      botToken: ['Bot token', 'Scope chat:write. Updates one message per incident.'],
      channel: ['Channel id', 'Invite the bot to it.'],
    },
    discord: {
      url: ['Webhook address', 'From Channel settings → Integrations → Webhooks.'],
    },
    telegram: {
      token: ['Bot token', 'Issued by @BotFather.'],
      chatId: ['Chat id', 'Negative for a group, or the @name of a public channel.'],
    },
    teams: {
      url: ['Workflow address', 'From the workflow “Post to a channel when a webhook request is received”.'],
    },
    pagerduty: {
      routingKey: ['Integration key', 'From an Events API v2 integration.'],
      region: ['Region', 'us (default) or eu.'],
    },
    email: {
      to: ['Address', 'Or a mailing list.'],
    },
    webpush: {
      userId: ['Whose browsers', 'Turned on in Settings → Account.'],
      everybody: 'All members',
    },
    add: 'Add target',
    created: 'Target added',
    secret: 'Signing secret',
    secretHint: 'Signs requests (Standard Webhooks). You won’t see it again. Next, add a route.',
    copy: 'Copy secret',
    done: 'Done',
  },
  removeTarget: {
    title: (name: string) => `Delete ${name}?`,
    losses: 'This also deletes its routes and its log. Pending messages won’t be sent.',
    confirm: 'Delete target',
  },
  routes: {
    title: 'Routes',
    list: 'Notification routes',
    none: 'No alerts are sent yet',
    noneHint: 'Add a route to a target.',
    needsTarget: 'Add a target first.',
    add: 'Add route',
    allProjects: 'All projects',
    fromSeverity: (severity: string) => (severity === 'critical' ? 'critical' : `${severity} or worse`),
    to: (target: string) => `to ${target}`,
    fallback: (target: string) => `, else ${target}`,
    remove: 'Delete',
    named: (route: string) => `route: ${route}`,
    preview: 'Preview',
    previewNamed: (route: string) => `Preview route: ${route}`,
    changes: {
      opened: 'opened',
      worse: 'worse',
      resolved: 'resolved',
      group_new: 'new group',
      group_regressed: 'group came back',
      schedule_missed: 'schedule missed',
    } satisfies Record<Change, string>,
    unknown: 'a deleted target',
    someProject: 'A project',
    change: 'Change',
    bound: (maxPerWeek: number | null) => (maxPerWeek === null ? '' : `; at most ${maxPerWeek} a week`),
  },
  preview: {
    ask: 'Preview on past data',
    sent: (days: number, messages: number, atNight: number) =>
      `In the last ${days} days it would have sent ${messages === 1 ? '1 message' : `${messages.toLocaleString('en')} messages`}, ${atNight === 0 ? 'none' : atNight.toLocaleString('en')} at night.`,
    digests: (count: number) =>
      count === 0 ? '' : ` ${count === 1 ? '1 of them sums' : `${count} of them sum`} up a burst.`,
    held: (held: number, dropped: number) =>
      held === 0
        ? ''
        : ` Quiet hours would have held ${held.toLocaleString('en')} ${held === 1 ? 'change' : 'changes'}${dropped === 0 ? '' : `; ${dropped.toLocaleString('en')} of them would never have been sent because they were over by then`}.`,
    beyond: (count: number, digests: number) =>
      count === 0
        ? ''
        : ` ${count.toLocaleString('en')} ${count === 1 ? 'change' : 'changes'} over the limit would have been sent in ${digests === 1 ? '1 digest' : `${digests} digests`}.`,
    incomplete: ' The preview is incomplete because there were too many changes.',
    bySeverity: 'By severity, without a limit:',
    columns: ['From severity', 'Messages', 'At night', 'Most in 7 days'],
    fitting: (maxPerWeek: number, severity: string | null) =>
      severity === null
        ? `Without a limit, every severity exceeds ${maxPerWeek} a week.`
        : `Without a limit, severity ${severity} and above stays within ${maxPerWeek} a week.`,
  },
  quietHours: {
    legend: 'Quiet hours',
    has: 'Quiet hours',
    hint: 'Less severe changes wait until the end, unless they’re over.',
    from: 'From',
    to: 'To',
    defaults: { from: '22:00', to: '07:00' },
    days: 'Start on',
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
    minSeverity: 'Still send from severity',
    noDays: 'Choose at least one day.',
    noTime: 'Enter a time such as 22:00.',
    said: ({ weekdays, from, to, timeZone, minSeverity }: QuietHours) =>
      `Quiet from ${from} to ${to} (${timeZone})${weekdays.length === 7 ? '' : ` on ${weekdays.map((day) => texts.quietHours.weekdays[day]).join(', ')}`}, except ${minSeverity === 'critical' ? 'critical' : `${minSeverity} or worse`}.`,
  },
  routeForm: {
    title: 'Add a route',
    change: 'Change a route',
    toTarget: (name: string) => `To target ${name}.`,
    target: 'Target',
    project: 'Project',
    severity: 'From severity',
    changes: 'Changes',
    changesMissing: 'Choose at least one change.',
    fallback: 'Fallback target',
    fallbackHint: 'After 3 failed attempts or 5 minutes.',
    maxPerWeek: 'Maximum messages per week',
    maxPerWeekHint: 'The rest comes in a daily digest. Critical incidents are always sent.',
    noBound: 'Enter a whole number, 1 or more, or leave empty.',
    noFallback: 'None',
    sameFallback: 'Choose a different target.',
    labels: {
      opened: 'An incident opens',
      worse: 'It gets worse',
      resolved: 'It’s resolved',
      group_new: 'A new error group',
      group_regressed: 'A resolved group comes back',
      schedule_missed: 'A schedule is missed',
    } satisfies Record<Change, string>,
    save: 'Save',
    add: 'Add route',
  },
  log: {
    title: (name: string) => `${name} log`,
    none: 'Nothing sent yet. Send a test to see whether messages arrive.',
    end: 'End of log',
    close: 'Close',
    open: (kind: Delivery['subject']['kind']) =>
      ({ incident: 'Incident', group: 'Group', schedule: 'Incident', digest: 'Digest' })[kind],
  },
  incident: {
    title: 'Who was notified',
    back: (title: string) => `Back to “${title}”`,
    sent: 'Messages',
    none: 'No messages were sent.',
    notSent: (count: number) => (count === 1 ? '1 not sent' : `${count} not sent`),
    why: 'Route decisions',
    noRoutes: 'The organization had no routes then.',
    change: (change: string) => {
      const text = deliveryWords.changes[change] ?? change;
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
    },
    skipped: (count: number) =>
      count === 1 ? '1 route had nothing to send' : `${count} routes had nothing to send`,
    target: (name: string | null) => name ?? 'A deleted target',
  },
};
