import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../server/test/support/client.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { startTestService, type TestUser, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';

const service = await startTestService();

interface Sent {
  type?: string;
  severity?: 'INFO' | 'WARN' | 'ERROR' | 'CRITICAL';
  message: string;
  source?: string;
  correlation?: Record<string, string>;
  payload?: Record<string, unknown>;
  capturedAt?: string;
}

/** An organization with one project that was sent some events; the first of them is the newest. */
async function userWith(events: Sent[]): Promise<{ user: TestUser; ingest: ApiClient; projectId: string }> {
  const user = await service.signUp();
  const { ingest, id: projectId } = await user.createProject('Shop');
  const nowMs = service.context.clock.now();
  await send(
    ingest,
    events.map((event, index) => ({ capturedAt: new Date(nowMs - 10_000 - index).toISOString(), ...event })),
  );
  return { user, ingest, projectId };
}

async function send(ingest: ApiClient, events: Sent[]): Promise<void> {
  for (let start = 0; start < events.length; start += 5_000) {
    const bulk = events
      .slice(start, start + 5_000)
      .map((event) => ({ type: 'checkout', severity: 'INFO', ...event }));
    const { status } = await ingest.post('/ingest/bulk', bulk);
    if (status !== 202) throw new Error(`The bulk was answered ${status}.`);
  }
  await service.settled();
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Events' });
const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text });
const panel = (page: Page) => page.getByRole('region', { name: 'Event', exact: true });
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const messages = (page: Page) =>
  grid(page).getByRole('row').locator('[role=gridcell]:nth-child(2)').allInnerTexts();

const ORDERS: Sent[] = [
  { message: 'Order 1 was paid', source: 'api', correlation: { order_id: 'ord_1' } },
  { message: 'Order 2 was declined', severity: 'ERROR', source: 'api', correlation: { order_id: 'ord_2' } },
  { message: 'Mail was sent', type: 'mail', source: 'mailer', correlation: { order_id: 'ord_1' } },
  { message: 'Disk is full', type: 'disk', severity: 'CRITICAL' },
];

describe('the list of events', () => {
  it('shows the newest first, as a grid that says how many rows it has', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open, faults } = await visit(service, user);
    await open('/events');
    await row(page, 'Disk is full').waitFor();
    expect(await messages(page)).toEqual(ORDERS.map(({ message }) => message));
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('5');
    expect(await row(page, 'Order 2').getAttribute('aria-rowindex')).toBe('3');
    expect(faults).toEqual([]);
  });

  it('makes each row a link that opens in another tab, and opens nothing where text is selected', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open, context } = await visit(service, user);
    await open('/events?range=7d');
    const link = row(page, 'Order 2').getByRole('link');
    await link.waitFor();
    const [other] = await Promise.all([context.waitForEvent('page'), link.click({ button: 'middle' })]);
    await panel(other).getByText('Order 2 was declined').waitFor();
    expect([parameter(other, 'range'), await panel(page).count()]).toEqual(['7d', 0]);
    await page.bringToFront();

    const box = await link.boundingBox();
    if (!box) throw new Error('The row is not there.');
    await page.mouse.move(box.x + 2, box.y + 18);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y + 18, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^O?rder/);
    expect(await panel(page).count()).toBe(0);
    await row(page, 'Mail was sent').click();
    await panel(page).getByText('Mail was sent').waitFor();
  });

  it('narrows the list by the correlation id and the fingerprint in the panel, where the event has them', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Order 1').click();
    await panel(page).getByRole('button', { name: 'ord_1', exact: true }).click();
    await expect.poll(() => messages(page)).toEqual(['Order 1 was paid', 'Mail was sent']);
    expect(parameter(page, 'correlation')).toBe('ord_1');
    await open('/events');
    const disk = row(page, 'Disk is full');
    await disk.click();
    const fingerprint = panel(page).getByRole('button', { name: /^[0-9a-f]{16}$/ });
    await fingerprint.waitFor();
    expect(await fingerprint.count()).toBe(1);
    expect(await disk.innerText()).not.toContain(await fingerprint.innerText());
    await fingerprint.click();
    await expect.poll(() => messages(page)).toEqual(['Disk is full']);
  });

  it('copies a selection over rows as a table with exact times', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Disk is full').waitFor();
    await page.evaluate(() => {
      const rows = document.querySelectorAll('[data-event]');
      const [first, second] = [rows[1], rows[2]];
      if (first && second) getSelection()?.setBaseAndExtent(first, 1, second, 2);
    });
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\n').map((line) => line.split('\t').slice(1))).toEqual([
      ['error', 'checkout', 'api', 'ord_2', 'Order 2 was declined'],
      ['info', 'mail', 'mailer', 'ord_1', 'Mail was sent'],
    ]);
    expect(copied).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\t/);
  });

  it('exports all events that match the filters', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events?source=api');
    await row(page, 'Order 1').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'NDJSON' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^events-.*\.ndjson$/);
    const text = await readFile(await download.path(), 'utf8');
    const exported = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).message);
    expect(exported).toEqual(['Order 1 was paid', 'Order 2 was declined']);
  });

  it('shows times to the millisecond, how long ago on a click, and all of them in UTC on request', async () => {
    const capturedAt = new Date(service.context.clock.now() - 3 * 3_600_000).toISOString();
    const { user } = await userWith([{ message: 'Three hours old', capturedAt }]);
    const { page, open } = await visit(service, user, { timezoneId: 'Asia/Tokyo' });
    await open('/events');
    const time = row(page, 'Three hours old').getByRole('time');
    const clock = capturedAt.slice(11, 23);
    await time.getByText(/\d\d:\d\d:\d\d\.\d{3}/).waitFor();
    expect(await time.innerText()).not.toContain(clock);
    await page.getByRole('button', { name: 'Time', exact: true }).click();
    expect(await time.innerText()).toBe('3 h ago');
    await page.getByRole('button', { name: 'Age' }).click();

    await page.locator('summary').getByText('Ada Lovelace', { exact: true }).click();
    await page.getByRole('button', { name: 'Times in UTC' }).click();
    await time.getByText(clock).waitFor();
    await row(page, 'Three hours old').click();
    await panel(page).getByText(`${clock} UTC`).first().waitFor();
  });

  it('narrows the list by each filter, which stands in the address and is removed by its chip', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Order 2').waitFor();

    await choose(page.getByLabel('Severity', { exact: true }), 'error');
    await row(page, 'Mail was sent').waitFor({ state: 'detached' });
    expect(parameter(page, 'severity')).toBe('error');

    await page.getByRole('button', { name: 'Remove filter severity: error' }).click();
    await row(page, 'Mail was sent').waitFor();
    expect(parameter(page, 'severity')).toBeNull();

    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Source').fill('api');
    await page.getByLabel('Correlation id').fill('ord_1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await row(page, 'Mail was sent').waitFor({ state: 'detached' });
    await expect.poll(() => messages(page)).toEqual(['Order 1 was paid']);
    expect([parameter(page, 'source'), parameter(page, 'correlation')]).toEqual(['api', 'ord_1']);

    await page.reload();
    await expect.poll(() => messages(page)).toEqual(['Order 1 was paid']);
    await page.goBack();
    await expect.poll(() => messages(page)).toHaveLength(4);
    await page.goBack();
    await expect.poll(() => messages(page)).toEqual(['Order 2 was declined']);
  });

  it('follows the text typed into the search without a step in the history for each letter', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/');
    await page.getByRole('link', { name: 'Events' }).first().click();
    await row(page, 'Disk is full').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('order declined', { delay: 30 });
    await expect.poll(() => messages(page)).toEqual(['Order 2 was declined']);
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('order declined');
    await expect.poll(() => parameter(page, 'q')).toBe('order declined');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('suggests what to do where no event matches', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events?q=nobody&severity=warn');
    await page.getByText('No matching events in the last 24 hours').waitFor();
    await grid(page).getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => messages(page)).toHaveLength(4);
    expect(parameter(page, 'q')).toBeNull();
  });

  it('explains how to send events where there never were any', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service, user);
    await open('/events');
    await page.getByRole('link', { name: 'Create project' }).waitFor();
    await user.createProject('Shop');
    await page.reload();
    await page.getByRole('link', { name: 'Send your first event' }).click();
    await page.waitForURL('**/projects*');
  });

  it('reads the list by cursor to its very end, with few rows in the document at a time', async () => {
    const count = 5_000;
    const { user } = await userWith(
      Array.from({ length: count }, (_, index) => ({ message: `Event number ${index}` })),
    );
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Event number 0').first().waitFor();
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('-1');
    await expect
      .poll(
        async () => {
          await grid(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
          return row(page, `Event number ${count - 1}`).count();
        },
        { timeout: scaled(30_000) },
      )
      .toBe(1);
    expect(await grid(page).getAttribute('aria-rowcount')).toBe(String(count + 1));
    expect(await grid(page).getByRole('row').count()).toBeLessThan(80);
  });

  it('charts events over time by their filters, and selects a range by dragging', async () => {
    const hourMs = 3_600_000;
    const { user } = await userWith([
      { message: 'New' },
      { message: 'Old', capturedAt: new Date(service.context.clock.now() - 20 * hourMs).toISOString() },
    ]);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Old').waitFor();
    const chart = page.getByRole('figure', { name: 'Events over time' });
    await chart.getByText('2 events').waitFor();
    const plot = await chart.locator('.u-over').boundingBox();
    if (!plot) throw new Error('The chart is not there.');
    const y = plot.y + plot.height / 2;
    await page.mouse.move(plot.x + plot.width * 0.5, y);
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width * 0.999, y, { steps: 5 });
    await page.mouse.up();
    await row(page, 'Old').waitFor({ state: 'detached' });
    await expect.poll(() => messages(page)).toEqual(['New']);
    expect(Date.parse(parameter(page, 'from') ?? '')).toBeGreaterThan(
      service.context.clock.now() - 13 * hourMs,
    );
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await row(page, 'Old').waitFor();
  });
});

describe('the keys', () => {
  it('moves through the list, opens and closes the panel by keys', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Order 1').waitFor();
    const selected = grid(page).locator('[aria-selected=true]');

    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected.innerText()).toContain('Order 2');
    expect(await grid(page).getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
    expect(await panel(page).count()).toBe(0);

    await page.keyboard.press('Enter');
    await panel(page).getByText('Order 2 was declined').waitFor();
    const first = parameter(page, 'event');
    await page.keyboard.press('j');
    await panel(page).getByText('Mail was sent').waitFor();
    await expect.poll(() => parameter(page, 'event')).not.toBe(first);
    await page.keyboard.press('End');
    await panel(page).getByText('Disk is full').waitFor();

    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    expect(parameter(page, 'event')).toBeNull();
    await page.goBack();
    await panel(page).getByText('Disk is full').waitFor();
  });
});

describe('new events', () => {
  it('holds new events under a bar while the list is scrolled', async () => {
    const { user, ingest } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Order 1').waitFor();
    await send(
      ingest,
      Array.from({ length: 12 }, (_, index) => ({ message: `Latecomer ${index}` })),
    );
    const bar = page.getByRole('button', { name: '12 new' });
    await bar.waitFor();
    expect(await row(page, 'Latecomer').count()).toBe(0);
    await bar.click();
    await expect.poll(() => row(page, 'Latecomer').count()).toBe(12);
    await bar.waitFor({ state: 'detached' });
    expect(await messages(page)).toHaveLength(16);
  });

  it('adds matching events on top as they arrive while the tail is live', async () => {
    const { user, ingest } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events?severity=error');
    await row(page, 'Order 2').waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await expect.poll(() => parameter(page, 'live')).toBe('true');
    await send(ingest, [
      { message: 'Card was refused', severity: 'ERROR' },
      { message: 'Nothing happened', severity: 'INFO' },
    ]);
    await row(page, 'Card was refused').waitFor();
    expect(await messages(page)).toEqual(['Card was refused', 'Order 2 was declined']);
  });

  it('holds new events while the live tail is paused, and shows them when it resumes', async () => {
    const { user, ingest } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events?live=true');
    await row(page, 'Order 1').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await send(ingest, [{ message: 'Meanwhile' }]);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await row(page, 'Meanwhile').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await row(page, 'Meanwhile').waitFor();
  });

  it('shows the number of new events where they are too many to read', async () => {
    const { user, ingest } = await userWith(ORDERS);
    const { page, open } = await visit(service, user);
    await open('/events?live=true');
    await row(page, 'Order 1').waitFor();
    // The tail begins a moment after it was asked for: the first event that comes by it tells that it has.
    await expect
      .poll(
        async () => {
          await send(
            ingest,
            Array.from({ length: 2_000 }, (_, index) => ({ message: `Flood ${index}` })),
          );
          return page.getByText(/^[\d,]+ skipped$/).count();
        },
        { timeout: scaled(20_000), interval: 1_500 },
      )
      .toBe(1);
    await row(page, 'Flood').first().waitFor();
  });
});

describe('the panel of an event', () => {
  it('opens from its address alone, and says where there is no such event', async () => {
    const old = new Date(service.context.clock.now() - 3 * 24 * 3_600_000).toISOString();
    const { user } = await userWith([...ORDERS, { message: 'Long ago', capturedAt: old }]);
    const { body } = await user.api.get('/events?q=ago');
    const { page, open } = await visit(service, user);
    await open(`/events?event=${body[0].id}`);
    await panel(page).getByText('Long ago').waitFor();
    expect(await row(page, 'Long ago').count()).toBe(0);
    await open('/events?event=evt_nobody');
    await panel(page).getByText('Event not found.').waitFor();
  });

  it('leads to events of the same correlation and of the same kind, and to the project', async () => {
    const { user, projectId } = await userWith([
      ...ORDERS,
      { message: 'Order 77 was declined', severity: 'ERROR', source: 'api' },
    ]);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'Order 1').click();
    await panel(page).getByRole('button', { name: 'Same correlation' }).click();
    await expect.poll(() => messages(page)).toEqual(['Order 1 was paid', 'Mail was sent']);
    expect(parameter(page, 'correlation')).toBe('ord_1');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row(page, 'Order 2').click();
    await panel(page).getByText('Order 2 was declined').waitFor();
    await panel(page).getByRole('button', { name: 'Same fingerprint' }).click();
    await expect.poll(() => messages(page)).toEqual(['Order 2 was declined', 'Order 77 was declined']);
    const link = panel(page).getByRole('link', { name: 'Shop' });
    expect(await link.getAttribute('href')).toContain(`/projects/${projectId}`);
  });

  it('shows a payload of any size and depth, as much of it as is asked for', async () => {
    let deep: Record<string, unknown> = { bottom: 'reached' };
    for (let level = 0; level < 60; level++) deep = { level: deep };
    const payload = {
      deep,
      list: Array.from({ length: 250 }, (_, index) => `item ${index}`),
      long: `${'long '.repeat(200)}end`,
      '<b>key</b>': '<img src=x onerror=alert(1)>',
    };
    const { user } = await userWith([{ message: 'Big', payload }]);
    const { page, open, faults } = await visit(service, user);
    await open('/events');
    await row(page, 'Big').click();
    const tree = panel(page).getByRole('group', { name: 'Payload' });
    await tree.getByText('<img src=x onerror=alert(1)>').waitFor();

    expect(await tree.getByText('end').count()).toBe(0);
    await tree.getByRole('button', { name: 'show all 1,003 characters' }).click();
    await tree.getByText('end').waitFor();

    const list = tree.getByRole('button', { name: /^list/ });
    expect(await list.getAttribute('aria-expanded')).toBe('false');
    await list.press('Enter');
    await tree.getByText('item 99').waitFor();
    expect(await tree.getByText('item 100').count()).toBe(0);
    await tree.getByRole('button', { name: 'show 100 more of 150' }).click();
    await tree.getByText('item 199').waitFor();
    await list.press('Enter');
    await tree.getByText('item 99').waitFor({ state: 'detached' });

    for (;;) {
      const closed = tree.locator('[aria-expanded=false]').filter({ hasText: 'level' });
      if ((await closed.count()) === 0) break;
      await closed.last().press('Enter');
    }
    await tree.getByText('reached').waitFor();
    expect(faults).toEqual([]);
  });

  it('puts the frames of the application in front and folds the others', async () => {
    const { user, ingest } = await userWith([]);
    await ingest.post('/ingest/server-error', {
      status_code: 500,
      path: '/pay',
      method: 'POST',
      error_message: 'total is undefined',
      stack: [
        'TypeError: total is undefined',
        '    at sumUp (/app/src/pay.js:10:5)',
        '    at Layer.handle (/app/node_modules/express/lib/layer.js:95:5)',
        '    at checkout (/app/src/checkout.js:44:21)',
      ].join('\n'),
    });
    await service.settled();
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, 'total is undefined').click();
    const frames = panel(page).getByRole('listitem').filter({ hasText: '.js:' });
    const trace = frames.filter({ hasNotText: 'stack' });
    await expect.poll(() => trace.count()).toBe(2);
    expect((await trace.allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual(['sumUp', 'checkout']);
    await panel(page).getByRole('button', { name: 'Show 1 library frame' }).click();
    expect((await trace.allInnerTexts()).map((text) => text.split(/\s/)[0])).toEqual([
      'sumUp',
      'Layer.handle',
      'checkout',
    ]);
  });

  it('copies the event as JSON, and as a command that sends it again', async () => {
    const { user } = await userWith([{ message: "It's 5 o'clock", payload: { quote: "'" } }]);
    const { page, open } = await visit(service, user);
    await open('/events');
    await row(page, "It's 5").click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await panel(page).getByRole('button', { name: 'Copy as JSON' }).click();
    await expect.poll(copied).toContain('"projectId"');
    expect(JSON.parse(await copied())).toMatchObject({ message: "It's 5 o'clock", payload: { quote: "'" } });
    await panel(page).getByRole('button', { name: 'Copy as curl' }).click();
    await expect.poll(copied).toContain('curl ');
    expect(await copied()).toContain("-H 'x-api-key: YOUR_API_KEY'");
    expect(await copied()).toContain(String.raw`It'\''s 5 o'\''clock`);
  });

  it('fills a narrow screen with the panel, and returns to the list', async () => {
    const { user } = await userWith(ORDERS);
    const { page, open } = await visit(service, user, { viewport: { width: 360, height: 740 } });
    await open('/events');
    await row(page, 'Order 1').click();
    const dialog = page.getByRole('dialog', { name: 'Event' });
    await dialog.getByText('Order 1 was paid').waitFor();
    await dialog.getByRole('button', { name: 'Next event' }).click();
    await dialog.getByText('Order 2 was declined').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Order 1').waitFor();
  });
});
