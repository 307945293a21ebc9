import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService, type TestUser, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';

const service = await startTestService();
const DAY_MS = 24 * 3_600_000;

/** Signs up a user with orders of two customers: the first has two events now and one two days ago, the second an order with the first one's id. */
async function userWithOrders(): Promise<TestUser> {
  const user = await service.signUp();
  const { ingest } = await user.createProject('Shop');
  const nowMs = service.context.clock.now();
  const event = (message: string, agoMs: number, rest: object) => ({
    type: 'checkout',
    severity: 'INFO',
    message,
    capturedAt: new Date(nowMs - agoMs).toISOString(),
    ...rest,
  });
  const { status } = await ingest.post('/ingest/bulk', [
    event('Paid', 10_000, { source: 'api', correlation: { order_id: 'ord_1', user_id: 'usr_1001' } }),
    event('Shipped', 11_000, {
      type: 'mail',
      correlation: { order_id: 'ord_2', user_id: 'usr_1001' },
      payload: { cart: { id: 7, coupon: 'none' }, stack: 'x' },
    }),
    event('Other', 12_000, { severity: 'ERROR', correlation: { order_id: 'ord_3', user_id: 'usr_2' } }),
    event('Long ago', 2 * DAY_MS, { correlation: { order_id: 'ord_0', user_id: 'usr_1001' } }),
  ]);
  expect(status).toBe(202);
  await service.settled();
  return user;
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Events' });
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text });
const panel = (page: Page) => page.getByRole('region', { name: 'Event', exact: true });
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');
const messages = (page: Page) =>
  grid(page).getByRole('row').locator('[role=gridcell]:nth-child(2)').allInnerTexts();

describe('an id that is typed into the search', () => {
  it('offers the events that have a typed id under a key, of all time, and shows them', async () => {
    const { page, open, faults } = await visit(service, await userWithOrders());
    await open('/events');
    await row(page, 'Paid').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('usr_1001');
    await page
      .getByRole('button', { name: /^3 events have user_id usr_1001 since \d+ \w+, \d\d:\d\d$/ })
      .click();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Shipped', 'Long ago']);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('correlation.user_id')).toBe('usr_1001');
    expect(searchParams.get('q')).toBeNull();

    await page.reload();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Shipped', 'Long ago']);
    await page.goBack();
    await page.getByRole('button', { name: '3 events have user_id usr_1001' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('offers the events with an id in the command palette, too', async () => {
    const { page, open } = await visit(service, await userWithOrders());
    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('usr_1001');
    await page.getByRole('option', { name: '3 events have user_id usr_1001' }).click();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Shipped', 'Long ago']);
  });

  it('offers the groups whose title holds the words', async () => {
    const user = await service.signUp();
    const { ingest } = await user.createProject('Shop');
    const error = { type: 'crash', severity: 'ERROR', message: 'Cannot read unitPrice' };
    expect((await ingest.post('/ingest/events', error)).status).toBe(202);
    await service.settled();
    const { page, open } = await visit(service, user);
    await open('/events?q=unitPrice');
    await page.getByRole('button', { name: /^SHOP-\d+ Cannot read unitPrice · 1 event$/ }).click();
    await expect.poll(() => messages(page)).toEqual(['Cannot read unitPrice']);
    await chips(page).getByText('Cannot read unitPrice').waitFor();
  });
});

describe('the values of an event', () => {
  it('includes or excludes a value by a chip that can be inverted, and keeps the filter in the address', async () => {
    const { page, open, faults } = await visit(service, await userWithOrders());
    await open('/events');
    await row(page, 'Shipped').click();
    await panel(page).getByRole('button', { name: 'Exclude type is mail', exact: true }).press('Enter');
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Other']);
    expect(new URL(page.url()).searchParams.get('type!')).toBe('mail');

    await page.getByRole('button', { name: 'type is not mail. Show only these' }).click();
    await expect.poll(() => messages(page)).toEqual(['Shipped']);
    await page.goBack();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Other']);
    await page.reload();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Other']);
    await page.getByRole('button', { name: 'Remove filter type: not mail' }).click();
    await expect.poll(() => messages(page)).toHaveLength(3);

    const payload = panel(page).getByRole('group', { name: 'Payload' });
    await row(page, 'Shipped').click();
    await payload.getByRole('button', { name: 'Show only payload.cart.id is 7' }).click();
    await expect.poll(() => messages(page)).toEqual(['Shipped']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    const correlation = panel(page).getByRole('group', { name: 'Correlation' });
    await correlation.getByRole('button', { name: 'Exclude user_id is usr_1001' }).click();
    await expect.poll(() => messages(page)).toEqual(['Other']);
    await page.goto(`${new URL(page.url()).pathname}?type!=mail&severity!=error`);
    await expect.poll(() => messages(page)).toEqual(['Paid']);
    expect(faults).toEqual([]);
  });

  it('filters by a typed path of the payload, which it checks', async () => {
    const { page, open } = await visit(service, await userWithOrders());
    await open('/events');
    await row(page, 'Shipped').waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Payload value').fill('7');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Enter a path.').waitFor();
    await page.getByLabel('Payload path').fill('cart..id');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Enter up to 16 names between dots').waitFor();
    await page.getByLabel('Payload path').fill('cart.id');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => messages(page)).toEqual(['Shipped']);
  });
});

describe('the order of the list', () => {
  it('lists the oldest events first where asked to', async () => {
    const { page, open } = await visit(service, await userWithOrders());
    await open('/events?range=7d');
    await row(page, 'Paid').waitFor();
    await choose(page.getByLabel('Order', { exact: true }), 'Oldest first');
    await expect.poll(() => messages(page)).toEqual(['Long ago', 'Other', 'Shipped', 'Paid']);
    await page.goBack();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Shipped', 'Other', 'Long ago']);
  });
});
