import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { upsertAsked } from '../../server/src/notifications/recipients/queries.ts';
import { toUuid } from '../../server/src/platform/ids.ts';
import { generateSecret } from '../../server/src/tenancy/secret-format.ts';
import { startTestService, visit } from './support/browser.ts';
import { choose, chooseAction } from './support/choose.ts';

const service = await startTestService({ environment: { OUTBOUND_ALLOW: '127.0.0.1' } });

/** A webhook that accepts everything. */
const received: string[] = [];
const webhook = createServer((request, response) => {
  request.on('data', (piece) => received.push(String(piece)));
  request.on('end', () => response.end('thanks'));
}).listen(0, '127.0.0.1');
await once(webhook, 'listening');
afterAll(() => void webhook.close());
const url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/hook`;

describe('the page of notifications', () => {
  it('leads a new OWNER from a target and its test to a route, and shows who was notified, also in a log that is open', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const { page, open, go, faults } = await visit(service, user, { hasClock: true });
    await open('/alerts/destinations');
    await page.getByText('Set PUBLIC_URL so messages can link back here').waitFor();
    await page.getByRole('button', { name: 'Add target' }).click();
    await page.getByLabel('Name').fill('On call');
    await page.getByRole('dialog').getByRole('button', { name: 'Add target' }).click();
    await page.getByText('Enter a value.').waitFor();
    await page.getByLabel('Address').fill('http://user:pass@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Add target' }).click();
    await page.getByText('must not contain a user name').waitFor();
    await page.getByLabel('Address').fill(url);
    await page.getByRole('dialog').getByRole('button', { name: 'Add target' }).click();
    expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Send a test to On call' }).click();
    await page.getByRole('status').filter({ hasText: 'The test arrived: answered 200' }).waitFor();
    await page.getByText('thanks').waitFor();

    await page.getByRole('button', { name: 'Add route' }).click();
    await choose(page.getByLabel('From severity'), 'warn');
    await page.getByRole('dialog').getByRole('button', { name: 'Add route' }).click();
    await page.getByText('All projects, warn or worse: opened, worse, resolved').waitFor();

    await chooseAction(page, 'On call', 'Log');
    const log = page.getByRole('dialog');
    await log.getByText('Nothing sent yet').waitFor();
    const { body } = await user.api.post('/incidents', {
      title: 'Slow checkout',
      severity: 'warn',
      projectId: project.id,
    });
    await expect.poll(() => received.some((text) => text.includes(body.id))).toBe(true);
    // The answer is stored after it came.
    const deliveries = async () => (await user.api.get(`/incidents/${body.id}/deliveries`)).body;
    await expect.poll(deliveries).toMatchObject([{ change: 'opened', state: 'delivered' }]);
    await page.clock.fastForward(10_000);
    await log.getByText('Incident, opened: delivered').waitFor();
    await log.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /^Preview route/ }).click();
    await page.getByText('it would have sent 1 message').waitFor();

    await go(`/incidents/${body.id}`);
    await page.getByRole('link', { name: 'Who was notified' }).click();
    await page.getByText('On call, opened: delivered').waitFor();
    await page.getByText('On call: The route sends it.').waitFor();
    expect(faults).toEqual([]);
  });

  it('folds the routes that had nothing to send', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const target = { kind: 'webhook', name: 'On call', config: { url } };
    const { id: targetId } = (await user.api.post('/notification-targets', target)).body;
    await user.api.post('/notification-routes', { targetId });
    await user.api.post('/notification-routes', { targetId, minSeverity: 'critical' });
    const incident = { title: 'Down', severity: 'error', projectId: project.id };
    const { body } = await user.api.post('/incidents', incident);
    const changes = async () => (await user.api.get(`/incidents/${body.id}/notification-decisions`)).body;
    await expect.poll(changes).toMatchObject([{ change: 'opened' }]);
    const { page, open } = await visit(service, user);
    await open(`/incidents/${body.id}/notifications`);
    const why = page.getByRole('region', { name: 'Route decisions' });
    await why.getByText('On call: The route sends it.').waitFor();
    const other = why.getByText('The severity is below the route’s.');
    expect(await other.isVisible()).toBe(false);
    await why.getByText('1 route had nothing to send').click();
    await other.waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/nrt_|ntg_/);
  });

  it('previews a route before it is saved, changes it, and sets quiet hours of its target', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const target = { kind: 'webhook', name: 'On call', config: { url } };
    const { id: targetId } = (await user.api.post('/notification-targets', target)).body;
    await user.api.post('/notification-routes', { targetId });
    for (const severity of ['error', 'error', 'critical'])
      await user.api.post('/incidents', { title: 'Down', severity, projectId: project.id });
    const { page, open, faults } = await visit(service, user);
    await open('/alerts/destinations');
    await chooseAction(page, /^Actions for route/, 'Change');
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Maximum messages per week').fill('2.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a whole number, 1 or more, or leave empty.').waitFor();
    await page.getByLabel('Maximum messages per week').fill('1');
    await dialog.getByRole('button', { name: 'Preview on past data' }).click();
    const preview = dialog.getByRole('status');
    await preview.getByText('1 change over the limit would have been sent in 1 digest.').waitFor();
    await preview.getByText('Without a limit, severity critical and above stays within 1 a week.').waitFor();
    await page.getByLabel('A new error group').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText('All projects, error or worse: opened, worse, resolved, new group; at most 1 a week')
      .waitFor();

    await chooseAction(page, 'On call', 'Change');
    expect(await page.getByLabel('Address').inputValue()).toBe('');
    await page.getByText('Leave empty to keep it.').waitFor();
    await page.getByLabel('Quiet hours', { exact: true }).check();
    await page.getByLabel('Time zone').fill('Mars/Olympus');
    await page.getByLabel('To', { exact: true }).fill('7');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Is no time zone that is known here').waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Sun').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(
        'Quiet from 22:00 to 07:00 (Europe/Berlin) on Mon, Tue, Wed, Thu, Fri, Sat, except critical.',
      )
      .waitFor();
    const [stored] = (await user.api.get('/notification-targets')).body;
    expect(stored).toMatchObject({
      name: 'On call',
      config: { host: new URL(url).host },
      quietHours: { to: '07:00' },
    });
    expect(faults).toEqual([]);
  });

  it('asks for a stored token again when the server changes', async () => {
    const user = await service.signUp();
    const config = { server: 'https://ntfy.example.com', topic: 'a', token: 'tk_first' };
    await user.api.post('/notification-targets', { kind: 'ntfy', name: 'Telephone', config });
    const { page, open } = await visit(service, user);
    await open('/alerts/destinations');
    await chooseAction(page, 'Telephone', 'Change');
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Server').fill('https://ntfy.example.org');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter it again: the host that receives it changes.').waitFor();
    await page.getByLabel('Access token').fill('tk_second');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('ntfy.example.org/a').waitFor();
  });

  it('shows that an address is not confirmed, and confirms it on its own page', async () => {
    const owner = await service.signUp();
    const [name, to] = ['Stranger', 'stranger@example.com'];
    await owner.api.post('/notification-targets', { kind: 'email', name, config: { to } });
    const { page, open, go, faults } = await visit(service, owner);
    await open('/');
    await page.getByRole('region', { name: 'Unconfirmed addresses' }).getByRole('link').click();
    await page.getByText('Waiting for confirmation · no confirmation email sent yet').waitFor();
    await page.getByRole('button', { name: 'Send a confirmation email to Stranger' }).click();
    await page.getByRole('alert').filter({ hasText: 'The service sends no mail with links' }).waitFor();

    const { secret, hash } = generateSecret('tsn_adr_');
    const { pool, clock } = service.context;
    const asked = { address: to, hash, at: new Date(clock.now()), expiresAt: new Date(clock.now() + 60_000) };
    await upsertAsked(pool, toUuid('org', owner.organizationId) ?? '', asked);
    const stranger = await visit(service);
    await stranger.open(`/confirm#${secret}`);
    await stranger.page.getByText(`wants to send notifications about incidents to ${to}`).waitFor();
    expect(stranger.page.url()).not.toContain('tsn_adr_');
    await stranger.page.getByRole('button', { name: 'Confirm address' }).click();
    await stranger.page
      .getByRole('status')
      .filter({ hasText: `${to} is confirmed` })
      .waitFor();

    await open('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('region', { name: 'Unconfirmed addresses' }).count()).toBe(0);
    await go('/alerts/destinations');
    const row = page.getByRole('list', { name: 'Notification targets' }).getByRole('listitem');
    await row.filter({ hasText: 'Stranger' }).waitFor();
    expect(await page.getByText('Waiting for confirmation').count()).toBe(0);
    expect(stranger.faults).toEqual([]);
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([]);
  });

  it('tells OWNERs that and why a target fails, and shows it to members', async () => {
    const owner = await service.signUp();
    const member = await service.signUp('Grace Hopper');
    await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: member.id });
    const project = await owner.createProject();
    const config = { url: 'http://10.1.2.3/hook' };
    const { body } = await owner.api.post('/notification-targets', { kind: 'webhook', name: 'Chat', config });
    await owner.api.post('/notification-routes', { targetId: body.id });
    await owner.api.post('/incidents', { title: 'Down', severity: 'error', projectId: project.id });
    const { page, open, faults } = await visit(service, member);
    await expect
      .poll(async () => (await owner.api.get('/notification-targets')).body[0].health.state)
      .toBe('failing');
    await open('/alerts/destinations');
    await page.getByRole('alert').filter({ hasText: 'The target Chat is failing.' }).waitFor();
    await page.getByText('OUTBOUND_ALLOW can allow').waitFor();
    expect(await page.getByRole('button', { name: /^(Add|Send|Actions)/ }).count()).toBe(0);
    expect(await page.getByText('Some notifications aren’t being delivered').count()).toBe(0);
    const own = await visit(service, owner);
    await own.open('/');
    const banner = own.page.getByRole('region', { name: 'Failing notifications' });
    await banner.getByRole('button', { name: 'Hide: Failing notifications' }).click();
    await own.page.reload();
    await own.page.getByRole('button', { name: 'Show notices: 1' }).click();
    await banner.getByRole('link').click();
    await own.page.getByRole('alert').filter({ hasText: 'The target Chat is failing.' }).waitFor();
    expect(own.faults).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('keeps only the warnings hidden that the user has hidden, until they end', async () => {
    const { page, open, faults } = await visit(service, await service.signUp(), { hasClock: true });
    let warnings = ['failing_targets'];
    await page.route('**/service', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), warnings } });
    });
    await open('/');
    const failing = page.getByRole('region', { name: 'Failing notifications' });
    const unconfirmed = page.getByRole('region', { name: 'Unconfirmed addresses' });
    await failing.waitFor();
    warnings = ['failing_targets', 'unconfirmed_targets'];
    await page.clock.fastForward(120_000);
    await page.getByRole('button', { name: 'Show notices: 1' }).waitFor();
    await failing.getByRole('button', { name: 'Hide: Failing notifications' }).click();
    await page.reload();
    await unconfirmed.waitFor();
    expect(await failing.count()).toBe(0);
    warnings = ['unconfirmed_targets'];
    await page.reload();
    await unconfirmed.waitFor();
    warnings = ['failing_targets', 'unconfirmed_targets'];
    await page.reload();
    await unconfirmed.waitFor();
    expect(await failing.count()).toBe(1);
    expect(faults).toEqual([]);
  });
});
