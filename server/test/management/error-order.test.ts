import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/roles/errors.ts';
import { ApiClient, type RequestOptions } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const TEXT = { 'content-type': 'text/plain' };
const JSON_TYPE = { 'content-type': 'application/json' };
const FOREIGN = { origin: 'https://evil.example.com' };
const HUGE = `{"plan":"pro","x":"${'x'.repeat(1024 * 1024)}"}`;

describe('where several refusals apply', async () => {
  const service = await startTestService();
  const owner = await service.signUp();
  const member = await service.signUp();
  const members = `/organizations/${owner.organizationId}/members`;
  await owner.api.post(members, { userId: member.id });
  const stranger = new ApiClient(service.managementUrl);

  /** Each request has the fault of its line and those of all lines below. */
  const lines: [ErrorCode, string, string, ApiClient, RequestOptions][] = [
    ['not_found', 'POST', '/nowhere', stranger, { headers: { ...TEXT, ...FOREIGN }, body: HUGE }],
    [
      'method_not_allowed',
      'PUT',
      '/organizations/me',
      stranger,
      { headers: { ...TEXT, ...FOREIGN }, body: HUGE },
    ],
    [
      'unauthenticated',
      'PATCH',
      '/organizations/me',
      stranger,
      { headers: { ...TEXT, ...FOREIGN }, body: HUGE },
    ],
    [
      'cross_origin',
      'PATCH',
      '/organizations/me',
      member.api,
      { headers: { ...TEXT, ...FOREIGN }, body: HUGE },
    ],
    ['unsupported_media_type', 'PATCH', '/organizations/me', member.api, { headers: TEXT, body: HUGE }],
    ['body_too_large', 'PATCH', '/organizations/me', member.api, { headers: JSON_TYPE, body: HUGE }],
    ['validation_failed', 'PATCH', '/organizations/me', member.api, { body: { plan: 'pro', name: '' } }],
    ['forbidden', 'PATCH', '/organizations/me', member.api, { body: { plan: 'pro' } }],
    ['validation_failed', 'PATCH', `${members}/${owner.id}`, member.api, { body: { role: 'owner' } }],
    ['forbidden', 'PATCH', `${members}/nobody`, member.api, { body: { role: 'MEMBER' } }],
    ['not_found', 'PATCH', `${members}/nobody`, owner.api, { body: { role: 'MEMBER' } }],
    ['last_owner', 'PATCH', `${members}/${owner.id}`, owner.api, { body: { role: 'MEMBER' } }],
  ];
  it.each(lines)('answers %s to %s %s', async (code, ...[method, path, client, options]) => {
    expectProblem(await client.request(method, path, options), code);
  });

  it('reports an unknown route before a bad key, and that before a missing session', async () => {
    const headers = { 'x-api-key': 'nonsense' };
    expectProblem(await stranger.get('/projects', { headers }), 'invalid_api_key');
    expectProblem(await stranger.get('/nowhere', { headers }), 'not_found');
    expectProblem(await stranger.request('PUT', '/projects', { headers }), 'method_not_allowed');
  });

  it('answers 401 before it looks for an id', async () => {
    for (const path of ['/projects/nonsense', '/events/nonsense', '/incidents/nonsense']) {
      expectProblem(await stranger.get(path), 'unauthenticated');
    }
  });

  it('answers 400 before 404 for the incident, and that before 409 for the change', async () => {
    expectProblem(await owner.api.patch('/incidents/nonsense', { status: 'shut' }), 'validation_failed');
    expectProblem(await owner.api.patch('/incidents/nonsense', { status: 'open' }), 'not_found');
  });
});

describe('a wrong method or address', async () => {
  const service = await startTestService();
  const { api } = await service.signUp();

  it.each([
    ['/auth/signup', 'POST'],
    ['/auth/login', 'POST'],
    ['/auth/logout', 'POST'],
    ['/auth/me', 'GET, HEAD, PATCH'],
    ['/organizations/me', 'GET, HEAD, PATCH'],
    ['/organizations/members', 'GET, HEAD'],
    ['/organizations/org_1/members', 'POST'],
    ['/organizations/org_1/members/usr_1', 'DELETE, PATCH'],
    ['/projects', 'GET, HEAD, POST'],
    ['/projects/proj_1', 'DELETE, GET, HEAD, PATCH'],
    ['/projects/proj_1/api-keys', 'GET, HEAD, POST'],
    ['/api-keys/key_1', 'DELETE'],
    ['/events', 'GET, HEAD'],
    ['/events/histogram', 'GET, HEAD'],
    ['/events/top', 'GET, HEAD'],
    ['/events/export', 'GET, HEAD'],
    ['/service', 'GET, HEAD'],
    ['/incidents', 'GET, HEAD, POST'],
    ['/incidents/inc_1/undo-resolve', 'POST'],
    ['/incidents/inc_1/notes?x=1', 'POST'],
    ['/livez', 'GET, HEAD'],
  ])('answers %s with 405 and the methods of the address: %s', async (path, allow) => {
    for (const method of ['PUT', 'OPTIONS']) {
      const answer = await api.request(method, path);
      expectProblem(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  it('answers 404 for an id that is too long', async () => {
    for (const path of [`/projects/${'x'.repeat(300)}`, `/projects/${'x'.repeat(300)}/api-keys`]) {
      expectProblem(await api.get(path), 'not_found');
    }
  });

  it.each([
    '/nowhere',
    '/projects/',
    '/Projects',
    '/projects/a/b',
    '/projects//api-keys',
    '/app/nothing.js',
    '/app/../../package.json',
    '/app/%2e%2e/%2e%2e/package.json',
    '/docs/%2e%2e%2findex.html',
    '/auth',
    '/.env',
  ])('answers 404 at %s', async (path) => {
    expectProblem(await api.get(path), 'not_found');
  });

  it('answers HEAD without a body and otherwise like GET', async () => {
    const found = await api.request('HEAD', '/projects');
    expect(found).toMatchObject({ status: 200, body: '' });
    expect((await api.request('HEAD', '/nowhere')).status).toBe(404);
    expect((await new ApiClient(service.managementUrl).request('HEAD', '/projects')).status).toBe(401);
  });
});
