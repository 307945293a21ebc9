import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startTestService } from '../support/service.ts';

describe('an answer', async () => {
  const service = await startTestService();
  const secure = await startTestService({
    roles: ['management'],
    database: service.database,
    environment: { PUBLIC_URL: 'https://tocsin.example.com' },
  });
  const user = await service.signUp();
  const { id, ingest } = await user.createProject();
  const anEvent = { type: 't', severity: 'INFO', message: 'm' };

  it('forbids caching and type sniffing of API answers', async () => {
    const answers = [
      await user.api.get('/auth/me'),
      await user.api.post(`/projects/${id}/api-keys`, { name: 'x' }),
      await user.api.post('/projects', {}),
      await user.api.get('/nothing'),
      await user.api.get('/projects/%zz'),
      await user.api.get('/livez'),
      await new ApiClient(service.managementUrl).get('/auth/me'),
      await ingest.post('/ingest/events', anEvent),
      await ingest.post('/ingest/events', anEvent, { headers: { 'idempotency-key': '1' } }),
      await ingest.post('/ingest/bulk', [anEvent]),
      await ingest.post('/ingest/events', {}),
      await ingest.get('/nothing'),
    ];
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('compresses a long answer of the API for a client that takes it, and for no other', async () => {
    for (let count = 0; count < 5; count++) await user.createProject();
    const { cookie } = user.api;
    const [plain, compressed] = await Promise.all(
      ['identity', 'gzip'].map(async (coding) => {
        const headers = { 'accept-encoding': coding, ...(cookie && { cookie }) };
        const answer = await fetch(`${service.managementUrl}/projects`, { headers });
        return { coding: answer.headers.get('content-encoding') ?? 'identity', body: await answer.json() };
      }),
    );
    expect(compressed?.coding).toBe('gzip');
    expect(plain?.coding).toBe('identity');
    expect(compressed?.body).toEqual(plain?.body);
  });

  it('allows caching of files', async () => {
    for (const url of [service.managementUrl, service.ingestionUrl]) {
      const { status, headers } = await new ApiClient(url).get('/docs/reference/');
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=0');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each([
    '/docs/%00',
    '/docs/.%2e/',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/bundle/%00',
    '/docs/..%2f..%2fpackage.json',
    '/docs/.git/config',
    '/docs/nothing.js',
    '/app/.%2e/index.html',
  ])('answers 400 or 404 to a path that is no file: %s', async (path) => {
    for (const url of [service.managementUrl, service.ingestionUrl]) {
      const { host } = new URL(url);
      const answer = await sendRaw(url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close']);
      expect([400, 404]).toContain(answer.status);
      expect(JSON.parse(answer.body)).toMatchObject({ status: answer.status });
    }
  });

  it.each([
    ['Range', 'bytes=99999999-', 'range_not_satisfiable'],
    ['If-Match', '"nothing"', 'precondition_failed'],
    ['If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT', 'precondition_failed'],
  ] as const)('refuses a file request with an impossible %s', async (name, value, code) => {
    for (const path of ['/docs/', '/docs/reference/', '/docs/start.js']) {
      const answer = await new ApiClient(service.managementUrl).get(path, { headers: { [name]: value } });
      expectProblem(answer, code);
    }
  });

  it('sends Strict-Transport-Security only if the public address is https', async () => {
    expect((await user.api.get('/auth/me')).headers.get('strict-transport-security')).toBeNull();
    for (const path of ['/app/', '/auth/me', '/nothing']) {
      const { headers } = await new ApiClient(secure.managementUrl).get(path);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
      expect(headers.get('permissions-policy')).toMatch(/\bcamera=\(\)/);
    }
  });
});
