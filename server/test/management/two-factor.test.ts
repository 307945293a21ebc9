import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService, type TestUser } from '../support/service.ts';
import { totpCode } from '../support/totp-code.ts';

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;
const clock = new StillClock(middleOf(STEP_MS));
const lines: string[] = [];
const service = await startTestService({
  roles: ['management'],
  clock,
  environment: { LOG_LEVEL: 'trace' },
  logDestination: { write: (line) => lines.push(line) },
});

const codeOf = (secret: string, steps = 0) => totpCode(secret, clock.now() + steps * STEP_MS);
/** Returns six digits that are no code of this secret at this time. */
function wrongCodeOf(secret: string): string {
  const valid = [-1, 0, 1].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !valid.includes(code)) ?? '';
}
const logIn = (
  { email, password }: Pick<TestUser, 'email' | 'password'>,
  code?: string,
  client = newClient(),
) => {
  // Audit entries of one millisecond have no order.
  clock.advance(1);
  return client.post('/auth/login', { email, password, ...(code !== undefined && { code }) });
};
const newClient = () => new ApiClient(service.managementUrl);

interface ProtectedUser {
  user: TestUser;
  secret: string;
  recoveryCodes: string[];
}

async function turnOn(user: TestUser): Promise<ProtectedUser> {
  const { status, body } = await user.api.post('/auth/totp/enrol', { password: user.password });
  expect(status).toBe(201);
  const answer = await user.api.post('/auth/totp/activate', { code: codeOf(body.secret) });
  expect(answer.status).toBe(200);
  // The code of the activation is used up.
  clock.advance(STEP_MS);
  return { user, secret: body.secret, recoveryCodes: answer.body.recoveryCodes };
}
const protectedUser = async () => turnOn(await service.signUp());
const actionsOf = async ({ api }: TestUser) =>
  (await api.get('/organizations/audit')).body.map(({ action }: { action: string }) => action);

describe('setting up two-factor authentication', () => {
  it('asks for no code at the login until the set-up is completed', async () => {
    const user = await service.signUp();
    expect((await user.api.get('/auth/totp')).body).toEqual({
      active: false,
      activatedAt: null,
      recoveryCodesLeft: 0,
    });
    const { body } = await user.api.post('/auth/totp/enrol', { password: user.password });
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringContaining(`secret=${body.secret}`),
    });
    expectInvalid(await user.api.post('/auth/totp/activate', { code: wrongCodeOf(body.secret) }), '/code');
    expect((await logIn(user)).status).toBe(200);

    const other = newClient();
    await logIn(user, undefined, other);
    // Entries of one millisecond have no order.
    clock.advance(1);
    const answer = await user.api.post('/auth/totp/activate', { code: codeOf(body.secret) });
    expect(answer.status).toBe(200);
    expect(new Set(answer.body.recoveryCodes).size).toBe(10);
    expect((await user.api.get('/auth/totp')).body).toEqual({
      active: true,
      activatedAt: new Date(clock.now()).toISOString(),
      recoveryCodesLeft: 10,
    });
    expectProblem(await other.get('/auth/me'), 'unauthenticated');
    expectProblem(await logIn(user), 'totp_required');
    expect((await actionsOf(user))[0]).toBe('account.totp_activated');
  });

  it('requires the password for a set-up, and replaces an unfinished one', async () => {
    const user = await service.signUp();
    expectInvalid(await user.api.post('/auth/totp/enrol', { password: 'wrong' }), '/password');
    expectProblem(await user.api.post('/auth/totp/activate', { code: '123456' }), 'totp_not_active');
    const first = await user.api.post('/auth/totp/enrol', { password: user.password });
    const second = await user.api.post('/auth/totp/enrol', { password: user.password });
    const old = await user.api.post('/auth/totp/activate', { code: codeOf(first.body.secret) });
    expectProblem(old, 'validation_failed');
    clock.advance(61 * MINUTE_MS);
    const late = await user.api.post('/auth/totp/activate', { code: codeOf(second.body.secret) });
    expectProblem(late, 'totp_not_active');
  });

  it('refuses a set-up while a second factor is active', async () => {
    const { user, secret } = await protectedUser();
    expectProblem(await user.api.post('/auth/totp/enrol', { password: user.password }), 'totp_active');
    expectProblem(await user.api.post('/auth/totp/activate', { code: codeOf(secret) }), 'totp_active');
    expect((await logIn(user, codeOf(secret))).status).toBe(200);
  });

  it('refuses to set up a second factor with an access token', async () => {
    const user = await service.signUp();
    const program = await user.createToken('read', 'write');
    expectProblem(await program.get('/auth/totp'), 'insufficient_scope');
    expectProblem(await program.post('/auth/totp/enrol', { password: user.password }), 'insufficient_scope');
  });

  it('stores the secret encrypted and the recovery codes hashed, and logs neither', async () => {
    const { user, secret, recoveryCodes } = await protectedUser();
    await logIn(user, recoveryCodes[0]);
    await logIn(user, codeOf(secret));
    const { rows } = await service.database.pool.query(
      `SELECT f::text AS factor, (SELECT string_agg(c::text, ',') FROM totp_recovery_codes c) AS codes FROM totp_factors f`,
    );
    const stored = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(0);
    for (const text of [secret, ...recoveryCodes]) {
      expect(stored).not.toContain(text);
      expect(lines.join('')).not.toContain(text);
    }
  });
});

describe('logging in with two-factor authentication', () => {
  it('asks for the code only after the right password, even if a code was sent', async () => {
    const { user, secret } = await protectedUser();
    const missing = await logIn(user);
    expectProblem(missing, 'totp_required');
    expect(missing.headers.getSetCookie()).toEqual([]);
    expectProblem(await logIn(user, '  '), 'totp_required');
    const wrong = { email: user.email, password: 'wrong' };
    expectProblem(await logIn(wrong), 'invalid_credentials');
    expectProblem(await logIn(wrong, codeOf(secret)), 'invalid_credentials');
    const unknown = { email: `${randomUUID()}@example.com`, password: 'wrong' };
    expectProblem(await logIn(unknown, codeOf(secret)), 'invalid_credentials');
    const answer = await logIn(user, ` ${codeOf(secret).replace(/^.../, '$& ')} `);
    expect(answer.status).toBe(200);
    expect(answer.body.user.id).toBe(user.id);
  });

  it('ignores the code of a user without a second factor, and refuses one that is no text', async () => {
    const user = await service.signUp();
    expect((await logIn(user, '123456')).status).toBe(200);
    const body = { email: user.email, password: user.password, code: { a: 1 } };
    expectInvalid(await newClient().post('/auth/login', body), '/code');
  });

  it('takes each code once, and no earlier one after it', async () => {
    const { user, secret } = await protectedUser();
    clock.advance(5 * STEP_MS);
    expect((await logIn(user, codeOf(secret))).status).toBe(200);
    expectProblem(await logIn(user, codeOf(secret)), 'invalid_totp_code');
    expectProblem(await logIn(user, codeOf(secret, -1)), 'invalid_totp_code');
    expect((await logIn(user, codeOf(secret, 1))).status).toBe(200);
  });

  it.each([
    [-2, 401],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 401],
  ])('answers a code that is %d steps away with %d', async (steps, status) => {
    const { user, secret } = await protectedUser();
    clock.advance(5 * STEP_MS);
    expect((await logIn(user, codeOf(secret, steps))).status).toBe(status);
  });

  it('accepts one of several concurrent logins with the same code', async () => {
    const { user, secret, recoveryCodes } = await protectedUser();
    for (const code of [codeOf(secret), recoveryCodes[0] ?? '']) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => logIn(user, code)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
    }
  });

  it('accepts each recovery code once, however it is typed, and records its use', async () => {
    const { user, recoveryCodes } = await protectedUser();
    const [first = '', second = ''] = recoveryCodes;
    expect((await logIn(user, first)).status).toBe(200);
    expectProblem(await logIn(user, first), 'invalid_totp_code');
    expect((await logIn(user, second.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await user.api.get('/auth/totp')).body.recoveryCodesLeft).toBe(8);
    const [entry] = (await user.api.get('/organizations/audit')).body;
    expect(entry).toMatchObject({ action: 'account.recovery_code_used', after: { codesLeft: 8 } });
    const stranger = await protectedUser();
    expectProblem(await logIn(stranger.user, recoveryCodes[2]), 'invalid_totp_code');
  });

  it('limits wrong codes like wrong passwords, and the right password alone neither counts nor resets', async () => {
    const { user, secret } = await protectedUser();
    for (let index = 0; index < 12; index++) expectProblem(await logIn(user), 'totp_required');
    for (let index = 0; index < 10; index++) {
      expectProblem(await logIn(user, wrongCodeOf(secret)), 'invalid_totp_code');
      if (index < 9) expectProblem(await logIn(user), 'totp_required');
    }
    for (const code of [undefined, codeOf(secret), wrongCodeOf(secret)]) {
      expectProblem(await logIn(user, code), 'too_many_logins');
    }
    clock.advance(5 * MINUTE_MS);
    expect((await logIn(user, codeOf(secret))).status).toBe(200);
  });

  it('slows down codes from many addresses, accepts a known browser, and others later', async () => {
    const environment = { TRUST_PROXY: '127.0.0.1' };
    const proxied = await startTestService({
      roles: ['management'],
      database: service.database,
      clock,
      environment,
    });
    const { user, secret } = await protectedUser();
    const { email, password } = user;
    const from = (index: number, code: string | undefined, headers: Record<string, string> = {}) =>
      new ApiClient(proxied.managementUrl).post(
        '/auth/login',
        { email, password, ...(code !== undefined && { code }) },
        { headers: { 'x-forwarded-for': `203.0.113.${index}`, ...headers } },
      );
    const known = await from(200, codeOf(secret));
    const device = known.headers.getSetCookie().find((each) => each.startsWith('device=')) ?? '';
    const cookie = device.split(';', 1)[0] ?? '';
    for (let index = 0; index < 20; index++)
      expectProblem(await from(index, wrongCodeOf(secret)), 'invalid_totp_code');
    clock.advance(STEP_MS);
    const refused = await from(20, codeOf(secret));
    expectProblem(refused, 'too_many_logins');
    expect(Number(refused.headers.get('retry-after'))).toBe(30);
    expectProblem(await from(21, undefined), 'totp_required');
    expect((await from(22, codeOf(secret), { cookie })).status).toBe(200);

    clock.advance(MINUTE_MS);
    expectProblem(await from(23, wrongCodeOf(secret)), 'invalid_totp_code');
    clock.advance(MINUTE_MS);
    expectProblem(await from(24, codeOf(secret)), 'too_many_logins');
    // However many codes were wrong, one is accepted again an hour later; the login by another browser has reset nothing.
    clock.advance(60 * MINUTE_MS);
    expect((await from(25, codeOf(secret))).status).toBe(200);
    expectProblem(await from(26, wrongCodeOf(secret)), 'invalid_totp_code');
    clock.advance(MINUTE_MS);
    expectProblem(await from(27, codeOf(secret)), 'too_many_logins');
    // A day after the wrong codes their count is gone.
    clock.advance(24 * 60 * MINUTE_MS);
    for (let index = 0; index < 9; index++)
      expectProblem(await from(30 + index, wrongCodeOf(secret)), 'invalid_totp_code');
    expect((await from(40, codeOf(secret))).status).toBe(200);
    await proxied.stop();
  });

  it('does not check guesses over the limit, nor use up their codes', async () => {
    const { user, secret, recoveryCodes } = await protectedUser();
    const wrong = wrongCodeOf(secret);
    for (let index = 0; index < 10; index++) await logIn(user, wrong);
    const answers = await Promise.all(
      [wrong, codeOf(secret), recoveryCodes[0] ?? '', wrong].map((code) => logIn(user, code)),
    );
    for (const answer of answers) expectProblem(answer, 'too_many_logins');
    clock.advance(5 * MINUTE_MS);
    expect((await logIn(user, recoveryCodes[0])).status).toBe(200);
  });

  it('does not let a session with the password reset the count of wrong codes', async () => {
    const { user, secret } = await protectedUser();
    for (let index = 0; index < 10; index++) await logIn(user, wrongCodeOf(secret));
    const password = 'quite another one';
    expect((await user.api.post('/auth/password', { current: user.password, new: password })).status).toBe(
      200,
    );
    expectProblem(await logIn({ email: user.email, password }, codeOf(secret)), 'too_many_logins');
  });

  it('still asks for a code after the password was changed', async () => {
    const { user } = await protectedUser();
    const password = 'quite another one';
    await user.api.post('/auth/password', { current: user.password, new: password });
    expectProblem(await logIn({ email: user.email, password }), 'totp_required');
  });
});

describe('turning two-factor authentication off', () => {
  it('requires the password and a code to turn the second factor off', async () => {
    const { user, secret } = await protectedUser();
    const { password } = user;
    const disable = (body: object) => user.api.post('/auth/totp/disable', body);
    const code = codeOf(secret);
    expectInvalid(await disable({ password: 'wrong', code }), '/password');
    for (const typed of [wrongCodeOf(secret), '']) {
      expectInvalid(await disable({ password, code: typed }), '/code');
    }
    expectProblem(await logIn(user), 'totp_required');
    expect((await disable({ password, code })).status).toBe(200);
    expect((await user.api.get('/auth/totp')).body.active).toBe(false);
    expect((await logIn(user)).status).toBe(200);
    expectProblem(await disable({ password, code }), 'totp_not_active');
    expect((await actionsOf(user))[0]).toBe('account.totp_disabled');
    await turnOn(user);
  });

  it('limits guesses of the code by a stolen session', async () => {
    const { user, secret, recoveryCodes } = await protectedUser();
    const { password } = user;
    for (let index = 0; index < 10; index++) {
      await user.api.post('/auth/totp/disable', { password, code: wrongCodeOf(secret) });
    }
    const [code] = recoveryCodes;
    expectProblem(await user.api.post('/auth/totp/disable', { password, code }), 'too_many_logins');
  });

  it('replaces the recovery codes by new ones', async () => {
    const { user, secret, recoveryCodes } = await protectedUser();
    const body = { password: user.password, code: codeOf(secret) };
    const answer = await user.api.post('/auth/totp/recovery-codes', body);
    expect(answer.status).toBe(200);
    expect(answer.body.recoveryCodes).toHaveLength(10);
    expectProblem(await logIn(user, recoveryCodes[0]), 'invalid_totp_code');
    expect((await logIn(user, answer.body.recoveryCodes[0])).status).toBe(200);
    expectProblem(await user.api.post('/auth/totp/recovery-codes', body), 'validation_failed');
  });
});

describe('an OWNER who turns off two-factor authentication of a member', () => {
  const turnOff = ({ api }: TestUser, { organizationId }: TestUser, userId: string) =>
    api.delete(`/organizations/${organizationId}/members/${userId}/totp`);

  it('records that an OWNER turned off a member’s second factor, notifies the member, and asks for no code any more', async () => {
    const { owner, member } = await signUpPair(service);
    expectProblem(await turnOff(owner, owner, member.id), 'totp_not_active');
    await turnOn(member);
    expect((await turnOff(owner, owner, member.id)).status).toBe(204);
    expect((await logIn(member)).status).toBe(200);
    expect((await member.api.get('/auth/notices')).body).toMatchObject([
      { kind: 'totp_disabled', by: { id: owner.id } },
    ]);
    const [entry] = (await owner.api.get('/organizations/audit')).body;
    expect(entry).toMatchObject({ action: 'member.totp_disabled', targetId: member.id });
  });

  it('refuses to turn off a second factor for MEMBERs, for OWNERs of other organizations, and for oneself', async () => {
    const { owner, member } = await signUpPair(service);
    await turnOn(member);
    await turnOn(owner);
    const stranger = await service.signUp();
    expectProblem(await turnOff(member, owner, owner.id), 'forbidden');
    expectProblem(await turnOff(owner, owner, owner.id), 'forbidden');
    expectProblem(await turnOff(stranger, owner, member.id), 'forbidden');
    expectProblem(await turnOff(stranger, stranger, member.id), 'not_found');
    expectProblem(await logIn(member), 'totp_required');
  });

  it('refuses to turn off the second factor of an added user who has not confirmed the membership', async () => {
    const owner = await service.signUp();
    const { user } = await protectedUser();
    await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: user.id });
    expectProblem(await turnOff(owner, owner, user.id), 'membership_not_confirmed');
    const [notice] = (await user.api.get('/auth/notices')).body;
    await user.api.delete(`/auth/notices/${notice.id}`);
    expectProblem(await turnOff(owner, owner, user.id), 'membership_not_confirmed');
    expect((await user.api.post(`/organizations/${owner.organizationId}/stay`)).status).toBe(204);
    expect((await turnOff(owner, owner, user.id)).status).toBe(204);
  });
});

describe('two-factor authentication and the key of stored secrets', () => {
  it('accepts recovery codes when the encryption key is lost, and says so when a code is entered', async () => {
    const { user, secret, recoveryCodes } = await protectedUser();
    const restored = await startTestService({
      roles: ['management'],
      clock,
      database: service.database,
      environment: { ENCRYPTION_KEY: 'another-key-than-the-one-of-the-secret' },
    });
    const client = new ApiClient(restored.managementUrl);
    expectProblem(await logIn(user, undefined, client), 'totp_required');
    for (let index = 0; index < 11; index++) {
      expectProblem(await logIn(user, codeOf(secret), client), 'encryption_key_missing');
    }
    expect((await logIn(user, recoveryCodes[0], client)).status).toBe(200);
    const off = { password: user.password, code: recoveryCodes[1] };
    expect((await client.post('/auth/totp/disable', off)).status).toBe(200);
    await restored.stop();
  });

  it('encrypts the secret again with the present key when its code is used', async () => {
    const { user, secret } = await protectedUser();
    const [former, present] = [
      'a-key-of-tests-that-encrypts-nothing-real',
      'the-key-that-encrypts-from-now-on!!',
    ];
    for (const [keys, code] of [
      [`${present},${former}`, codeOf(secret)],
      [present, codeOf(secret, 1)],
    ]) {
      const rotated = await startTestService({
        roles: ['management'],
        clock,
        database: service.database,
        environment: { ENCRYPTION_KEY: keys ?? '' },
      });
      expect((await logIn(user, code, new ApiClient(rotated.managementUrl))).status).toBe(200);
      await rotated.stop();
    }
  });
});
