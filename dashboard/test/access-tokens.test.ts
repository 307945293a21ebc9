import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newUuid, toUuid } from '../../server/src/platform/ids.ts';
import { generateSecret } from '../../server/src/tenancy/secret-format.ts';
import { insertToken } from '../../server/src/tenancy/tokens/queries.ts';
import { startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';

const service = await startTestService();
const tokens = (page: Page) => page.getByRole('list', { name: 'Access tokens' });

describe('the access tokens of the account', () => {
  it('lists a token that is created while the list is still loading', async () => {
    const { page, open } = await visit(service, await service.signUp());
    const isCreated = page.waitForResponse(
      (answer) => answer.url().endsWith('/tokens') && answer.status() === 201,
    );
    const isList = (url: URL) => url.pathname === '/tokens';
    await page.route(isList, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      await isCreated;
      return route.fulfill({ response });
    });
    await open('/settings/account');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Report');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await tokens(page).getByRole('listitem').filter({ hasText: 'Report' }).waitFor();
  });

  it('keeps the place of the page when the form opens and closes', async () => {
    const { page, open } = await visit(service, await service.signUp(), {
      viewport: { width: 1024, height: 400 },
    });
    await open('/settings/account');
    const button = page.getByRole('button', { name: 'Create token' });
    await page.getByText('No access tokens').waitFor();
    const top = () => page.evaluate(() => document.scrollingElement?.scrollTop);
    await button.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const before = await top();
    expect(before).toBeGreaterThan(0);
    await button.click();
    await page.getByRole('dialog').waitFor();
    expect(await top()).toBe(before);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await top()).toBe(before);
  });

  it('creates an access token, shows it once, and the token works', async () => {
    const user = await service.signUp();
    const { page, open, faults } = await visit(service, user);
    await open('/settings/account');
    await page.getByText('No access tokens').waitFor();
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('Report');
    await dialog.getByLabel('Read', { exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Choose at least one.').waitFor();
    await dialog.getByLabel('Read', { exact: true }).check();
    await choose(dialog.getByLabel('Expires'), 'Never');
    await dialog.getByText('A leaked token works until you revoke it.').waitFor();
    await choose(dialog.getByLabel('Expires'), 'In 30 days');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Access token', { exact: true }).inputValue();
    expect(token).toMatch(/^tsn_pat_\w{38}$/);
    await page.getByRole('button', { name: 'Copy token' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await page.getByRole('button', { name: 'Done' }).click();
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${service.managementUrl}/projects`, { headers })).status).toBe(200);
    await page.reload();
    const row = tokens(page).getByRole('listitem');
    await row.getByText(/read · created .* · last used .* · expires .*\d/).waitFor();
    expect(await row.innerText()).toContain(token.slice(0, 13));
    expect(await page.content()).not.toContain(token.slice(0, 20));
    expect(faults).toEqual([]);
  });

  it('revokes an access token after a confirmation, by keyboard', async () => {
    const user = await service.signUp();
    const body = { name: 'CI', scopes: ['read', 'releases'], expiresInDays: null };
    const { token } = (await user.api.post('/tokens', body)).body;
    const { page, open, go } = await visit(service, user);
    await open('/settings/account');
    await tokens(page).getByText('read, releases · created').waitFor();
    await tokens(page).getByText('doesn’t expire').waitFor();
    await page.getByRole('button', { name: 'Revoke CI' }).press('Enter');
    await page.getByRole('dialog').getByText('It was never used.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await tokens(page).getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Revoke CI' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke token' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Token “CI” revoked' }).waitFor();
    await page.getByText('No access tokens').waitFor();
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${service.managementUrl}/projects`, { headers })).status).toBe(401);
    await go('/settings/audit');
    await page.getByText('revoked the access token').waitFor();
  });

  it('says which keys a token made, and that they stay', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const { token } = (await user.api.post('/tokens', { name: 'Provisioning', scopes: ['admin'] })).body;
    await fetch(`${service.managementUrl}/projects/${projectId}/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'By the token' }),
    });
    const { page, open, go } = await visit(service, user);
    await open('/settings/account');
    await page.getByText('Anything created with an “admin” token outlives it.').waitFor();
    await go(`/projects/${projectId}`);
    const row = page.getByRole('row').filter({ hasText: 'By the token' });
    await row.getByText('Made by token “Provisioning”').waitFor();
    expect(await page.getByText('Made by token').count()).toBe(1);
  });

  it('shows the refusal if a user has too many access tokens', async () => {
    const user = await service.signUp();
    const { pool, clock } = service.context;
    const createdAt = new Date(clock.now());
    const member = {
      organizationId: toUuid('org', user.organizationId) ?? '',
      userId: toUuid('usr', user.id) ?? '',
    };
    for (let count = 0; count < 50; count++) {
      const { hash } = generateSecret('tsn_pat_');
      const given = { name: `Token ${count}`, prefix: 'tsn_pat_', hash, scopes: ['read' as const] };
      await insertToken(pool, member, { ...given, id: newUuid(clock.now()), createdAt, expiresAt: null });
    }
    const { page, open } = await visit(service, user);
    await open('/settings/account');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('One more');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText('A user can have up to 50 tokens. Revoke one first.').waitFor();
  });
});
