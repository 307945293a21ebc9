import { describe, expect, it } from 'vitest';
import { aQueuedEvent, storeBatch } from '../../server/test/processing/support.ts';
import { bundleOf, uploadBundle } from '../../server/test/source-maps/bundle.ts';
import { startTestService, visit } from './support/browser.ts';
import { messages, ORDERS, panel, parameter, row, visitEvents } from './support/events.ts';

const service = await startTestService();
const { user, page, open, go, faults, projectWith } = await visitEvents(service, 11);

describe('the panel of an event', () => {
  it('opens an event from its address alone, and reports an unknown one', async () => {
    const old = new Date(service.context.clock.now() - 3 * 24 * 3_600_000).toISOString();
    const { id } = await projectWith([...ORDERS, { message: 'Long ago', capturedAt: old }]);
    const { body } = await user.api.get(`/events?project_id=${id}&q=ago`);
    await open(`/events?event=${body[0].id}`);
    await panel(page).getByText('Long ago').waitFor();
    expect(await row(page, 'Long ago').count()).toBe(0);
    await go('/events?event=evt_nobody');
    await panel(page).getByText('Event not found.').waitFor();
  });

  it('links to events of the same correlation and of the same kind, and to the project', async () => {
    const { id: projectId, show } = await projectWith([
      ...ORDERS,
      { message: 'Order 77 was declined', severity: 'ERROR', source: 'api' },
    ]);
    await show();
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

  it('says which parts of an event were left out, shortened or corrected', async () => {
    const { id: projectId, show } = await projectWith(ORDERS);
    await storeBatch(service, projectId, [
      aQueuedEvent(projectId, { message: 'Deep stack', changed: ['frames', 'clock'] }),
    ]);
    await show();
    await row(page, 'Deep stack').click();
    await panel(page).getByText('Stack frames left out · Time corrected').waitFor();
    await row(page, 'Order 1').click();
    await panel(page).getByText('Order 1 was paid').waitFor();
    expect(await panel(page).getByText('Changed').count()).toBe(0);
  });

  it('says of an error if its application did not handle it', async () => {
    const { id: projectId, show } = await projectWith(ORDERS);
    const payload = { handled: false, mechanism: 'onuncaughtexception' };
    await storeBatch(service, projectId, [aQueuedEvent(projectId, { message: 'Crashed', payload })]);
    await show();
    await row(page, 'Crashed').click();
    await panel(page).getByText('Handled', { exact: true }).waitFor();
    await row(page, 'Order 1').click();
    await panel(page).getByText('Order 1 was paid').waitFor();
    expect(await panel(page).getByText('Handled', { exact: true }).count()).toBe(0);
  });

  it('shows the amount of a payment in its currency', async () => {
    const { id: projectId, show } = await projectWith([]);
    const payment = { type: 'payment', amount: 4_210, currency: 'EUR' };
    await storeBatch(service, projectId, [
      aQueuedEvent(projectId, { message: 'First charge', ...payment }),
      aQueuedEvent(projectId, { message: 'Other charge', type: 'payment' }),
    ]);
    await show();
    await row(page, 'Other charge').click();
    await panel(page).getByText('Other charge').waitFor();
    expect(await panel(page).getByText('Amount').count()).toBe(0);
    await row(page, 'First charge').click();
    await panel(page).getByText('€42.10', { exact: true }).waitFor();
  });

  it('says which secrets of an event were replaced, by rule', async () => {
    const { show } = await projectWith([
      ...ORDERS,
      { message: 'Paid with 4242 4242 4242 4242', severity: 'INFO', payload: { password: 'a', token: 'b' } },
    ]);
    await show();
    await row(page, 'Paid with [Filtered]').click();
    await panel(page).getByText('Card numbers: 1 · Secret fields: 2').waitFor();
    await row(page, 'Order 1').click();
    await panel(page).getByText('Order 1 was paid').waitFor();
    expect(await panel(page).getByText('Filtered').count()).toBe(0);
  });

  it('shows the frames of built files in their sources, and those of the causes', async () => {
    const { id: projectId, show } = await projectWith(ORDERS);
    const debugId = '4f8a2b1c-0000-4000-8000-000000000001';
    const sourcesContent = ['first line\nthrow declined;'];
    const map = { version: 3, sources: ['src/pay.ts'], sourcesContent, names: [], mappings: 'AACA' };
    await uploadBundle(user.api, user.organizationId, bundleOf({ [debugId]: map }), [projectId]);
    const frame = { file: 'dist/app.js', function: 'pay', line: 1, column: 1, inApplication: true };
    const payload = {
      frames: [frame],
      causes: [{ type: 'CardError', value: 'No card', frames: [{ ...frame, function: 'readCard' }] }],
      debug_meta: { images: [{ type: 'sourcemap', code_file: 'dist/app.js', debug_id: debugId }] },
    };
    await storeBatch(service, projectId, [aQueuedEvent(projectId, { message: 'Built', payload })]);
    await show();
    await row(page, 'Built').click();
    await panel(page).getByText('src/pay.ts:2:1').first().waitFor();
    await panel(page).getByText('2 throw declined;').first().waitFor();
    await panel(page).getByText('Caused by CardError: No card').waitFor();
    const cause = panel(page).getByRole('listitem').filter({ hasText: 'readCard' });
    await cause.filter({ hasText: 'src/pay.ts:2:1' }).waitFor();
  });

  it('shows a payload of any size and depth, part by part on request', async () => {
    let deep: Record<string, unknown> = { bottom: 'reached' };
    for (let level = 0; level < 60; level++) deep = { level: deep };
    const payload = {
      deep,
      list: Array.from({ length: 250 }, (_, index) => `item ${index}`),
      long: `${'long '.repeat(200)}end`,
      '<b>key</b>': '<img src=x onerror=alert(1)>',
    };
    const { show } = await projectWith([{ message: 'Big', payload }]);
    await show();
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
    const { ingest, show } = await projectWith([]);
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
    await show();
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
    const { show } = await projectWith([{ message: "It's 5 o'clock", payload: { quote: "'" } }]);
    await show();
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
    const { id } = await projectWith(ORDERS);
    const { page, open } = await visit(service, user, { viewport: { width: 360, height: 740 } });
    await open(`/events?project=${id}`);
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
