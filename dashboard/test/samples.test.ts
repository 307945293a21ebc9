import { describe, expect, it } from 'vitest';
import { storeEvents } from '../../server/test/support/stored-events.ts';
import { startTestService, visit } from './support/browser.ts';
import { whenRead } from './support/navigate.ts';

const EVENTS = 120_000;

describe('counts of a part of the events', async () => {
  const service = await startTestService({ own: true });
  const user = await service.signUp();
  const project = { ...(await user.createProject('Shop')), organizationId: user.organizationId };
  // Two hours; the first needle lies before the range of one scan.
  await storeEvents(service.database.pool, project, {
    count: EVENTS,
    firstMs: service.context.clock.now() - 2 * 3_600_000,
    stepMs: 60,
    severity: `CASE WHEN n % 30000 = 1 THEN 'critical' ELSE 'info' END`,
    message: `CASE WHEN n % 30000 = 1 THEN 'A needle ' || n ELSE 'Hay' END`,
  });

  const { page, go, faults } = await visit(service, user);

  it('says in the chart of a search how far it was scanned, and scans further', async () => {
    await go('/events?q=needle');
    const chart = page.getByRole('figure', { name: 'Events over time' });
    await chart.getByText(/^3\+ events \(searched back to .+\)$/).waitFor();
    expect(await chart.getByRole('img').getAttribute('aria-label')).toMatch(/3\+ events \(searched back to/);
    // The list below continues by itself.
    const rows = page.getByRole('grid', { name: 'Events' }).getByRole('row').filter({ hasText: 'A needle' });
    await expect.poll(() => rows.count()).toBe(4);

    await chart.getByRole('button', { name: 'Keep searching' }).click();
    await chart.getByText('4 events', { exact: true }).waitFor();
    expect(await chart.getByRole('button', { name: 'Keep searching' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('counts the most frequent values exactly', async () => {
    await go('/');
    for (const name of ['Top fingerprints', 'Top types']) {
      const values = page.getByRole('region', { name });
      await values.getByText('120K').waitFor();
    }
  });

  it('names the whole hours of exact counts of fingerprints', async () => {
    const hour = Math.floor(service.context.clock.now() / 3_600_000);
    const at = (hours: number) => new Date((hour - hours) * 3_600_000 - 1_800_000).toISOString();
    // The overview shows the hours of its former range until it has read.
    await whenRead(page, () => go(`/?from=${at(100)}&to=${at(-1)}`));
    const values = page.getByRole('region', { name: 'Top fingerprints' });
    await values.getByText(/^\d+ \w+, \d\d:00 – \d+ \w+, \d\d:\d\d$/).waitFor();
  });
});

describe('a panel whose read the service had no time for', () => {
  it('reports a read that timed out in its own panel, keeps the other panels, and retries', async () => {
    const service = await startTestService();
    const user = await service.signUp();
    const { ingest } = await user.createProject('Shop');
    await ingest.post('/ingest/events', { type: 'checkout', severity: 'INFO', message: 'Order was paid' });
    await service.settled();
    const { page, open, go } = await visit(service, user);
    const sentence = 'Searching the events of June takes too long. Choose a shorter time range.';
    const problem = { type: 'urn:tocsin:error:unavailable', title: 'Busy', status: 503, code: 'unavailable' };
    let busy = true;
    const refuse = async (route: Parameters<Parameters<typeof page.route>[1]>[0]) =>
      busy && route.request().resourceType() !== 'document'
        ? route.fulfill({
            status: 503,
            headers: { 'retry-after': '1', 'content-type': 'application/problem+json' },
            body: JSON.stringify({ ...problem, detail: sentence, requestId: 'r' }),
          })
        : route.continue();
    await page.route('**/events/histogram?*', refuse);
    await page.route('**/events/top?by=type*', refuse);
    await page.route('**/events?*q=paid*', refuse);

    await open('/');
    const types = page.getByRole('region', { name: 'Top types' });
    await types.getByRole('alert').getByText(sentence).waitFor();
    await page.getByRole('region', { name: 'Top fingerprints' }).getByText('Order was paid').waitFor();
    busy = false;
    await types.getByText('checkout').waitFor();

    busy = true;
    await go('/events?q=paid');
    await expect.poll(() => page.getByRole('alert').getByText(sentence).count()).toBe(2);
    busy = false;
    await page.getByRole('grid', { name: 'Events' }).getByText('Order was paid').waitFor();
    await page.getByRole('figure', { name: 'Events over time' }).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});
