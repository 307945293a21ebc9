import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';

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
  it('leads a new OWNER from a target over its test to a route, and shows who was notified', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const { page, open, faults } = await visit(service, user);
    await open('/settings/notifications');
    await page.getByText('Messages have no links').waitFor();
    await page.getByRole('button', { name: 'Add target' }).click();
    await page.getByLabel('Name').fill('On call');
    await page.getByRole('dialog').getByRole('button', { name: 'Add target' }).click();
    await page.getByText('Enter a value.').waitFor();
    await page.getByLabel('Address').fill('http://user:pass@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Add target' }).click();
    await page.getByText('must not hold a user name').waitFor();
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

    const { body } = await user.api.post('/incidents', {
      title: 'Slow checkout',
      severity: 'warn',
      projectId: project.id,
    });
    await expect.poll(() => received.some((text) => text.includes(body.id))).toBe(true);
    await page.getByRole('button', { name: /^Preview of the route/ }).click();
    await page.getByText('it would have sent 1 message').waitFor();
    await page.getByRole('button', { name: 'Log of On call' }).click();
    await page.getByRole('dialog').getByText('Incident, opened: delivered').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    await open(`/incidents/${body.id}`);
    await page.getByRole('link', { name: 'Who was notified' }).click();
    await page.getByText('On call, opened: delivered').waitFor();
    await page.getByText('On call: The route sends it.').waitFor();
    expect(faults).toEqual([]);
  });

  it('tells OWNERs that a target fails and why, and lets members look', async () => {
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
    await open('/settings/notifications');
    await page.getByRole('alert').filter({ hasText: 'The target Chat fails.' }).waitFor();
    await page.getByText('OUTBOUND_ALLOW can allow').waitFor();
    expect(await page.getByRole('button', { name: /^(Add|Send|Disable|Delete)/ }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
