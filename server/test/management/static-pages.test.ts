import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

/** Policy without inline scripts and styles, eval, other hosts and surrounding frames. */
const STRICT =
  "default-src 'self';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
  "object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'";

describe('the pages', async () => {
  const service = await startTestService();
  const visitor = new ApiClient(service.managementUrl);
  const addressesIn = (html: string) =>
    [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address]) => address ?? '');

  it.each([
    ['/', '/app/'],
    ['/app', '/app/'],
    ['/docs', '/docs/'],
  ])('redirects from %s to %s', async (from, to) => {
    const { status, headers } = await visitor.get(from);
    expect(status).toBe(302);
    expect(headers.get('location')).toBe(to);
  });

  it.each(['/', '/livez', '/auth/me', '/nowhere', '/openapi.json'])(
    'serves the pages at %s with exactly the strict policy',
    async (path) => {
      const { headers } = await visitor.get(path);
      expect(headers.get('content-security-policy')).toBe(STRICT);
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it("lets the dashboard's pages send to the ingestion port besides, and to no other host", async () => {
    const { headers } = await visitor.get('/app/');
    const host = new URL(service.managementUrl).hostname;
    // The port is the one that was configured: 0 here, any free one.
    expect(headers.get('content-security-policy')).toBe(
      STRICT.replace("connect-src 'self'", `$& http://${host}:0`),
    );
  });

  it('serves the pages of the dashboard and all their files without a session', async () => {
    const page = await visitor.get('/app/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.body).not.toMatch(/<script>|<style|\son\w+=|javascript:|https?:\/\//);
    const own = addressesIn(page.body).filter((address) => address.startsWith('/app/'));
    expect(own.length).toBeGreaterThan(0);
    for (const address of own) expect((await visitor.get(address)).status, address).toBe(200);
    expectProblem(await visitor.get('/app/missing.js'), 'not_found');
  });

  it('serves the API reference without any other host', async () => {
    const page = await visitor.get('/docs/reference/');
    expect(page.status).toBe(200);
    expect(page.body).not.toMatch(/https?:\/\//);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe|unsafe-eval/);
    for (const address of addressesIn(page.body).filter((text) => /^\/./.test(text) && text !== '/docs/')) {
      const { status, headers } = await visitor.get(address);
      expect(status, address).toBe(200);
      expect(headers.get('content-type'), address).toMatch(/javascript|css|svg/);
    }
    const program = (await visitor.get('/docs/reference/reference.js')).body;
    expect(program).not.toMatch(/https?:\/\//);
    expect(program).toContain("showDeveloperTools: 'never'");
  });

  it('begins the documentation with a token, a call, pages, errors and webhooks, and leads to the reference', async () => {
    const page = await visitor.get('/docs/');
    expect(page.status).toBe(200);
    const parts = [...page.body.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id);
    expect(parts).toEqual(['token', 'call', 'send', 'pages', 'errors', 'webhooks']);
    const addresses = addressesIn(page.body);
    expect(addresses).toContain('/docs/reference/');
    for (const address of addresses.filter((text) => text !== 'data:,')) {
      expect(address).toMatch(/^\/[^/]/);
      expect((await visitor.get(address)).status, address).toBe(200);
    }
  });

  it('names the address of the page in its examples to a user who is not logged in', async () => {
    const program = (await visitor.get('/docs/start.js')).body;
    const elements = new Map(['api', 'ingest'].map((name) => [name, { textContent: 'http://localhost' }]));
    runInNewContext(program, {
      location: { origin: 'https://tocsin.example' },
      localStorage: { getItem: () => null },
      fetch: async () => ({ ok: false }),
      document: {
        addEventListener: (_type: string, run: () => void) => run(),
        querySelectorAll: (selector: string) => [elements.get(/"(\w+)"/.exec(selector)?.[1] ?? '')],
      },
    });
    expect([...elements.values()].map(({ textContent }) => textContent)).toEqual([
      'https://tocsin.example',
      'http://localhost',
    ]);
  });

  it('leads from the documentation to the reference on the port of ingestion, which has no dashboard', async () => {
    const { status, headers } = await new ApiClient(service.ingestionUrl).get('/docs/');
    expect([status, headers.get('location')]).toEqual([302, '/docs/reference/']);
  });

  it('serves an API reference whose document names this API', async () => {
    const { status, body } = await visitor.get('/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths).toHaveProperty('/organizations/{orgId}/members');
  });
});
