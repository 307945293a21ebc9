import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startServiceProxy } from '../../server/test/support/network-proxy.ts';
import { becomesLive, logInAnew, startTestService, visit } from './support/browser.ts';
import { sendBurst } from './support/burst.ts';
import { rowsOf } from './support/incidents.ts';
import { whenRead } from './support/navigate.ts';
import { visitProjects } from './support/projects.ts';
import { expectStatus } from './support/seed.ts';

/** Time in which a change can be undone. */
const HOLD_MS = 5_000;
/** Minimum interval of toasts: news that arrive faster are combined. */
const TELL_INTERVAL_MS = 2_000;
/** Time from the loss of the connection to the banner. */
const PATIENCE_MS = 4_000;

const service = await startTestService();

const connectionOf = (page: Page) => page.getByRole('status', { name: 'Connection' });
const toastOf = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

describe('a burst of critical events', () => {
  it('shows a new incident in two browsers at once, in list, counts, title and a toast, without a reload', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const [ada, grace] = [await visit(service, user), await visit(service, user)];
    await ada.open('/incidents');
    await grace.open('/settings');
    for (const { page } of [ada, grace]) await becomesLive(page);
    await sendBurst(project.ingest);

    await rowsOf(ada.page)
      .filter({ hasText: /critical/i })
      .waitFor();
    await ada.page
      .getByRole('group', { name: 'Status' })
      .getByRole('link', { name: /^Open 1$/ })
      .waitFor();
    for (const { page } of [ada, grace]) {
      await page.getByRole('navigation', { name: 'Main' }).getByText('1 open').waitFor();
      await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    }
    await toastOf(grace.page, 'New incident').getByRole('link').click();
    await grace.page.getByRole('heading', { level: 1, name: /Card was declined/ }).waitFor();
    await expect.poll(() => grace.page.title()).toMatch(/^\(1\) Card was declined/);
    expect([...ada.faults, ...grace.faults]).toEqual([]);
  });
});

describe('the number of open incidents beside its link', () => {
  it('follows the toast of an incident that opens and ends, in the rail and in the bar of a phone', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const grace = await user.addMember();
    for (const viewport of [
      { width: 1_440, height: 900 },
      { width: 360, height: 800 },
    ]) {
      const { page, open, faults } = await visit(service, user, { viewport, hasClock: true });
      await open('/');
      await becomesLive(page);
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Incidents/ });
      expect(await link.innerText()).not.toMatch(/\d/);
      const created = { title: `Slow at ${viewport.width}`, severity: 'critical', projectId };
      const { body } = await expectStatus(201, grace.api.post('/incidents', created));
      await toastOf(page, created.title).waitFor();
      await expect.poll(() => link.innerText()).toMatch(/\b1\b/);
      // A toast comes before its list where the answers are slow, and only of an incident that is listed an end is news.
      await page.getByRole('main').getByRole('link', { name: created.title }).waitFor();
      await expectStatus(200, grace.api.patch(`/incidents/${body.id}`, { status: 'resolved' }));
      await page.clock.fastForward(TELL_INTERVAL_MS);
      await toastOf(page, 'Now resolved').waitFor();
      await expect.poll(() => link.innerText()).not.toMatch(/\d/);
      expect(faults).toEqual([]);
    }
  });

  it('says 99+ for more, with the exact number in its title and in the name of the link', async () => {
    const { page, open } = await visit(service, await service.signUp());
    await page.route('**/incidents/counts', (route) =>
      route.fulfill({ json: { open: 120, investigating: 0, resolved: 0 } }),
    );
    await open('/');
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: '120 open' });
    await link.getByTitle('120 open').filter({ hasText: '99+', visible: true }).waitFor();
  });
});

describe('many incidents', () => {
  it('shows many incidents in a few toasts', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const { page, open } = await visit(service, user, { hasClock: true });
    await open('/incidents');
    await becomesLive(page);
    const create = (index: number) =>
      expectStatus(
        201,
        user.api.post('/incidents', { title: `Number ${index}`, severity: 'warn', projectId }),
      );
    // Five at a time: on a slow machine more would exceed the service's limit on waiting for a database connection.
    for (let index = 0; index < 30; index += 5)
      await Promise.all(Array.from({ length: 5 }, (_, more) => create(index + more)));
    await expect.poll(() => rowsOf(page).count()).toBe(30);
    await page.clock.fastForward(TELL_INTERVAL_MS);
    await toastOf(page, /new or changed incidents/).waitFor();
    expect(await toastOf(page, /new or changed incidents/).innerText()).toMatch(/\d+ warn/);
    expect(await toastOf(page, 'New incident').count()).toBeLessThanOrEqual(3);
    const bell = page
      .locator('summary')
      .filter({ has: page.locator('svg') })
      .first();
    await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications, 30 new');
    await bell.click();
    const entries = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');
    await expect.poll(() => entries.count()).toBe(20);
    await page.keyboard.press('Escape');
    await expect.poll(() => bell.getAttribute('aria-label')).toBe('Notifications');
    await page.reload();
    await bell.click();
    await expect.poll(() => entries.count()).toBe(20);
  });
});

describe('the toast of an incident', () => {
  it('keeps the toast of a critical incident, in which a user takes the incident', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const { page, open, faults } = await visit(service, user, { hasClock: true });
    await open('/settings');
    await becomesLive(page);
    const create = async (title: string, severity: string) =>
      (await expectStatus(201, user.api.post('/incidents', { title, severity, projectId }))).body.id;
    const id = await create('The bank is down', 'critical');
    const toast = toastOf(page, 'The bank is down');
    await toast.waitFor();
    const { y, x, width } = (await toast.boundingBox()) ?? { y: 0, x: 0, width: 0 };
    expect(y).toBeGreaterThan(600);
    expect(x + width).toBeGreaterThan(1_200);
    await page.clock.fastForward(60_000);
    expect(await toast.count()).toBe(1);
    await toast.getByRole('button', { name: 'I’m on it' }).click();
    await expect.poll(async () => (await user.api.get(`/incidents/${id}`)).body.status).toBe('investigating');
    await toast.getByText('You’re on it').waitFor();
    await page.clock.fastForward(3_000);
    await expect.poll(() => toast.count()).toBe(0);

    // If the user writes in its place, the toast appears above the field.
    await page.evaluate(() => {
      const field = document.createElement('input');
      field.style.cssText = 'position: fixed; right: 20px; bottom: 40px; height: 30px';
      document.body.append(field);
      field.focus();
    });
    await create('Mails come late', 'warn');
    const second = toastOf(page, 'Mails come late');
    await second.waitFor();
    const above = (await second.boundingBox()) ?? { y: 0, height: 0 };
    expect(above.y).toBeGreaterThan(400);
    expect(above.y + above.height).toBeLessThan(800 - 70);
    await page.clock.fastForward(9_000);
    await expect.poll(() => second.count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe('a storm of changes', () => {
  it('reloads the page a few times during a storm of changes, and once after the last', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject();
    const created = { title: 'Slow', severity: 'warn', projectId: id };
    const { body: incident } = await expectStatus(201, user.api.post('/incidents', created));
    const { page, open } = await visit(service, user);
    let send = (_frame: string) => {};
    await page.routeWebSocket('**/ws', (socket) => {
      send = (frame) => socket.send(frame);
    });
    await whenRead(page, async () => {
      await open('/incidents');
      await becomesLive(page);
    });

    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/incidents/counts')) reads++;
    });
    const startMs = performance.now();
    for (let times = 0; times < 1_000; times++) {
      if (times === 999)
        await expectStatus(200, user.api.patch(`/incidents/${incident.id}`, { title: 'Very slow' }));
      send(JSON.stringify({ event: 'incident_updated', data: incident }));
    }
    await rowsOf(page).filter({ hasText: 'Very slow' }).waitFor();
    expect(reads).toBeLessThanOrEqual(2 + (performance.now() - startMs) / 500);
  });
});

describe('a user’s own changes', () => {
  it('shows an incident taken, annotated or resolved by another user at once', async () => {
    const user = await service.signUp();
    const { ingest } = await user.createProject();
    await sendBurst(ingest);
    await service.settled();
    const { body } = await user.api.get('/incidents');
    const path = `/incidents/${body[0].id}`;
    const [ada, grace] = [await visit(service, user), await visit(service, user, { hasClock: true })];
    // A read that brought the change before its message would leave no news.
    for (const { page, open } of [ada, grace])
      await whenRead(page, async () => {
        await open(path);
        await becomesLive(page);
      });

    await ada.page.getByRole('button', { name: 'Investigate' }).click();
    await grace.page.getByText('started investigating').waitFor();
    await toastOf(grace.page, 'Now investigating · Ada Lovelace').waitFor();
    await grace.page.getByText('Ada Lovelace is on it', { exact: true }).waitFor();
    await grace.page.getByRole('link', { name: 'Overview' }).click();
    const row = grace.page.getByRole('region', { name: 'Open incidents' }).getByRole('listitem');
    await row.getByText('Ada Lovelace', { exact: true }).waitFor();
    await grace.page.getByRole('link', { name: /^Incidents/ }).click();
    await grace.page.getByRole('link', { name: /^Investigating 1$/ }).click();
    await rowsOf(grace.page).getByText('Ada Lovelace', { exact: true }).click();
    await ada.page.getByLabel('Note').fill('It is the bank.');
    await ada.page.getByRole('button', { name: 'Add note' }).click();
    await grace.page.getByText('It is the bank.').waitFor();
    await grace.page.getByRole('button', { name: 'Resolve' }).click();
    await grace.page.getByRole('button', { name: 'Undo' }).waitFor();
    await grace.page.clock.fastForward(HOLD_MS);
    await ada.page.getByText('resolved this').waitFor();
    expect(await ada.page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
    await expect.poll(() => ada.page.title()).not.toMatch(/^\(/);
    // Users are not notified of their own changes.
    expect(await toastOf(grace.page, 'Now resolved').count()).toBe(0);
  });

  it('notifies only other users of a change', async () => {
    const user = await service.signUp();
    await user.createProject();
    const [ada, grace] = [await visit(service, user), await visit(service, user)];
    await ada.open('/incidents?create=true');
    await grace.open('/incidents');
    for (const { page } of [ada, grace]) await becomesLive(page);
    const dialog = ada.page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Nobody can log in');
    await dialog.getByRole('button', { name: 'Create incident' }).click();
    await rowsOf(grace.page).filter({ hasText: 'Nobody can log in' }).waitFor();
    await toastOf(grace.page, 'New incident').waitFor();
    await ada.page.getByRole('heading', { level: 1, name: 'Nobody can log in' }).waitFor();
    expect(await toastOf(ada.page, 'New incident').count()).toBe(0);
  });
});

describe('an incident that gathers events', () => {
  it('updates the count of events on an incident’s page', async () => {
    const user = await service.signUp();
    const { ingest } = await user.createProject();
    await sendBurst(ingest);
    await service.settled();
    const { body } = await user.api.get('/incidents');
    const { page, open } = await visit(service, user);
    await open(`/incidents/${body[0].id}`);
    await becomesLive(page);
    await page.getByRole('link', { name: '40', exact: true }).waitFor();
    await sendBurst(ingest, 'shop', 5);
    await page.getByRole('link', { name: '45', exact: true }).waitFor();
    await page.getByText('in the 45 events').waitFor();
  });
});

describe('a lost connection', async () => {
  const proxy = await startServiceProxy(service.managementUrl);
  const options = { baseURL: proxy.url, hasClock: true };
  const { page, context, user, go, nextProject, show } = await visitProjects(service, 4, options);
  /** Opens the incidents of a new project, in the document of the test before. */
  const openIncidents = async () => {
    const project = nextProject();
    await show(`/incidents?project=${project.id}`);
    await becomesLive(page);
    return project;
  };

  it('reports a lost connection, and shows the missed changes when it is back', async () => {
    const { ingest } = await openIncidents();
    proxy.refuse();
    await connectionOf(page).filter({ hasText: 'reconnecting' }).waitFor();
    await sendBurst(ingest);
    await service.settled();
    await page.clock.fastForward(PATIENCE_MS);
    await page.getByText('Connection lost.').waitFor();
    expect(await rowsOf(page).count()).toBe(0);
    const reconnect = page.getByRole('button', { name: 'Reconnect' });
    await reconnect.hover();
    proxy.restore();
    // An event alone: a click waits until the button stands still, and the page could connect by itself meanwhile.
    await reconnect.dispatchEvent('click');
    await becomesLive(page);
    await rowsOf(page)
      .filter({ hasText: /critical/i })
      .waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    expect(await page.getByText('Connection lost.').count()).toBe(0);
  });

  it('reconnects by itself after a lost connection', async () => {
    await openIncidents();
    proxy.refuse();
    await connectionOf(page).filter({ hasText: 'reconnecting' }).waitFor();
    proxy.restore();
    await becomesLive(page);
  });

  it('reports a lost connection at once if the system reports it', async () => {
    const { ingest } = await openIncidents();
    await context.setOffline(true);
    await connectionOf(page).filter({ hasText: 'offline' }).waitFor();
    await sendBurst(ingest);
    await service.settled();
    await context.setOffline(false);
    await becomesLive(page);
    await rowsOf(page)
      .filter({ hasText: /critical/i })
      .waitFor();
  });

  it('refuses a change without a connection, says so, and does not make it later', async () => {
    const { id } = nextProject();
    const { body } = await expectStatus(
      201,
      user.api.post('/incidents', { title: 'Slow', severity: 'warn', projectId: id }),
    );
    await show(`/incidents/${body.id}`);
    await becomesLive(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(HOLD_MS);
    await page.getByRole('alert').filter({ hasText: 'Couldn’t reach the server' }).waitFor();
    await context.setOffline(false);
    await becomesLive(page);
    const { body: after } = await user.api.get(`/incidents/${body.id}`);
    expect(after.status).toBe('open');
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
  });

  it('leads to the login when the connection is refused without a session', async () => {
    await go('/');
    await becomesLive(page);
    proxy.refuse();
    await connectionOf(page).filter({ hasText: 'reconnecting' }).waitFor();
    // The session ends while there is no connection that could report it.
    await context.clearCookies();
    proxy.restore();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  });
});

describe('the connection', () => {
  it('keeps one connection per tab, whichever pages are opened', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service, user);
    let opened = 0;
    page.on('websocket', () => opened++);
    await open('/');
    await becomesLive(page);
    for (const place of ['Incidents', 'Projects', 'Settings', 'Overview']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
    }
    await becomesLive(page);
    expect(opened).toBe(1);
  });

  it('ends the connection with the session, and leads to the login and back', async () => {
    const user = await service.signUp();
    const { page, open, context } = await visit(service);
    await logInAnew({ page }, user);
    await open('/incidents?status=resolved');
    await becomesLive(page);
    await context.request.post('/auth/logout');
    await page.getByRole('status').getByText('Your session ended.').waitFor();
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/incidents?status=resolved');
    await becomesLive(page);
  });
});
