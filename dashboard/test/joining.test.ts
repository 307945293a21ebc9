import { describe, expect, it } from 'vitest';
import { startTestService, type TestUser, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';

const service = await startTestService();

async function linkOf(owner: TestUser, body: object = {}): Promise<string> {
  const answer = await owner.api.post(`/organizations/${owner.organizationId}/invitations`, body);
  return answer.body.url.replace('/app', '');
}

describe('invitations', () => {
  it('lets an owner create, copy, list and revoke an invitation link', async () => {
    const owner = await service.signUp('Ada Lovelace');
    const { page, open, faults } = await visit(service, owner);
    await open('/settings');
    await page.getByRole('button', { name: 'Invite someone' }).click();
    // Survives a reload.
    await page.reload();
    await page.getByLabel('Email (optional)').fill('grace@example.com');
    await choose(page.getByLabel('Invite as'), 'Owner');
    await choose(page.getByLabel('Valid for'), '30 days');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/app\/join#tsn_inv_\w{38}$/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('✓ copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL(/\/settings$/);
    const row = page.getByRole('list', { name: 'Open invitations' }).getByRole('listitem');
    await row.filter({ hasText: 'grace@example.com' }).filter({ hasText: 'Owner' }).waitFor();
    await page.getByRole('button', { name: 'Revoke invitation: grace@example.com' }).click();
    await row.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('signs a new user up to the team by the link, and leaves no token in the address', async () => {
    const owner = await service.signUp('Ada Lovelace');
    await owner.createProject('Shop');
    const { page, open, faults } = await visit(service);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await open(await linkOf(owner, { email: 'grace.h@example.com' }));
    await page.getByText('Ada Lovelace invited you to Ada Lovelace as a member.').waitFor();
    expect(await page.evaluate(() => location.href)).not.toContain('tsn_inv_');
    expect(await page.getByLabel('Email').inputValue()).toBe('grace.h@example.com');
    await page.getByLabel('Name').fill('Grace Hopper');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect((await owner.api.get('/organizations/members')).body).toHaveLength(2);
    // Fragments stay in the page; the browser's tooling reports them, but no request line has them.
    expect(requested.filter((url) => url.replace(/#.*/, '').includes('tsn_inv_'))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('leads through the login back to the invitation, and joins', async () => {
    const [owner, user] = [await service.signUp('Ada'), await service.signUp('Grace')];
    const { page, open } = await visit(service);
    await open(await linkOf(owner));
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    expect(page.url()).not.toContain('tsn_inv_');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('You’re logged in as Grace').waitFor();
    await page.getByRole('button', { name: 'Join Ada' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect((await user.api.get('/auth/me')).body.organization.id).toBe(owner.organizationId);
  });

  it('says which projects keep a user from joining', async () => {
    const [owner, user] = [await service.signUp('Ada'), await service.signUp('Grace')];
    await user.createProject('Shop');
    const { page, open } = await visit(service, user);
    await open(await linkOf(owner));
    await page.getByRole('button', { name: 'Join Ada' }).click();
    await page.getByRole('alert').filter({ hasText: 'has a project: Shop.' }).waitFor();
  });

  it('explains that an invitation is not valid', async () => {
    const { page, open } = await visit(service);
    await open('/join#tsn_inv_00000000000000000000000000000000000000');
    await page.getByRole('alert').filter({ hasText: 'does not exist or has been revoked' }).waitFor();
  });

  it('lets a new user without a project join a team by a pasted link', async () => {
    const [owner, user] = [await service.signUp('Ada'), await service.signUp('Grace')];
    const { page, open } = await visit(service, user);
    await open('/projects/new');
    await page.getByRole('button', { name: 'Join a team' }).click();
    await page.getByText('Paste the whole invitation link.').waitFor();
    await page.getByLabel('Invitation link').fill(`Here you are: https://x.example${await linkOf(owner)} !`);
    await page.getByRole('button', { name: 'Join a team' }).click();
    await page.getByRole('button', { name: 'Join Ada' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});

describe('sign-up that is not open', async () => {
  const closed = await startTestService({ roles: ['management'], environment: { SIGNUP: 'closed' } });
  const invited = await startTestService({
    roles: ['management'],
    environment: { SIGNUP: 'invited', PUBLIC_URL: 'http://tocsin.test' },
  });

  it('shows no sign-up on the login page if it is closed, and says why', async () => {
    await closed.signUp();
    const { page, open } = await visit(closed);
    await open('/login');
    await page.getByText('New accounts are turned off here.').waitFor();
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
    await open('/signup');
    await page.getByText('New accounts are turned off here.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign up' }).count()).toBe(0);
  });

  it('says on the login page that an invitation is needed', async () => {
    await invited.signUp();
    const { page, open } = await visit(invited);
    await open('/login');
    await page.getByText('New accounts need an invitation.').waitFor();
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
  });
});

describe('sign-up that is open to the internet', async () => {
  it('warns owners of an open sign-up until they dismiss it', async () => {
    const open = await startTestService({
      roles: ['management'],
      environment: { PUBLIC_URL: 'https://tocsin.example.com' },
    });
    const owner = await open.signUp();
    const { page, context } = await visit(open);
    // The cookie of a public https address is Secure, so it is set by hand.
    const [name = '', value = ''] = owner.api.cookie?.split('=') ?? [];
    await context.addCookies([{ name, value, url: open.managementUrl }]);
    await page.goto('/app/');
    await page.getByText('Anyone can sign up here').waitFor();
    await page.getByRole('button', { name: 'Dismiss the warning about open sign-up' }).click();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.getByText('Anyone can sign up here').count()).toBe(0);
  });
});
