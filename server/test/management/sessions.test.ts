import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60_000;
const SECRET = 'the secret of this test file: long enough';

describe('a session', async () => {
  const clock = new TestClock();
  const environment = { SESSION_SECRET: SECRET };
  const service = await startTestService({ roles: ['management'], clock, environment });
  const second = await startTestService({
    roles: ['management'],
    clock,
    environment,
    database: service.database,
  });
  const withCookie = (cookie: string | null, url = service.managementUrl) => {
    const client = new ApiClient(url);
    client.cookie = cookie;
    return client;
  };
  const payloadOf = ({ api }: TestUser) =>
    JSON.parse(Buffer.from(api.cookie?.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      string | number
    >;
  const encoded = (header: object, payload: object) =>
    [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signed = (payload: Record<string, unknown>, secret = SECRET) => {
    const text = encoded({ alg: 'HS256', typ: 'JWT' }, payload);
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };

  it('returns the user and the organization of a session', async () => {
    const user = await service.signUp('Ada');
    expect((await user.api.get('/auth/me')).body).toEqual({
      user: { id: user.id, name: 'Ada', email: user.email },
      organization: { id: user.organizationId, name: 'Ada', plan: 'free' },
    });
  });

  it('issues a session token with sub, sid, aud, iat and exp, and no rights', async () => {
    const payload = payloadOf(await service.signUp());
    expect(Object.keys(payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'sid', 'sub']);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(604_800);
  });

  it('accepts a session in every process on the same database', async () => {
    const user = await service.signUp();
    expect((await withCookie(user.api.cookie, second.managementUrl).get('/auth/me')).status).toBe(200);
  });

  it('ends with the logout, for a copied cookie and in another process too', async () => {
    const user = await service.signUp();
    const [here, there] = [withCookie(user.api.cookie), withCookie(user.api.cookie, second.managementUrl)];
    expect((await there.get('/auth/me')).status).toBe(200);
    const answer = await user.api.post('/auth/logout');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: expect.any(String) });
    expectProblem(await there.get('/auth/me'), 'unauthenticated');
    expectProblem(await here.get('/auth/me'), 'unauthenticated');
    expectProblem(await here.post('/auth/logout'), 'unauthenticated');
  });

  it('clears the session cookie at logout', async () => {
    const user = await service.signUp();
    const [cookie = ''] = (await user.api.post('/auth/logout')).headers.getSetCookie();
    expect(cookie).toMatch(/^session=;/);
    expect(cookie).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/);
    expect(cookie).toMatch(/Path=\/(;|$)/);
  });

  it('keeps the other sessions of a user when one ends', async () => {
    const user = await service.signUp();
    const other = withCookie(null);
    await other.post('/auth/login', { email: user.email, password: user.password });
    await user.api.post('/auth/logout');
    expect((await other.get('/auth/me')).status).toBe(200);
  });

  it('ends a session after 7 days', async () => {
    const user = await service.signUp();
    clock.advance(7 * DAY_MS - 60_000);
    expect((await user.api.get('/auth/me')).status).toBe(200);
    clock.advance(61_000);
    expectProblem(await user.api.get('/auth/me'), 'unauthenticated');
  });

  it('never extends a session by a token with a later expiry', async () => {
    const user = await service.signUp();
    const token = signed({ ...payloadOf(user), exp: Math.floor((clock.now() + 30 * DAY_MS) / 1000) });
    expect((await withCookie(`session=${token}`).get('/auth/me')).status).toBe(200);
    clock.advance(8 * DAY_MS);
    expectProblem(await withCookie(`session=${token}`).get('/auth/me'), 'unauthenticated');
  });

  it.each<[string, (payload: Record<string, string | number>) => Promise<string> | string]>([
    ['without a signature (alg none)', (payload) => `${encoded({ alg: 'none' }, payload)}.`],
    ['signed with another secret', (payload) => signed(payload, 'another secret, which is as long as it')],
    [
      'for another user',
      async (payload) => signed({ ...payload, sub: toUuid('usr', (await service.signUp()).id) }),
    ],
    [
      'for a session that does not exist',
      (payload) => signed({ ...payload, sid: '0190a000-0000-7000-8000-000000000000' }),
    ],
    ['whose session is no UUID', (payload) => signed({ ...payload, sid: "' OR 1=1 --" })],
    ['without an end', ({ exp: _exp, ...payload }) => signed(payload)],
    ['that is no token', () => 'nonsense'],
    ['that is empty', () => ''],
  ])('refuses a session token %s', async (_what, forge) => {
    const user = await service.signUp();
    const token = await forge(payloadOf(user));
    expectProblem(await withCookie(`session=${token}`).get('/auth/me'), 'unauthenticated');
  });

  it('refuses a session token that was changed after signing', async () => {
    const [user, other] = [await service.signUp(), await service.signUp()];
    const [head, , signature] = (user.api.cookie ?? '').split('.');
    const payload = other.api.cookie?.split('.')[1];
    expectProblem(await withCookie(`${head}.${payload}.${signature}`).get('/auth/me'), 'unauthenticated');
  });

  it.each<[string, (good: string) => string, number]>([
    ['in front of', (good) => `session=tossed; ${good}`, 200],
    ['in front of and behind', (good) => `a=b; session=tossed;${good}; session=x`, 200],
    ['twice in front of', (good) => `session=tossed; session=again; ${good}`, 401],
  ])(
    'finds the session beside a cookie of the same name that a sibling domain has put %s it',
    async (_where, toss, status) => {
      const user = await service.signUp();
      const answer = await withCookie(toss(user.api.cookie ?? '')).get('/auth/me');
      expect(answer.status).toBe(status);
      if (status === 200) expect(answer.body.user.id).toBe(user.id);
    },
  );

  it('ends the oldest of 50 sessions of a user at a further login', async () => {
    const user = await service.signUp();
    const logIn = async () => {
      const client = withCookie(null);
      expect((await client.post('/auth/login', user)).status).toBe(200);
      return client;
    };
    const { pool } = service.database;
    const userId = toUuid('usr', user.id);
    const second = await logIn();
    await pool.query(
      `INSERT INTO sessions (id, user_id, created_at, expires_at)
        SELECT gen_random_uuid(), user_id, created_at + make_interval(secs => n), expires_at
        FROM (SELECT * FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1) AS newest, generate_series(1, 48) AS n`,
      [userId],
    );
    clock.advance(60_000);
    const last = await logIn();
    expectProblem(await user.api.get('/auth/me'), 'unauthenticated');
    expect((await second.get('/auth/me')).status).toBe(200);
    expect((await last.get('/auth/me')).status).toBe(200);
    const { rows } = await pool.query('SELECT id FROM sessions WHERE user_id = $1', [userId]);
    expect(rows).toHaveLength(50);
  });

  it('ends a session when its user is removed', async () => {
    const user = await service.signUp();
    await service.database.pool.query('DELETE FROM users WHERE email = $1', [user.email]);
    expectProblem(await user.api.get('/auth/me'), 'unauthenticated');
  });
});
