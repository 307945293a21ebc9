import { createRoute, redirect } from '@tanstack/react-router';
import { readAlarmSearch } from '../lib/search/alarm-search.ts';
import { readCreateSearch } from '../lib/search/create-search.ts';
import { readSilenceSearch } from '../lib/search/silence-search.ts';
import { inside } from './inside-route.ts';
import { lazyPage } from './lazy-page.tsx';

/*
 * Everything about alerts in one place, and the addresses that it had before, which sent messages and bookmarks name.
 */
const alerts = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/alerts',
  validateSearch: readCreateSearch,
  component: lazyPage(() => import('../features/alarms/alarms-page.tsx'), 'AlarmsPage'),
});

const watched = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/alerts/watched',
  component: lazyPage(() => import('../features/alarms/watched-page.tsx'), 'WatchedPage'),
});

const quietLog = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/alerts/quiet-log',
  validateSearch: readAlarmSearch,
  component: lazyPage(() => import('../features/alarms/quiet-log-page.tsx'), 'QuietLogPage'),
});

const schedules = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/alerts/schedules',
  validateSearch: readCreateSearch,
  component: lazyPage(() => import('../features/schedules/schedules-page.tsx'), 'SchedulesPage'),
});

const silences = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/alerts/silences',
  validateSearch: readSilenceSearch,
  component: lazyPage(() => import('../features/silences/silences-page.tsx'), 'SilencesPage'),
});

const destinations = createRoute({
  getParentRoute: () => inside,
  path: '/alerts/destinations',
  validateSearch: readCreateSearch,
  component: lazyPage(() => import('../features/notifications/notifications-page.tsx'), 'NotificationsPage'),
});

const formerAlarms = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId/alarms',
  validateSearch: readAlarmSearch,
  beforeLoad: ({ params: { projectId }, search }) => {
    const to = search.outcome ? '/alerts/quiet-log' : '/alerts';
    throw redirect({ to, search: { ...search, project: projectId }, replace: true });
  },
});

const formerWatched = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId/watched',
  beforeLoad: ({ params: { projectId } }) => {
    throw redirect({ to: '/alerts/watched', search: { project: projectId }, replace: true });
  },
});

const formerSchedules = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId/schedules',
  beforeLoad: ({ params: { projectId } }) => {
    throw redirect({ to: '/alerts/schedules', search: { project: projectId }, replace: true });
  },
});

const formerSilences = createRoute({
  getParentRoute: () => inside,
  path: '/settings/silences',
  validateSearch: readSilenceSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/alerts/silences', search, replace: true });
  },
});

const formerNotifications = createRoute({
  getParentRoute: () => inside,
  path: '/settings/notifications',
  beforeLoad: () => {
    throw redirect({ to: '/alerts/destinations', replace: true });
  },
});

export const alertRoutes = [
  alerts,
  watched,
  quietLog,
  schedules,
  silences,
  destinations,
  formerAlarms,
  formerWatched,
  formerSchedules,
  formerSilences,
  formerNotifications,
] as const;
