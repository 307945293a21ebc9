import { describe, expect, it } from 'vitest';
import { longForm } from '../../server/test/support/test-length.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { XSS_TEXTS } from './support/hostile-texts.ts';
import { whenRead } from './support/navigate.ts';
import { watchedVisit } from './support/watch-safety.ts';

const LONG_MS = scaled(180_000);

const service = await startTestService();
const user = await service.signUp();

describe('the detection of injected code', () => {
  it('detects each breach that the tests below look for', async () => {
    const { page, open, found } = await watchedVisit(service, user);
    await open('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => {
      const place = document.createElement('div');
      document.body.append(place);
      place.innerHTML =
        '<img src="https://evil.example/x" onerror="reportExecution(1)"><a href="javascript:1">';
      place.append(Object.assign(document.createElement('script'), { textContent: 'reportExecution(2)' }));
      alert('reported');
    });
    for (const what of [
      'unexpected element: <img',
      'unexpected handler: <img',
      'leads elsewhere: <a',
      'unexpected element: <script',
      'refused by the policy: script-src-attr',
      'refused by the policy: script-src-elem',
      'refused by the policy: img-src',
      'executed: alert',
    ]) {
      await expect.poll(() => found.join('\n')).toContain(what);
    }
    expect(found.join('\n')).not.toMatch(/executed: [12]/);
  });
});

describe('an address from an untrusted sender', async () => {
  const inside = await watchedVisit(service, user);
  const outside = await watchedVisit(service, null);
  const SENT = XSS_TEXTS.filter((_, index) => index % 40 === 0);

  it(
    'reads an address as filters and ids, whatever it holds',
    async () => {
      const { page, go, start, end } = inside;
      start();
      const parts = 'type source correlation_id fingerprint q event project from to range status'.split(' ');
      for (const [index, text] of SENT.entries()) {
        const id = encodeURIComponent(text);
        const filters = parts.map((part) => `${part}=${id}`).join('&');
        const paths = [`/events?${filters}`, `/incidents/${id}`, `/projects/${id}`, `/${id}`, `/#${text}`];
        for (const [at, path] of paths.entries()) {
          // In the short form each path is loaded with one of the texts; the router opens it with the others.
          const isLoad = longForm || index === at % SENT.length;
          const answer = isLoad ? await page.goto(`/app${path}`) : null;
          // A path that looks like a file is no page: the server answers it itself.
          if (answer?.status() === 404) continue;
          if (!isLoad) await go(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
        }
      }
      await end();
    },
    LONG_MS,
  );

  it.each([
    ['javascript:reportExecution(1)', ''],
    ['//evil.example/', ''],
    ['https://evil.example/', ''],
    ['/\\evil.example/', ''],
    ['/\t/evil.example', ''],
    ['\u0001javascript:reportExecution(1)', ''],
    ['/%2F/evil.example', '/%2F/evil.example'],
  ])('does not lead elsewhere after the login (%s)', async (next, path) => {
    const { page, context, open, start, end } = outside;
    // The page of the former login must not connect without a session.
    await page.goto('about:blank');
    await context.clearCookies();
    start();
    await open(`/login?next=${encodeURIComponent(next)}`);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await whenRead(page, async () => {
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL(({ pathname }) => pathname !== '/app/login');
      await becomesLive(page);
    });
    expect(page.url().replace(/\/$/, '')).toBe(`${service.managementUrl}/app${path}`);
    await end();
  });
});

describe('the answers under /app/', () => {
  it('sends the strict policy with each answer under /app/', async () => {
    const { context } = await visit(service);
    const page = await (await context.request.get('/app/')).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '';
    const { ingestUrl } = (await (await service.signUp()).api.get('/service')).body;
    for (const path of ['/app/', '/app/events?q=x', '/app/incidents/inc_1', script]) {
      const headers = (await context.request.get(path)).headers();
      const policy = new Map(
        (headers['content-security-policy'] ?? '').split(';').map((directive) => {
          const [name = '', ...sources] = directive.trim().split(' ');
          return [name, sources.join(' ')];
        }),
      );
      expect(Object.fromEntries(policy), path).toMatchObject({
        'default-src': "'self'",
        'script-src': "'self'",
        'style-src': "'self'",
        // Pages send sample errors to ingestion.
        'connect-src': path === script ? "'self'" : `'self' ${ingestUrl}`,
        'object-src': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'form-action': "'self'",
      });
      expect(headers['x-content-type-options'], path).toBe('nosniff');
    }
  });

  it('sends no inline script and no inline style under /app/', async () => {
    const { context } = await visit(service);
    const html = await (await context.request.get('/app/')).text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
  });
});
