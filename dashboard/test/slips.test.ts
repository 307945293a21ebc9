import { describe, expect, it } from 'vitest';
import { startTestService, type VisitOptions, visit } from './support/browser.ts';
import { assetsOf } from './support/manifest.ts';

const service = await startTestService();

async function openIncident(options?: VisitOptions) {
  const user = await service.signUp();
  const project = await user.createProject();
  const { body } = await user.api.post('/incidents', {
    title: 'Slow checkout',
    severity: 'warn',
    projectId: project.id,
  });
  const statusOf = async () => (await user.api.get(`/incidents/${body.id}`)).body.status as string;
  const visited = await visit(service, user, options);
  return { ...visited, user, statusOf, path: `/incidents/${body.id}` };
}

describe('resolving an incident', () => {
  it('lets a resolution be undone for five seconds, by a button or the key z', async () => {
    const { page, open, path, statusOf } = await openIncident({ hasClock: true });
    await open(path);
    const [resolve, undo] = ['Resolve', 'Undo'].map((name) => page.getByRole('button', { name }));
    await resolve?.click();
    await undo?.click();
    await resolve?.waitFor();
    await page.keyboard.press('r');
    await undo?.waitFor();
    await page.clock.runFor(4_000);
    await page.keyboard.press('z');
    await resolve?.waitFor();
    await page.clock.runFor(10_000);
    expect(await statusOf()).toBe('open');

    await page.keyboard.press('r');
    await page.getByRole('group').getByText('resolved', { exact: true }).waitFor();
    expect(await statusOf()).toBe('open');
    await page.clock.runFor(5_000);
    await expect.poll(statusOf).toBe('resolved');
    expect(await undo?.count()).toBe(0);
  });

  it('undoes a resolution that was already sent, for ten minutes', async () => {
    const { page, open, path, user, statusOf } = await openIncident({ hasClock: true });
    await user.api.patch(path, { status: 'resolved' });
    await open(path);
    const undo = page.getByRole('button', { name: 'Reopen' });
    await undo.click();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    await page.getByText('undid the resolution').waitFor();
    expect(await statusOf()).toBe('open');

    await user.api.patch(path, { status: 'resolved' });
    await undo.waitFor();
    await page.clock.fastForward(10 * 60_000);
    await expect.poll(() => undo.count()).toBe(0);
  });

  it('completes a resolution while another page is shown, and sends it at once when the tab is closed', async () => {
    const first = await openIncident({ hasClock: true });
    await first.open(first.path);
    await first.page.getByRole('button', { name: 'Resolve' }).waitFor();
    await first.page.keyboard.press('r');
    await first.page.getByRole('button', { name: 'Undo' }).waitFor();
    await first.page.getByRole('link', { name: 'Projects', exact: true }).click();
    await first.page.getByRole('heading', { name: 'Projects' }).waitFor();
    await first.page.clock.runFor(5_000);
    await expect.poll(first.statusOf).toBe('resolved');

    const second = await openIncident();
    await second.open(second.path);
    await second.page.getByRole('button', { name: 'Resolve' }).waitFor();
    await second.page.keyboard.press('r');
    await second.page.getByRole('button', { name: 'Undo' }).waitFor();
    await second.page.reload();
    await expect.poll(second.statusOf).toBe('resolved');
  });
});

describe('logging out', () => {
  it('sends a resolution that can still be undone before the logout', async () => {
    const { page, open, path, user, statusOf } = await openIncident();
    await open(path);
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.locator('summary').getByText('Ada Lovelace', { exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await user.api.post('/auth/login', user);
    expect(await statusOf()).toBe('resolved');
  });

  it('opens no new connection on a page that is chosen while the logout is under way', async () => {
    const { page, open, path } = await openIncident();
    await open(path);
    await page.getByRole('status', { name: 'Connection' }).getByText('live').waitFor({ state: 'attached' });
    const sockets: string[] = [];
    page.on('websocket', (socket) => void sockets.push(socket.url()));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/auth/logout', async (route) => {
      await held;
      await route.continue();
    });
    const requested = page.waitForRequest('**/auth/logout');
    await page.locator('summary').getByText('Ada Lovelace', { exact: true }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await requested;
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    // A connection is opened after the turn that starts it.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    expect(sockets).toEqual([]);
    release();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('keeps the draft of a user, and shows it to no other user of the tab', async () => {
    const { page, open, go, path, user } = await openIncident();
    const colleague = await service.signUp('Grace Hopper');
    await user.api.post(`/organizations/${user.organizationId}/members`, { userId: colleague.id });
    const note = page.getByLabel('Note');
    const logOut = async (name: string) => {
      await page.locator('summary').getByText(name, { exact: true }).click();
      await page.getByRole('button', { name: 'Log out' }).click();
    };
    const logIn = async ({ email, password }: typeof user) => {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await go(path);
      await note.waitFor();
    };
    await open(path);
    await note.fill('It began with the');
    await page.reload();
    await expect.poll(() => note.inputValue()).toBe('It began with the');
    await logOut('Ada Lovelace');
    await logIn(user);
    expect(await note.inputValue()).toBe('It began with the');
    await logOut('Ada Lovelace');
    await logIn(colleague);
    expect(await note.inputValue()).toBe('');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('It began');
  });
});

describe('a page that fails while it is drawn', () => {
  it('shows the error in its place, logs it, and opens other pages', async () => {
    const { page, open, path, faults } = await openIncident();
    await page.route(`**${path}`, (route, request) =>
      request.resourceType() === 'document' ? route.continue() : route.fulfill({ json: {} }),
    );
    await open(path);
    const failure = page.getByRole('main').getByRole('alert');
    await failure.getByText('undefined').waitFor();
    expect(await failure.textContent()).not.toContain('Couldn’t load this.');
    expect(faults).toContainEqual(expect.stringMatching(/^TypeError: .*undefined/));
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });
});

describe('a page whose code cannot be loaded', () => {
  it('keeps the app shell and the draft if a page cannot be loaded, and loads it on retry', async () => {
    const { page, open, path } = await openIncident();
    const [projects = ''] = await assetsOf(/projects-page\.tsx$/);
    await page.route(`**${projects}`, (route) => route.abort());
    await open(path);
    await page.getByLabel('Note').fill('It began with the');
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Couldn’t load this.' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('It began with the');

    await page.goForward();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.unroute(`**${projects}`);
    await retry.click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });

  it('keeps the page, and offers another try, if the code of a dialog cannot be loaded', async () => {
    const { page, open } = await visit(service, await service.signUp());
    const [code = ''] = await assetsOf(/set-up-totp\.tsx$/);
    await page.route(`**${code}`, (route) => route.abort());
    await open('/settings/account');
    const button = page.getByRole('button', { name: 'Set up' });
    await button.click();
    const failure = page.getByRole('dialog').getByRole('alert');
    await failure.getByText('Couldn’t load this.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Account', includeHidden: true }).waitFor();
    await page.keyboard.press('Escape');
    await failure.waitFor({ state: 'detached' });
    await button.click();
    await page.unroute(`**${code}`);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await failure.waitFor({ state: 'detached' });
    await button.click();
    await page.getByRole('dialog').getByRole('button').first().waitFor();
    expect(await failure.count()).toBe(0);
  });

  it('opens any page without its code from the server once all pages were preloaded', async () => {
    const { page, open, path } = await openIncident({ fetchesAhead: true });
    const [audit = ''] = await assetsOf(/audit-page\.tsx$/);
    const loaded = page.waitForResponse(`**${audit}`);
    await open(path);
    await (await loaded).finished();
    await page.route('**/assets/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });

  it('fetches no page ahead if the user saves data', async () => {
    const { page, open, path } = await openIncident({ hasClock: true });
    const fetched: string[] = [];
    page.on('request', (request) => void fetched.push(request.url()));
    await open(path);
    await page.getByLabel('Note').waitFor();
    await page.clock.runFor(60_000);
    // This request of the page comes after those of its timers.
    await page.evaluate(() => fetch('/app/'));
    await expect.poll(() => fetched.some((url) => url.endsWith('/app/'))).toBe(true);
    const paths = fetched.map((url) => new URL(url).pathname);
    expect(paths).toEqual(expect.arrayContaining(await assetsOf(/\/incident-page\.tsx$/)));
    const others = await assetsOf(/\/(?:command-palette|event-panel|(?!incident-page)[a-z-]+-page)\.tsx$/);
    expect(paths.filter((one) => others.includes(one))).toEqual([]);
  });
});
