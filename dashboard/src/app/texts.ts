import type { Severity, Status } from '../lib/api-types.ts';

/** Texts of the frame around all pages. */
export const texts = {
  news: {
    newIncident: 'New incident',
    now: (became: Status | Severity) => `Now ${became}`,
  },
  bar: {
    project: 'Project',
    allProjects: 'All projects',
    unknownProject: 'Unknown project',
    range: 'Time range',
    rangeNamed: (range: string) => `Time range: ${range}`,
    both: 'Project and time range',
    rangeKeys: { open: 'Time range', earlier: 'Move time range back', later: 'Move time range forward' },
    search: 'Search',
    showNotices: (count: number) => `Show notices: ${count}`,
    connection: 'Connection',
    states: { connecting: 'connecting', live: 'live', reconnecting: 'reconnecting', offline: 'offline' },
  },
  banner: {
    name: 'Lost connection',
    offline: 'You’re offline. This page may be out of date.',
    lost: 'Connection lost. This page may be out of date.',
    reconnect: 'Reconnect',
  },
  states: {
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
