import { describe, expect, it } from 'vitest';
import { type Answer, readPages } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('the audit log', async () => {
  const service = await startTestService();
  const logOf = async (user: TestUser) => (await user.api.get('/organizations/audit')).body;

  it('writes exactly one audit row for each change of every kind', async () => {
    const owner = await service.signUp('Ada');
    const guest = await service.signUp('Grace');
    const { api, organizationId } = owner;
    const members = `/organizations/${organizationId}/members`;
    const expected: [string, string][] = [];
    const change = async (action: string, targetId: string, answer: Promise<Answer>) => {
      const { status, body } = await answer;
      expect(status).toBeLessThan(300);
      expected.unshift([action, targetId || body.id]);
      return body;
    };
    expected.unshift(['account.signed_up', owner.id]);
    await change('organization.changed', organizationId, api.patch('/organizations/me', { name: 'Engines' }));
    await change('organization.changed', organizationId, api.patch('/organizations/me', { plan: 'pro' }));
    await change('member.added', guest.id, api.post(members, { userId: guest.id }));
    await change('member.role_changed', guest.id, api.patch(`${members}/${guest.id}`, { role: 'OWNER' }));
    const project = await change('project.created', '', api.post('/projects', { name: 'Shop' }));
    await change('project.changed', '', api.patch(`/projects/${project.id}`, { environment: 'staging' }));
    const risk = `/projects/${project.id}/risk`;
    await change('project.risk_changed', project.id, api.put(risk, { newKinds: false }));
    const key = await change('api_key.created', '', api.post(`/projects/${project.id}/api-keys`, {}));
    await change('api_key.revoked', key.id, api.delete(`/api-keys/${key.id}`));
    const token = await change('token.created', '', api.post('/tokens', { name: 'CI', scopes: ['read'] }));
    await change('token.revoked', token.id, api.delete(`/tokens/${token.id}`));
    const incident = await change(
      'incident.created',
      '',
      api.post('/incidents', { title: 'Down', severity: 'error', projectId: project.id }),
    );
    await change('incident.changed', '', api.patch(`/incidents/${incident.id}`, { status: 'resolved' }));
    await change('incident.note_added', '', api.post(`/incidents/${incident.id}/notes`, { note: 'A note' }));
    await change('project.deleted', project.id, api.delete(`/projects/${project.id}`));
    await change('member.removed', guest.id, api.delete(`${members}/${guest.id}`));
    await change('account.renamed', owner.id, api.patch('/auth/me', { name: 'Ada Lovelace' }));
    await change('account.renamed', owner.id, api.patch('/auth/me', { name: 'Ada' }));
    const password = { current: owner.password, new: 'another password' };
    await change('account.password_changed', owner.id, api.post('/auth/password', password));

    const log = await logOf(owner);
    expect(log.map((row: { action: string; targetId: string }) => [row.action, row.targetId])).toEqual(
      expected,
    );
    for (const row of log) {
      expect(row).toMatchObject({ user: { id: owner.id, name: 'Ada' }, createdAt: TIME });
      expect(row.id).toMatch(/^aud_[0-9a-z]{26}$/);
    }
  });

  it('records the values before and after a change', async () => {
    const owner = await service.signUp('Ada');
    await owner.api.patch('/organizations/me', { name: 'Engines' });
    expect((await logOf(owner))[0]).toMatchObject({
      before: { name: 'Ada', plan: 'free' },
      after: { name: 'Engines', plan: 'free' },
    });
  });

  it('writes no audit row for reads, refusals and changes without effect', async () => {
    const owner = await service.signUp('Ada');
    const { id } = await owner.createProject('Shop');
    const incident = { title: 'Down', severity: 'error', projectId: id };
    const { body } = await owner.api.post('/incidents', incident);
    const before = await logOf(owner);
    await owner.api.patch('/organizations/me', { name: ' Ada ', plan: 'free' });
    await owner.api.patch(`/projects/${id}`, { name: 'Shop', environment: 'production' });
    await owner.api.patch(`/incidents/${body.id}`, { status: 'open', title: 'Down', severity: 'error' });
    await owner.api.patch(`/organizations/${owner.organizationId}/members/${owner.id}`, { role: 'OWNER' });
    await owner.api.patch(`/organizations/${owner.organizationId}/members/${owner.id}`, { role: 'MEMBER' });
    await owner.api.patch('/auth/me', { name: ' Ada ' });
    await owner.api.post('/projects', { name: '' });
    await owner.api.post('/incidents', { ...incident, projectId: 'proj_01h455vb4pex5vsknk084sn02q' });
    await owner.api.delete('/api-keys/key_01h455vb4pex5vsknk084sn02q');
    await owner.api.post('/auth/password', { current: 'wrong', new: 'a new password' });
    expect(await logOf(owner)).toEqual(before);
  });

  it('writes no password, key or token into the audit log', async () => {
    const owner = await service.signUp('Ada');
    const { id, apiKey } = await owner.createProject();
    const { rawKey } = (await owner.api.post(`/projects/${id}/api-keys`, { name: 'CI' })).body;
    await owner.api.post('/auth/password', { current: owner.password, new: 'an unheard-of password' });
    const { rows } = await service.database.pool.query<{ text: string }>(
      'SELECT row_to_json(audit_log)::text AS text FROM audit_log',
    );
    const text = rows.map((row) => row.text).join('\n');
    for (const secret of [owner.password, 'unheard-of', apiKey, rawKey, owner.api.cookie ?? '', '$argon2']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/tsn_live_\w{6}/);
  });

  it('shows the audit log only to OWNERs of the organization', async () => {
    const [owner, stranger] = [await service.signUp(), await service.signUp()];
    const member = await owner.addMember();
    expectProblem(await member.api.get('/organizations/audit'), 'forbidden');
    expectProblem(await member.api.get('/organizations/audit?limit=0'), 'validation_failed');
    expect(JSON.stringify(await logOf(stranger))).not.toContain(owner.id);
  });

  it('pages the audit log like events', async () => {
    const owner = await service.signUp('Ada');
    for (let index = 0; index < 12; index++) await owner.createProject(`Project ${index}`);
    const pages = (await readPages(owner.api, '/organizations/audit?limit=5')).map(({ body }) => body);
    expect(pages.map((page) => page.length)).toEqual([5, 5, 3]);
    expect(pages.flat()).toEqual(await logOf(owner));
    for (const query of ['limit=0', 'limit=-1', 'limit=abc', 'limit=1.5', 'cursor=x']) {
      expectProblem(await owner.api.get(`/organizations/audit?${query}`), 'validation_failed');
    }
  });
});
