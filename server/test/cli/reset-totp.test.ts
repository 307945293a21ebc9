import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { totpCode } from '../support/totp-code.ts';
import { printedBy } from './support.ts';

const service = await startTestService();
const environment = { DATABASE_URL: service.database.connectionString };

const run = (email: string) => printedBy(environment, ['reset-totp', email]);

it('turns off two-factor authentication of the last OWNER, and keeps the password', async () => {
  const { api, email, password } = await service.signUp();
  await expect(run(email)).rejects.toThrow(`${email} does not use two-factor authentication.`);
  const { body } = await api.post('/auth/totp/enrol', { password });
  await api.post('/auth/totp/activate', { code: totpCode(body.secret, service.context.clock.now()) });
  const logIn = () => new ApiClient(service.managementUrl).post('/auth/login', { email, password });
  expect((await logIn()).status).toBe(401);
  await run(email.toUpperCase());
  expect((await logIn()).status).toBe(200);
  expect((await api.get('/organizations/audit')).body[0].action).toBe('account.totp_reset');
});

it('says that no user has an address', async () => {
  await expect(run('nobody@example.com')).rejects.toThrow('No user has the address nobody@example.com.');
});
