import { describe, expect, it } from 'vitest';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const STRIPE_SECRET = 'whsec_0123456789abcdef';

describe('a hook', async () => {
  const service = await startTestService();
  const { pool } = service.database;

  async function setUp() {
    const user = await service.signUp();
    const project = await user.createProject();
    return { user, api: user.api, project, path: `/projects/${project.id}/hooks` };
  }

  it('shows its address once, and waits for its secret unless it is given or made', async () => {
    const { api, project, path } = await setUp();
    const answer = await api.post(path, { kind: 'stripe' });
    expect(answer.status).toBe(201);
    const { url, secret, ...hook } = answer.body;
    expect(secret).toBeNull();
    expect(url).toMatch(/\/hooks\/tsn_hook_[0-9A-Za-z]{38}$/);
    expect(hook).toEqual({
      id: expect.stringMatching(/^hook_[0-9a-z]{26}$/),
      projectId: project.id,
      kind: 'stripe',
      name: 'Stripe',
      prefix: url.split('/').at(-1).slice(0, 14),
      secretCount: 0,
      createdAt: TIME,
      lastUsedAt: null,
      lastRefusedAt: null,
      lastRefusal: null,
      restoredAt: null,
      madeByToken: null,
    });
    const github = (await api.post(path, { kind: 'github', name: ' CI ' })).body;
    expect(github).toMatchObject({
      secretCount: 1,
      name: 'CI',
      secret: expect.stringMatching(/^[\w-]{43}$/),
    });
    const given = (await api.post(path, { kind: 'github', secret: 'made at GitHub' })).body;
    expect(given).toMatchObject({ secretCount: 1, secret: null });
    const list = await api.get(path);
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual([given.id, github.id, hook.id]);
    expect(list.body[2]).toEqual(hook);
    expect(JSON.stringify(list.body)).not.toContain(url.slice(-20));
    expect(JSON.stringify(list.body)).not.toContain(github.secret);
  });

  it('takes one secret or two, and stores them encrypted', async () => {
    const { api, path } = await setUp();
    const { id } = (await api.post(path, { kind: 'stripe' })).body;
    expect((await api.patch(`${path}/${id}`, { secret: STRIPE_SECRET })).body.secretCount).toBe(1);
    const secrets = [STRIPE_SECRET, 'whsec_the_former_one'];
    const changed = await api.patch(`${path}/${id}`, { secrets, name: 'Shop' });
    expect(changed.body).toMatchObject({ secretCount: 2, name: 'Shop' });
    expect((await api.patch(`${path}/${id}`, { name: 'Other' })).body.secretCount).toBe(2);
    const { rows } = await pool.query(`SELECT string_agg(h::text, ' ') AS text FROM hooks h`);
    expect(rows[0].text).not.toMatch(/whsec_|former/);
    const audit = JSON.stringify((await api.get('/organizations/audit')).body);
    expect(audit).not.toMatch(/whsec_|former/);
    for (const part of ['hook.created', 'hook.changed', '"changedSecrets":true'])
      expect(audit).toContain(part);
  });

  it('refuses secrets that no sender has', async () => {
    const { api, path } = await setUp();
    expectInvalid(await api.post(path, { kind: 'standard', secret: 'whsec_no base64' }), '/secret');
    const key = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
    const weak = await api.post(path, { kind: 'standard', secret: key(23) });
    expectInvalid(weak, '/secret');
    expect(weak.body.detail).toBe(
      'body/secret must be base64 of at least 24 bytes, with or without `whsec_` in front.',
    );
    expect((await api.post(path, { kind: 'standard', secret: key(24) })).status).toBe(201);
    expectInvalid(await api.post(path, { kind: 'stripe', secret: 'short' }), '/secret');
    expectInvalid(await api.post(path, { kind: 'paypal' }), '/kind');
    const { id } = (await api.post(path, { kind: 'standard', secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }))
      .body;
    const both = { secret: STRIPE_SECRET, secrets: [STRIPE_SECRET] };
    expectInvalid(await api.patch(`${path}/${id}`, both), '/secrets');
    const second = { secrets: ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'not.base64'] };
    expectInvalid(await api.patch(`${path}/${id}`, second), '/secrets/1');
    const three = { secrets: [STRIPE_SECRET, STRIPE_SECRET, STRIPE_SECRET] };
    expectInvalid(await api.patch(`${path}/${id}`, three), '/secrets');
  });

  it('lists, counts and deletes a hook as a hook alone, and never as an API key', async () => {
    const { api, project, path } = await setUp();
    const { id } = (await api.post(path, { kind: 'stripe' })).body;
    const keys = `/projects/${project.id}/api-keys`;
    expect((await api.get(keys)).body).toHaveLength(1);
    expectProblem(await api.delete(`/api-keys/${id.replace('hook_', 'key_')}`), 'not_found');
    const [key] = (await api.get(keys)).body;
    expectProblem(await api.delete(`${path}/${key.id.replace('key_', 'hook_')}`), 'not_found');
    expect((await api.delete(`${path}/${id}`)).status).toBe(204);
    expectProblem(await api.delete(`${path}/${id}`), 'not_found');
    expectProblem(await api.patch(`${path}/${id}`, { name: 'Gone' }), 'not_found');
    expect((await api.get(path)).body).toEqual([]);
    expect((await api.get(keys)).body).toHaveLength(1);
  });

  it('refuses the 21st hook of a project', async () => {
    const { api, path } = await setUp();
    for (let count = 0; count < 20; count++)
      expect((await api.post(path, { kind: 'stripe' })).status).toBe(201);
    expectProblem(await api.post(path, { kind: 'stripe' }), 'limit_reached');
  });

  it('hides a hook from other organizations, and from other projects', async () => {
    const { api, path, user } = await setUp();
    const { id } = (await api.post(path, { kind: 'stripe' })).body;
    const stranger = await service.signUp();
    const other = await user.createProject('Other');
    const attempts = [
      await stranger.api.get(path),
      await stranger.api.post(path, { kind: 'stripe' }),
      await stranger.api.patch(`${path}/${id}`, { secret: STRIPE_SECRET }),
      await stranger.api.delete(`${path}/${id}`),
      await api.patch(`/projects/${other.id}/hooks/${id}`, { secret: STRIPE_SECRET }),
      await api.delete(`/projects/${other.id}/hooks/${id}`),
    ];
    for (const attempt of attempts) expectProblem(attempt, 'not_found');
    expect((await api.get(path)).body).toMatchObject([{ id, secretCount: 0 }]);
  });
});
