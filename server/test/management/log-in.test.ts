import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const MINUTE_MS = 60_000;
const FAR_AWAY = { 'x-forwarded-for': '203.0.113.9' };

describe('login', async () => {
  const clock = new StillClock();
  // The tests set the client's address in a header.
  const environment = { TRUST_PROXY: '127.0.0.1' };
  const service = await startTestService({ roles: ['management'], clock, environment });
  const api = () => new ApiClient(service.managementUrl);
  const logIn = (email: string, password: string) => api().post('/auth/login', { email, password });
  const failTimes = async (count: number, email: string) => {
    for (let index = 0; index < count; index++) {
      expectProblem(await logIn(email, `wrong ${index}`), 'invalid_credentials');
    }
  };

  it('answers 200 with the user and the organization, and sets a session cookie', async () => {
    const user = await service.signUp('Grace Hopper');
    const client = api();
    const answer = await client.post('/auth/login', {
      email: ` ${user.email.toUpperCase()} `,
      password: user.password,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { id: user.id, name: 'Grace Hopper', email: user.email },
      organization: { id: user.organizationId, name: 'Grace Hopper', plan: 'free' },
    });
    expect((await client.get('/auth/me')).body).toEqual(answer.body);
  });

  it('answers a wrong password and an unknown e-mail address the same', async () => {
    const user = await service.signUp();
    const wrong = await logIn(user.email, 'not the password');
    const unknown = await logIn('nobody@example.com', 'not the password');
    expectProblem(wrong, 'invalid_credentials');
    expect({ ...unknown.body, requestId: null }).toEqual({ ...wrong.body, requestId: null });
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['/email', { password: 'a password' }],
    ['/email', { email: 1, password: 'a password' }],
    ['/password', { email: 'a@example.com' }],
    ['/password', { email: 'a@example.com', password: null }],
  ])('reports %s as the fault of %j', async (pointer, body) => {
    expectInvalid(await api().post('/auth/login', body), pointer);
  });

  it('refuses an account after 10 failures, also with the right password, until 5 minutes have passed', async () => {
    const user = await service.signUp();
    await failTimes(10, user.email);
    const refused = await logIn(user.email, user.password);
    expectProblem(refused, 'too_many_logins');
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(300);
    expect((await user.api.get('/auth/me')).status).toBe(200);

    clock.advance(5 * MINUTE_MS);
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  it('does not refuse an account’s owner at another address because somebody guesses', async () => {
    const user = await service.signUp();
    await failTimes(10, user.email);
    expectProblem(await logIn(user.email, user.password), 'too_many_logins');
    expect((await api().post('/auth/login', user, { headers: FAR_AWAY })).status).toBe(200);
  });

  it('does not lock out an account’s owner by guesses at an e-mail address with a client address appended', async () => {
    const user = await service.signUp();
    const guess = { email: `${user.email} 127.0.0.1`, password: 'wrong' };
    for (let index = 0; index < 10; index++) {
      expectProblem(await api().post('/auth/login', guess, { headers: FAR_AWAY }), 'invalid_credentials');
    }
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  it('slows down logins to an account increasingly after 100 failures from many addresses', async () => {
    const user = await service.signUp();
    const addFailures = (count: number) =>
      service.database.pool.query(
        'INSERT INTO login_failures (subject, failed_at) SELECT $1, $2 FROM generate_series(1, $3)',
        [`account:${user.email}`, new Date(clock.now()), count],
      );
    const retryAfter = async () => {
      const refused = await logIn(user.email, user.password);
      expectProblem(refused, 'too_many_logins');
      return Number(refused.headers.get('retry-after'));
    };
    await addFailures(99);
    expectProblem(await logIn(user.email, 'guess 100'), 'invalid_credentials');
    expect(await retryAfter()).toBe(1);
    clock.advance(1_000);
    expectProblem(await logIn(user.email, 'guess 101'), 'invalid_credentials');
    await addFailures(29);
    expect(await retryAfter()).toBe(8);
    await addFailures(200);
    expect(await retryAfter()).toBe(300);
    clock.advance(5 * MINUTE_MS);
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  const cookiesOf = (headers: Headers) => headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);

  it('lets in the browser of an earlier login, whatever others guess', async () => {
    const user = await service.signUp();
    const [session, device = ''] = (await logIn(user.email, user.password)).headers.getSetCookie();
    expect(session).toMatch(/^session=/);
    expect(device).toMatch(/^device=[\w.~-]+; Max-Age=15552000; Path=\/auth; HttpOnly; SameSite=Lax$/);
    const cookie = device.split(';', 1)[0] ?? '';
    await failTimes(10, user.email);
    expectProblem(await logIn(user.email, user.password), 'too_many_logins');
    const known = await api().post('/auth/login', user, { headers: { cookie } });
    expect(known.status).toBe(200);
    const stranger = await service.signUp();
    await failTimes(10, stranger.email);
    expectProblem(await api().post('/auth/login', stranger, { headers: { cookie } }), 'too_many_logins');
  });

  it('lets a known browser guess 10 times, too, and no more', async () => {
    const user = await service.signUp();
    const cookie = cookiesOf((await logIn(user.email, user.password)).headers).at(-1) ?? '';
    const guess = (password: string) =>
      api().post('/auth/login', { email: user.email, password }, { headers: { cookie } });
    for (let index = 0; index < 10; index++)
      expectProblem(await guess(`wrong ${index}`), 'invalid_credentials');
    expectProblem(await guess(user.password), 'too_many_logins');
    clock.advance(5 * MINUTE_MS);
    expect((await guess(user.password)).status).toBe(200);
  });

  it('counts failures by account, however the e-mail address is written', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    await failTimes(5, user.email);
    await failTimes(5, ` ${user.email.toUpperCase()}`);
    expectProblem(await logIn(user.email, user.password), 'too_many_logins');
    expect((await logIn(other.email, other.password)).status).toBe(200);
  });

  it('limits an unknown account as well, so that its answers reveal nothing', async () => {
    await failTimes(10, 'ghost@example.com');
    expectProblem(await logIn('ghost@example.com', 'x'), 'too_many_logins');
  });

  it('forgets the failures of an account when a login succeeds', async () => {
    const user = await service.signUp();
    await failTimes(9, user.email);
    expect((await logIn(user.email, user.password)).status).toBe(200);
    await failTimes(9, user.email);
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });

  it('checks at most 10 of many simultaneous guesses', async () => {
    const user = await service.signUp();
    const guesses = await Promise.all(
      Array.from({ length: 24 }, (_, index) => logIn(user.email, `guess ${index}`)),
    );
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(14);
  });

  it('allows simultaneous logins of one person from many places', async () => {
    const user = await service.signUp();
    const answers = await Promise.all(Array.from({ length: 15 }, () => logIn(user.email, user.password)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('refuses a client address after 300 failures over all accounts', async () => {
    const user = await service.signUp();
    await service.database.pool.query(
      `INSERT INTO login_failures (subject, failed_at)
        SELECT 'address:127.0.0.1', $1 FROM generate_series(1, 300)`,
      [new Date(clock.now())],
    );
    expectProblem(await logIn(user.email, user.password), 'too_many_logins');
    expect((await api().post('/auth/login', user, { headers: FAR_AWAY })).status).toBe(200);
    clock.advance(5 * MINUTE_MS);
    expect((await logIn(user.email, user.password)).status).toBe(200);
  });
});

describe('the log', async () => {
  const lines: { level: string; msg: string; [name: string]: unknown }[] = [];
  const service = await startTestService({
    roles: ['management'],
    environment: { LOG_LEVEL: 'info' },
    logDestination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const trusting = await startTestService({
    roles: ['management'],
    database: service.database,
    environment: { LOG_LEVEL: 'info', TRUST_PROXY: '127.0.0.0/8' },
    logDestination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const api = new ApiClient(service.managementUrl);

  it('logs each login with its outcome and address, and neither password nor email address', async () => {
    const user = await service.signUp();
    lines.length = 0;
    await api.post('/auth/login', user);
    await api.post('/auth/login', { email: user.email, password: 'a wrong one' });
    await api.post('/auth/login', { email: 'the password by mistake', password: 'a wrong one' });
    const login = { level: 'info', msg: 'login', address: '127.0.0.1', requestId: expect.any(String) };
    expect(lines).toMatchObject([
      { ...login, result: 'succeeded', userId: user.id },
      { ...login, result: 'failed', userId: user.id },
      { ...login, result: 'failed', userId: null },
    ]);
    const text = JSON.stringify(lines);
    for (const secret of [user.password, user.email, 'a wrong one', 'by mistake'])
      expect(text).not.toContain(secret);
  });

  it('warns once of a proxy that the configuration does not name', async () => {
    lines.length = 0;
    await api.get('/auth/me');
    for (let count = 0; count < 3; count++) await api.get('/auth/me', { headers: FAR_AWAY });
    expect(lines).toMatchObject([{ level: 'warn', msg: expect.stringMatching(/TRUST_PROXY/) }]);
  });

  it('does not warn of a proxy that the configuration names', async () => {
    lines.length = 0;
    await new ApiClient(trusting.managementUrl).get('/auth/me', { headers: FAR_AWAY });
    expect(lines).toEqual([]);
  });
});
