import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { findSession, optionsQuery, queryClient } from '../lib/queries.ts';
import { readCreateSearch } from '../lib/search/create-search.ts';
import { readEventSearch } from '../lib/search/event-search.ts';
import { readGroupPageSearch, readGroupSearch } from '../lib/search/group-search.ts';
import { readIncidentSearch } from '../lib/search/incident-search.ts';
import { readNextPage } from '../lib/search/next-page.ts';
import { readComparisonSearch, readReleaseSearch } from '../lib/search/release-search.ts';
import { logCaught } from '../ui/layout/lazy-part.tsx';
import { alertRoutes } from './alert-pages.ts';
import { inside, root } from './inside-route.ts';
import { lazyPage } from './lazy-page.tsx';
import { NotFound, RouteFailure } from './route-states.tsx';

/*
 * All pages. Each is a chunk of its own, loaded when it is first opened or the browser is idle; the parameters of an address are read here,
 * once, into the search that a page works with.
 */
/** Unknown parameters are overwritten with `undefined`: the router keeps a parameter that is merely left out here. */
const readNext = ({ next, ended }: Record<string, unknown>): LogInSearch => ({
  next: readNextPage(next),
  ended: ended === true || undefined,
});

interface LogInSearch {
  /** Page that the login leads to. */
  next?: string | undefined;
  /** True if the session ended while a page was open. */
  ended?: true | undefined;
}

/** Redirects a logged-in user away from the login. */
async function sendOnWithSession({ search }: { search: LogInSearch }): Promise<void> {
  const session = await findSession().catch(() => null);
  if (session) throw redirect({ href: readNextPage(search.next) ?? '/', replace: true });
}

/** Reads the options before the login: with them a page has its form at once. */
const loadOptions = () => queryClient.fetchQuery(optionsQuery).catch(() => null);

/** Redirects the first user of an installation to the sign-up, too. */
async function sendOnFromLogin(route: { search: LogInSearch }): Promise<void> {
  const [options] = await Promise.all([loadOptions(), sendOnWithSession(route)]);
  if (options?.hasUsers === false) throw redirect({ to: '/signup', replace: true });
}

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: readNext,
  beforeLoad: sendOnFromLogin,
  component: lazyPage(() => import('../features/auth/log-in-page.tsx'), 'LogInPage'),
});

const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: readNext,
  beforeLoad: async (route) => {
    await Promise.all([loadOptions(), sendOnWithSession(route)]);
  },
  component: lazyPage(() => import('../features/auth/sign-up-page.tsx'), 'SignUpPage'),
});

/** The page of an invitation, whose secret is in the fragment. */
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyPage(() => import('../features/auth/join-page.tsx'), 'JoinPage'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  beforeLoad: loadOptions,
  component: lazyPage(() => import('../features/auth/reset-page.tsx'), 'ResetPage'),
});

const confirm = createRoute({
  getParentRoute: () => root,
  path: '/confirm',
  component: lazyPage(() => import('../features/auth/confirm-page.tsx'), 'ConfirmPage'),
});

const overview = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project and time' },
  path: '/',
  component: lazyPage(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
});

const events = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project and time' },
  path: '/events',
  validateSearch: readEventSearch,
  component: lazyPage(() => import('../features/events/page/events-page.tsx'), 'EventsPage'),
});

const groups = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/groups',
  validateSearch: readGroupSearch,
  component: lazyPage(() => import('../features/groups/list/groups-page.tsx'), 'GroupsPage'),
});

const group = createRoute({
  getParentRoute: () => inside,
  path: '/groups/$groupId',
  validateSearch: readGroupPageSearch,
  component: lazyPage(() => import('../features/groups/page/group-page.tsx'), 'GroupPage'),
});

const releases = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/releases',
  validateSearch: readReleaseSearch,
  beforeLoad: ({ search: { release, base, record: _record, ...scope } }) => {
    if (release === undefined && base === undefined) return;
    throw redirect({ to: '/releases/compare', search: { ...scope, release, base }, replace: true });
  },
  component: lazyPage(() => import('../features/releases/releases-page.tsx'), 'ReleasesPage'),
});

const compareReleases = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/releases/compare',
  validateSearch: readComparisonSearch,
  component: lazyPage(() => import('../features/releases/compare/compare-page.tsx'), 'ComparePage'),
});

const incidents = createRoute({
  getParentRoute: () => inside,
  staticData: { scope: 'project' },
  path: '/incidents',
  validateSearch: readIncidentSearch,
  component: lazyPage(() => import('../features/incidents/list/incidents-page.tsx'), 'IncidentsPage'),
});

const incident = createRoute({
  getParentRoute: () => inside,
  path: '/incidents/$incidentId',
  component: lazyPage(() => import('../features/incidents/page/incident-page.tsx'), 'IncidentPage'),
  // A pointer that rests on a link preloads the code only: the loader would not run again for the click.
  preload: false,
  // Not awaited: the page appears before its data.
  loader: ({ params: { incidentId } }) => {
    void import('../features/incidents/page/prefetch-incident.ts').then(
      ({ prefetchIncident }) => prefetchIncident(incidentId),
      () => undefined,
    );
  },
});

const incidentNotifications = createRoute({
  getParentRoute: () => inside,
  path: '/incidents/$incidentId/notifications',
  component: lazyPage(
    () => import('../features/notifications/incident-notifications-page.tsx'),
    'IncidentNotificationsPage',
  ),
});

const projects = createRoute({
  getParentRoute: () => inside,
  path: '/projects',
  component: lazyPage(() => import('../features/projects/projects-page.tsx'), 'ProjectsPage'),
});

const newProject = createRoute({
  getParentRoute: () => inside,
  path: '/projects/new',
  component: lazyPage(() => import('../features/projects/new-project-page.tsx'), 'NewProjectPage'),
});

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId',
  component: lazyPage(() => import('../features/projects/project-page.tsx'), 'ProjectPage'),
});

const start = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId/start',
  component: lazyPage(() => import('../features/projects/start-page.tsx'), 'StartPage'),
});

const requests = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId/requests',
  component: lazyPage(() => import('../features/projects/requests/requests-page.tsx'), 'RequestsPage'),
});

const data = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId/data',
  component: lazyPage(() => import('../features/projects/data/data-page.tsx'), 'DataPage'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  validateSearch: readCreateSearch,
  component: lazyPage(() => import('../features/organization/organization-page.tsx'), 'OrganizationPage'),
});

const audit = createRoute({
  getParentRoute: () => inside,
  path: '/settings/audit',
  component: lazyPage(() => import('../features/organization/audit-page.tsx'), 'AuditPage'),
});

const account = createRoute({
  getParentRoute: () => inside,
  path: '/settings/account',
  validateSearch: readCreateSearch,
  component: lazyPage(() => import('../features/account/account-page.tsx'), 'AccountPage'),
});

/** Addresses without a page, shown inside the frame. */
const nowhere = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound });

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    signup,
    join,
    reset,
    confirm,
    inside.addChildren([
      overview,
      events,
      groups,
      releases,
      compareReleases,
      group,
      incidents,
      incident,
      incidentNotifications,
      projects,
      newProject,
      project,
      start,
      requests,
      data,
      settings,
      audit,
      account,
      ...alertRoutes,
      nowhere,
    ]),
  ]),
  basepath: '/app',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: RouteFailure,
  defaultOnCatch: logCaught,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Controls that the top bar offers for the page; unset: none. */
    scope?: 'project' | 'project and time';
  }
  interface Register {
    router: typeof router;
  }
}
