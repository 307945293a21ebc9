import type { Severity, Status } from '../lib/api-types.ts';
import { formatCount } from '../lib/format.ts';

/** What a user reads in the frame around all pages. */
export const texts = {
  news: {
    newIncident: 'New incident',
    now: (became: Status | Severity) => `Now ${became}`,
    by: (says: string, name: string | null) => (name === null ? says : `${says} · ${name}`),
    many: (count: number) => `${formatCount(count)} new or changed incidents`,
    ofSeverity: (count: number, severity: Severity) => `${formatCount(count)} ${severity}`,
    open: 'Open',
    openAll: 'Open the list',
    take: 'I’m on it',
    taken: 'You’re on it',
    failed: (why: string) => `You’re not on it yet: ${why}`,
    browserTitle: (says: string, title: string) => `${says}: ${title}`,
    browserMany: (count: number) => `${formatCount(count)} incidents`,
    manual: (severity: Severity) => `${severity}, created manually`,
    schedule: (severity: Severity) => `${severity}, a schedule failed`,
  },
  bar: {
    project: 'Project',
    allProjects: 'All projects',
    unknownProject: 'Unknown project',
    range: 'Time range',
    rangeNamed: (range: string) => `Time range: ${range}`,
    both: 'Project and time range',
    rangeKeys: { open: 'Time range', earlier: 'One window earlier', later: 'One window later' },
    search: 'Search',
    connection: 'Connection',
    states: { connecting: 'connecting', live: 'live', reconnecting: 'reconnecting', offline: 'offline' },
  },
  user: {
    account: 'Account',
    times: 'Times in UTC',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    logOut: 'Log out',
    stillLoggedIn: (why: string) => `You’re still logged in. ${why}`,
  },
  navigation: {
    name: 'Main',
    product: 'Tocsin',
    skip: 'Skip to content',
    open: 'open',
    expand: 'Expand navigation',
    collapse: 'Collapse',
    places: {
      overview: 'Overview',
      incidents: 'Incidents',
      groups: 'Groups',
      events: 'Events',
      releases: 'Releases',
      projects: 'Projects',
      settings: 'Settings',
    },
  },
  banner: {
    name: 'Lost connection',
    offline: 'You’re offline. This page may be out of date.',
    lost: 'Connection lost. This page may be out of date.',
    reconnect: 'Reconnect',
  },
  signUpWarning: {
    name: 'Open sign-up',
    text: 'Anyone on the internet can sign up here and create projects. Set SIGNUP=invited to let in only people with an invitation.',
    dismiss: 'Dismiss',
    dismissNamed: 'Dismiss the warning about open sign-up',
  },
  notices: {
    name: 'Notices',
    dismiss: 'Dismiss',
    dismissNamed: (organization: string) => `Dismiss the notice about ${organization}`,
    removed: (by: string, organization: string) =>
      `${by} removed you from ${organization}. You now have your own organization.`,
    recoveryLink: (by: string) =>
      `${by} made a link by which a new password can be set for your account. If you didn’t ask for it, talk to them.`,
    totpDisabled: (by: string) =>
      `${by} turned off two-factor authentication for your account. If you didn’t ask for it, talk to them.`,
    added: (by: string, organization: string) =>
      `${by} added you to ${organization}. Its members can view and edit what you create here. Do you want to stay? An owner can then set you a new password.`,
    stay: 'Stay',
    stayNamed: (organization: string) => `Stay in ${organization}`,
    leave: 'Leave…',
    leaveNamed: (organization: string) => `Leave ${organization}`,
    targets: {
      failing_targets: {
        name: 'Failing notifications',
        sentence: 'Notifications do not arrive at every target. Find out why under',
      },
      unconfirmed_targets: {
        name: 'Unconfirmed addresses',
        sentence: 'An email address waits for its owner to confirm that it wants your notifications. See',
      },
    },
    notifications: 'Settings → Notifications',
  },
  states: {
    failed: 'Something went wrong',
    unreachable:
      'Couldn’t load this page: the server can’t be reached, or it has been updated. Your unsent notes are kept.',
    notFound: 'Not found',
    pageNotFound: 'Page not found',
    openOverview: 'Open overview',
  },
  keys: {
    title: 'Keyboard shortcuts',
    close: 'Close',
    groups: { page: 'On this page', everywhere: 'Everywhere' },
    menu: 'Command menu',
  },
  history: {
    name: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} new`),
    title: 'Notifications',
    none: 'New and changed incidents show up here while this page is open.',
    all: 'All incidents',
  },
};
