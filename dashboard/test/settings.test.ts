import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newUuid, toUuid } from '../../server/src/platform/ids.ts';
import { insertUser } from '../../server/src/tenancy/accounts/queries.ts';
import { insertMember } from '../../server/src/tenancy/organizations/queries.ts';
import { logInAnew, startTestService, type TestUser, visit } from './support/browser.ts';
import { choose, chooseAction } from './support/choose.ts';

const service = await startTestService();
/** A user who is alone in an organization, and the document of all tests that only need one. */
const owner = await service.signUp();
const alone = await visit(service, owner);

/** Creates an organization with an owner and a member, one for each test. */
async function organizationOfTwo(): Promise<{ owner: TestUser; member: TestUser }> {
  const [first, second] = [await service.signUp('Ada Lovelace'), await service.signUp('Grace Hopper')];
  await first.api.post(`/organizations/${first.organizationId}/members`, { userId: second.id });
  return { owner: first, member: second };
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const memberRow = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: name });

describe('the settings of the organization', () => {
  it('lets an owner rename the organization, confirms it, and keeps its plan', async () => {
    const { page, go, faults } = alone;
    await go('/settings');
    await page.getByLabel('Name').fill('Analytical Engines');
    await owner.api.patch('/organizations/me', { plan: 'pro' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('status').filter({ hasText: 'saved' }).waitFor();
    const { body } = await owner.api.get('/organizations/me');
    expect(body).toMatchObject({ name: 'Analytical Engines', plan: 'pro' });
    await page.reload();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Analytical Engines');
    expect(faults).toEqual([]);
  });

  it('refuses an empty organization name', async () => {
    const { page, go } = alone;
    await go('/settings');
    const name = page.getByLabel('Name');
    await name.fill('  ');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter a name.').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.and(page.locator(':focus')).waitFor();
  });

  it('shows 50 members of a large organization at first, and the others on request', async () => {
    const large = await service.signUp('Ada Lovelace');
    const { pool } = service.database;
    const createdAt = new Date(service.context.clock.now());
    for (let count = 1; count <= 51; count++) {
      const id = newUuid(createdAt.getTime());
      const member = { id, name: `Member ${count}`, email: `${id}@example.com`, passwordHash: '', createdAt };
      await insertUser(pool, member);
      const organizationId = toUuid('org', large.organizationId) ?? '';
      await insertMember(pool, organizationId, { userId: id, role: 'MEMBER', createdAt });
    }
    const { page, open } = await visit(service, large);
    await open('/settings');
    const members = page.getByRole('list', { name: 'Members' }).getByRole('listitem');
    await page.getByRole('button', { name: 'Show 2 more of 2' }).click();
    await expect.poll(() => members.count()).toBe(52);
    expect(await page.getByRole('button', { name: /^Show \d+ more/ }).count()).toBe(0);
  });

  it('shows a member no controls for other members, and no audit log', async () => {
    const { member } = await organizationOfTwo();
    const { page, open } = await visit(service, member);
    await open('/settings');
    await memberRow(page, 'Ada Lovelace').getByText('Owner').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Actions|Add)/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Leave organization' }).count()).toBe(1);
    await page.getByLabel('Name').fill('Renamed by a member');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('status').filter({ hasText: 'saved' }).waitFor();
  });

  it('adds a member by id, and shows beside the field why a user cannot be added', async () => {
    const { owner, member } = await organizationOfTwo();
    const [free, busy] = [await service.signUp('Free Bird'), await service.signUp('Busy Bee')];
    await busy.createProject();
    const { page, open } = await visit(service, owner);
    await open('/settings');
    const field = page.getByLabel('User id');
    const add = async (id: string) => {
      await field.fill(id);
      await page.getByRole('button', { name: 'Add member' }).click();
    };
    for (const [id, says] of [
      ['usr_nobody', 'No user with this id can be added'],
      [member.id, 'is already a member of this organization'],
      [busy.id, 'No user with this id can be added'],
    ] as const) {
      await add(id);
      await page.getByText(says).waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    }
    await add(` ${free.id} `);
    await memberRow(page, 'Free Bird').waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('changes the role of a member', async () => {
    const { owner, member } = await organizationOfTwo();
    const { page, open } = await visit(service, owner);
    await open('/settings');
    await memberRow(page, 'Ada Lovelace').getByText('The only owner').waitFor();
    await choose(page.getByLabel('Grace Hopper’s role'), 'Owner');
    await memberRow(page, 'Ada Lovelace').getByRole('button', { name: 'Leave organization' }).waitFor();
    const { body } = await owner.api.get('/organizations/members');
    expect(body.map(({ role }: { role: string }) => role)).toEqual(['OWNER', 'OWNER']);
    expect((await member.api.get('/organizations/audit')).status).toBe(200);
  });

  it('explains the consequences before removing a member', async () => {
    const { owner, member } = await organizationOfTwo();
    const { page, open } = await visit(service, owner);
    await open('/settings');
    await chooseAction(page, 'Grace Hopper', 'Remove');
    const dialog = page.getByRole('dialog', { name: 'Remove Grace Hopper?' });
    await dialog.getByText('new, empty organization').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await chooseAction(page, 'Grace Hopper', 'Remove');
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await memberRow(page, 'Grace Hopper').waitFor({ state: 'detached' });
    const { body } = await member.api.get('/auth/me');
    expect(body.organization).toMatchObject({ name: 'Grace Hopper' });
  });

  it('lets an owner give up ownership only after a confirmation', async () => {
    const { owner, member } = await organizationOfTwo();
    await owner.api.patch(`/organizations/${owner.organizationId}/members/${member.id}`, { role: 'OWNER' });
    const { page, open } = await visit(service, owner);
    await open('/settings');
    await choose(page.getByLabel('Ada Lovelace’s role'), 'Member');
    await page.getByRole('dialog').getByRole('button', { name: 'Give up ownership' }).click();
    await page.getByRole('link', { name: 'Audit log' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Add member' }).count()).toBe(0);
  });

  it('lets an owner leave to a new organization if another owner stays', async () => {
    const { owner, member } = await organizationOfTwo();
    await owner.createProject('Left behind');
    await owner.api.patch(`/organizations/${owner.organizationId}/members/${member.id}`, { role: 'OWNER' });
    const { page, open, go } = await visit(service, owner);
    await open('/settings');
    await page.getByRole('button', { name: 'Leave organization' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click();
    await page.waitForURL(/\/app\/?$/);
    await expect.poll(() => page.getByRole('option', { name: 'Left behind' }).count()).toBe(0);
    await go('/settings');
    await memberRow(page, 'Ada Lovelace').getByText('The only owner').waitFor();
  });
});

describe('a member who was added', () => {
  it('asks an added user above every page to stay or leave, and lets them leave', async () => {
    const { member } = await organizationOfTwo();
    const { page, open, go, faults } = await visit(service, member);
    await open('/events');
    const notices = page.getByRole('list', { name: 'Notices' });
    await notices.getByText('Ada Lovelace added you to Ada Lovelace.').waitFor();
    await notices.getByText('If you stay, its owners can reset your password.').waitFor();
    expect(await notices.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await notices.getByRole('button', { name: 'Leave Ada Lovelace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave Ada Lovelace?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await go('/settings');
    await page.getByRole('main').getByRole('button', { name: 'Leave organization' }).click();
    await dialog.getByRole('button', { name: 'Leave organization' }).click();
    await page.waitForURL(/\/app\/?$/);
    await go('/settings');
    await memberRow(page, 'Grace Hopper').getByText('The only owner').waitFor();
    expect(faults).toEqual([]);
  });

  it('lets a user choose to stay in the notice, and an owner then recover the account', async () => {
    const { owner, member } = await organizationOfTwo();
    const owners = await visit(service, owner);
    await owners.open('/settings');
    const row = memberRow(owners.page, 'Grace Hopper');
    await row.getByText('Hasn’t chosen to stay yet').waitFor();
    const actions = row.getByRole('button', { name: 'Actions for Grace Hopper' });
    const recovery = owners.page.getByRole('menuitem', { name: 'Recovery link…' });
    await actions.click();
    await owners.page.getByRole('menuitem', { name: 'Remove' }).waitFor();
    expect(await recovery.count()).toBe(0);
    const { page, open, faults } = await visit(service, member);
    await open('/events');
    const notices = page.getByRole('list', { name: 'Notices' });
    await notices.getByRole('button', { name: 'Stay in Ada Lovelace' }).click();
    await notices.waitFor({ state: 'detached' });
    await owners.page.reload();
    await actions.click();
    await recovery.waitFor();
    expect(faults).toEqual([]);
  });

  it('lets a user choose to stay in the settings after the notice was dismissed', async () => {
    const { owner, member } = await organizationOfTwo();
    const [notice] = (await member.api.get('/auth/notices')).body;
    await member.api.delete(`/auth/notices/${notice.id}`);
    const { page, open } = await visit(service, member);
    await open('/settings');
    const row = memberRow(page, 'Grace Hopper');
    await row.getByRole('button', { name: 'Stay' }).click();
    await row.getByRole('button', { name: 'Stay' }).waitFor({ state: 'detached' });
    expect((await owner.api.get('/organizations/members')).body[1].confirmedAt).not.toBeNull();
  });

  it('shows users who removed them, until they dismiss the notice', async () => {
    const { owner, member } = await organizationOfTwo();
    await owner.api.delete(`/organizations/${owner.organizationId}/members/${member.id}`);
    const { page, open } = await visit(service, member);
    await open('/');
    const notices = page.getByRole('list', { name: 'Notices' });
    await notices.getByText('removed you from Ada Lovelace').waitFor();
    await notices.getByRole('button', { name: 'Dismiss' }).click();
    await notices.waitFor({ state: 'detached' });
    expect((await member.api.get('/auth/notices')).body).toEqual([]);
  });
});

describe('the audit log', () => {
  it('shows who changed which field, with its values before and after, and loads more on request', async () => {
    const { owner } = await organizationOfTwo();
    const { id } = await owner.createProject('Shop');
    await owner.api.patch(`/projects/${id}`, { name: 'Store' });
    const { page, open } = await visit(service, owner);
    await open('/settings');
    await page.getByRole('link', { name: 'Audit log' }).click();
    const list = page.getByRole('list', { name: 'Changes, newest first' });
    await list.getByText('Ada Lovelace changed the project Shop').waitFor();
    const newest = list.getByRole('listitem').first();
    expect((await newest.innerText()).replaceAll(/\s+/g, ' ')).toContain('Name from Shop to Store.');
    expect(await list.getByText('added the member Grace Hopper').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });

  it('shows the audit log in pages', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createProject('Project 0');
    for (let count = 1; count <= 52; count++) {
      await owner.api.patch(`/projects/${id}`, { name: `Project ${count}` });
    }
    const { page, open } = await visit(service, owner);
    await open('/settings/audit');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('End of log').waitFor();
    await page.getByText('Ada Lovelace signed up').waitFor();
  });

  it('tells a member that the audit log is for owners', async () => {
    const { member } = await organizationOfTwo();
    const { page, open } = await visit(service, member);
    await open('/settings/audit');
    await page.getByText('Only owners can read the audit log').waitFor();
  });
});

describe('the account', () => {
  it('shows the user’s own id and copies it', async () => {
    const { page, go } = alone;
    await go('/settings');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' }).click();
    await expect.poll(() => heading(page).innerText()).toBe('Account');
    await page.getByRole('main').getByText(owner.email).waitFor();
    await page.getByRole('button', { name: 'Copy id' }).click();
    await page.getByText('copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(owner.id);
  });

  it('changes the password, shows errors beside their fields, and ends all other sessions', async () => {
    const user = await service.signUp();
    const [mine, other] = [await visit(service, user), await visit(service)];
    await logInAnew(other, user);
    await Promise.all([mine.open('/settings/account'), other.open('/settings/account')]);
    const [current, next] = [mine.page.getByLabel('Current password'), mine.page.getByLabel('New password')];
    const change = mine.page.getByRole('button', { name: 'Change password' });
    await change.click();
    await mine.page.getByText('Enter your current password.').waitFor();
    await mine.page.getByText('Use at least 8 characters (0 so far).').waitFor();
    await current.fill('not my password');
    await next.fill('battery staple horse');
    await change.click();
    await mine.page.getByText('The current password is wrong.').waitFor();
    expect(await current.getAttribute('aria-invalid')).toBe('true');
    await current.fill(user.password);
    await change.click();
    await mine.page.getByRole('status').filter({ hasText: 'Password changed' }).waitFor();
    expect(await next.inputValue()).toBe('');
    await mine.page.reload();
    await expect.poll(() => heading(mine.page).innerText()).toBe('Account');
    await other.page.reload();
    await other.page.waitForURL(/\/app\/login\?next=/);
    const again = { email: user.email, password: 'battery staple horse' };
    expect((await user.api.post('/auth/login', again)).status).toBe(200);
  });

  it('revokes the access tokens with a change of the password if asked to', async () => {
    const user = await service.signUp();
    await user.api.post('/tokens', { name: 'CI', scopes: ['read'] });
    const visitor = await visit(service);
    await logInAnew(visitor, user);
    const { page, open } = visitor;
    await open('/settings/account');
    await page.getByText('If someone else may have used your account').waitFor();
    await page.getByLabel('Current password').fill(user.password);
    await page.getByLabel('New password').fill('battery staple horse');
    await page.getByLabel('Revoke my access tokens').check();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('status').filter({ hasText: 'your access tokens are revoked' }).waitFor();
    await page.getByText('No access tokens').waitFor();
  });

  it('lists the user’s sessions, and ends another one', async () => {
    const user = await service.signUp();
    const [mine, other] = [await visit(service, user), await visit(service)];
    await logInAnew(other, user);
    await Promise.all([mine.open('/settings/account'), other.open('/settings/account')]);
    const sessions = mine.page.getByRole('list', { name: 'Sessions' });
    const count = () => sessions.getByRole('button', { name: 'End session' }).count();
    await sessions.getByText('(this session)').waitFor();
    const before = await count();
    expect(before).toBeGreaterThan(0);
    await sessions.getByRole('button', { name: 'End session' }).first().click();
    await expect.poll(count).toBe(before - 1);
    await mine.page.reload();
    await sessions.getByText('(this session)').waitFor();
    expect(await count()).toBe(before - 1);
  });
});
