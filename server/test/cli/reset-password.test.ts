import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { printedBy } from './support.ts';

const service = await startTestService();
const environment = { DATABASE_URL: service.database.connectionString, PORT: '4000' };

const run = (parameters: string[], more: Record<string, string> = {}) =>
  printedBy({ ...environment, ...more }, parameters);

it('prints a link by which the last OWNER sets a new password', async () => {
  const owner = await service.signUp();
  const link = await run(['reset-password', owner.email.toUpperCase()]);
  expect(link).toMatch(/^http:\/\/localhost:4000\/app\/reset#tsn_rec_\w{38}\n$/);
  const body = { token: link.trim().split('#')[1], password: 'quite another one' };
  const client = new ApiClient(service.managementUrl);
  expect((await client.post('/auth/password-reset/confirm', body)).status).toBe(200);
  const login = await client.post('/auth/login', { email: owner.email, password: body.password });
  expect(login.status).toBe(200);
  const actions = (await client.get('/organizations/audit')).body.map(
    ({ action }: { action: string }) => action,
  );
  expect(actions.slice(0, 2)).toEqual(['account.password_reset', 'account.recovery_link_printed']);
});

it('prints the link below the public address, and ends the one it printed before', async () => {
  const { email } = await service.signUp();
  const first = await run(['reset-password', email]);
  const second = await run(['reset-password', email], { PUBLIC_URL: 'https://tocsin.example.com' });
  expect(second).toMatch(/^https:\/\/tocsin\.example\.com\/app\/reset#/);
  const lookUp = (link: string) =>
    new ApiClient(service.managementUrl).post('/auth/password-reset/lookup', {
      token: link.trim().split('#')[1],
    });
  expect((await lookUp(first)).status).toBe(404);
  expect((await lookUp(second)).status).toBe(200);
});

it('says that no user has an address', async () => {
  await expect(run(['reset-password', 'nobody@example.com'])).rejects.toThrow(
    'No user has the address nobody@example.com.',
  );
});
