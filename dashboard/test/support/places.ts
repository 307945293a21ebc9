import type { Page } from 'playwright-core';
import { becomesLive } from './browser.ts';
import { chooseAction } from './choose.ts';
import { closeDialog, hasPages, navigate, whenRead } from './navigate.ts';
import type { SeededProject } from './seed.ts';

/** A page, panel or dialog of the dashboard, and how to get there. */
export interface Place {
  name: string;
  path: (seeded: SeededProject) => string;
  /** Keys and clicks after the page was loaded. */
  act?: (page: Page) => Promise<void>;
  /** True to open it without a session, by a load. */
  outside?: true;
  /** True to open it as in a service without accounts. */
  isFirst?: true;
  /** True to open it by a load each time: no other test does. */
  onLoad?: true;
}

const dialog = (page: Page) => page.getByRole('dialog').first().waitFor();

/** Returns a dialog of the notifications page, by the button that opens it. */
function notificationDialog(name: string, open: (page: Page) => Promise<void>): Place {
  return {
    name,
    path: () => '/alerts/destinations',
    act: async (page) => {
      await open(page);
      await dialog(page);
    },
  };
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();
const change = (of: RegExp) => (page: Page) => chooseAction(page, of, 'Change');

/** Places before the login, and those of events, groups, incidents and releases. */
export const MONITORING_PLACES: readonly Place[] = [
  { name: 'log-in', path: () => '/login', outside: true },
  { name: 'sign-up', path: () => '/signup', outside: true },
  { name: 'first-account', path: () => '/signup', outside: true, isFirst: true },
  { name: 'reset-password', path: () => '/reset', outside: true },
  { name: 'join-nothing', path: () => '/join', outside: true },
  { name: 'confirm-nothing', path: () => '/confirm', outside: true },
  { name: 'overview', path: () => '/' },
  {
    name: 'time-range',
    path: () => '/',
    act: async (page) => {
      await page.getByRole('button', { name: /^Time range: / }).click();
      await page.getByLabel('From').waitFor();
    },
  },
  {
    name: 'palette',
    path: () => '/',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await dialog(page);
      await page.keyboard.type('o');
    },
  },
  { name: 'events', path: () => '/events' },
  {
    name: 'keys',
    path: () => '/events',
    act: async (page) => {
      await page.keyboard.press('?');
      await dialog(page);
    },
  },
  { name: 'events-live', path: () => '/events?live=true' },
  { name: 'events-none', path: () => '/events?q=nothing-has-this-in-it' },
  {
    name: 'events-filtered',
    path: ({ eventId }) => `/events?type!=mail&severity!=critical&payload.method!=GET&event=${eventId}`,
  },
  { name: 'events-of-id', path: () => '/events?q=ord_4' },
  { name: 'event', path: ({ eventId }) => `/events?event=${eventId}` },
  { name: 'groups', path: () => '/groups' },
  { name: 'groups-none', path: () => '/groups?q=nothing-has-this-in-it' },
  { name: 'group', path: ({ groupId }) => `/groups/${groupId}` },
  { name: 'no-such-group', path: () => '/groups/grp_nobody' },
  { name: 'incidents', path: () => '/incidents' },
  { name: 'incidents-resolved', path: () => '/incidents?status=resolved' },
  { name: 'create-incident', path: () => '/incidents?create=true', act: dialog },
  { name: 'incident-by-risk', path: ({ incidentIds }) => `/incidents/${incidentIds.risk}` },
  { name: 'incident-by-hand', path: ({ incidentIds }) => `/incidents/${incidentIds.open}` },
  { name: 'incident-of-payments', path: ({ incidentIds }) => `/incidents/${incidentIds.payments}` },
  { name: 'incident-of-schedule', path: ({ incidentIds }) => `/incidents/${incidentIds.schedule}` },
  {
    name: 'incident-notifications',
    path: ({ incidentIds }) => `/incidents/${incidentIds.risk}/notifications`,
  },
  { name: 'releases', path: () => '/releases' },
  { name: 'releases-compared', path: ({ projectId }) => `/releases/compare?project=${projectId}&base=4.0.0` },
  { name: 'record-deploy', path: () => '/releases?record=true', act: dialog },
  { name: 'no-such-incident', path: () => '/incidents/inc_nobody' },
];

/** Places of projects, the organization and the account. */
export const SETTINGS_PLACES: readonly Place[] = [
  { name: 'projects', path: () => '/projects' },
  { name: 'new-project', path: () => '/projects/new' },
  { name: 'project', path: ({ projectId }) => `/projects/${projectId}` },
  { name: 'first-steps', path: ({ projectId }) => `/projects/${projectId}/start` },
  {
    name: 'delete-project',
    path: ({ projectId }) => `/projects/${projectId}`,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click();
      await dialog(page);
    },
  },
  { name: 'alarms', path: ({ projectId }) => `/alerts?project=${projectId}` },
  {
    name: 'alarms-tried',
    path: ({ projectId }) => `/alerts?project=${projectId}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('button', { name: 'Run test' }).click();
      await page.getByRole('status').filter({ hasText: 'Sensitivity: ' }).waitFor();
    },
  },
  { name: 'watched', path: ({ projectId }) => `/alerts/watched?project=${projectId}` },
  {
    name: 'watched-details',
    path: ({ projectId }) => `/alerts/watched?project=${projectId}`,
    act: async (page) => {
      await page.getByRole('list', { name: 'Watched series' }).getByRole('button').first().click();
      await dialog(page);
    },
  },
  { name: 'schedules', path: ({ projectId }) => `/alerts/schedules?project=${projectId}` },
  {
    name: 'new-schedule',
    path: ({ projectId }) => `/alerts/schedules?project=${projectId}`,
    act: async (page) => {
      await page.getByRole('button', { name: 'New schedule' }).click();
      await dialog(page);
    },
  },
  { name: 'project-data', path: ({ projectId }) => `/projects/${projectId}/data` },
  { name: 'project-requests', path: ({ projectId }) => `/projects/${projectId}/requests` },
  { name: 'organization', path: () => '/settings' },
  {
    name: 'remove-member',
    path: () => '/settings',
    act: async (page) => {
      await chooseAction(page, /^Actions for /, 'Remove');
      await dialog(page);
    },
  },
  { name: 'notifications', path: () => '/alerts/destinations' },
  notificationDialog('add-target', press('Add target')),
  notificationDialog('change-target', change(/^Actions for (?!route)/)),
  notificationDialog('add-route', press('Add route')),
  notificationDialog('change-route', change(/^Actions for route/)),
  {
    name: 'previewed-route',
    path: () => '/alerts/destinations',
    act: async (page) => {
      await change(/^Actions for route/)(page);
      await page.getByRole('button', { name: 'Preview on past data' }).click();
      await page.getByRole('status').filter({ hasText: 'it would have sent' }).waitFor();
    },
  },
  { name: 'quiet-log', path: ({ projectId }) => `/alerts/quiet-log?project=${projectId}&outcome=all` },
  { name: 'alerts-no-project', path: () => '/alerts', onLoad: true },
  { name: 'silences', path: () => '/alerts/silences?state=all' },
  { name: 'new-silence', path: () => '/alerts/silences?create=true', act: dialog, onLoad: true },
  {
    name: 'silence-incident',
    path: ({ incidentIds }) => `/incidents/${incidentIds.risk}?silence=custom`,
    act: dialog,
    onLoad: true,
  },
  { name: 'audit-log', path: () => '/settings/audit' },
  { name: 'account', path: () => '/settings/account' },
  {
    name: 'set-up-totp',
    path: () => '/settings/account',
    act: async (page) => {
      await page.getByRole('button', { name: 'Set up' }).click();
      await dialog(page);
    },
  },
  { name: 'not-found', path: () => '/nowhere', onLoad: true },
];

/** All places, for the tests that visit each of them. */
export const PLACES: readonly Place[] = [...MONITORING_PLACES, ...SETTINGS_PLACES];

/**
 * Goes to a place and waits until all its data was read. A dialog of the present page is opened there, without another
 * load; with `within`, so is every other place that some test opens by a load.
 */
export async function goTo(
  page: Page,
  place: Place,
  seeded: SeededProject,
  { within = false }: { within?: boolean } = {},
): Promise<void> {
  const address = `/app${place.path(seeded)}`;
  const { act } = place;
  if (place.isFirst)
    await page.route('**/auth/options', (route) =>
      route.fulfill({ json: { signUp: 'open', hasUsers: false, passwordReset: false } }),
    );
  const { pathname, search } = new URL(page.url());
  if (act && pathname + search === address) {
    await closeDialog(page);
  } else {
    const isWithin = within && !place.outside && !place.onLoad && (await hasPages(page));
    await whenRead(page, async () => {
      await (isWithin ? navigate(page, address) : page.goto(address));
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (!place.outside) await becomesLive(page);
    });
  }
  if (act) await whenRead(page, () => act(page));
  if (place.isFirst) await page.unroute('**/auth/options');
}
