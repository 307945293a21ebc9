import { describe, expect, it } from 'vitest';
import { waitFor } from '../../server/test/support/wait.ts';
import { startTestService, visit } from './support/browser.ts';
import { sendPublicOrigin, startMailingService } from './support/mailing.ts';

const service = await startTestService();

describe('the profile', () => {
  it('changes the name, also in the frame', async () => {
    const user = await service.signUp('Ada');
    const { page, open, faults } = await visit(service, user);
    await open('/settings/account');
    await page.getByLabel('Name', { exact: true }).fill('   ');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Enter your name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill(' Ada Lovelace ');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('status').getByText('Name changed').waitFor();
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
    await page.locator('summary', { hasText: 'Ada Lovelace' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('says who can change the address if the service sends no mail', async () => {
    const user = await service.signUp();
    const { page, open } = await visit(service, user);
    await open('/settings/account');
    await page.getByRole('button', { name: 'Change email' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your email' });
    await dialog.getByText(`tocsin change-email ${user.email} new@example.com`).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('changes the address by the link that is mailed to the new one', async () => {
    const { mail, mailing } = await startMailingService();
    const user = await mailing.signUp();
    const { page, open } = await visit(mailing, user);
    await sendPublicOrigin(page, '**/auth/email**');
    const email = `new-${user.email}`;
    await open('/settings/account');
    await page.getByRole('button', { name: 'Change email' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your email' });
    await dialog.getByLabel('New email').fill(email);
    await dialog.getByLabel('Your password').fill('wrong');
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await dialog.getByText('The current password is wrong.').waitFor();
    await dialog.getByLabel('Your password').fill(user.password);
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await dialog.getByText(`If no other account uses ${email}`).waitFor();
    const mails = () => mail.received.filter(({ to }) => to.includes(email));
    await waitFor('the mail', async () => mails().length === 1);
    const [link = ''] = /\/confirm#tsn_eml_\w+/.exec(mails()[0]?.text ?? '') ?? [];
    await open(link);
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await page.getByText(`Your account’s email is now ${email}.`).waitFor();
    expect(await page.evaluate(() => location.href)).not.toContain('tsn_eml_');
    expect((await user.api.get('/auth/me')).body.user.email).toBe(email);
  });
});
