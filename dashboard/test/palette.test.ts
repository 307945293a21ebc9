import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { logInAnew, startTestService, visit } from './support/browser.ts';
import { seed } from './support/seed.ts';

const service = await startTestService();
const user = await service.signUp();
const seeded = await seed(service, user);

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or go to' });
const option = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('option', { name });
const chosen = (page: Page) => page.getByRole('dialog').locator('[role=option][aria-selected=true]');

const inside = await visit(service, user);

/** Opens a page without recent choices, in the document of the test before. */
async function openPage(path: string) {
  const { page, go } = inside;
  await go(path);
  await page.evaluate(() => localStorage.clear());
  await page.getByRole('heading', { level: 1 }).waitFor();
  return inside;
}

async function openPalette(path = '/settings') {
  const { page } = await openPage(path);
  await page.keyboard.press('Control+k');
  await field(page).waitFor();
  return inside;
}

describe('the command palette', () => {
  it('opens with Ctrl-K, also from within a field, and by the button; Escape closes and gives the focus back', async () => {
    const { page } = await openPage('/settings');
    const name = page.getByLabel('Name');
    await name.focus();
    await page.keyboard.press('Control+k');
    await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await name.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await field(page).waitFor();
  });

  it('opens a page by a few of its letters', async () => {
    const { page, faults } = await openPalette();
    await page.keyboard.type('audl');
    await expect.poll(() => chosen(page).innerText()).toContain('Audit log');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/settings\/audit/);
    await field(page).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('moves the choice with the arrows, around the ends, and names it to assistive technology', async () => {
    const { page } = await openPalette();
    const active = async () => {
      const id = (await field(page).getAttribute('aria-activedescendant')) ?? '';
      return page.locator(`[id="${id}"]`).innerText();
    };
    expect(await active()).toContain('Overview');
    await page.keyboard.press('ArrowDown');
    await expect.poll(active).toContain('Incidents');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(active).toContain('Log out');
    expect(await chosen(page).count()).toBe(1);
  });

  it('offers recent choices, members, and resolved incidents', async () => {
    const { page } = await openPalette('/settings/account');
    await page.keyboard.type('audl');
    await expect.poll(() => chosen(page).innerText()).toContain('Audit log');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/settings\/audit/);
    await page.keyboard.press('Control+k');
    await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Audit log' }).waitFor();
    expect(
      await page.getByRole('group', { name: 'Projects' }).getByRole('option', { name: /keys/ }).count(),
    ).toBe(0);
    await page.keyboard.type(user.email);
    await page.getByRole('group', { name: 'Members' }).getByRole('option').first().waitFor();
    const title = 'Everything was late last week';
    const created = await user.api.post('/incidents', {
      title,
      severity: 'warn',
      projectId: seeded.projectId,
    });
    await user.api.patch(`/incidents/${created.body.id}`, { status: 'resolved' });
    await field(page).fill('late last week');
    await page.getByRole('group', { name: 'Other incidents' }).getByRole('option', { name: title }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  });

  it('switches to the dark theme, and back to that of the system', async () => {
    const { page } = await openPalette('/settings/account');
    const theme = () => page.locator('html').getAttribute('data-theme');
    await page.keyboard.type('dark');
    await expect.poll(() => chosen(page).innerText()).toContain('Dark theme');
    await page.keyboard.press('Enter');
    await expect.poll(theme).toBe('dark');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('theme syst');
    await expect.poll(() => chosen(page).innerText()).toContain('Theme of the system');
    await page.keyboard.press('Enter');
    await expect.poll(theme).toBe(null);
  });

  it('switches the project and stays on the page', async () => {
    const { page } = await openPalette('/settings/account');
    await page.keyboard.type('shop switch');
    await expect.poll(() => chosen(page).innerText()).toContain('Shop');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('project') === seeded.projectId);
    expect(new URL(page.url()).pathname).toBe('/app/settings/account');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('all projects');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('project'));
  });

  it('opens an open incident by words of its title', async () => {
    const { page } = await openPalette();
    await page.keyboard.type('card pay');
    await option(page, /Customers cannot pay by card/).click();
    await page.waitForURL(new RegExp(`/incidents/${seeded.incidentIds.open}`));
  });

  it('opens a group by its key, and finds groups by their words', async () => {
    const { body } = await user.api.get('/groups?limit=1');
    const [{ key, title }] = body;
    const { page } = await openPalette();
    await page.keyboard.type(key.toLowerCase());
    await expect.poll(() => chosen(page).innerText()).toContain(`Open group ${key}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/groups/${key}`));
    await page.getByRole('heading', { level: 1 }).getByText(title).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill(title.slice(0, 20));
    await option(page, new RegExp(key)).click();
    await page.waitForURL(/\/groups\/grp_/);
  });

  it('searches the events for the typed text', async () => {
    const { page } = await openPalette();
    await page.keyboard.type('card & was=declined?');
    await expect.poll(() => chosen(page).innerText()).toContain('Search events for');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/app\/events/);
    expect(new URL(page.url()).searchParams.get('q')).toBe('card & was=declined?');
  });

  it.each(['event', 'incident', 'project'] as const)('opens a pasted id of an %s', async (kind) => {
    const id = { event: seeded.eventId, incident: seeded.incidentIds.resolved, project: seeded.projectId }[
      kind
    ];
    const { page } = await openPalette();
    await field(page).fill(` ${id} `);
    await expect.poll(() => chosen(page).innerText()).toBe(`Open ${kind} ${id}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(id));
  });

  it.each([
    ['token', 'Access tokens', /settings\/account/],
    ['change password', 'Password', /settings\/account/],
    ['routes', 'Routes', /alerts\/destinations/],
    ['dsn', 'API keys', /projects\/proj_/],
    ['scrubbing', 'Secrets and personal data', /projects\/proj_.*\/data/],
  ])('finds the section for “%s”, and scrolls to %s', async (text, title, address) => {
    const { page, faults } = await openPalette();
    await page.keyboard.type(text);
    await option(page, new RegExp(`^${title}`))
      .first()
      .click();
    await page.waitForURL(address);
    const heading = page.getByRole('heading', { level: 2, name: title, exact: true });
    await heading.waitFor();
    await expect
      .poll(() => heading.evaluate((element) => element.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true);
    expect(faults).toEqual([]);
  });

  it.each([
    ['new silence', 'New silence', 'Silence notifications'],
    ['new schedule', 'New schedule', 'New schedule'],
    ['add target', 'Add target', 'Add a target'],
    ['access token', 'Create access token', 'Create access token'],
    ['invite', 'Invite someone', 'Invite someone'],
  ])(
    'opens the form for “%s”, which survives a reload and leaves a clean address',
    async (text, name, title) => {
      const { page } = await openPalette(`/settings?project=${seeded.projectId}`);
      await page.keyboard.type(text);
      await option(page, new RegExp(`^${name}`)).click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      await page.reload();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).not.toContain('create');
    },
  );

  it('offers a member nothing that only an owner can make', async () => {
    const owner = await service.signUp();
    const { page } = await visit(service, await owner.addMember());
    await page.goto('/app/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).fill('create');
    await option(page, /^Create access token/).waitFor();
    // Members are read by now, and with them the role.
    await field(page).fill('Grace');
    await option(page, /^Grace/).waitFor();
    for (const [text, name] of [
      ['invite someone', /^Invite someone/],
      ['add target', /^Add target/],
    ] as const) {
      await field(page).fill(text);
      await page.getByRole('dialog').getByText(text).first().waitFor();
      expect(await option(page, name).count()).toBe(0);
    }
  });

  it('adds a rule for “add rule”', async () => {
    const { page } = await openPalette(`/settings?project=${seeded.projectId}`);
    await page.keyboard.type('add rule');
    await option(page, /^Add rule/).click();
    await page.getByRole('group', { name: 'Rule 2' }).waitFor();
    await expect.poll(() => new URL(page.url()).search).not.toContain('create');
    expect(await page.getByRole('group', { name: /^Rule \d/ }).count()).toBe(2);
  });

  it('leads to the documentation of the API', async () => {
    const { page, faults } = await openPalette();
    await page.keyboard.type('api doc');
    await option(page, 'API documentation').click();
    await page.getByRole('heading', { level: 1, name: 'Your first call in a minute' }).waitFor();
    await page.getByRole('link', { name: 'API reference', exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('leads to creating a project and an incident, to the shortcuts, and to the logout', async () => {
    // The logout at the end must not end the session of the other tests.
    const { page, open } = await visit(service);
    await logInAnew({ page }, user);
    await open('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const choose = async (text: string, name: string) => {
      await field(page).fill(text);
      await expect.poll(() => chosen(page).innerText()).toContain(name);
      await page.keyboard.press('Enter');
    };
    await choose('create proj', 'Create project');
    await page.waitForURL(/\/projects\/new/);
    await page.keyboard.press('Control+k');
    await choose('create inc', 'Create incident');
    await page.waitForURL(/\/incidents\?.*create=true/);
    await page.goto('/app/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await choose('keys ?', 'Keyboard shortcuts');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Control+k');
    await choose('log out', 'Log out');
    await page.waitForURL(/\/app\/login/);
    expect((await page.request.get('/auth/me')).status()).toBe(401);
  });
});

describe('the list of keys', () => {
  it('opens the list of shortcuts with ?, each of which works', async () => {
    const { page } = await openPage('/settings/account');
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    const keys = await dialog.locator('dt').allInnerTexts();
    expect(keys).toEqual(
      expect.arrayContaining(['Ctrl K', '?', 'g o', 'g i', 'g r', 'g e', 'g a', 'g p', 'g s']),
    );
    expect(new Set(keys).size).toBe(keys.length);
    // With an open dialog, keys do not act on the page behind it.
    await page.keyboard.type('ge');
    expect(new URL(page.url()).pathname).toBe('/app/settings/account');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const [typed, path] of [
      ['gi', /incidents/],
      ['gr', /releases/],
      ['ge', /events/],
      ['ga', /alerts/],
      ['gp', /projects/],
      ['gs', /settings/],
      ['go', /\/app\/?(\?|$)/],
    ] as const) {
      await page.keyboard.type(typed);
      await page.waitForURL(path);
    }
  });
});
