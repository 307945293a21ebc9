import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { messages, panel, row, visitEvents } from './support/events.ts';

const service = await startTestService();
const DAY_MS = 24 * 3_600_000;

/** Orders of two customers: the first has two events now and one two days ago, the second an order with the first one's id. */
const ORDERS = [
  { message: 'Paid', source: 'api', correlation: { order_id: 'ord_1', user_id: 'usr_1001' } },
  {
    message: 'Shipped',
    type: 'mail',
    correlation: { order_id: 'ord_2', user_id: 'usr_1001' },
    payload: { cart: { id: 7, coupon: 'none' }, stack: 'x' },
  },
  { message: 'Other', severity: 'ERROR' as const, correlation: { order_id: 'ord_3', user_id: 'usr_2' } },
  {
    message: 'Long ago',
    capturedAt: new Date(service.context.clock.now() - 2 * DAY_MS).toISOString(),
    correlation: { order_id: 'ord_0', user_id: 'usr_1001' },
  },
];
const { page, go, faults, projectWith } = await visitEvents(service, 2);
/** A project whose events are only looked at. */
const orders = await projectWith(ORDERS);

const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' }).getByRole('listitem');

describe('an id that is typed into the search', () => {
  it('offers the events that have a typed id under a key, of all time, and shows them', async () => {
    await orders.show();
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
    await go('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or go to' }).fill('usr_1001');
    await page.getByRole('option', { name: '3 events have user_id usr_1001' }).click();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Shipped', 'Long ago']);
  });

  it('offers the groups whose title holds the words', async () => {
    const { show } = await projectWith([
      { type: 'crash', severity: 'ERROR', message: 'Cannot read unitPrice' },
    ]);
    await show('&q=unitPrice');
    await page.getByRole('button', { name: /^SHOP-PROD-\d+ Cannot read unitPrice · 1 event$/ }).click();
    await expect.poll(() => messages(page)).toEqual(['Cannot read unitPrice']);
    await chips(page).getByText('Cannot read unitPrice').waitFor();
  });
});

describe('the values of an event', () => {
  it('includes or excludes a value by a chip that can be inverted, and keeps the filter in the address', async () => {
    await orders.show();
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
    await orders.show('&type!=mail&severity!=error');
    await expect.poll(() => messages(page)).toEqual(['Paid']);
    expect(faults).toEqual([]);
  });

  it('filters by a typed path of the payload, which it checks', async () => {
    await orders.show();
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
    await orders.show('&range=7d');
    await row(page, 'Paid').waitFor();
    await choose(page.getByLabel('Order', { exact: true }), 'Oldest first');
    await expect.poll(() => messages(page)).toEqual(['Long ago', 'Other', 'Shipped', 'Paid']);
    await page.goBack();
    await expect.poll(() => messages(page)).toEqual(['Paid', 'Shipped', 'Other', 'Long ago']);
  });
});
