import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { expectStatus } from './support/seed.ts';

const DAY_MS = 24 * 3_600_000;

const service = await startTestService();
const user = await service.signUp('Ada');
const { id, ingest } = await user.createProject('Shop');
const { page, open, go, faults } = await visit(service, user);

/** Holds the requests of a method to a path. @returns how to wait for one, and how to let them go on */
async function hold(method: string, path: string) {
  const waiting: (() => Promise<void>)[] = [];
  const isHeld = (url: URL) => url.pathname === path;
  await page.route(isHeld, (route, request) => {
    const isOne = request.method() === method && request.resourceType() === 'fetch';
    return isOne ? void waiting.push(() => route.continue()) : route.continue();
  });
  const release = async () => {
    for (const goOn of waiting) await goOn();
    await page.unroute(isHeld);
  };
  return { isAsked: () => expect.poll(() => waiting.length).toBeGreaterThan(0), release };
}

describe('a dialog about projects', () => {
  it.each([
    ['/alerts/silences?create=true', 'Nothing is silenced', 'Project Shop'],
    ['/incidents?create=true', 'No open incidents', 'Shop'],
    ['/releases?record=true', 'No releases yet', 'Shop'],
  ])('opens at %s with the first project once the projects are read', async (path, empty, choice) => {
    const { isAsked, release } = await hold('GET', '/projects');
    // A load: the projects are not read yet.
    await open(path);
    await page.getByText(empty).waitFor();
    await isAsked();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await release();
    await page.getByRole('dialog').getByRole('combobox').getByText(choice).waitFor();
    expect(faults).toEqual([]);
  });
});

it('names a chart and an event of a group by what is shown, while what is chosen is read', async () => {
  const anEvent = (message: string) => ({ type: 'checkout', severity: 'ERROR', message });
  for (const number of [1, 2])
    await expectStatus(202, ingest.post('/ingest/events', anEvent(`Order ${number} failed`)));
  await service.settled();
  const [group] = (await user.api.get(`/groups?project_id=${id}`)).body as { id: string }[];
  await go(`/groups/${group?.id}`);
  const events = page.getByRole('region', { name: 'Newest event' });
  await events.getByText('Order 2 failed').waitFor();
  const { isAsked, release } = await hold('GET', `/groups/${group?.id}/events`);
  await events.getByRole('button', { name: 'Oldest' }).click();
  await isAsked();
  await events.getByText('Order 2 failed').waitFor();
  await release();
  await page.getByRole('region', { name: 'Oldest event' }).getByText('Order 1 failed').waitFor();

  await page.getByRole('figure', { name: 'Events, last 24 hours' }).waitFor();
  const counts = await hold('GET', '/groups/counts');
  await page.getByRole('button', { name: 'Last hour' }).click();
  await counts.isAsked();
  await page.getByRole('figure', { name: 'Events, last 24 hours' }).waitFor();
  await counts.release();
  await page.getByRole('figure', { name: 'Events, last hour' }).waitFor();
  expect(faults).toEqual([]);
});

describe('a form whose answer is late', () => {
  it('warns of the events that a shorter retention removes, although they are counted late', async () => {
    const capturedAt = new Date(service.context.clock.now() - 5 * DAY_MS).toISOString();
    const event = { type: 'order', severity: 'INFO', message: 'Paid', capturedAt };
    await expectStatus(202, ingest.post('/ingest/bulk', [event, event]));
    await service.settled();
    const { isAsked, release } = await hold('GET', '/events/histogram');
    await go(`/projects/${id}/data`);
    const retention = page.getByRole('region', { name: 'Retention' });
    await retention.getByLabel('Days for info').fill('1');
    await isAsked();
    await retention.getByRole('button', { name: 'Apply' }).click();
    await release();
    await page.getByRole('dialog').getByText('This removes about 2 events').waitFor();
    expect((await user.api.get(`/projects/${id}`)).body.retention).toEqual({});
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(faults).toEqual([]);
  });

  it.each([
    ['/settings', '/organizations/me', 'Saved'],
    ['/settings/account', '/auth/me', 'Name changed'],
  ])('keeps at %s the focus of its field, and what is typed meanwhile', async (path, sentTo, done) => {
    await go(path);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill(' Ada L. ');
    const { isAsked, release } = await hold('PATCH', sentTo);
    await name.press('Enter');
    await isAsked();
    await name.fill('Ada Lovelace');
    await release();
    await page.getByRole('status').getByText(done).waitFor();
    expect(await name.inputValue()).toBe('Ada Lovelace');
    await name.and(page.locator(':focus')).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('a first page that is late', () => {
  it('gives way to the page that the user has gone back to', async () => {
    await go('/projects');
    await go('/settings');
    const { isAsked, release } = await hold('GET', '/auth/me');
    await page.reload();
    await isAsked();
    await page.evaluate(() => history.back());
    await page.waitForURL(/\/app\/projects$/);
    await release();
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    expect(faults).toEqual([]);
  });
});
