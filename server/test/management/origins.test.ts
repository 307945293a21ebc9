import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const PUBLIC = 'https://tocsin.example.com';

describe('a request from a page', async () => {
  const service = await startTestService({ roles: ['management'], environment: { PUBLIC_URL: PUBLIC } });
  const { api, email, password } = await service.signUp();
  const own = service.managementUrl;

  it.each<[string, Record<string, string>]>([
    ['of no origin (an SDK, curl)', {}],
    ['of its public address', { origin: PUBLIC }],
    ['of its public address, as browsers send it', { origin: PUBLIC, 'sec-fetch-site': 'same-origin' }],
    ['that a person opened', { 'sec-fetch-site': 'none' }],
  ])('accepts changes by a request %s', async (_what, headers) => {
    expect((await api.post('/projects', { name: 'Shop' }, { headers })).status).toBe(201);
  });

  it.each<[string, Record<string, string>]>([
    ['of another site', { origin: 'https://evil.example.com' }],
    ['of its public address without TLS', { origin: PUBLIC.replace('https', 'http') }],
    ['of the address that the request names as its own', { origin: own }],
    ['of another port', { origin: own.replace(/\d+$/, '1') }],
    ['of a name that begins with its own', { origin: `${PUBLIC}.evil.org` }],
    ['of a name that ends with its own', { origin: 'https://eviltocsin.example.com' }],
    ['of an opaque origin', { origin: 'null' }],
    ['of nonsense', { origin: 'nonsense' }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    [
      'that the browser calls cross-site, whatever its origin',
      { origin: PUBLIC, 'sec-fetch-site': 'cross-site' },
    ],
  ])('refuses changes by a request %s, and allows reads', async (_what, headers) => {
    const { id } = (await api.post('/projects', { name: 'Shop' })).body;
    expectProblem(await api.post('/projects', { name: 'Shop' }, { headers }), 'cross_origin');
    expectProblem(await api.patch(`/projects/${id}`, { name: 'x' }, { headers }), 'cross_origin');
    expectProblem(await api.delete(`/projects/${id}`, { headers }), 'cross_origin');
    expectProblem(await api.post('/auth/logout', undefined, { headers }), 'cross_origin');
    const client = new ApiClient(own);
    expectProblem(await client.post('/auth/login', { email, password }, { headers }), 'cross_origin');
    expect((await api.get('/projects', { headers })).status).toBe(200);
  });

  it('never permits a page of another site to read an answer', async () => {
    const { headers } = await api.get('/projects', { headers: { origin: 'https://evil.example.com' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a request from a page, where no public address is set,', async () => {
  const service = await startTestService();
  const { api } = await service.signUp();
  const own = service.managementUrl;
  const post = (origin: string) => api.post('/projects', { name: 'Shop' }, { headers: { origin } });

  it('accepts changes from the host of the request without a public address, whichever scheme a proxy uses', async () => {
    expect((await post(own)).status).toBe(201);
    expect((await post(own.replace('http', 'https'))).status).toBe(201);
    expectProblem(await post('https://evil.example.com'), 'cross_origin');
    expectProblem(await post('null'), 'cross_origin');
  });
});
