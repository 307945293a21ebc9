import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startWebhookTarget } from '../../server/test/support/webhook-target.ts';
import { startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';

// At one port the sample errors go to the address of the page.
const service = await startTestService({
  environment: { SINGLE_PORT: 'true', OUTBOUND_ALLOW: '127.0.0.1' },
});

it('walks from no account to an incident, a message in a chat, a team and a deploy with the texts of the pages alone', async () => {
  const { page, context, open, faults } = await visit(service);
  const chat = await startWebhookTarget();
  await open('/');
  await page.getByRole('heading', { level: 1, name: 'Create the first account' }).waitFor();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('a long password');
  await page.getByLabel('Organization').fill('Acme Retail');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor();
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('button', { name: 'Create project' }).click();

  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('0 of 5').waitFor();
  const start = page.url();
  await setOffAlarm(page);
  await steps.getByText('2 of 5').waitFor();
  await page.getByRole('link', { name: 'Open incident' }).click();
  await page.getByRole('heading', { level: 1, name: /The card was refused/ }).waitFor();

  await page.goto(start);
  await steps.getByRole('link', { name: 'Get notified' }).click();
  await addChat(page, chat.url);
  await chat.arrived(1);

  // A new incident is sent.
  const [incident] = await (await context.request.get('/incidents')).json();
  const resolved = { data: { status: 'resolved' } };
  expect((await context.request.patch(`/incidents/${incident.id}`, resolved)).ok()).toBe(true);
  await page.goto(start);
  await setOffAlarm(page);
  await expect.poll(() => chat.received.at(-1)?.body).toContain('The card was refused');
  // The page had forgotten the key.
  const [, projectId] = /projects\/(\w+)/.exec(start) ?? [];
  const keys: { name: string }[] = await (
    await context.request.get(`/projects/${projectId}/api-keys`)
  ).json();
  expect(keys.map(({ name }) => name)).not.toContain('First steps');

  await steps.getByRole('link', { name: 'Invite your team' }).click();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Acme Retail');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('textbox', { name: 'Invitation link' }).waitFor();
  await page.goto(start);
  await steps.getByText('4 of 5').waitFor();
  await steps.getByRole('link', { name: 'Report a deploy' }).click();
  await page.getByRole('dialog').getByLabel('Release').fill('1.0.0');
  await page.getByRole('dialog').getByRole('button', { name: 'Record deploy' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(start);
  await steps.getByText('5 of 5').waitFor();
  expect(faults).toEqual([]);
});

it('waits for the incident of sample errors for a minute, then leads to the quiet log', async () => {
  const { page, open } = await visit(service, await service.signUp(), { hasClock: true });
  let reads = 0;
  await page.route(/\/incidents\?/, (route) => {
    reads += 1;
    return route.fulfill({ json: [] });
  });
  await open('/projects/new');
  await page.getByLabel('Name').fill('Shop');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('button', { name: 'Set off an alarm' }).click();
  const outcome = page.getByRole('status', { name: 'Incident', exact: true });
  await outcome.getByText('Waiting for the incident…').waitFor();
  await page.clock.fastForward(66_000);
  await outcome.getByText('No incident opened.').waitFor();
  // The answer to a read on the way comes before that to a later request.
  const passSecond = async () => {
    await page.clock.runFor(1_000);
    await page.evaluate(() => fetch('/app/icon.svg').then(({ status }) => status));
  };
  await passSecond();
  const before = reads;
  for (let second = 0; second < 5; second++) await passSecond();
  // Not each second: the message that an incident opened has the page read once.
  expect(reads - before).toBeLessThanOrEqual(1);
  await outcome.getByRole('link', { name: 'See why in the quiet log' }).click();
  await page.waitForURL(/alerts\/quiet-log\?.*proj_/);
});

async function setOffAlarm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set off an alarm' }).click();
  await page
    .getByRole('status', { name: 'Incident', exact: true })
    .getByText('The card was refused')
    .waitFor();
}

/** Adds a target for Slack with its test, and a route to it. */
async function addChat(page: Page, url: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add target' }).click();
  await dialog.getByLabel('Name').fill('On call');
  await choose(page.getByLabel('Kind'), 'Slack');
  await page.getByLabel('Incoming webhook').fill(url);
  await dialog.getByRole('button', { name: 'Add target' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send a test to On call' }).click();
  await page.getByText('The test arrived').waitFor();
  await page.getByRole('button', { name: 'Add route' }).click();
  await dialog.getByRole('button', { name: 'Add route' }).click();
  await dialog.waitFor({ state: 'detached' });
}
