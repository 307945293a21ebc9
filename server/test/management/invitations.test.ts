import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService, type TestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DAY_MS = 24 * 60 * 60_000;
const clock = new TestClock();
const lines: string[] = [];
const service = await startTestService({
  roles: ['management'],
  clock,
  environment: { PUBLIC_URL: 'https://tocsin.example.com', LOG_LEVEL: 'trace' },
  logDestination: { write: (line) => lines.push(line) },
});

const pathOf = (owner: TestUser) => `/organizations/${owner.organizationId}/invitations`;
const invite = (owner: TestUser, body: object = {}) => owner.api.post(pathOf(owner), body);
async function tokenOf(owner: TestUser, body: object = {}): Promise<string> {
  const answer = await invite(owner, body);
  expect(answer.status).toBe(201);
  return new URL(answer.body.url).hash.slice(1);
}
const accept = ({ api }: TestUser, invitation: string) => api.post('/invitations/accept', { invitation });
const lookUp = (invitation: string) =>
  new ApiClient(service.managementUrl).post('/invitations/lookup', { invitation });
const person = (changes: object = {}) => ({
  name: 'Grace Hopper',
  email: `${randomUUID()}@example.com`,
  password: 'correct horse',
  ...changes,
});
async function signUpWith(invitation: string, changes: object = {}, at: TestService = service) {
  const api = new ApiClient(at.managementUrl);
  return { api, answer: await api.post('/auth/signup', person({ invitation, ...changes })) };
}
const rolesOf = async ({ api }: TestUser) =>
  (await api.get('/organizations/members')).body.map(
    ({ role, user }: { role: string; user: { name: string } }) => `${user.name} ${role}`,
  );

describe('making an invitation', () => {
  it('returns the link of an invitation once, with the public address, and lists the invitation without it', async () => {
    const owner = await service.signUp('Ada');
    const answer = await invite(owner, { role: 'OWNER', email: ' Grace@Example.com ', expiresInDays: 3 });
    expect(answer.status).toBe(201);
    const record = {
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      role: 'OWNER',
      email: 'grace@example.com',
      createdBy: { id: owner.id, name: 'Ada' },
      createdAt: TIME,
      expiresAt: new Date(Date.parse(answer.body.createdAt) + 3 * DAY_MS).toISOString(),
    };
    const url = expect.stringMatching(/^https:\/\/tocsin\.example\.com\/app\/join#tsn_inv_[0-9A-Za-z]{38}$/);
    expect(answer.body).toEqual({ ...record, url, hint: null, mail: 'none' });
    expect((await owner.api.get(pathOf(owner))).body).toEqual([record]);
  });

  it('creates an invitation of a MEMBER with any address for 7 days by default', async () => {
    const { body } = await invite(await service.signUp());
    expect(body).toMatchObject({ role: 'MEMBER', email: null });
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(7 * DAY_MS);
  });

  it('takes the origin of invitation links from PUBLIC_URL, never from the request', async () => {
    const owner = await service.signUp();
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const { body } = await owner.api.post(pathOf(owner), {}, { headers });
    expect(new URL(body.url).origin).toBe('https://tocsin.example.com');
    const local = await startTestService({ roles: ['management'], database: service.database });
    owner.api = Object.assign(new ApiClient(local.managementUrl), { cookie: owner.api.cookie });
    const withoutUrl = await owner.api.post(pathOf(owner), {}, { headers });
    expect(withoutUrl.body.url).toMatch(/^\/app\/join#tsn_inv_\w{38}$/);
    expect(withoutUrl.body.hint).toContain('PUBLIC_URL');
    await local.stop();
  });

  it('stores no token, and writes none into the log or the audit log', async () => {
    const owner = await service.signUp();
    const token = await tokenOf(owner);
    await lookUp(token);
    await signUpWith(token);
    const { rows } = await service.database.pool.query('SELECT invitations::text AS text FROM invitations');
    expect(rows.some(({ text }) => text.includes(token.slice(8)))).toBe(false);
    expect(JSON.stringify((await owner.api.get('/organizations/audit')).body)).not.toContain(token.slice(8));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes(token.slice(8)))).toEqual([]);
  });

  it.each([
    [{ role: 'ADMIN' }, '/role'],
    [{ email: 'nobody' }, '/email'],
    [{ expiresInDays: 0 }, '/expiresInDays'],
    [{ expiresInDays: 31 }, '/expiresInDays'],
    [{ expiresInDays: 1.5 }, '/expiresInDays'],
    [{ expiresInDays: '3' }, '/expiresInDays'],
  ])('refuses an invitation with %j', async (body, pointer) => {
    expectInvalid(await invite(await service.signUp(), body), pointer);
  });

  it('lets only OWNERs of the organization make, list and revoke invitations', async () => {
    const [owner, stranger] = [await service.signUp(), await service.signUp()];
    const { id } = (await invite(owner)).body;
    const { api } = await signUpWith(await tokenOf(owner));
    for (const other of [api, stranger.api]) {
      expectProblem(await other.post(pathOf(owner), {}), 'forbidden');
      expectProblem(await other.get(pathOf(owner)), 'forbidden');
      expectProblem(await other.delete(`${pathOf(owner)}/${id}`), 'forbidden');
    }
    expectProblem(await stranger.api.delete(`${pathOf(stranger)}/${id}`), 'not_found');
    expect((await owner.api.get(pathOf(owner))).body).toMatchObject([{ id }]);
  });

  it('allows 100 open invitations of an organization', async () => {
    const owner = await service.signUp();
    for (let count = 0; count < 95; count++) expect((await invite(owner)).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 6 }, () => invite(owner)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const refused of answers.filter(({ status }) => status !== 201))
      expectProblem(refused, 'limit_reached');
    const [{ id }] = (await owner.api.get(pathOf(owner))).body;
    expect((await owner.api.delete(`${pathOf(owner)}/${id}`)).status).toBe(204);
    expect((await invite(owner)).status).toBe(201);
  });
});

describe('looking an invitation up', () => {
  it('describes an invitation to a client without a session, as often as asked', async () => {
    const owner = await service.signUp('Ada');
    const token = await tokenOf(owner, { email: 'grace@example.com' });
    for (let times = 0; times < 3; times++) {
      expect(await lookUp(token)).toMatchObject({
        status: 200,
        body: {
          organization: { name: 'Ada' },
          invitedBy: { name: 'Ada' },
          role: 'MEMBER',
          email: 'grace@example.com',
          expiresAt: TIME,
        },
      });
    }
    expect(await rolesOf(owner)).toEqual(['Ada OWNER']);
  });

  it('does not use up an invitation by the GET of a mail scanner', async () => {
    const owner = await service.signUp();
    const token = await tokenOf(owner);
    const client = new ApiClient(service.managementUrl);
    const page = await client.get('/app/join', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    for (const path of [`/invitations/${token}`, '/invitations/lookup', '/invitations/accept']) {
      expect([404, 405]).toContain((await client.get(path)).status);
      expect([404, 405]).toContain((await client.request('HEAD', path)).status);
    }
    expect((await lookUp(token)).status).toBe(200);
  });

  it.each(['', 'nonsense', `tsn_inv_${'0'.repeat(38)}`, 'tsn_inv_\u0000', `tsn_live_${'a'.repeat(38)}`])(
    'refuses the token %j',
    async (token) => {
      const answer = await lookUp(token);
      expect([400, 404]).toContain(answer.status);
      if (!token.includes('\u0000')) expectProblem(answer, 'invalid_invitation');
    },
  );

  it('refuses a client with too many lookups, but not another one', async () => {
    const token = await tokenOf(await service.signUp());
    const from = (address: string) =>
      new ApiClient(service.managementUrl).post(
        '/invitations/lookup',
        { invitation: token },
        { headers: { 'x-forwarded-for': address } },
      );
    const answers = await Promise.all(Array.from({ length: 70 }, () => from('203.0.113.9')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectProblem(answer, 'too_many_requests');
  });
});

describe('signing up with an invitation', () => {
  it('signs a user up into the organization of the invitation, and answers like any sign-up', async () => {
    const owner = await service.signUp('Ada');
    await owner.createProject('Shop');
    const before = await countOrganizations();
    const { api, answer } = await signUpWith(await tokenOf(owner));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      user: { id: expect.stringMatching(/^usr_/), name: 'Grace Hopper', email: expect.any(String) },
      organization: { id: owner.organizationId, name: 'Ada', plan: 'free' },
    });
    expect(await countOrganizations()).toBe(before);
    expect(await rolesOf(owner)).toEqual(['Ada OWNER', 'Grace Hopper MEMBER']);
    expect((await api.get('/projects')).body).toMatchObject([{ name: 'Shop' }]);
    expect((await owner.api.get(pathOf(owner))).body).toEqual([]);
    const [entry] = (await owner.api.get('/organizations/audit')).body;
    expect(entry).toMatchObject({
      action: 'account.signed_up',
      after: { role: 'MEMBER', invitationId: expect.stringMatching(/^inv_/) },
    });
  });

  it('creates no account for an invalid invitation', async () => {
    const owner = await service.signUp();
    const token = await tokenOf(owner);
    await signUpWith(token);
    const again = person({ invitation: token });
    expectProblem(
      await new ApiClient(service.managementUrl).post('/auth/signup', again),
      'invalid_invitation',
    );
    const login = await new ApiClient(service.managementUrl).post('/auth/login', again);
    expectProblem(login, 'invalid_credentials');
  });

  it('keeps an invitation open after a sign-up with a registered address', async () => {
    const owner = await service.signUp();
    const token = await tokenOf(owner);
    expectProblem((await signUpWith(token, { email: owner.email })).answer, 'email_taken');
    expect((await signUpWith(token)).answer.status).toBe(201);
  });

  it('accepts one of several concurrent sign-ups with the same invitation', async () => {
    const owner = await service.signUp();
    const token = await tokenOf(owner);
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => signUpWith(token)));
    expect(outcomes.map(({ answer }) => answer.status).toSorted((a, b) => a - b)).toEqual([
      201, 404, 404, 404, 404, 404,
    ]);
    expect(await rolesOf(owner)).toHaveLength(2);
  });

  it('refuses an address that an invitation is not bound to, and accepts any spelling of the right one', async () => {
    const email = `${randomUUID()}@example.com`;
    const token = await tokenOf(await service.signUp(), { email });
    expectProblem((await signUpWith(token)).answer, 'invitation_for_other');
    expect((await signUpWith(token, { email: ` ${email.toUpperCase()} ` })).answer.status).toBe(201);
  });
});

describe('accepting an invitation with a session', () => {
  it('moves a user who accepts an invitation, and removes the empty organization', async () => {
    const [owner, user] = [await service.signUp('Ada'), await service.signUp('Grace')];
    const socket = await openSocket(service.managementUrl, {
      cookie: user.api.cookie,
      origin: 'https://tocsin.example.com',
    });
    const before = await countOrganizations();
    const answer = await accept(user, await tokenOf(owner, { role: 'OWNER' }));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      role: 'OWNER',
      user: { id: user.id, name: 'Grace', email: user.email },
      createdAt: TIME,
      confirmedAt: TIME,
    });
    expect(await countOrganizations()).toBe(before - 1);
    expect((await user.api.get('/auth/me')).body.organization.id).toBe(owner.organizationId);
    expect(await socket.closed).toBe(1008);
    const [entry] = (await owner.api.get('/organizations/audit')).body;
    expect(entry).toMatchObject({ action: 'member.joined', user: { id: user.id }, after: { role: 'OWNER' } });
  });

  it('gives no access before an invitation is accepted', async () => {
    const [owner, user] = [await service.signUp(), await service.signUp()];
    const project = await owner.createProject();
    await tokenOf(owner, { email: user.email });
    expectProblem(await user.api.get(`/projects/${project.id}`), 'not_found');
    expect((await user.api.get('/projects')).body).toEqual([]);
  });

  it('names the projects that keep a user from joining, and leaves the invitation open', async () => {
    const [owner, user] = [await service.signUp(), await service.signUp('Grace')];
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await user.createProject(name);
    const token = await tokenOf(owner);
    const answer = await accept(user, token);
    expectProblem(answer, 'not_movable');
    expect(answer.body.detail).toContain('Grace, has projects: Five, Four, Three and 2 more.');
    for (const { id } of (await user.api.get('/projects')).body) await user.api.delete(`/projects/${id}`);
    expect((await accept(user, token)).status).toBe(200);
  });

  it('refuses to take a user out of an organization with other members', async () => {
    const [owner, user] = [await service.signUp(), await service.signUp()];
    const { api } = await signUpWith(await tokenOf(user));
    const answer = await accept(user, await tokenOf(owner));
    expectProblem(answer, 'not_movable');
    expect(answer.body.detail).toContain('other members');
    expectProblem(await api.post('/invitations/accept', { invitation: await tokenOf(owner) }), 'not_movable');
  });

  it('refuses an invitation of a member, and leaves it open', async () => {
    const owner = await service.signUp();
    const token = await tokenOf(owner);
    expectProblem(await accept(owner, token), 'already_member');
    expect((await lookUp(token)).status).toBe(200);
  });

  it('refuses a used, revoked or expired invitation, each with its reason', async () => {
    const [owner, user] = [await service.signUp(), await service.signUp()];
    const used = await tokenOf(owner);
    await signUpWith(used);
    const revoked = await invite(owner);
    await owner.api.delete(`${pathOf(owner)}/${revoked.body.id}`);
    const expired = await tokenOf(owner, { expiresInDays: 1 });
    clock.advance(DAY_MS);
    for (const [token, words] of [
      [used, 'has been used'],
      [new URL(revoked.body.url).hash.slice(1), 'revoked'],
      [expired, 'expired'],
    ] as const) {
      const answer = await accept(user, token);
      expectProblem(answer, 'invalid_invitation');
      expect(answer.body.detail).toContain(words);
      expectProblem(await lookUp(token), 'invalid_invitation');
      expectProblem((await signUpWith(token)).answer, 'invalid_invitation');
    }
    expectProblem(await owner.api.delete(`${pathOf(owner)}/${revoked.body.id}`), 'not_found');
    expect(
      (await owner.api.get('/organizations/audit')).body.map(({ action }: { action: string }) => action),
    ).toContain('invitation.revoked');
  });

  it('refuses an invitation of a user who is no OWNER of the organization any more', async () => {
    const [owner, second] = [await service.signUp(), await service.signUp()];
    await accept(second, await tokenOf(owner, { role: 'OWNER' }));
    second.organizationId = owner.organizationId;
    const token = await tokenOf(second, { role: 'OWNER' });
    const path = `/organizations/${owner.organizationId}/members/${second.id}`;
    await owner.api.patch(path, { role: 'MEMBER' });
    expectProblem(await lookUp(token), 'invalid_invitation');
    await owner.api.delete(path);
    expectProblem(await accept(second, token), 'invalid_invitation');
    expect((await owner.api.get(pathOf(owner))).body).toEqual([]);
  });

  it('refuses an invitation of a deleted organization', async () => {
    const [owner, user, other] = [await service.signUp(), await service.signUp(), await service.signUp()];
    const token = await tokenOf(owner);
    await accept(owner, await tokenOf(other));
    expectProblem(await accept(user, token), 'invalid_invitation');
  });

  it('refuses an invitation that is bound to another address', async () => {
    const [owner, user] = [await service.signUp(), await service.signUp()];
    const token = await tokenOf(owner, { email: 'grace@example.com' });
    expectProblem(await accept(user, token), 'invitation_for_other');
    expect((await lookUp(token)).status).toBe(200);
    const own = await tokenOf(owner, { email: user.email.toUpperCase() });
    expect((await accept(user, own)).status).toBe(200);
  });

  it('refuses to accept an invitation without a session or from another site', async () => {
    const [owner, user] = [await service.signUp(), await service.signUp()];
    const token = await tokenOf(owner);
    expectProblem(
      await new ApiClient(service.managementUrl).post('/invitations/accept', { invitation: token }),
      'unauthenticated',
    );
    const headers = { origin: 'https://evil.example' };
    expectProblem(
      await user.api.post('/invitations/accept', { invitation: token }, { headers }),
      'cross_origin',
    );
  });

  it('admits one of two users who accept an invitation at the same moment, without a deadlock', async () => {
    const owner = await service.signUp();
    const users = await Promise.all(Array.from({ length: 4 }, () => service.signUp()));
    const token = await tokenOf(owner);
    const answers = await Promise.all(users.map((user) => accept(user, token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404]);
    expect(await rolesOf(owner)).toHaveLength(2);
  });

  it('moves at most one of two users who accept each other’s invitations at the same moment', async () => {
    const [ada, grace] = [await service.signUp(), await service.signUp()];
    const [toAda, toGrace] = [await tokenOf(ada), await tokenOf(grace)];
    const answers = await Promise.all([accept(ada, toGrace), accept(grace, toAda)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 401, 404, 409].includes(status))).toBe(true);
  });

  it('keeps an expired invitation for 30 days, so that its link says so', async () => {
    const token = await tokenOf(await service.signUp(), { expiresInDays: 1 });
    clock.advance(20 * DAY_MS);
    await service.maintain();
    expect((await lookUp(token)).body.detail).toContain('expired');
    const { rows } = await service.database.pool.query('SELECT count(*) AS count FROM invitations');
    expect(Number(rows[0]?.count)).toBeGreaterThan(0);
  });
});

async function countOrganizations(): Promise<number> {
  const { rows } = await service.database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM organizations',
  );
  return rows[0]?.count ?? 0;
}
