import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newUuid, toUuid } from '../../server/src/platform/ids.ts';
import { insertLateSources } from '../../server/src/risk/incidents/late-source-queries.ts';
import { upsertExclusion } from '../../server/src/risk/live/exclusion-queries.ts';
import { upsertKeysRestored } from '../../server/src/tenancy/api-keys/queries.ts';
import { insertNotice } from '../../server/src/tenancy/organizations/notice-queries.ts';
import { startTestService, visit } from './support/browser.ts';
import { choose, chooseAction } from './support/choose.ts';

/** Interval in which the hooks of a project are read. */
const HOOKS_MS = 5_000;

describe('projects', async () => {
  const service = await startTestService();
  const owner = await service.signUp();
  const inside = await visit(service, owner);

  /** Opens a project in the document of the test before. */
  async function openProject(id: string) {
    await inside.go(`/projects/${id}`);
    return inside;
  }

  it('explains an empty list of projects under a drawing', async () => {
    const { page, open } = await visit(service, await service.signUp());
    await open('/projects');
    await page.getByText('No projects yet').waitFor();
    const parts = page.locator('main svg use');
    const widths = () =>
      parts.evaluateAll((found: SVGUseElement[]) => found.map((part) => part.getBBox().width > 0));
    await expect.poll(widths).toEqual([true, true]);
    await page.getByRole('link', { name: 'Create project' }).click();
    await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor();
  });

  it('lists projects with their environment and their events of the last day', async () => {
    const user = await service.signUp();
    const shop = await user.createProject('Shop');
    await user.api.post('/projects', { name: 'Depot', environment: 'staging' });
    for (let sent = 0; sent < 3; sent++) await shop.ingest.post('/ingest/events', anEvent());
    await service.settled();
    const { page, open } = await visit(service, user);
    await open('/projects');
    await page.getByRole('row', { name: /^Shop production (now|\d+ (s|min) ago) 3$/ }).waitFor();
    await page.getByRole('row', { name: /^Depot staging (now|\d+ (s|min) ago) 0$/ }).waitFor();
    await page.getByRole('link', { name: 'Depot' }).click();
    await page.getByRole('heading', { level: 1, name: 'Depot' }).waitFor();
  });

  it('shows what limits the detection of a project', async () => {
    const { id } = await owner.createProject('Shop');
    const uuid = toUuid('proj', id) ?? '';
    const { pool } = service.database;
    const { page, open } = await openProject(id);
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    expect(await page.getByRole('region', { name: 'Detection' }).count()).toBe(0);
    const sinceMs = service.context.clock.now();
    await insertLateSources(pool, uuid, [{ source: 'shipper', behindMs: 421_000, sinceMs }], 0);
    await upsertExclusion(pool, uuid, new Date(sinceMs));
    await open(`/projects/${id}`);
    const notes = page.getByRole('region', { name: 'Detection' });
    await notes.getByText('Events from shipper arrive 7 min late, or their clock is behind').waitFor();
    await notes.getByText('Detection failed for this project and is paused until').waitFor();
  });

  it('changes the name and the environment of a project', async () => {
    const { id } = await owner.createProject('Shop');
    const { page } = await openProject(id);
    await page.getByLabel('Name').fill('Corner shop');
    await choose(page.getByRole('combobox', { name: 'Environment' }), 'development');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Corner shop' }).waitFor();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect((await owner.api.get(`/projects/${id}`)).body).toMatchObject({
      name: 'Corner shop',
      environment: 'development',
    });
    await page.getByLabel('Name').fill(' ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a name.').waitFor();
    // The select in the top bar of other pages shows the change, too.
    await page.getByRole('link', { name: 'Overview' }).click();
    await choose(page.getByRole('combobox', { name: 'Project' }), 'Corner shop · development');
  });

  it('leads an owner from the notice about an unwatched environment to its switch, until it is dismissed', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject('Shop');
    const now = service.context.clock.now();
    await insertNotice(service.database.pool, toUuid('usr', user.id) ?? '', {
      id: newUuid(now),
      kind: 'environment_unwatched',
      organizationId: toUuid('org', user.organizationId) ?? '',
      organizationName: 'Shop Ltd',
      actorId: null,
      actorName: null,
      projectId: toUuid('proj', id),
      projectName: 'Shop',
      environment: 'staging',
      createdAt: new Date(now),
    });
    const { page, open } = await visit(service, user);
    await open('/events');
    const notices = page.getByRole('list', { name: 'Notices' });
    await notices.getByText('Nearly all of Shop’s events in the last hour came from staging').waitFor();
    await notices.getByRole('link', { name: 'Choose environments' }).click();
    await page.getByRole('region', { name: 'Environments' }).waitFor();
    await notices.getByRole('button', { name: 'Dismiss the notice about Shop' }).click();
    await notices.waitFor({ state: 'detached' });
  });

  it('switches an environment that events of a project name', async () => {
    const { id, ingest } = await owner.createProject('Shop');
    await ingest.post('/ingest/events', { ...anEvent(), environment: 'staging' });
    await service.settled();
    const { page } = await openProject(id);
    const environments = page.getByRole('region', { name: 'Environments' });
    await environments.getByLabel('production (this project’s own)').waitFor();
    const staging = environments.getByLabel('staging');
    expect(await staging.isChecked()).toBe(false);
    const note = environments.getByText('100% of the events in the last hour came from staging');
    await note.waitFor();
    await staging.click();
    await page.getByRole('status').getByText('Saved').waitFor();
    await environments.getByRole('checkbox', { name: 'staging', checked: true }).waitFor();
    await note.waitFor({ state: 'detached' });
    const { body } = await owner.api.get(`/projects/${id}/environments`);
    expect(body).toMatchObject([
      { name: 'production' },
      { name: 'staging', isWatched: true, eventsLastHour: 1 },
    ]);
  });

  it('shows the ledger of a project in one line', async () => {
    const { id, ingest } = await owner.createProject();
    await ingest.post('/ingest/payments', { type: 'charge.failed', data: {}, id: 'one' });
    await service.settled();
    await ingest.post('/ingest/payments', { type: 'charge.failed', data: {}, id: 'one' });
    await service.settled();
    const { page } = await openProject(id);
    const ledger = page.getByRole('region', { name: 'Ledger' });
    await expect
      .poll(() => ledger.innerText().then((text) => text.replace(/\s+/g, ' ')))
      .toBe('Received 2 Stored 1 Waiting 0 Duplicates 1 Failed 0');
  });

  it('shows which events of a project were refused and why, apart from those that its clients lost', async () => {
    const { id } = await owner.createProject();
    const unstored = [
      { kind: 'envelope', reason: 'too_large', quantity: 2 },
      { kind: 'error', reason: 'ratelimit_backoff', quantity: 3 },
      { kind: 'log_item', reason: 'over_limit', quantity: 400 },
      { kind: 'monitor', reason: 'undeclared', quantity: 1 },
      { kind: 'session', reason: 'not_kept', quantity: 50 },
    ];
    await inside.page.route('**/projects/*/ledger', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), unstored } });
    });
    const { page } = await openProject(id);
    const ledger = page.getByRole('region', { name: 'Ledger' });
    await expect
      .poll(() => ledger.innerText().then((text) => text.replace(/\s+/g, ' ')))
      .toContain(
        'Lost in the app 3 Refused: 2 × request (too large) · 400 × log record (over the request limit) · 1 × check-in (no such schedule)',
      );
    await page.unroute('**/projects/*/ledger');
  });

  it('creates a key that is shown once and works, beside a restored one', async () => {
    const { id } = await owner.createProject();
    await upsertKeysRestored(service.database.pool);
    const { page } = await openProject(id);
    const create = page.getByRole('button', { name: 'Create key' });
    await create.click();
    await page.getByRole('dialog').getByLabel('Name').fill('Nightly jobs');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Key “Nightly jobs”' });
    const rawKey = await dialog.getByLabel('API key').inputValue();
    await dialog.getByText('You won’t see it again.').waitFor();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    await dialog.getByText('✓ copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(rawKey);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => create.evaluate((button) => button === document.activeElement)).toBe(true);
    await rowOf(page, 'Nightly jobs').getByRole('cell', { name: 'never' }).waitFor();
    await page.getByText('are valid again. Revoke them again').waitFor();
    await page.getByRole('row', { name: /^Default Restored from a backup / }).waitFor();
    expect(await rowOf(page, 'Nightly jobs').getByText('Restored').count()).toBe(0);
    const { status } = await fetch(new URL('/ingest/events', service.ingestionUrl), {
      method: 'POST',
      headers: { 'x-api-key': rawKey, 'content-type': 'application/json' },
      body: JSON.stringify(anEvent()),
    });
    expect(status).toBe(202);
  });

  it('creates keys for pages of an origin, and for pings with their address', async () => {
    const { id } = await owner.createProject();
    const { page } = await openProject(id);
    const begin = async (name: string, use: string) => {
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      await page.getByRole('dialog').getByLabel('Use', { exact: true }).click();
      await page.getByRole('option', { name: use }).click();
    };
    await begin('Shop', 'Browser pages');
    await page.getByLabel('Allowed origins').fill('https://shop.example');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('For browsers · https://shop.example').waitFor();
    await begin('Jobs', 'Job pings');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Key “Jobs”' });
    expect(await dialog.getByLabel('Ping address').inputValue()).toMatch(/\/ping\/tsn_pkey_\w+\/$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('For pings').waitFor();
  });

  it('makes a hook, shows that it waits for its secret, sets it, and deletes the hook', async () => {
    const { id } = await owner.createProject('Shop');
    const { page, open } = await visit(service, owner, { hasClock: true });
    await open(`/projects/${id}`);
    const hooks = page.getByRole('region', { name: 'Hooks' });
    await hooks.getByText('No hooks', { exact: true }).waitFor();
    await hooks.getByRole('button', { name: 'Add hook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add hook' }).click();
    const url = await page.getByLabel('Address').inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    await hooks.getByText('Needs its secret.').waitFor();
    const address = `${service.ingestionUrl}${new URL(url).pathname}`;
    expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(503);
    await page.clock.fastForward(HOOKS_MS);
    await hooks.getByText('Last attempt').waitFor();
    await hooks.getByRole('button', { name: 'Set secret for Stripe' }).click();
    const dialog = page.getByRole('dialog', { name: 'Secret for Stripe' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter the secret.').waitFor();
    await dialog.getByLabel('Secret', { exact: true }).fill('short');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/8 characters/).waitFor();
    await dialog.getByLabel('Secret', { exact: true }).fill('whsec_0123456789abcdef');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await hooks.getByText('No request yet.').waitFor();
    await chooseAction(hooks, 'Stripe', 'Delete');
    await page.getByLabel('Type “Stripe” to confirm').fill('Stripe');
    await page.keyboard.press('Enter');
    await hooks.getByText('No hooks', { exact: true }).waitFor();
  });

  it('revokes a key after its name was typed, and names the consequences', async () => {
    const { id, ingest } = await owner.createProject();
    await ingest.post('/ingest/events', anEvent());
    await service.settled();
    const { page } = await openProject(id);
    const asked = page.getByRole('button', { name: 'Revoke key Default' });
    await asked.click();
    const dialog = page.getByRole('dialog', { name: 'Revoke key “Default”' });
    await dialog.getByText('Apps using this key will get 401 immediately').waitFor();
    await dialog.getByText(/has never been used|was last used/).waitFor();
    const revoke = dialog.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => asked.evaluate((button) => button === document.activeElement)).toBe(true);
    await asked.click();
    await dialog.getByLabel('Type “Default” to confirm').fill('Default');
    await page.keyboard.press('Enter');
    await page.getByText('No API keys', { exact: true }).waitFor();
    expect((await ingest.post('/ingest/events', anEvent())).status).toBe(401);
  });

  it('deletes a project after its name was typed, and names the data that is lost', async () => {
    const user = await service.signUp();
    const { id, ingest } = await user.createProject('Corner  shop');
    for (let sent = 0; sent < 2; sent++) await ingest.post('/ingest/events', anEvent());
    await ingest.post('/ingest/events', { ...anEvent(), severity: 'CRITICAL' });
    await service.settled();
    const { page, open } = await visit(service, user);
    await open(`/projects/${id}?project=${id}&range=7d`);
    await page.getByRole('button', { name: 'Delete project…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Corner shop' });
    for (const loss of ['3 events', '1 incident with its notes', '1 API key']) {
      await dialog.getByRole('listitem').filter({ hasText: loss }).waitFor();
    }
    const button = dialog.getByRole('button', { name: 'Delete project' });
    await dialog.getByRole('textbox').fill('Corner');
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Corner shop');
    await button.click();
    await page.getByText('No projects yet').waitFor();
    // The project is removed from the scope, and the range stays.
    expect(new URL(page.url()).search).toBe('?range=7d');
    expect((await user.api.get(`/projects/${id}`)).status).toBe(404);
  });

  it('handles an unknown project in the path and in the scope', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject('Gone');
    await user.createProject('Shop');
    await user.api.delete(`/projects/${id}`);
    const { page, open, go, faults } = await visit(service, user);
    await open(`/projects/${id}?project=${id}`);
    await page.getByText('No project here').waitFor();
    // The page has no scope controls: it depends only on its address.
    expect(await page.getByRole('combobox').count()).toBe(0);
    await page.getByRole('link', { name: 'Overview' }).click();
    const choice = page.getByRole('combobox', { name: 'Project' });
    await expect.poll(() => choice.textContent()).toBe('Unknown project');
    await choose(choice, 'Shop');
    await expect.poll(() => choice.textContent()).toBe('Shop');
    await go('/projects/nonsense');
    await page.getByText('No project here').waitFor();
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByRole('cell', { name: 'Shop' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the name of a project as text, whatever it holds', async () => {
    const user = await service.signUp();
    const name = '<img src=x onerror=alert(1)> ${x} {{x}}';
    const { id } = await user.createProject(name);
    const { page, open, faults } = await visit(service, user);
    await open('/projects');
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/projects/${id}`);
    expect(faults).toEqual([]);
  });
});

function rowOf(page: Page, name: string) {
  return page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });
}

function anEvent() {
  return { type: 'checkout', severity: 'INFO', message: 'An order was paid' };
}
