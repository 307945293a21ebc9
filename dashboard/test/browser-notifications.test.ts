import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type PushBrowser, startPushServer } from '../../server/test/support/push-server.ts';
import { logInAnew, startTestService, type TestUser, visit } from './support/browser.ts';
import { choose, chooseAction } from './support/choose.ts';

const service = await startTestService({ environment: { OUTBOUND_ALLOW: 'localhost' } });
const push = await startPushServer();
const { hostname, port } = new URL(service.managementUrl);
// By host name: a permission for an IP address does not apply to all its pages.
const origin = `http://${hostname}:${port}`;

/** Parts of a service worker that the tests use. */
interface WorkerScope {
  clients: { openWindow: (href: string) => Promise<unknown> };
  registration: ServiceWorkerRegistration;
  NotificationEvent: new (
    type: string,
    init: { notification: Notification | undefined; action: string },
  ) => Event;
  dispatchEvent: (event: Event) => boolean;
}

/** Replaces the push service of the browser's maker, which is unreachable here, by a subscription of the test's own. */
async function replacePushService(context: BrowserContext, browser: PushBrowser): Promise<void> {
  await context.addInitScript((subscription) => {
    let isSubscribed = localStorage.getItem('test.subscribed') === 'yes';
    const set = (value: boolean) => {
      isSubscribed = value;
      localStorage.setItem('test.subscribed', value ? 'yes' : 'no');
    };
    let key = localStorage.getItem('test.key') ?? '';
    const bytesOf = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
    const made = () => ({
      endpoint: subscription.endpoint,
      options: { applicationServerKey: bytesOf(key).buffer },
      toJSON: () => subscription,
      unsubscribe: async () => (set(false), true),
    });
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (isSubscribed ? made() : null),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        key = applicationServerKey;
        localStorage.setItem('test.key', key);
        set(true);
        return made();
      },
    });
  }, browser.subscription);
}

/** Opens the account page of a user in a browser that may notify. */
async function visitAccount(user: TestUser) {
  const visited = await visit(service, null, { notifies: true });
  await logInAnew(visited, user);
  await visited.context.grantPermissions(['notifications'], { origin });
  const browser = push.subscribe(null);
  await replacePushService(visited.context, browser);
  await visited.open('/settings/account');
  return { ...visited, browser };
}

const switchOn = async (page: Page) => {
  await page.getByRole('button', { name: 'Notify me in this browser' }).click();
  await page.getByText('(this browser)').waitFor();
};

/** Returns the notifications that the worker shows at present. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/app/');
    const list = (await registration?.getNotifications()) ?? [];
    return list.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });

/** Hands a push message to the worker, as the browser does. */
async function deliver(context: BrowserContext, page: Page, data: string): Promise<void> {
  const client = await context.newCDPSession(page);
  const ids: string[] = [];
  client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId, isDeleted, scopeURL } of registrations)
      if (!isDeleted && scopeURL === `${origin}/app/`) ids.push(registrationId);
  });
  await client.send('ServiceWorker.enable');
  await expect.poll(() => ids.length).toBeGreaterThan(0);
  await client.send('ServiceWorker.deliverPushMessage', { origin, registrationId: ids.at(-1) ?? '', data });
  await client.detach();
}

describe('notifications in a browser', () => {
  it('leads a member from the button to a test and a message, and ends with “Turn off”', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const { page, browser, faults } = await visitAccount(user);
    await switchOn(page);
    await page.getByText('Nothing is sent yet because no route leads').waitFor();
    await page.getByRole('button', { name: /^Send a test to Chrome/ }).click();
    await page.getByRole('status').filter({ hasText: 'accepted the test' }).waitFor();
    expect(browser.received[0]?.data).toMatchObject({ path: '/app/settings/account' });

    await page.getByRole('link', { name: 'Targets and routes' }).click();
    await page.getByRole('button', { name: 'Add target' }).click();
    await page.getByLabel('Name').fill('Team');
    await choose(page.getByLabel('Kind'), 'Browsers');
    await page.getByRole('dialog').getByRole('button', { name: 'Add target' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Browsers · all members').waitFor();
    await page.getByRole('button', { name: 'Add route' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add route' }).click();
    await page.getByText('All projects, error or worse').waitFor();
    const incident = { title: 'Checkout fails', severity: 'error', projectId: project.id };
    const { id } = (await user.api.post('/incidents', incident)).body;
    await expect.poll(() => browser.received.some(({ data }) => data.tag === id)).toBe(true);

    await page.goto('/app/settings/account');
    await page.getByText('(this browser)').waitFor();
    expect(await page.getByText('Nothing is sent yet because no route leads').count()).toBe(0);
    await chooseAction(page, /^Actions for Chrome/, 'Turn off');
    await page.getByRole('button', { name: 'Notify me in this browser' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('test.subscribed'))).toBe('no');
    expect((await user.api.get('/web-push/browsers')).body).toEqual([]);
    expect({ faults, pushed: push.faults }).toEqual({ faults: [], pushed: [] });
  });

  it('keeps a subscription that is being registered while another page checks whether it is still valid', async () => {
    const { page, context } = await visitAccount(await service.signUp());
    const other = await context.newPage();
    const isWaiting = () =>
      other.evaluate(async () => ((await navigator.locks.query()).pending ?? []).length > 0);
    let isAnswered = false;
    const resumed = other.waitForResponse('**/web-push/browsers/resume').finally(() => {
      isAnswered = true;
    });
    await page.route('**/web-push/browsers', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      // Each page asks soon after its load, and now the subscription is there.
      await other.goto('/app/settings/account');
      await expect.poll(async () => isAnswered || (await isWaiting())).toBe(true);
      return route.continue();
    });
    await page.getByRole('button', { name: 'Notify me in this browser' }).click();
    expect((await resumed).status()).toBe(200);
    await page.getByText('(this browser)').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('test.subscribed'))).toBe('yes');
  });

  it('resumes notifications after a new login of the same user, and ends them when another user logs in', async () => {
    const user = await service.signUp();
    const { page, context, open } = await visitAccount(user);
    await switchOn(page);
    const logIn = async ({ email, password }: TestUser) => {
      await context.request.post('/auth/logout');
      await context.request.post('/auth/login', { data: { email, password } });
      await open('/');
    };
    const states = async () =>
      (await user.api.get('/web-push/browsers')).body.map((each: { state: string }) => each.state);
    await context.request.post('/auth/logout');
    expect(await states()).toEqual(['logged_out']);
    await logIn(user);
    await expect.poll(states).toEqual(['unused']);
    await logIn(await service.signUp());
    await expect.poll(() => page.evaluate(() => localStorage.getItem('test.subscribed'))).toBe('no');
    await logIn(user);
    await open('/settings/account');
    await page.getByRole('button', { name: 'Notify me in this browser' }).waitFor();
    expect(await states()).toEqual(['logged_out']);
  });

  it('shows pushed messages as text, one notification per incident, and opens its page by a click', async () => {
    const { page, context, faults } = await visitAccount(await service.signUp());
    await switchOn(page);
    const body = '<img src=x onerror=alert(1)> **bold** \u202e';
    const message = { title: '<b>Down</b>', body, tag: 'inc_1', path: '/app/incidents/inc_1', stays: true };
    await deliver(context, page, JSON.stringify(message));
    await deliver(context, page, JSON.stringify({ ...message, title: 'Resolved: Down' }));
    await expect.poll(() => shown(page)).toMatchObject([{ title: 'Resolved: Down', body, tag: 'inc_1' }]);
    for (const text of ['no JSON', '[]', '{"title":7,"path":{}}', '']) await deliver(context, page, text);
    await expect.poll(async () => (await shown(page)).length).toBe(2);

    const [worker] = context.serviceWorkers();
    const opened = await worker?.evaluate(async (path) => {
      // The types of a worker are not those of a page.
      const scope = globalThis as unknown as WorkerScope;
      const addresses: string[] = [];
      scope.clients.openWindow = async (href: string) => addresses.push(href);
      const clickOn = async (data: object, action = '') => {
        await scope.registration.showNotification('Down', { tag: 'click', data });
        const [notification] = await scope.registration.getNotifications({ tag: 'click' });
        const waits: Promise<unknown>[] = [];
        const event = new scope.NotificationEvent('notificationclick', { notification, action });
        Object.defineProperty(event, 'waitUntil', { value: (work: Promise<unknown>) => waits.push(work) });
        scope.dispatchEvent(event);
        await Promise.all(waits);
      };
      await clickOn({ path });
      await clickOn({ path, silencePath: `${path}?silence=4h` }, 'silence');
      await clickOn({ path: 'https://evil.example/app/' });
      await clickOn({ path: '//evil.example/app/' });
      return addresses;
    }, '/app/incidents/inc_1');
    expect(opened).toEqual([
      `${origin}/app/incidents/inc_1`,
      `${origin}/app/incidents/inc_1?silence=4h`,
      `${origin}/app/incidents`,
      `${origin}/app/incidents`,
    ]);
    expect(faults).toEqual([]);
  });

  it('explains why a browser cannot notify', async () => {
    const user = await service.signUp();
    const cases: [(page: Page) => Promise<unknown>, string][] = [
      [
        (page) =>
          page.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'denied' })),
        'This browser blocks notifications from this site',
      ],
      [
        (page) => page.addInitScript(() => Reflect.deleteProperty(window, 'PushManager')),
        'This browser doesn’t support web notifications',
      ],
      [
        (page) =>
          page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false })),
        'Notifications need an https:// address',
      ],
    ];
    const { context } = await visit(service, user);
    for (const [prepare, words] of cases) {
      const page = await context.newPage();
      await prepare(page);
      await page.goto('/app/settings/account');
      await page.getByRole('status').filter({ hasText: words }).waitFor();
      expect(await page.getByRole('button', { name: 'Notify me in this browser' }).count()).toBe(0);
    }
  });

  it('serves a worker of the dashboard’s scope that is never kept by caches', async () => {
    const answer = await fetch(`${service.managementUrl}/app/push-worker.js`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    const text = await answer.text();
    expect(text.length).toBeLessThan(4_000);
    expect(text).not.toMatch(/caches|addEventListener\('fetch'/);
    const manifest = await fetch(`${service.managementUrl}/app/manifest.webmanifest`);
    expect(manifest.headers.get('content-type')).toMatch(/manifest\+json/);
  });
});
