import { describe, expect, it } from 'vitest';
import { StillClock } from '../../server/test/support/clock.ts';
import { totpCode } from '../../server/test/support/totp-code.ts';
import { startTestService, visit } from './support/browser.ts';
import { chooseAction } from './support/choose.ts';

const STEP_MS = 30_000;
const clock = new StillClock();
const service = await startTestService({ roles: ['management'], clock });
/** Returns the code of the next step: each is valid once. */
function nextCode(secret: string): string {
  clock.advance(STEP_MS);
  return totpCode(secret, clock.now());
}

describe('two-factor authentication', () => {
  it('sets up an app, asks for its code at the login, and accepts a recovery code instead', async () => {
    const user = await service.signUp();
    const { page, open, faults } = await visit(service, user);
    await open('/settings/account');
    const section = page.getByRole('region', { name: 'Two-factor authentication' });
    await section.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('wrong');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The current password is wrong.').waitFor();
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = await dialog.getByLabel('Set-up key').inputValue();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await dialog.getByLabel('Code shown in the app').fill('12');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('This code is wrong, has expired, or has been used.').waitFor();
    await dialog.getByLabel('Code shown in the app').fill(nextCode(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const recoveryCodes = await codes.allInnerTexts();
    expect(recoveryCodes).toHaveLength(10);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download as text' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('tocsin-recovery-codes.txt');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await section.getByText('10 recovery codes left.').waitFor();
    expect(faults).toEqual([]);

    for (const code of [nextCode(secret), recoveryCodes[0] ?? '']) {
      const login = await visit(service);
      await login.open('/login');
      await login.page.getByLabel('Email').fill(user.email);
      await login.page.getByLabel('Password').fill(user.password);
      await login.page.getByRole('button', { name: 'Log in' }).click();
      const field = login.page.getByLabel('Code from your authenticator app');
      await field.waitFor();
      await field.and(login.page.locator(':focus')).waitFor();
      expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
      expect(await login.page.getByLabel('Password').isVisible()).toBe(false);
      await login.page.getByRole('button', { name: 'Log in' }).click();
      await login.page.getByText('Enter the code.').waitFor();
      await field.fill('nonsense');
      await login.page.getByRole('button', { name: 'Log in' }).click();
      await login.page.getByText('This code is wrong, expired or already used.').waitFor();
      await field.fill(code);
      await login.page.getByRole('button', { name: 'Log in' }).click();
      await login.page.waitForURL((url) => !url.pathname.endsWith('/login'));
      expect(login.faults).toEqual([]);
    }

    await page.reload();
    await section.getByText('9 recovery codes left.').waitFor();
    await section.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByLabel('Code from your authenticator app').fill(nextCode(secret));
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await section.getByRole('button', { name: 'Set up' }).waitFor();
  });

  it('lets an owner turn two-factor authentication off for a member, who gets a notice', async () => {
    const [owner, member] = [await service.signUp('Ada'), await service.signUp('Grace')];
    const { body } = await owner.api.post(`/organizations/${owner.organizationId}/invitations`, {});
    await member.api.post('/invitations/accept', { invitation: body.url.split('#')[1] });
    const { password } = member;
    const { secret } = (await member.api.post('/auth/totp/enrol', { password })).body;
    await member.api.post('/auth/totp/activate', { code: nextCode(secret) });

    const { page, open } = await visit(service, owner);
    await open('/settings');
    await chooseAction(page, 'Grace', 'Turn off two-factor…');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Two-factor authentication for Grace is off').waitFor();
    const members = await visit(service, member);
    await members.open('/');
    await members.page.getByText('Ada turned off two-factor authentication for your account.').waitFor();
  });
});
