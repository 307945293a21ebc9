import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { printedBy } from './support.ts';

const service = await startTestService();
const environment = { DATABASE_URL: service.database.connectionString };

const run = (...addresses: [string, string]) => printedBy(environment, ['change-email', ...addresses]);

it('changes the address of a user, whose session goes on, and records it', async () => {
  const { api, email, password, id } = await service.signUp();
  await run(email.toUpperCase(), ` New-${email} `);
  const logIn = (address: string) =>
    new ApiClient(service.managementUrl).post('/auth/login', { email: address, password });
  expect((await logIn(email)).status).toBe(401);
  expect((await logIn(`new-${email}`)).status).toBe(200);
  expect((await api.get('/auth/me')).body.user).toMatchObject({ id, email: `new-${email}` });
  expect((await api.get('/organizations/audit')).body[0]).toMatchObject({
    action: 'account.email_changed',
    before: { email },
    after: { email: `new-${email}`, confirmedBy: 'operator' },
  });
});

it('refuses an address that another user has, an unknown one, and a text that is none', async () => {
  const [one, other] = [await service.signUp(), await service.signUp()];
  await expect(run(one.email, other.email)).rejects.toThrow('Another account has this address.');
  await expect(run('nobody@example.com', 'a@example.com')).rejects.toThrow('No user has the address');
  await expect(run(one.email, 'nonsense')).rejects.toThrow('nonsense is no email address.');
});
