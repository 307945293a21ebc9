import { describe, expect, it } from 'vitest';
import { rounds } from '../../server/test/support/test-length.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { grid, messages, ORDERS, parameter, row, visitEvents } from './support/events.ts';

const service = await startTestService();
const { page, go, projectWith } = await visitEvents(service, 4);
const orders = await projectWith(ORDERS);

describe('the list of events', () => {
  it('narrows the list by each filter, which is in the address and is removed by its chip', async () => {
    await orders.show();
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
    await go('/');
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

  it('takes filters that are typed among the words of the search, once the field is left', async () => {
    await orders.show();
    await row(page, 'Disk is full').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('order environment:production source:api');
    await search.press('Enter');
    await expect.poll(() => parameter(page, 'environment')).toBe('production');
    expect([parameter(page, 'q'), parameter(page, 'source')]).toEqual(['order', 'api']);
    await page.getByRole('button', { name: 'Remove filter Environment: production' }).waitFor();
    expect(await search.inputValue()).toBe('order');
  });

  it('suggests what to do if no event matches', async () => {
    await orders.show('&q=nobody&severity=warn');
    await page.getByText('No matching events in this range').waitFor();
    await grid(page).getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => messages(page)).toHaveLength(4);
    expect(parameter(page, 'q')).toBeNull();
  });

  it('leads to the first steps of an empty project, also where other projects have events', async () => {
    const { id, show } = await projectWith([]);
    await show();
    await page.getByRole('link', { name: 'Send your first event' }).click();
    await page.waitForURL(`**/projects/${id}/start*`);
  });

  it('explains how to send events if there never were any', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service, user);
    await open('/events');
    await page.getByRole('link', { name: 'Create project' }).waitFor();
    await user.createProject('Shop');
    await page.reload();
    await page.getByRole('link', { name: 'Send your first event' }).click();
    await page.waitForURL('**/projects/*/start*');
  });

  it('reads the list by cursor to its very end, with few rows in the document at a time', async () => {
    const count = rounds(1_000, 5_000);
    const { show } = await projectWith(
      Array.from({ length: count }, (_, index) => ({ message: `Event number ${index}` })),
    );
    await show();
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
    const { show } = await projectWith([
      { message: 'New' },
      { message: 'Old', capturedAt: new Date(service.context.clock.now() - 20 * hourMs).toISOString() },
    ]);
    await show();
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
