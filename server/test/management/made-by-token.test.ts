import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const service = await startTestService({
  own: true,
  environment: { ENCRYPTION_KEY: 'a-key-of-tests-that-encrypts-nothing-real' },
});

async function tokenOf(user: TestUser, name: string, ...scopes: string[]) {
  const { body } = await user.api.post('/tokens', { name, scopes });
  return {
    id: body.id,
    api: new ApiClient(service.managementUrl, { authorization: `Bearer ${body.token}` }),
  };
}
const webhook = { kind: 'webhook', name: 'Hook', config: { url: 'https://hooks.example.com/1' } };

describe('what an access token makes', () => {
  it('refuses to a token that may only write what outlives it, although its user may make it', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const { api } = await tokenOf(user, 'Leaked', 'write');
    const target = (await user.api.post('/notification-targets', webhook)).body;
    const jobs = `/projects/${projectId}/schedules`;
    const job = (await user.api.post(jobs, { slug: 'nightly', intervalSeconds: 3_600 })).body;
    const refused = [
      await api.post('/projects', { name: 'Mine' }),
      await api.post(`/projects/${projectId}/api-keys`, { name: 'Mine' }),
      await api.post('/notification-targets', webhook),
      await api.patch(`/notification-targets/${target.id}`, { config: { url: 'https://evil.example.com/' } }),
      await api.post('/notification-routes', { targetId: target.id }),
      await api.post(jobs, { slug: 'mine', intervalSeconds: 3_600 }),
      await api.post(`${jobs}/${job.id}/ping-url`),
    ];
    for (const answer of refused) expectProblem(answer, 'insufficient_scope');
    expect((await user.api.get(`/projects/${projectId}/api-keys`)).body).toHaveLength(1);
    expect((await user.api.get('/notification-targets')).body).toHaveLength(1);
  });

  it('names the token that created something in lists, also after it was revoked, and none for a login', async () => {
    const user = await service.signUp();
    const { id, api } = await tokenOf(user, 'Set-up', 'admin');
    const { id: projectId } = (await api.post('/projects', { name: 'Shop' })).body;
    await api.post(`/projects/${projectId}/api-keys`, { name: 'By the token' });
    await user.api.post(`/projects/${projectId}/api-keys`, { name: 'By a login' });
    const target = (await api.post('/notification-targets', webhook)).body;
    const route = (await api.post('/notification-routes', { targetId: target.id })).body;
    const jobs = `/projects/${projectId}/schedules`;
    const job = (await api.post(jobs, { slug: 'nightly', intervalSeconds: 3_600 })).body;
    const madeByToken = { id, name: 'Set-up' };
    for (const made of [target, route, job]) expect(made).toMatchObject({ madeByToken });
    await user.api.delete(`/tokens/${id}`);
    const keys: { name: string; madeByToken: unknown }[] = (
      await user.api.get(`/projects/${projectId}/api-keys`)
    ).body;
    expect(keys.map(({ name, madeByToken: maker }) => [name, maker])).toEqual([
      ['By a login', null],
      ['By the token', madeByToken],
      ['Default', madeByToken],
    ]);
    for (const list of ['/notification-targets', '/notification-routes', jobs])
      expect((await user.api.get(list)).body, list).toMatchObject([{ madeByToken }]);
  });

  it('names the token that set an address last', async () => {
    const user = await service.signUp();
    const { id, api } = await tokenOf(user, 'Set-up', 'admin');
    const madeByToken = { id, name: 'Set-up' };
    const target = (await user.api.post('/notification-targets', webhook)).body;
    const path = `/notification-targets/${target.id}`;
    expect((await api.patch(path, { name: 'Renamed' })).body).toMatchObject({ madeByToken: null });
    const config = { url: 'https://hooks.example.com/2' };
    expect((await api.patch(path, { config })).body).toMatchObject({ madeByToken });
    expect((await user.api.patch(path, { name: 'Hook' })).body).toMatchObject({ madeByToken });
    expect((await user.api.patch(path, { config })).body).toMatchObject({ madeByToken: null });
    const { id: projectId } = await user.createProject();
    const jobs = `/projects/${projectId}/schedules`;
    const job = (await user.api.post(jobs, { slug: 'nightly', intervalSeconds: 3_600 })).body;
    expect(job.madeByToken).toBeNull();
    await api.post(`${jobs}/${job.id}/ping-url`);
    expect((await user.api.get(jobs)).body).toMatchObject([{ madeByToken }]);
  });
});
