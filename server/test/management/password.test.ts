import { describe, expect, it } from 'vitest';
import { DeviceCookie } from '../../src/tenancy/accounts/device-cookie.ts';
import { logIn as logInWith } from '../../src/tenancy/accounts/log-in.ts';
import { PASSWORD_COST, PasswordHasher } from '../../src/tenancy/accounts/passwords.ts';
import { ApiClient } from '../support/client.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const NEW_PASSWORD = 'a quite different one';

describe('changing the password', async () => {
  const service = await startTestService({ roles: ['management'] });
  const logIn = async ({ email }: TestUser, password: string) => {
    const client = new ApiClient(service.managementUrl);
    const answer = await client.post('/auth/login', { email, password });
    return { client, answer };
  };

  it('ends all other sessions with a change of the password, and renews the cookie of this one', async () => {
    const user = await service.signUp();
    const { client: elsewhere } = await logIn(user, user.password);
    const stranger = await service.signUp();
    const copied = new ApiClient(service.managementUrl);
    copied.cookie = user.api.cookie;

    const answer = await user.api.post('/auth/password', { current: user.password, new: NEW_PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: expect.any(String) });
    expectProblem(await elsewhere.get('/auth/me'), 'unauthenticated');
    expectProblem(await copied.get('/auth/me'), 'unauthenticated');
    expect(user.api.cookie).not.toBe(copied.cookie);
    expect((await user.api.get('/auth/me')).status).toBe(200);
    expect((await stranger.api.get('/auth/me')).status).toBe(200);
  });

  it('accepts only the new password after a change', async () => {
    const user = await service.signUp();
    await user.api.post('/auth/password', { current: user.password, new: NEW_PASSWORD });
    expectProblem((await logIn(user, user.password)).answer, 'invalid_credentials');
    expect((await logIn(user, NEW_PASSWORD)).answer.status).toBe(200);
  });

  it('refuses to change the password with a wrong current password, and changes nothing', async () => {
    const user = await service.signUp();
    const answer = await user.api.post('/auth/password', { current: 'wrong', new: NEW_PASSWORD });
    expectInvalid(answer, '/current');
    expect((await logIn(user, user.password)).answer.status).toBe(200);
  });

  it('ends the session of a concurrent login with the old password', async () => {
    const user = await service.signUp();
    const { pool, clock, encryption } = service.context;
    let release = () => {};
    let reached = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const isChecked = new Promise<void>((resolve) => (reached = resolve));
    /** Reports a correct password, and continues later. */
    class SlowHasher extends PasswordHasher {
      override async verify(...check: Parameters<PasswordHasher['verify']>): Promise<boolean> {
        const matches = await super.verify(...check);
        reached();
        await released;
        return matches;
      }
    }
    const dependencies = {
      pool,
      clock,
      passwords: new SlowHasher(service.context.passwordCost),
      devices: new DeviceCookie('a secret'),
      encryption,
    };
    const { email, password } = user;
    const origin = { address: null, userAgent: null };
    const login = logInWith(dependencies, {
      email,
      password,
      address: '192.0.2.1',
      device: undefined,
      origin,
    });
    await isChecked;
    await user.api.post('/auth/password', { current: password, new: NEW_PASSWORD });
    release();
    expect(await login).toMatchObject({
      result: 'failed',
      userId: expect.any(String),
      refusal: { code: 'invalid_credentials' },
    });
    expect((await user.api.get('/auth/me')).status).toBe(200);
    const { rows } = await pool.query<{ count: number }>(
      'SELECT count(*) AS count FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1',
      [email],
    );
    expect(rows[0]?.count).toBe(1);
  });

  it('changes the password once for two concurrent requests with the same current password', async () => {
    const user = await service.signUp();
    const { client: other } = await logIn(user, user.password);
    const answers = await Promise.all(
      [user.api, other].map((api, index) =>
        api.post('/auth/password', { current: user.password, new: `${NEW_PASSWORD} ${index}` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect([400, 401]).toContain(statuses.find((status) => status !== 200));
    const index = statuses.indexOf(200);
    expect((await logIn(user, `${NEW_PASSWORD} ${index}`)).answer.status).toBe(200);
  });

  it('refuses only the session that has guessed the current password 10 times', async () => {
    const user = await service.signUp();
    const { client: thief } = await logIn(user, user.password);
    const guesses = await Promise.all(
      Array.from({ length: 13 }, (_, index) =>
        thief.post('/auth/password', { current: `guess ${index}`, new: NEW_PASSWORD }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10);
    const refused = await thief.post('/auth/password', { current: user.password, new: NEW_PASSWORD });
    expectProblem(refused, 'too_many_logins');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // They count for the account: a client without the password gets no further attempts at the login.
    expectProblem((await logIn(user, 'another guess')).answer, 'too_many_logins');
    const changed = await user.api.post('/auth/password', { current: user.password, new: NEW_PASSWORD });
    expect(changed.status).toBe(200);
  });

  it.each([
    ['7 characters', '1234567'],
    ['1,025 bytes', 'x'.repeat(1025)],
    ['513 characters and 1,026 bytes', 'é'.repeat(513)],
    ['null', null],
  ])('refuses to change the password to one of %s', async (_what, password) => {
    const user = await service.signUp();
    expectInvalid(await user.api.post('/auth/password', { current: user.password, new: password }), '/new');
  });

  it('needs a session to change the password', async () => {
    const answer = await new ApiClient(service.managementUrl).post('/auth/password', {
      current: 'a',
      new: NEW_PASSWORD,
    });
    expectProblem(answer, 'unauthenticated');
  });

  it('stores passwords as argon2id hashes only', async () => {
    const costly = await startTestService({
      roles: ['management'],
      database: service.database,
      passwordCost: PASSWORD_COST,
    });
    const user = await costly.signUp();
    const { rows } = await service.database.pool.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM users WHERE email = $1',
      [user.email],
    );
    expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
