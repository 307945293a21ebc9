import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isIngestionAddress } from '../../src/roles/single-port.ts';
import { atEnd } from '../support/at-end.ts';
import { ApiClient } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { envelopeOf } from './envelopes/support.ts';

/** Addresses that both services have, each its own. */
const OF_BOTH = /^\/(?:docs|healthz|livez|metrics|openapi\.json|readyz)(?:\/|$)/;

/** Starts a proxy that passes every request on to one address, which is set later. */
async function startProxy() {
  const target = { port: 0 };
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const upstream = sendRequest(
      { host: '127.0.0.1', port: target.port, method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { target, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('the service at one port', async () => {
  const { target, origin } = await startProxy();
  const service = await startTestService({ environment: { SINGLE_PORT: 'true', PUBLIC_URL: origin } });
  target.port = Number(new URL(service.managementUrl).port);
  const api = new ApiClient(origin);

  it('takes events and envelopes at the one address behind a proxy that serves the dashboard', async () => {
    const account = { name: 'Ada', email: 'ada@one-port.example', password: 'correct horse battery' };
    expect((await api.post('/auth/signup', account)).status).toBe(201);
    const { body: project } = await api.post('/projects', { name: 'Shop' });
    expect(project.dsn).toBe(`${origin.replace('//', `//${project.apiKey}@`)}/${project.number}`);
    const app = new ApiClient(origin, { 'x-api-key': project.apiKey });
    expect(
      (await app.post('/ingest/events', { type: 't', severity: 'INFO', message: 'native' })).status,
    ).toBe(202);
    const envelope = envelopeOf({}, [{ type: 'event' }, { message: 'of a client of Sentry' }]);
    const path = `/api/${project.number}/envelope/?sentry_key=${project.apiKey}`;
    expect((await new ApiClient(origin).post(path, envelope)).status).toBe(200);
    await waitFor('both events', async () => (await api.get('/events')).body.length === 2);
    expect((await api.get('/app/')).status).toBe(200);
    expect((await api.get('/api/0/')).body).toMatchObject({ user: { email: account.email } });
    expect((await api.get('/ingest/nothing')).body).toMatchObject({ status: 404 });
    for (const path of ['/batch', '/batch/?ip=1'])
      expect((await api.post(path)).body.detail).toContain('Events of PostHog are not taken');
  });

  it('passes on each address that ingestion has of its own, and none of the management API', async () => {
    const addressesOf = async (url: string) => {
      const { body } = await new ApiClient(url).get('/openapi.json');
      return Object.keys(body.paths).map((path) => path.replaceAll(/\{\w+\}/g, '7'));
    };
    for (const path of await addressesOf(service.ingestionUrl))
      expect([path, isIngestionAddress(path)]).toEqual([path, !OF_BOTH.test(path)]);
    for (const path of await addressesOf(service.managementUrl))
      expect([path, isIngestionAddress(path)]).toEqual([path, false]);
  });
});
