import { describe, expect, it } from 'vitest';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('an organization', async () => {
  const service = await startTestService();

  it('shows an organization with all of its fields', async () => {
    const user = await service.signUp('Ada');
    const answer = await user.api.get('/organizations/me');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: user.organizationId, name: 'Ada', plan: 'free', createdAt: TIME });
  });

  it.each([
    ['an escape', 'Ada\u001b[2J'],
    ['a line break', 'Ada\nLovelace'],
    ['a C1 control character', 'Ada\u009b2J'],
    ['a turned direction of writing', 'Ada\u202egnp.exe'],
    ['an isolate', 'Ada\u2066Lovelace'],
    ['a mark of direction', 'Ada\u200fLovelace'],
  ])('refuses an organization name with %s in it', async (_what, name) => {
    const { api } = await service.signUp('Ada');
    expectInvalid(await api.patch('/organizations/me', { name }), '/name');
  });

  it.each(['محمد', 'עדה', '👩‍🚀 Ada', 'A\u0301da'])(
    'accepts an organization name in any script: %s',
    async (name) => {
      const { api } = await service.signUp('Ada');
      expect((await api.patch('/organizations/me', { name: `\n${name}\t` })).body.name).toBe(name);
    },
  );

  it('changes name and plan, each alone or both, and returns the result', async () => {
    const { api } = await service.signUp('Ada');
    expect((await api.patch('/organizations/me', { name: '  Engines ' })).body).toMatchObject({
      name: 'Engines',
      plan: 'free',
    });
    expect((await api.patch('/organizations/me', { plan: 'pro' })).body).toMatchObject({
      name: 'Engines',
      plan: 'pro',
    });
    const both = await api.patch('/organizations/me', { name: 'Looms', plan: 'enterprise' });
    expect(both.status).toBe(200);
    expect((await api.get('/organizations/me')).body).toEqual(both.body);
    expect((await api.get('/auth/me')).body.organization).toMatchObject({
      name: 'Looms',
      plan: 'enterprise',
    });
  });

  it('changes nothing for a body without known fields', async () => {
    const user = await service.signUp('Ada');
    const before = (await user.api.get('/organizations/me')).body;
    const answer = await user.api.patch('/organizations/me', {
      id: 'org_0',
      createdAt: 'never',
      role: 'OWNER',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(before);
  });

  it.each([
    ['/name', { name: '' }],
    ['/name', { name: '   ' }],
    ['/name', { name: null }],
    ['/plan', { plan: 'gold' }],
    ['/plan', { plan: 'FREE' }],
    ['/plan', { name: 'A name', plan: null }],
  ])('reports %s as the fault of %j', async (pointer, body) => {
    const { api } = await service.signUp('Ada');
    expectInvalid(await api.patch('/organizations/me', body), pointer);
    expect((await api.get('/organizations/me')).body).toMatchObject({ name: 'Ada', plan: 'free' });
  });

  it('lets a MEMBER rename the organization, and only OWNERs change its plan', async () => {
    const owner = await service.signUp('Ada');
    const member = await owner.addMember('Grace Hopper');
    expect((await member.api.patch('/organizations/me', { name: 'Ours' })).body.name).toBe('Ours');
    expectProblem(await member.api.patch('/organizations/me', { plan: 'pro' }), 'forbidden');
    expectProblem(await member.api.patch('/organizations/me', { name: 'Mine', plan: 'free' }), 'forbidden');
    expect((await owner.api.get('/organizations/me')).body).toMatchObject({ name: 'Ours', plan: 'free' });
  });

  it('lists members with profile, role and the time of joining', async () => {
    const owner = await service.signUp('Ada');
    const member = await owner.addMember('Grace Hopper');
    const expected = [
      {
        role: 'OWNER',
        user: { id: owner.id, name: 'Ada', email: owner.email },
        createdAt: TIME,
        confirmedAt: TIME,
      },
      {
        role: 'MEMBER',
        user: { id: member.id, name: 'Grace Hopper', email: member.email },
        createdAt: TIME,
        confirmedAt: null,
      },
    ];
    for (const { api } of [owner, member]) {
      const answer = await api.get('/organizations/members');
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(expected);
    }
  });

  it('lets a MEMBER do everything else: projects, keys, incidents', async () => {
    const owner = await service.signUp('Ada');
    const member = await owner.addMember('Grace Hopper');
    const { body: project } = await member.api.post('/projects', { name: 'Shop' });
    expect(project.organizationId).toBe(owner.organizationId);
    expect((await member.api.post(`/projects/${project.id}/api-keys`, { name: 'CI' })).status).toBe(201);
    const incident = { title: 'Down', severity: 'error', projectId: project.id };
    expect((await member.api.post('/incidents', incident)).status).toBe(201);
    expect((await member.api.delete(`/projects/${project.id}`)).status).toBe(204);
  });
});
