import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { registerDashboard } from '../../src/roles/dashboard-files.ts';
import { atEnd } from '../support/at-end.ts';
import { ApiClient } from '../support/client.ts';
import { createTestApp } from '../support/http-app.ts';
import { expectProblem } from '../support/problems.ts';

const PAGE = '<!doctype html><title>Dashboard</title>';
const PROGRAM = `console.log(${JSON.stringify('A program. '.repeat(1000))});`;

describe('the dashboard', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-dashboard-'));
  const built = path.join(directory, 'dist');
  await mkdir(path.join(built, 'assets'), { recursive: true });
  await writeFile(path.join(directory, 'secret.txt'), 'secret');
  await writeFile(path.join(built, '.hidden.txt'), 'secret');
  await writeFile(path.join(built, 'index.html'), PAGE);
  await writeFile(path.join(built, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(path.join(built, 'assets/index-a1B2.js'), PROGRAM);
  await writeFile(path.join(built, 'assets/index-a1B2.js.br'), brotliCompressSync(PROGRAM));
  await writeFile(path.join(built, 'assets/late-c3D4.js'), PROGRAM);
  const visitor = await serve(built);

  it('sends a no-referrer policy with the pages of links that carry a secret', async () => {
    for (const address of ['/app/join', '/app/reset']) {
      const { status, headers } = await visitor.get(address, { headers: { accept: 'text/html' } });
      expect(status).toBe(200);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it.each([
    '/app/',
    '/app/incidents',
    '/app/incidents/inc_01h455vb4pex5vsknk084sn02q?x=a.b',
    '/app/index.html',
  ])('answers %s with its page, which must be revalidated each time', async (address) => {
    for (const accept of ['text/html,application/xhtml+xml;q=0.9', '*/*']) {
      const { status, headers, body } = await visitor.get(address, { headers: { accept } });
      expect({ status, body }).toEqual({ status: 200, body: PAGE });
      expect(headers.get('content-type')).toMatch(/^text\/html/);
      expect(headers.get('cache-control')).toBe('no-cache');
    }
  });

  it.each(['/app/assets/index-a1B2.js', '/app/assets/late-c3D4.js'])(
    'allows %s to be cached forever, compressed or not',
    async (address) => {
      for (const [accepted, sent] of [
        ['br', address.includes('index') ? 'br' : null],
        ['gzip', 'gzip'],
        ['identity', null],
      ] as const) {
        // Unlike the client, `fetch` unpacks what it receives.
        const answer = await fetch(visitor.baseUrl + address, { headers: { 'accept-encoding': accepted } });
        const { status, headers } = answer;
        expect({ status, body: await answer.text() }).toEqual({ status: 200, body: PROGRAM });
        expect(headers.get('content-encoding')).toBe(sent);
        expect(headers.get('content-type')).toMatch(/^(?:text|application)\/javascript/);
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(headers.get('vary')).toMatch(/accept-encoding/i);
      }
    },
  );

  it('serves the other files of the dashboard without long caching', async () => {
    const { status, headers } = await visitor.get('/app/favicon.svg');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('cache-control')).toBe('public, max-age=0');
  });

  it.each([
    '/app/assets/gone-e5F6.js',
    '/app/nothing.js',
    '/app/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/app/%2e%2e%2fsecret.txt',
    '/app/..%5csecret.txt',
    '/app/.hidden.txt',
    '/app/assets/index-a1B2.js%00.html',
  ])('answers 404 below the dashboard at %s', async (address) => {
    expectProblem(await visitor.get(address, { headers: { accept: 'text/html' } }), 'not_found');
  });

  it('serves the page of the dashboard only to requests that accept HTML', async () => {
    const answer = await visitor.get('/app/incidents', { headers: { accept: 'application/json' } });
    expectProblem(answer, 'not_found');
  });

  it('serves a small page in place of a dashboard that was not built', async () => {
    const elsewhere = await serve(path.join(directory, 'nowhere'));
    const page = await elsewhere.get('/app/');
    expect(page.status).toBe(200);
    expect(page.body).toContain('The service is running.');
    expectProblem(await elsewhere.get('/app/incidents'), 'not_found');
  });

  async function serve(place: string): Promise<ApiClient> {
    const app = await createTestApp({ compressResponses: true });
    await registerDashboard(app, () => 'http://localhost:4100', place);
    return new ApiClient(
      `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0, portVariable: 'PORT' })}`,
    );
  }

  atEnd(() => rm(directory, { recursive: true }));
});
