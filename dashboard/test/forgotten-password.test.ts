import { describe, expect, it } from 'vitest';
import { waitFor } from '../../server/test/support/wait.ts';
import { startTestService, type TestUser, visit } from './support/browser.ts';
import { chooseAction } from './support/choose.ts';
import { sendPublicOrigin, startMailingService } from './support/mailing.ts';

const NEW_PASSWORD = 'quite another one';
const service = await startTestService({ roles: ['management'] });

async function couple(): Promise<{ owner: TestUser; member: TestUser }> {
  const [owner, member] = [await service.signUp('Ada'), await service.signUp('Grace')];
  const { body } = await owner.api.post(`/organizations/${owner.organizationId}/invitations`, {});
  await member.api.post('/invitations/accept', { invitation: body.url.split('#')[1] });
  return { owner, member };
}

describe('a forgotten password', () => {
  it('replaces a forgotten password by the link of an owner, and notifies the member', async () => {
    const { owner, member } = await couple();
    const owners = await visit(service, owner);
    await owners.open('/settings');
    await chooseAction(owners.page, 'Grace', 'Recovery link…');
    await owners.page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    const link = await owners.page.getByLabel('Recovery link', { exact: true }).inputValue();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/app\/reset#tsn_rec_\w{38}$/);

    const { page, faults } = await visit(service);
    await page.goto(link);
    await page.getByRole('heading', { level: 1, name: 'Set a new password' }).waitFor();
    expect(page.url()).not.toContain('tsn_rec_');
    expect(await page.getByLabel('Email').inputValue()).toBe(member.email);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Use at least 8 characters (5 so far).').waitFor();
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password changed. All your sessions').waitFor();
    await page.getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Email').fill(member.email);
    await page.getByLabel('Password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Ada created a password reset link for your account').waitFor();
    expect(faults).toEqual([]);

    const again = await visit(service);
    await again.page.goto(link);
    await again.page.getByRole('alert').filter({ hasText: 'This link is not valid' }).waitFor();
    await again.page.getByRole('button', { name: 'Ask for a new link' }).click();
    await again.page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor();
  });

  it.each([
    ['checked', true],
    ['not checked', false],
  ])('revokes access tokens with a new password as the box says, here %s', async (_, isChecked) => {
    const { owner, member } = await couple();
    const script = await member.createToken('read');
    const { organizationId } = owner;
    const { body } = await owner.api.post(
      `/organizations/${organizationId}/members/${member.id}/recovery-link`,
    );
    const { page, faults } = await visit(service);
    await page.goto(body.url);
    const box = page.getByLabel('Revoke my access tokens');
    expect(await box.isChecked()).toBe(false);
    if (isChecked) await box.check();
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password changed. All your sessions').waitFor();
    expect((await script.get('/incidents')).status).toBe(isChecked ? 401 : 200);
    expect(faults).toEqual([]);
  });

  it('says on the login page whom to ask if the service sends no mail', async () => {
    const { page, open } = await visit(service);
    await open('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByText('This service can’t send email.').waitFor();
    await page.getByText('tocsin reset-password').waitFor();
  });

  it('requests a link by mail if the service sends mail', async () => {
    const { mail, mailing } = await startMailingService();
    const user = await mailing.signUp();
    const { page, open } = await visit(mailing);
    await sendPublicOrigin(page, '**/auth/password-reset');
    await open('/reset');
    await page.getByLabel('Email').fill(user.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('If that account exists, we’ve sent a link.').waitFor();
    await waitFor('the mail', async () => mail.received.some(({ to }) => to.includes(user.email)));
  });
});
