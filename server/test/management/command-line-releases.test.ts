import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';

const VERSION = encodeURIComponent('shop/web@1.0');

describe('a release of Sentry’s command line', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const token = await user.createToken('releases');
  const path = `/api/0/organizations/${user.organizationId}/releases`;

  it('says whose token the command line has', async () => {
    const { status, body } = await token.get('/api/0/');
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { email: user.email }, auth: { scopes: ['releases'] } });
  });

  it('records the deploy of a release in the projects that it was named for', async () => {
    const [shop, web, other] = [
      await user.createProject(),
      await user.createProject(),
      await user.createProject(),
    ];
    const projects = [shop.id, web.id];
    expect((await token.post(`${path}/`, { version: 'shop/web@1.0', projects })).status).toBe(201);
    expect((await token.put(`${path}/${VERSION}/`, { projects, dateReleased: 'now' })).status).toBe(200);
    const deploy = { environment: 'prod', name: null, url: null, dateStarted: null, dateFinished: null };
    const answer = await token.post(`${path}/${VERSION}/deploys/`, deploy);
    expect([answer.status, answer.body.environment]).toEqual([201, 'production']);
    // A repeat is the same deploy.
    expect((await token.post(`${path}/${VERSION}/deploys/`, deploy)).body.id).toBe(answer.body.id);
    for (const { id } of [shop, web])
      expect((await user.api.get(`/projects/${id}/deploys`)).body).toMatchObject([
        { release: 'shop/web@1.0', environment: 'production', userId: user.id },
      ]);
    expect((await user.api.get(`/projects/${other.id}/deploys`)).body).toEqual([]);
  });

  it('names a release at the address that sentry-cli 2 uses for a single project', async () => {
    const { id } = await user.createProject();
    const path = `/api/0/projects/${user.organizationId}/${id}/releases`;
    const { status } = await token.post(`${path}/`, { version: 'by version 2', projects: [id] });
    expect(status).toBe(201);
    const finalized = await token.put(`${path}/by%20version%202/`, { projects: [id], dateReleased: 'now' });
    expect([finalized.status, finalized.body.version]).toEqual([200, 'by version 2']);
  });

  it('refuses in words a deploy of a release that no project knows', async () => {
    const { status, body } = await token.post(`${path}/9.9/deploys/`, { environment: 'production' });
    expect([status, body.detail]).toEqual([404, expect.stringContaining('sentry-cli releases new 9.9')]);
  });

  it('answers the questions of set-commits, and keeps no commit', async () => {
    const organization = `/api/0/organizations/${user.organizationId}`;
    const reader = await user.createToken('releases');
    expect((await reader.get(`${organization}/repos/`)).body).toEqual([]);
    expect((await reader.get(`${path}/${VERSION}/previous-with-commits/`)).body).toEqual({});
    expect((await reader.put(`${path}/${VERSION}/`, { commits: [{ id: 'a' }] })).status).toBe(200);
  });

  it('refuses to name a release in another organization, and one for its projects', async () => {
    const stranger = await service.signUp();
    const { id } = await stranger.createProject();
    const body = { version: '1', projects: [id] };
    const theirs = `/api/0/organizations/${stranger.organizationId}/releases/`;
    expect((await token.post(theirs, body)).status).toBe(404);
    expect((await token.post(`${path}/`, body)).status).toBe(404);
  });
});
