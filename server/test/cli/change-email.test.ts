import { expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
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

it('refuses the address that the user has, which would stay verified', async () => {
  const { api, email } = await service.signUp();
  await expect(run(email, email.toUpperCase())).rejects.toThrow('The two addresses are the same.');
  const { body } = await api.get('/organizations/audit');
  expect(body.map(({ action }: { action: string }) => action)).not.toContain('account.email_changed');
});

it('keeps confirmed mail targets on the former address, and confirms none of the new one', async () => {
  const { api, email, organizationId } = await service.signUp();
  const { pool } = service.database;
  await pool.query('UPDATE users SET email_verified_at = now() WHERE email = $1', [email]);
  const addTarget = (to: string) =>
    api.post('/notification-targets', { kind: 'email', name: to, config: { to } });
  for (const to of [email, `new-${email}`]) expect((await addTarget(to)).status).toBe(201);
  await run(email, `new-${email}`);
  const { rows } = await pool.query(
    'SELECT address, confirmed_at IS NOT NULL AS "isConfirmed" FROM mail_recipients WHERE organization_id = $1',
    [toUuid('org', organizationId)],
  );
  expect(rows).toEqual(
    expect.arrayContaining([
      { address: email, isConfirmed: true },
      { address: `new-${email}`, isConfirmed: false },
    ]),
  );
});

it('refuses an address that another user has, an unknown one, and a text that is none', async () => {
  const [one, other] = [await service.signUp(), await service.signUp()];
  await expect(run(one.email, other.email)).rejects.toThrow('Another account has this address.');
  await expect(run('nobody@example.com', 'a@example.com')).rejects.toThrow('No user has the address');
  await expect(run(one.email, 'nonsense')).rejects.toThrow('nonsense is no email address.');
});
