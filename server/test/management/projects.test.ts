import { describe, expect, it } from 'vitest';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService } from '../support/service.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UNKNOWN = [
  'proj_01h455vb4pex5vsknk084sn02q',
  'org_01h455vb4pex5vsknk084sn02q',
  'nonsense',
  '%27',
  '%00',
];

describe('a project', async () => {
  const service = await startTestService();

  it('creates a project with all of its fields, and shows its first key once', async () => {
    const { api, organizationId } = await service.signUp();
    const answer = await api.post('/projects', { name: '  Shop ', environment: 'staging' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^proj_[0-9a-z]{26}$/),
      name: 'Shop',
      environment: 'staging',
      organizationId,
      groupPrefix: 'SHOP',
      formerGroupPrefixes: [],
      createdAt: TIME,
      number: expect.any(Number),
      scrubbing: { names: [], safe: [], off: [], personal: [] },
      retention: {},
      sampleAbove: null,
      apiKey: expect.stringMatching(/^tsn_live_\w{38}$/),
      dsn: expect.any(String),
    });
    const { apiKey: _key, dsn: _dsn, ...project } = answer.body;
    expect((await api.get(`/projects/${project.id}`)).body).toEqual(project);
    expect((await api.get('/projects')).body).toEqual([project]);
    expect((await api.get(`/projects/${project.id}/api-keys`)).body).toMatchObject([{ name: 'Default' }]);
  });

  it('numbers projects upwards, and gives no number of a deleted project again', async () => {
    const { api } = await service.signUp();
    const create = async () => (await api.post('/projects', { name: 'Shop' })).body;
    const [first, second] = [await create(), await create()];
    expect(second.number).toBeGreaterThan(first.number);
    await api.delete(`/projects/${second.id}`);
    expect((await create()).number).toBeGreaterThan(second.number);
  });

  it('puts the address of ingestion, key and number into the DSN of a new project and of a new key', async () => {
    const { api } = await service.signUp();
    const { body: about } = await api.get('/service');
    const { body: project } = await api.post('/projects', { name: 'Shop' });
    const dsnOf = (key: string) => `${about.ingestUrl.replace('//', `//${key}@`)}/${project.number}`;
    expect(project.dsn).toBe(dsnOf(project.apiKey));
    const { body: key } = await api.post(`/projects/${project.id}/api-keys`, {});
    expect(key.dsn).toBe(dsnOf(key.rawKey));
  });

  it('refuses to keep events for longer than the installation does', async () => {
    const { api } = await service.signUp();
    const { body: project } = await api.post('/projects', { name: 'Shop' });
    const { retentionDays } = (await api.get('/service')).body;
    const patch = (retention: object) => api.patch(`/projects/${project.id}`, { name: 'Store', retention });
    const refused = await patch({ info: retentionDays + 1, warn: 1, critical: 3_650 });
    expectInvalid(refused, '/retention/info', '/retention/critical');
    expect(refused.body.detail).toBe(
      `body/retention/info must be at most ${retentionDays}, the RETENTION_DAYS.`,
    );
    expect((await api.get(`/projects/${project.id}`)).body).toMatchObject({ name: 'Shop', retention: {} });
    expect((await patch({ info: retentionDays })).body).toMatchObject({ retention: { info: retentionDays } });
  });

  it('creates a production project by default', async () => {
    const { api } = await service.signUp();
    expect((await api.post('/projects', { name: 'Shop' })).body.environment).toBe('production');
  });

  it('changes the name and the environment of a project separately', async () => {
    const { api, createProject } = await service.signUp();
    const { id } = await createProject('Shop');
    const before = (await api.get(`/projects/${id}`)).body;
    const renamed = await api.patch(`/projects/${id}`, { name: ' Store ' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({ ...before, name: 'Store' });
    const moved = await api.patch(`/projects/${id}`, { environment: 'development' });
    expect(moved.body).toEqual({ ...before, name: 'Store', environment: 'development' });
    expect((await api.get(`/projects/${id}`)).body).toEqual(moved.body);
  });

  it('lets an OWNER alone change retention and samples, with tokens that have write and admin', async () => {
    const { owner, member } = await signUpPair(service);
    const { id } = await owner.createProject();
    const [writer, both] = [await owner.createToken('write'), await owner.createToken('write', 'admin')];
    for (const limits of [{ retention: { info: 1 } }, { sampleAbove: 100 }, { sampleAbove: null }]) {
      expectProblem(await member.api.patch(`/projects/${id}`, limits), 'forbidden');
      expectProblem(await writer.patch(`/projects/${id}`, limits), 'insufficient_scope');
      expect((await both.patch(`/projects/${id}`, limits)).body).toMatchObject(limits);
    }
    expect((await member.api.patch(`/projects/${id}`, { name: 'Store' })).body.name).toBe('Store');
    expect((await writer.patch(`/projects/${id}`, { name: 'Shop' })).body.name).toBe('Shop');
  });

  it('ignores fields of a project that clients may not set', async () => {
    const { api, createProject } = await service.signUp();
    const { id } = await createProject();
    const before = (await api.get(`/projects/${id}`)).body;
    const other = await service.signUp();
    const body = { organizationId: other.organizationId, id: 'proj_0', createdAt: null, deletedAt: 'now' };
    expect((await api.patch(`/projects/${id}`, body)).body).toEqual(before);
  });

  it('accepts a project name of 1 to 200 characters after trimming', async () => {
    const { api } = await service.signUp();
    for (const name of ['x', '  x  ', '𝔸'.repeat(200), ` ${'x'.repeat(200)} `, '0', '<b>&amp;</b>']) {
      const answer = await api.post('/projects', { name });
      expect(answer.status).toBe(201);
      expect(answer.body.name).toBe(name.trim());
    }
  });

  it.each([
    ['/name', 'that is missing', {}],
    ['/name', 'that is empty', { name: '' }],
    ['/name', 'of spaces', { name: ' \u3000\t' }],
    ['/name', 'of 201 characters', { name: 'x'.repeat(201) }],
    ['/name', 'that is a number', { name: 1 }],
    ['/name', 'that is an array', { name: ['x'] }],
    ['/environment', 'that is unknown', { name: 'x', environment: 'test' }],
    ['/environment', 'in upper case', { name: 'x', environment: 'PRODUCTION' }],
    ['/environment', 'that is null', { name: 'x', environment: null }],
  ])('refuses a project with a %s %s', async (pointer, _what, body) => {
    const { api, createProject } = await service.signUp();
    expectInvalid(await api.post('/projects', body), pointer);
    if (Object.keys(body).length === 0) return;
    const { id } = await createProject('Shop');
    expectProblem(await api.patch(`/projects/${id}`, body), 'validation_failed');
    expect((await api.get(`/projects/${id}`)).body.name).toBe('Shop');
  });

  it.each([
    ['null', 'null'],
    ['an array', '[]'],
    ['a text', '"x"'],
    ['a number', '5'],
    ['nothing', ''],
  ])('refuses to create a project if the body is %s', async (_what, body) => {
    const { api } = await service.signUp();
    const headers = { 'content-type': 'application/json' };
    expectProblem(await api.request('POST', '/projects', { body, headers }), 'validation_failed');
  });

  it('removes a deleted project from every list', async () => {
    const { api, createProject } = await service.signUp();
    const { id } = await createProject();
    expect(await api.delete(`/projects/${id}`)).toMatchObject({ status: 204, body: '' });
    expectProblem(await api.get(`/projects/${id}`), 'not_found');
    expectProblem(await api.delete(`/projects/${id}`), 'not_found');
    expect((await api.get('/projects')).body).toEqual([]);
  });

  it.each(UNKNOWN)('answers 404 for a project id such as %s', async (id) => {
    const { api } = await service.signUp();
    expectProblem(await api.get(`/projects/${id}`), 'not_found');
    expectProblem(await api.patch(`/projects/${id}`, { name: 'x' }), 'not_found');
    expectProblem(await api.delete(`/projects/${id}`), 'not_found');
    expectProblem(await api.get(`/projects/${id}/ledger`), 'not_found');
    expectProblem(await api.get(`/projects/${id}/api-keys`), 'not_found');
    expectProblem(await api.post(`/projects/${id}/api-keys`, { name: 'x' }), 'not_found');
  });
});
