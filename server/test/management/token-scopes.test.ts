import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService({ roles: ['management'] });
const user = await service.signUp();
const { id: projectId } = await user.createProject();
const clientWith = async (...scopes: string[]) => {
  const { body } = await user.api.post('/tokens', { name: 'CI', scopes });
  return new ApiClient(service.managementUrl, { authorization: `Bearer ${body.token}` });
};
const [reader, writer, releaser, silencer] = [
  await clientWith('read'),
  await clientWith('write'),
  await clientWith('releases'),
  await clientWith('silences'),
];

interface Operation {
  security: Record<string, string[]>[];
}
const document = (await (await fetch(`${service.managementUrl}/openapi.json`)).json()) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    name: `${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`,
    scopes: security.flatMap(({ token }) => token ?? []),
    isPublic: security.length === 0,
  })),
);

/** What no token opens: with it a leaked token could make access that outlives it. */
const CLOSED = [
  'POST /auth/logout',
  'POST /auth/password',
  'GET /auth/sessions',
  'DELETE /auth/sessions/:id',
  'GET /auth/notices',
  'DELETE /auth/notices/:id',
  'POST /organizations/:orgId/members',
  'PATCH /organizations/:orgId/members/:userId',
  'DELETE /organizations/:orgId/members/:userId',
  'POST /organizations/me/leave',
  'POST /organizations/:orgId/stay',
  'GET /organizations/:orgId/invitations',
  'POST /organizations/:orgId/invitations',
  'DELETE /organizations/:orgId/invitations/:id',
  'POST /invitations/accept',
  'GET /tokens',
  'POST /tokens',
  'DELETE /tokens/:id',
  'GET /web-push/key',
  'GET /web-push/browsers',
  'POST /web-push/browsers',
  'POST /web-push/browsers/resume',
  'DELETE /web-push/browsers/:id',
  'POST /web-push/browsers/:id/test',
];

describe('the scopes of an access token', () => {
  it.each(CLOSED)('closes %s to every token', async (name) => {
    const [method = '', path = ''] = name.split(' ');
    const address = path
      .replace(':orgId', user.organizationId)
      .replace(':userId', user.id)
      .replace(':id', 'ses_01h455vb4pex5vsknk084sn02q');
    const all = await clientWith('read', 'write', 'releases', 'silences');
    expectProblem(await all.request(method, address), 'insufficient_scope');
    expect(operations.find((operation) => operation.name === name)?.scopes).toEqual([]);
  });

  it('closes what lies below logins, tokens, invitations, members and browsers, and opens every other route', () => {
    const below = /^\S+ \/((auth|tokens|invitations|web-push)\b|organizations\/(:orgId\/|me\/leave))/;
    const own: Record<string, number> = {
      'GET /auth/me': 4,
      'POST /projects/:id/deploys': 2,
      'POST /projects/:id/silences': 2,
      'POST /silences': 2,
      'DELETE /silences/:id': 2,
    };
    const known = operations.filter(({ isPublic }) => !isPublic);
    expect(known.length).toBeGreaterThan(50);
    for (const { name, scopes } of known) {
      const count = own[name];
      if (count) expect(scopes, name).toHaveLength(count);
      else if (below.test(name)) expect(scopes, name).toEqual([]);
      else expect(scopes, name).toEqual([name.startsWith('GET ') ? 'read' : 'write']);
    }
    const open = operations.filter(({ isPublic }) => isPublic).map(({ name }) => name);
    expect(open).toEqual(expect.arrayContaining(['POST /auth/signup', 'POST /auth/login']));
  });

  it('answers 403 to changes with a token that may only read, and changes nothing', async () => {
    const answer = await reader.patch(`/projects/${projectId}`, { name: 'Mine' });
    expectProblem(answer, 'insufficient_scope');
    expect(answer.body.detail).toContain('`write`');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="write"');
    expectProblem(await reader.delete(`/projects/${projectId}`), 'insufficient_scope');
    expectProblem(await reader.post('/projects', 'no JSON'), 'insufficient_scope');
    expect((await reader.get(`/projects/${projectId}`)).body.name).toBe('Shop');
  });

  it('answers 403 to reads with a token that may not read', async () => {
    for (const client of [writer, releaser, silencer])
      for (const path of ['/events', '/incidents', '/projects', '/organizations/members'])
        expectProblem(await client.get(path), 'insufficient_scope');
    expect((await writer.patch(`/projects/${projectId}`, { environment: 'staging' })).status).toBe(200);
  });

  it('tells every token whom it belongs to', async () => {
    for (const client of [reader, writer, releaser, silencer])
      expect((await client.get('/auth/me')).body.user.id).toBe(user.id);
  });

  it('records a deploy with a token of scope write or releases, and no other', async () => {
    const deploy = (client: ApiClient, release: string) =>
      client.post(`/projects/${projectId}/deploys`, { release });
    expect((await deploy(writer, '1.0.0')).status).toBe(201);
    expect((await deploy(releaser, '1.0.1')).body).toMatchObject({ release: '1.0.1', userId: user.id });
    expectProblem(await deploy(reader, '1.0.2'), 'insufficient_scope');
    expectProblem(await deploy(silencer, '1.0.2'), 'insufficient_scope');
    expectProblem(await releaser.patch(`/projects/${projectId}`, { name: 'Mine' }), 'insufficient_scope');
  });

  it('asks for the scope before the body and after the origin and the address', async () => {
    const headers = { origin: 'https://evil.example.com', cookie: 'a=b' };
    expectProblem(await reader.post('/projects', {}, { headers }), 'cross_origin');
    expectProblem(await reader.post('/nowhere', {}), 'not_found');
    expectProblem(await reader.put('/projects', {}), 'method_not_allowed');
  });
});
