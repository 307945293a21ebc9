import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { grid, messages, ORDERS, panel, parameter, row, userWith, visitEvents } from './support/events.ts';
import { whenRead } from './support/navigate.ts';

const service = await startTestService();
const { page, context, open, faults, projectWith } = await visitEvents(service, 2);
/** Its events are only looked at. */
const { show, id: projectId } = await projectWith(ORDERS);

describe('the list of events', () => {
  it('shows the newest first, as a grid that says how many rows it has', async () => {
    await show();
    await row(page, 'Disk is full').waitFor();
    expect(await messages(page)).toEqual(ORDERS.map(({ message }) => message));
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('5');
    expect(await row(page, 'Order 2').getAttribute('aria-rowindex')).toBe('3');
    expect(faults).toEqual([]);
  });

  it('makes each row a link that opens in another tab, and opens nothing while text is selected', async () => {
    // A press and a release are a click on one element only: nothing may be drawn between them.
    await whenRead(page, () => show('&range=7d'));
    const link = row(page, 'Order 2').getByRole('link');
    const [other] = await Promise.all([context.waitForEvent('page'), link.click({ button: 'middle' })]);
    // Playwright may take the new tab to be on its way although it shows the page, and its locators wait then.
    const shown = () => other.evaluate(() => document.querySelector('main')?.innerText);
    await expect.poll(shown).toMatch(/Order 2 was declined[^]*Event id/);
    expect([parameter(other, 'range'), await panel(page).count()]).toEqual(['7d', 0]);
    await other.close();

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
    await show();
    await row(page, 'Order 1').click();
    await panel(page).getByRole('button', { name: 'ord_1', exact: true }).click();
    await expect.poll(() => messages(page)).toEqual(['Order 1 was paid', 'Mail was sent']);
    expect(parameter(page, 'correlation')).toBe('ord_1');
    await show();
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
    await show();
    await row(page, 'Disk is full').waitFor();
    await page.evaluate(() => {
      const rows = document.querySelectorAll('[data-event]');
      const [first, second] = [rows[1], rows[2]];
      if (!first || !second) throw new Error('The rows are not there.');
      getSelection()?.setBaseAndExtent(first, 1, second, 2);
    });
    await page.keyboard.press('Control+c');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\n').map((line) => line.split('\t').slice(1))).toEqual([
      ['error', 'checkout', 'api', 'ord_2', 'Order 2 was declined'],
      ['info', 'mail', 'mailer', 'ord_1', 'Mail was sent'],
    ]);
    expect(copied).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\t/);
  });

  it('keeps no selection of text whose row has left the view', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ message: `Mail ${index} was sent` }));
    await (await projectWith(many)).show();
    await row(page, 'Mail 0 was sent').waitFor();
    await page.evaluate(() => {
      const text = document.querySelector('[data-event] a');
      if (text) getSelection()?.selectAllChildren(text);
    });
    expect(await page.evaluate(() => String(getSelection()))).toContain('Mail 0 was sent');
    await grid(page).evaluate((list) => list.scrollTo({ top: 3_600 }));
    await row(page, 'Mail 100 was sent').waitFor();
    expect(await page.evaluate(() => String(getSelection()))).not.toContain('was sent');
    await page.evaluate(() => getSelection()?.removeAllRanges());
  });

  it('exports all events that match the filters', async () => {
    await show('&source=api');
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

  it('shows times to the millisecond, their age on a click, and all times in UTC on request', async () => {
    const capturedAt = new Date(service.context.clock.now() - 3 * 3_600_000).toISOString();
    const { user } = await userWith(service, [{ message: 'Three hours old', capturedAt }]);
    const { page, open } = await visit(service, user, { timezoneId: 'Asia/Tokyo' });
    await open('/events');
    const time = row(page, 'Three hours old').getByRole('time');
    const clock = capturedAt.slice(11, 23);
    await time.getByText(/\d\d:\d\d:\d\d\.\d{3}/).waitFor();
    expect(await time.innerText()).not.toContain(clock);
    const toggle = page.getByRole('button', { name: 'Time', exact: true });
    await toggle.click();
    expect(await time.innerText()).toBe('3 h ago');
    await toggle.click();

    await page.locator('summary').getByText('Ada Lovelace', { exact: true }).click();
    await page.getByRole('button', { name: 'Times in UTC' }).click();
    await time.getByText(clock).waitFor();
    await row(page, 'Three hours old').click();
    await panel(page).getByText(`${clock} UTC`).first().waitFor();
  });
});

describe('the keys', () => {
  it('moves through the list, opens and closes the panel by keys', async () => {
    // A load, after which no row is chosen.
    await open(`/events?project=${projectId}`);
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
