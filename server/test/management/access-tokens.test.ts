import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/database/database.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { hashSecret } from '../../src/tenancy/secret-format.ts';
import { generateToken } from '../../src/tenancy/tokens/token-format.ts';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { openSocket, tryHandshake } from '../support/sockets.ts';
import { scaled } from '../support/time-scale.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DAY_MS = 24 * 60 * 60_000;
const clock = new TestClock();
const lines: string[] = [];
const service = await startTestService({
  roles: ['management', 'ingestion', 'worker'],
  clock,
  environment: { LOG_LEVEL: 'trace' },
  logDestination: { write: (line) => lines.push(line) },
});
const second = await startTestService({ roles: ['management'], database: service.database, clock });

const everything = { name: 'CI', scopes: ['read', 'write', 'admin'] };
async function createToken(user: TestUser, fields: object = {}): Promise<{ id: string; token: string }> {
  const { status, body } = await user.api.post('/tokens', { ...everything, ...fields });
  expect(status).toBe(201);
  return body;
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const clientOf = (token: string, url = service.managementUrl) => new ApiClient(url, bearer(token));
const join = async (owner: TestUser, member: TestUser) => {
  const path = `/organizations/${owner.organizationId}/members`;
  expect((await owner.api.post(path, { userId: member.id })).status).toBe(201);
  return `${path}/${member.id}`;
};

describe('an access token', () => {
  it('shows an access token once, and lists its name, scopes and uses', async () => {
    const [user, stranger] = [await service.signUp(), await service.signUp()];
    await createToken(stranger);
    const { status, body } = await user.api.post('/tokens', { name: '  CI ', scopes: ['read'] });
    expect(status).toBe(201);
    const { token, ...metadata } = body;
    expect(token).toMatch(/^tsn_pat_[0-9A-Za-z]{38}$/);
    expect(metadata).toEqual({
      id: expect.stringMatching(/^tok_[0-9a-z]{26}$/),
      name: 'CI',
      prefix: token.slice(0, 13),
      scopes: ['read'],
      createdAt: TIME,
      expiresAt: new Date(Date.parse(body.createdAt) + 90 * DAY_MS).toISOString(),
      lastUsedAt: null,
    });
    const forEver = await createToken(user, { expiresInDays: null });
    const list = await user.api.get('/tokens');
    expect(list.body).toMatchObject([{ id: forEver.id, expiresAt: null }, metadata]);
    expect(JSON.stringify(list.body)).not.toContain(token.slice(0, 14));
  });

  it('stores the SHA-256 of an access token alone, and neither logs nor audits the token', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user);
    await clientOf(token).get('/projects');
    await clientOf(`${token}x`).get('/projects');
    await clientOf(token).get(`/projects?access_token=${token}`);
    const { rows } = await service.database.pool.query<{ text: string }>(
      'SELECT row_to_json(t)::text AS text FROM access_tokens t UNION ALL SELECT row_to_json(a)::text FROM audit_log a',
    );
    const stored = [...rows.map(({ text }) => text), ...lines].join('\n');
    expect(stored).toContain(hashSecret(token).toString('hex'));
    expect(stored).not.toContain(token.slice(8, 20));
  });

  it.each<[object, string]>([
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['owner'] }, '/scopes/0'],
    [{ scopes: ['read', 'read'] }, '/scopes'],
    [{ scopes: 'read' }, '/scopes'],
    [{ scopes: undefined }, '/scopes'],
    [{ expiresInDays: 0 }, '/expiresInDays'],
    [{ expiresInDays: 367 }, '/expiresInDays'],
    [{ expiresInDays: 1.5 }, '/expiresInDays'],
    [{ expiresInDays: '90' }, '/expiresInDays'],
  ])('refuses to create an access token of %j', async (fields, pointer) => {
    const { api } = await service.signUp();
    expectInvalid(await api.post('/tokens', { ...everything, ...fields }), pointer);
  });

  it('limits a user to 50 access tokens, even if several are created at once', async () => {
    const user = await service.signUp();
    const answers = await Promise.all(Array.from({ length: 55 }, () => user.api.post('/tokens', everything)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expectProblem(answer, 'limit_reached');
    const [{ id }] = (await user.api.get('/tokens')).body;
    await user.api.delete(`/tokens/${id}`);
    await createToken(user);
  });

  it('acts for its user in the organization, with the scheme in any case', async () => {
    const user = await service.signUp('Ada');
    const { token } = await createToken(user);
    const program = clientOf(token);
    expect((await program.get('/auth/me')).body.user.id).toBe(user.id);
    const { id } = (await program.post('/projects', { name: 'Shop' })).body;
    expect((await user.api.get(`/projects/${id}`)).status).toBe(200);
    const headers = { authorization: `bearer  ${token} ` };
    expect((await new ApiClient(service.managementUrl).get('/projects', { headers })).status).toBe(200);
    const [entry] = (await user.api.get('/organizations/audit')).body;
    expect(entry).toMatchObject({ action: 'project.created', user: { id: user.id } });
  });

  it('names an access token beside its user in the audit log, also once it is revoked', async () => {
    const user = await service.signUp('Ada');
    const { id, token } = await createToken(user, { name: 'Provisioning' });
    const { id: projectId } = (await user.api.post('/projects', { name: 'Shop' })).body;
    const program = clientOf(token);
    expect((await program.post(`/projects/${projectId}/api-keys`, { name: 'Made' })).status).toBe(201);
    const config = { url: 'https://example.com/hook' };
    const target = { kind: 'webhook', name: 'Made', config };
    expect((await program.post('/notification-targets', target)).status).toBe(201);
    await user.api.delete(`/tokens/${id}`);
    const { body } = await user.api.get('/organizations/audit');
    const made = { user: { id: user.id, name: 'Ada' }, token: { id, name: 'Provisioning' } };
    expect(body.slice(0, 4)).toMatchObject([
      { action: 'token.revoked', token: null },
      { action: 'notification_target.created', ...made },
      { action: 'api_key.created', ...made },
      { action: 'project.created', token: null },
    ]);
  });

  it('never shows what belongs to another organization', async () => {
    const [user, stranger] = [await service.signUp(), await service.signUp()];
    const { id } = await stranger.createProject();
    const { token } = await createToken(user);
    expectProblem(await clientOf(token).get(`/projects/${id}`), 'not_found');
    expect((await clientOf(token).get('/projects')).body).toEqual([]);
  });

  it('records the last use to the minute', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user);
    const lastUse = async () => (await user.api.get('/tokens')).body[0].lastUsedAt;
    await clientOf(token).get('/projects');
    const first = await lastUse();
    expect(first).toEqual(TIME);
    await clientOf(token).get('/projects');
    expect(await lastUse()).toBe(first);
    clock.advance(61_000);
    await clientOf(token).get('/projects');
    expect(Date.parse(await lastUse()) - Date.parse(first)).toBeGreaterThan(60_000);
  });
});

describe('a bad access token', () => {
  it.each<[string, (token: string) => string]>([
    ['of a wrong checksum', (token) => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
    ['that was never created', () => generateToken().token],
    ['that is an API key', () => `tsn_live_${'0'.repeat(38)}`],
    ['that is empty', () => ''],
    ['that is nonsense', () => 'nonsense'],
    ['with something after it', (token) => `${token} ${token}`],
  ])('answers 401 to a token %s, even beside a good cookie', async (_what, change) => {
    const user = await service.signUp();
    const headers = bearer(change((await createToken(user)).token));
    for (const client of [user.api, new ApiClient(service.managementUrl)]) {
      const answer = await client.get('/projects', { headers });
      expectProblem(answer, 'invalid_token');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    expect((await user.api.get('/projects')).status).toBe(200);
  });

  it('ignores another authorization scheme, which may be for a proxy in front of the service', async () => {
    const user = await service.signUp();
    const headers = { authorization: 'Basic YTpi' };
    expect((await user.api.get('/projects', { headers })).status).toBe(200);
    expectProblem(
      await new ApiClient(service.managementUrl).get('/projects', { headers }),
      'unauthenticated',
    );
  });

  it('refuses a token in the address and says where it belongs', async () => {
    const { token } = await createToken(await service.signUp());
    const answer = await new ApiClient(service.managementUrl).get(`/projects?access_token=${token}`);
    expectProblem(answer, 'invalid_token');
    expect(answer.body.detail).toContain('Authorization');
    expect(await tryHandshake(service.managementUrl, { query: `?token=${token}` })).toBe(401);
  });

  it('refuses an expired token, lists it for a week, and then forgets it', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user, { expiresInDays: 1 });
    clock.advance(DAY_MS + 1);
    expectProblem(await clientOf(token).get('/projects'), 'invalid_token');
    await service.maintain();
    expect((await user.api.get('/tokens')).body).toHaveLength(1);
    clock.advance(6 * DAY_MS);
    const again = new ApiClient(service.managementUrl);
    await again.post('/auth/login', { email: user.email, password: user.password });
    await service.maintain();
    clock.advance(DAY_MS);
    await again.post('/auth/login', { email: user.email, password: user.password });
    await service.maintain();
    expect((await again.get('/tokens')).body).toEqual([]);
  });

  it('refuses a revoked token in every process, from the first request after the answer', async () => {
    const user = await service.signUp();
    for (let round = 0; round < 10; round++) {
      const { id, token } = await createToken(user);
      const clients = [clientOf(token), clientOf(token, second.managementUrl)];
      for (const client of clients) expect((await client.get('/projects')).status).toBe(200);
      expect(await user.api.delete(`/tokens/${id}`)).toMatchObject({ status: 204, body: '' });
      for (const client of clients) expectProblem(await client.get('/projects'), 'invalid_token');
      expectProblem(await user.api.delete(`/tokens/${id}`), 'not_found');
    }
  });

  it('lets users revoke only their own tokens', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    await join(owner, member);
    const { id, token } = await createToken(member);
    expectProblem(await owner.api.delete(`/tokens/${id}`), 'not_found');
    expectProblem(await owner.api.delete('/tokens/nonsense'), 'not_found');
    expect((await clientOf(token).get('/projects')).status).toBe(200);
  });
});

describe('the access token of a user who leaves', () => {
  it('refuses the token of a removed user, also when the user comes back', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    const path = await join(owner, member);
    const { token } = await createToken(member);
    expect((await owner.api.delete(path)).status).toBe(204);
    expectProblem(await clientOf(token).get('/projects'), 'invalid_token');
    expectProblem(await clientOf(token, second.managementUrl).get('/projects'), 'invalid_token');
    expect((await member.api.get('/tokens')).body).toEqual([]);
    await join(owner, member);
    expectProblem(await clientOf(token).get('/projects'), 'invalid_token');
    expect((await member.api.get('/tokens')).body).toEqual([]);
  });

  it('refuses the tokens of a user who moved or left', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    const { token } = await createToken(member);
    await join(owner, member);
    expectProblem(await clientOf(token).get('/projects'), 'invalid_token');
    const within = await createToken(member);
    await member.api.post('/organizations/me/leave');
    expectProblem(await clientOf(within.token).get('/projects'), 'invalid_token');
    await service.maintain();
    const { rows } = await service.database.pool.query('SELECT FROM access_tokens WHERE user_id IS NULL');
    expect(rows).toEqual([]);
  });

  it('ends a token that is created while its user is removed', async () => {
    const owner = await service.signUp();
    for (let round = 0; round < 10; round++) {
      const member = await service.signUp();
      const path = await join(owner, member);
      const [created] = await Promise.all([member.api.post('/tokens', everything), owner.api.delete(path)]);
      await join(owner, member);
      // A token that was created after the removal belongs to the organization in between.
      if (created.status === 201)
        expectProblem(await clientOf(created.body.token).get('/projects'), 'invalid_token');
    }
  });

  it('applies the role of the user at each request', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    const path = await join(owner, member);
    const { token } = await createToken(member);
    expectProblem(await clientOf(token).get('/organizations/audit'), 'forbidden');
    await owner.api.patch(path, { role: 'OWNER' });
    expect((await clientOf(token).get('/organizations/audit')).status).toBe(200);
  });

  it('keeps tokens when the password is changed or the sessions end', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user);
    await user.api.post('/auth/password', { current: user.password, new: 'another password' });
    await user.api.post('/auth/logout');
    expect((await clientOf(token).get('/projects')).status).toBe(200);
  });

  it('deletes the tokens of a user whose membership is deleted', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user);
    await inTransaction({ pool: service.database.pool, clock }, (transaction) =>
      transaction.query('DELETE FROM members WHERE user_id = $1', [toUuid('usr', user.id)]),
    );
    expectProblem(await clientOf(token).get('/projects'), 'invalid_token');
  });
});

describe('an access token beside other credentials', () => {
  it('acts for the user of the token if the cookie belongs to another user', async () => {
    const [user, other] = [await service.signUp('Ada'), await service.signUp('Grace')];
    const { token } = await createToken(user);
    expect((await other.api.get('/auth/me', { headers: bearer(token) })).body.user.id).toBe(user.id);
  });

  it('refuses an invalid API key even beside a good token', async () => {
    const { token } = await createToken(await service.signUp());
    const headers = { 'x-api-key': 'nonsense' };
    expectProblem(await clientOf(token).get('/projects', { headers }), 'invalid_api_key');
  });

  it('checks the origin of a request with a token only if it carries a cookie', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user);
    const headers = { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' };
    const create = (client: ApiClient, more = {}) =>
      client.post('/projects', { name: 'Shop' }, { headers: { ...headers, ...more } });
    expect((await create(clientOf(token))).status).toBe(201);
    expectProblem(await create(user.api, bearer(token)), 'cross_origin');
    expectProblem(await create(clientOf(token), { cookie: 'session=' }), 'cross_origin');
  });
});

describe('the WebSocket of an access token', () => {
  it('accepts a token in the header of the WebSocket, and sends incidents of its organization', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user, { scopes: ['read'] });
    const socket = await openSocket(service.managementUrl, { headers: bearer(token) });
    const { id: projectId } = await user.createProject();
    await user.openIncident(projectId);
    expect(await socket.received(1)).toMatchObject([{ event: 'incident_created' }]);
  });

  it('refuses the handshake of a bad token, and of one that may not read', async () => {
    const user = await service.signUp();
    const { token } = await createToken(user, { scopes: ['releases'] });
    expect(await tryHandshake(service.managementUrl, { headers: bearer(token) })).toBe(403);
    expect(await tryHandshake(service.managementUrl, { headers: bearer(`${token}x`) })).toBe(401);
    const beside = { cookie: user.api.cookie, headers: bearer('nonsense') };
    expect(await tryHandshake(service.managementUrl, beside)).toBe(401);
  });

  it('closes the WebSockets of a revoked token in every process, and no others', async () => {
    const user = await service.signUp();
    const [revoked, kept] = [await createToken(user), await createToken(user)];
    const here = await openSocket(service.managementUrl, { headers: bearer(revoked.token) });
    const there = await openSocket(second.managementUrl, { headers: bearer(revoked.token) });
    const other = await openSocket(service.managementUrl, { headers: bearer(kept.token) });
    await user.api.delete(`/tokens/${revoked.id}`);
    expect(await here.closed).toBe(1008);
    expect(await there.closed).toBe(1008);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  it(
    'closes a WebSocket when its token expires, without another connection or a notification',
    async () => {
      const user = await service.signUp();
      const [ending, kept] = [await createToken(user), await createToken(user)];
      // Time enough for the handshake on a busy machine.
      const end = new Date(clock.now() + 5_000);
      await service.database.pool.query('UPDATE access_tokens SET expires_at = $2 WHERE hash = $1', [
        hashSecret(ending.token),
        end,
      ]);
      const socket = await openSocket(service.managementUrl, { headers: bearer(ending.token) });
      const other = await openSocket(service.managementUrl, { headers: bearer(kept.token) });
      expect(await socket.closed).toBe(1008);
      const lateMs = clock.now() - end.getTime();
      expect(lateMs).toBeGreaterThanOrEqual(0);
      // All clients are checked 30 seconds after the handshake, 25 after the end, without knowing of it.
      expect(lateMs).toBeLessThan(20_000);
      expect(other.socket.readyState).toBe(other.socket.OPEN);
    },
    scaled(40_000),
  );

  it('closes a WebSocket when the user of its token is removed', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    const path = await join(owner, member);
    const { token } = await createToken(member);
    const socket = await openSocket(second.managementUrl, { headers: bearer(token) });
    await owner.api.delete(path);
    expect(await socket.closed).toBe(1008);
  });
});
