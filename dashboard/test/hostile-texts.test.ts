import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { longForm } from '../../server/test/support/test-length.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { becomesLive, startTestService } from './support/browser.ts';
import { HOSTILE_TEXTS, XSS_TEXTS } from './support/hostile-texts.ts';
import { whenRead } from './support/navigate.ts';
import { keepPictures, TAKES_PICTURES } from './support/pictures.ts';
import { goTo, PLACES } from './support/places.ts';
import { HOSTILE_NAMES, isAccepted, MEMBER_NAMES, seedHostile } from './support/seed-hostile.ts';
import { watchedVisit } from './support/watch-safety.ts';

const LONG_MS = scaled(180_000);

// Every text that users and applications can write holds all hostile texts.
const service = await startTestService();
const user = await service.signUp(HOSTILE_NAMES[3]);
const seeded = await seedHostile(service, user);
const inside = await watchedVisit(service, user);
/** Opens a page: by a load in the long form, as the tests of each page do. */
const openPage = longForm ? inside.open : inside.go;

/** Returns the unshortened texts of all matching elements. */
const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) => elements.map(({ textContent }) => textContent).join('\n'));

/**
 * Places that list many written texts. The walks show a few hostile ones at every place, on the load on which they look
 * at it with axe.
 */
const LISTING = [
  'overview',
  'events-filtered',
  'groups',
  'releases',
  'alarms',
  'schedules',
  'notifications',
  ...(longForm
    ? ['palette', 'group', 'incident-by-risk', 'releases-compared', 'watched', 'add-route', 'new-silence']
    : []),
];

it.each(PLACES.filter(({ name, outside }) => (TAKES_PICTURES ? !outside : LISTING.includes(name))))(
  'shows all hostile texts as texts at the place $name',
  async (place) => {
    const { page, start, end } = inside;
    start();
    await goTo(page, place, seeded, { within: !longForm });
    await keepPictures(page, `hostile-${place.name}`);
    await end();
  },
);

it(
  'shows every hostile text unchanged in the list of events',
  async () => {
    const { page, start, end } = inside;
    start();
    await openPage('/events');
    const grid = page.getByRole('grid', { name: 'Events' });
    await grid.getByRole('row').nth(5).waitFor();
    await grid.focus();
    const missing = new Set(HOSTILE_TEXTS);
    let last = '';
    await expect
      .poll(
        async () => {
          const { rows, active } = await grid.evaluate((element) => ({
            rows: [...element.querySelectorAll('[role="row"]')]
              .map(({ textContent }) => textContent)
              .join('\n'),
            active: element.getAttribute('aria-activedescendant') ?? '',
          }));
          for (const text of missing) if (rows.includes(text)) missing.delete(text);
          await page.keyboard.press('PageDown');
          const isEnd = active === last && missing.size === 0;
          last = active;
          return isEnd;
        },
        { timeout: LONG_MS / 2, interval: 20 },
      )
      .toBe(true);
    await end();
  },
  LONG_MS,
);

it(
  'shows hostile texts as keys, values and frames in the panel of an event',
  async () => {
    const { page, start, end } = inside;
    start();
    await openPage(`/events?event=${seeded.eventId}`);
    const panel = page.getByRole('region', { name: 'Event' });
    await panel.getByRole('group', { name: 'Payload' }).waitFor();
    // Opens every closed part and expands every cut text, until none is left.
    await expect
      .poll(
        () =>
          panel.evaluate((element) => {
            const buttons = [...element.querySelectorAll('button')].filter(
              (button) =>
                button.getAttribute('aria-expanded') === 'false' || /^show /i.test(button.textContent),
            );
            for (const button of buttons) button.click();
            return buttons.length;
          }),
        { timeout: LONG_MS / 2 },
      )
      .toBe(0);
    const shown = await textsOf(page, '[role=group][aria-label=Payload]');
    expect(HOSTILE_TEXTS.filter((text) => !shown.includes(text))).toEqual([]);
    await end();
  },
  LONG_MS,
);

it('shows hostile texts in the panels of events, one after the other', async () => {
  const { page, open, start, end } = inside;
  start();
  // By a load: the page of events keeps what was selected on it.
  await open('/events?q=script');
  const grid = page.getByRole('grid', { name: 'Events' });
  await grid.getByRole('row').nth(5).waitFor();
  await grid.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const payload = page.getByRole('group', { name: 'Payload' });
  for (let count = 0; count < 25; count++) {
    await payload.waitFor();
    await page.keyboard.press('j');
  }
  await end();
});

it('shows hostile texts as notes and titles in the timeline of an incident', async () => {
  const { page, start, end } = inside;
  start();
  await openPage(`/incidents/${seeded.incidentIds.open}`);
  await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
  const earlier = page.getByRole('button', { name: 'Show earlier entries' });
  while ((await earlier.count()) > 0) await whenRead(page, () => earlier.click());
  const shown = await textsOf(page, 'main');
  expect(XSS_TEXTS.filter((text) => !shown.includes(text))).toEqual([]);
  await end();
});

it(
  'shows hostile texts up to the end of the list of incidents and of the audit log',
  async () => {
    const { page, start, end } = inside;
    start();
    for (const [path, list] of [
      ['/incidents?status=all', 'Incidents'],
      ['/settings/audit', 'Changes, newest first'],
    ] as const) {
      await openPage(path);
      const items = page.getByRole('list', { name: list }).getByRole('listitem');
      await items.first().waitFor();
      const more = page.getByRole('button', { name: 'Load more' });
      while ((await more.count()) > 0) {
        const before = await items.count();
        await more.click();
        await expect.poll(() => items.count()).toBeGreaterThan(before);
      }
      const shown = await textsOf(page, 'main');
      // The audit log has the changes made through the API.
      const names = list === 'Incidents' ? HOSTILE_NAMES : HOSTILE_NAMES.filter(isAccepted);
      expect(names.slice(20).filter((name) => !shown.includes(name.trim()))).toEqual([]);
    }
    await end();
  },
  LONG_MS,
);

it('shows hostile texts as names of projects, keys and members', async () => {
  const { page, start, end } = inside;
  start();
  for (const [path, names] of [
    ['/projects', HOSTILE_NAMES],
    [`/projects/${seeded.projectId}`, HOSTILE_NAMES],
    ['/settings', MEMBER_NAMES],
  ] as const) {
    await openPage(path);
    await page.getByRole('main').getByText('reportExecution').nth(5).waitFor();
    const more = page.getByRole('button', { name: /^Show [\d,]+ more of/ });
    while (await more.isVisible()) await more.click();
    const shown = await textsOf(page, 'main');
    expect(names.filter((name) => !shown.includes(name.trim()))).toEqual([]);
  }
  await end();
});

it('treats hostile texts in the command palette as typed text', async () => {
  const { page, start, end } = inside;
  start();
  await openPage('/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search or go to' });
  for (const text of XSS_TEXTS.filter((_, index) => index % 4 === 0)) {
    await field.fill(text);
    await page.getByRole('option', { name: /^Search events for/ }).waitFor();
  }
  await whenRead(page, async () => {
    await page.getByRole('option', { name: /^Search events for/ }).click();
    await page.waitForURL(/\/app\/events\?/);
  });
  await end();
});

it('shows hostile texts in the messages of new incidents and in the live tail', async () => {
  const { page, start, end } = inside;
  start();
  await openPage('/events?live=true');
  await becomesLive(page);
  const title = `</p><img src=x onerror=reportExecution(1)> just now`;
  await user.api.post('/incidents', { title, severity: 'error', projectId: seeded.projectId });
  await page.getByRole('status').filter({ hasText: title }).waitFor();
  await end();
});
