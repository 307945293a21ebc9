import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const user = await service.signUp();
const { id: projectId } = await user.createProject();
const [reader, writer, admin, releaser, silencer] = [
  await user.createToken('read'),
  await user.createToken('write'),
  await user.createToken('admin'),
  await user.createToken('releases'),
  await user.createToken('silences'),
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

/** Routes that are closed to every token: a leaked token could create access that outlives it. */
const CLOSED = [
  'POST /auth/logout',
  'PATCH /auth/me',
  'POST /auth/email',
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
    const all = await user.createToken('read', 'write', 'admin', 'releases', 'silences');
    expectProblem(await all.request(method, address), 'insufficient_scope');
    expect(operations.find((operation) => operation.name === name)?.scopes).toEqual([]);
  });

  it('opens each route to the scopes of its kind, and to no other token', async () => {
    const below = /^\S+ \/((auth|tokens|invitations|web-push)\b|organizations\/(:orgId\/|me\/leave))/;
    const own: Record<string, string[]> = {
      'GET /api/0/': ['read', 'releases', 'write'],
      'GET /auth/me': ['admin', 'read', 'releases', 'silences', 'write'],
      'POST /projects/:id/deploys': ['releases', 'write'],
      'POST /projects/:id/silences': ['silences', 'write'],
      'POST /projects/:id/risk/rule-preview': ['read'],
      'POST /silences': ['silences', 'write'],
      'DELETE /silences/:id': ['silences', 'write'],
    };
    const makesWhatStays =
      /^(POST \/projects|POST \/projects\/:id\/schedules|\S+ \S*\/(api-keys|hooks|ping-url|erasures|notification-(targets|routes))(\/\S*)?|PATCH \S*\/quotas?)$/;
    const expectedScopes = (name: string): string[] => {
      if (own[name]) return own[name];
      if (below.test(name)) return [];
      // A command line of Sentry's has one token for all that it does.
      if (name.includes(' /api/0/')) return ['releases', 'write'];
      if (name.startsWith('GET ')) return ['read'];
      return makesWhatStays.test(name) ? ['admin'] : ['write'];
    };
    const clients = { read: reader, write: writer, admin, releases: releaser, silences: silencer };
    const known = operations.filter(({ isPublic }) => !isPublic);
    expect(known.length).toBeGreaterThan(50);
    for (const { name, scopes } of known) {
      const expected = expectedScopes(name);
      expect(scopes.toSorted(), name).toEqual(expected);
      const [method = '', path = ''] = name.split(' ');
      const address = path.replaceAll(/:\w+/g, 'ses_01h455vb4pex5vsknk084sn02q');
      const taken: string[] = [];
      for (const [scope, client] of Object.entries(clients)) {
        const { body } = await client.request(method, address);
        if (body.code !== 'insufficient_scope') taken.push(scope);
      }
      expect(taken.toSorted(), name).toEqual(expected);
    }
    const open = operations.filter(({ isPublic }) => isPublic).map(({ name }) => name);
    expect(open).toEqual(expect.arrayContaining(['POST /auth/signup', 'POST /auth/login']));
  });

  it('refuses changes by a token that may only read with 403', async () => {
    const answer = await reader.patch(`/projects/${projectId}`, { name: 'Mine' });
    expectProblem(answer, 'insufficient_scope');
    expect(answer.body.detail).toContain('`write`');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="write"');
    expectProblem(await reader.delete(`/projects/${projectId}`), 'insufficient_scope');
    expectProblem(await reader.patch(`/projects/${projectId}`, 'no JSON'), 'insufficient_scope');
    expect((await reader.get(`/projects/${projectId}`)).body.name).toBe('Shop');
  });

  it('answers 403 to reads with a token that may not read', async () => {
    for (const client of [writer, admin, releaser, silencer])
      for (const path of ['/events', '/incidents', '/projects', '/organizations/members'])
        expectProblem(await client.get(path), 'insufficient_scope');
    expect((await writer.patch(`/projects/${projectId}`, { environment: 'staging' })).status).toBe(200);
  });

  it('lets every token read its own user', async () => {
    for (const client of [reader, writer, admin, releaser, silencer])
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

  it('checks the scope after the origin and the address, and before the body', async () => {
    const headers = { origin: 'https://evil.example.com', cookie: 'a=b' };
    expectProblem(await reader.post('/projects', {}, { headers }), 'cross_origin');
    expectProblem(await reader.post('/nowhere', {}), 'not_found');
    expectProblem(await reader.put('/projects', {}), 'method_not_allowed');
  });
});
