import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../server/test/support/time-scale.ts';
import { startTestService, type TestUser, type Visit, visit, visitOfFile } from './support/browser.ts';
import { HOSTILE_TEXTS, XSS_TEXTS } from './support/hostile-texts.ts';
import { goTo, PLACES } from './support/places.ts';
import { HOSTILE_NAMES, isAccepted, MEMBER_NAMES, seedHostile } from './support/seed-hostile.ts';
import { watchSafety } from './support/watch-safety.ts';

const LONG_MS = scaled(180_000);

const service = await startTestService();
const user = await service.signUp(HOSTILE_NAMES[3]);
const seeded = await seedHostile(service, user);

interface WatchedVisit extends Visit {
  found: string[];
  end: () => void;
}

/** A visit that keeps what must never happen; `end` finds that none of it did. */
async function watchedVisit(who: TestUser | null = user, start = visit): Promise<WatchedVisit> {
  const visited = await start(service, who, { reducedMotion: 'reduce' });
  const found = await watchSafety(visited.context, service.managementUrl);
  const page = await visited.context.newPage();
  page.on('pageerror', (error) => found.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
    found.push(`console: ${message.text()}`);
  });
  const open = async (path: string) => void (await page.goto(`/app${path}`));
  return { ...visited, page, open, found, end: () => expect([...new Set(found)]).toEqual([]) };
}

/** All texts of elements that match, in full and as they are. */
const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) => elements.map(({ textContent }) => textContent).join('\n'));

describe('the detection of injected code', () => {
  it('detects each breach that the tests below look for', async () => {
    const { page, open, found } = await watchedVisit();
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

describe('with hostile texts in everything that can be written', async () => {
  const inside = await watchedVisit(user, visitOfFile);
  const outside = await watchedVisit(null, visitOfFile);

  it.each(PLACES)('the place $name shows them as texts', async (place) => {
    const { page, found, end } = place.outside ? outside : inside;
    found.length = 0;
    await goTo(page, place, seeded);
    end();
  });

  it(
    'the list of events shows every one of them as it is',
    async () => {
      const { page, open, end } = await watchedVisit();
      await open('/events');
      const grid = page.getByRole('grid', { name: 'Events' });
      await grid.getByRole('row').nth(5).waitFor();
      await grid.focus();
      const seen = new Set<string>();
      const missing = () => HOSTILE_TEXTS.filter((text) => ![...seen].some((row) => row.includes(text)));
      let last = '';
      await expect
        .poll(
          async () => {
            for (const row of await grid.getByRole('row').allTextContents()) seen.add(row);
            await page.keyboard.press('PageDown');
            const active = (await grid.getAttribute('aria-activedescendant')) ?? '';
            const isEnd = active === last && missing().length === 0;
            last = active;
            return isEnd;
          },
          { timeout: LONG_MS / 2, interval: 20 },
        )
        .toBe(true);
      end();
    },
    LONG_MS,
  );

  it(
    'the panel of an event shows them as keys, values and frames',
    async () => {
      const { page, open, end } = await watchedVisit();
      await open(`/events?event=${seeded.eventId}`);
      const panel = page.getByRole('region', { name: 'Event' });
      await panel.getByRole('group', { name: 'Payload' }).waitFor();
      // Opens every closed part and expands every cut text, until none is left.
      await expect
        .poll(
          () =>
            panel.evaluate((element) => {
              const buttons = [...element.querySelectorAll('button')].filter(
                (button) =>
                  button.getAttribute('aria-expanded') === 'false' || /^show /i.test(button.textContent),
              );
              for (const button of buttons) button.click();
              return buttons.length;
            }),
          { timeout: LONG_MS / 2 },
        )
        .toBe(0);
      const shown = await textsOf(page, '[role=group][aria-label=Payload]');
      expect(HOSTILE_TEXTS.filter((text) => !shown.includes(text))).toEqual([]);
      end();
    },
    LONG_MS,
  );

  it('the panels of events one after the other show them', async () => {
    const { page, open, end } = await watchedVisit();
    await open('/events?q=script');
    const grid = page.getByRole('grid', { name: 'Events' });
    await grid.getByRole('row').nth(5).waitFor();
    await grid.focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const payload = page.getByRole('group', { name: 'Payload' });
    for (let count = 0; count < 25; count++) {
      await payload.waitFor();
      await page.keyboard.press('j');
    }
    end();
  });

  it('the timeline of an incident shows them as notes and titles', async () => {
    const { page, open, end } = await watchedVisit();
    await open(`/incidents/${seeded.incidentIds.open}`);
    await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor();
    const earlier = page.getByRole('button', { name: 'Show earlier entries' });
    while ((await earlier.count()) > 0) {
      await earlier.click();
      await page.waitForLoadState('networkidle');
    }
    const shown = await textsOf(page, 'main');
    expect(XSS_TEXTS.filter((text) => !shown.includes(text))).toEqual([]);
    end();
  });

  it(
    'the list of incidents and the audit log show them to their ends',
    async () => {
      const { page, open, end } = await watchedVisit();
      for (const [path, list] of [
        ['/incidents?status=all', 'Incidents'],
        ['/settings/audit', 'Changes, newest first'],
      ] as const) {
        await open(path);
        const items = page.getByRole('list', { name: list }).getByRole('listitem');
        await items.first().waitFor();
        const more = page.getByRole('button', { name: 'Load more' });
        while ((await more.count()) > 0) {
          const before = await items.count();
          await more.click();
          await expect.poll(() => items.count()).toBeGreaterThan(before);
          await page.waitForLoadState('networkidle');
        }
        const shown = await textsOf(page, 'main');
        // The audit log has the changes made through the API.
        const names = list === 'Incidents' ? HOSTILE_NAMES : HOSTILE_NAMES.filter(isAccepted);
        expect(names.slice(20).filter((name) => !shown.includes(name.trim()))).toEqual([]);
      }
      end();
    },
    LONG_MS,
  );

  it('projects, keys and members show them as names', async () => {
    const { page, open, end } = await watchedVisit();
    for (const [path, names] of [
      ['/projects', HOSTILE_NAMES],
      [`/projects/${seeded.projectId}`, HOSTILE_NAMES],
      ['/settings', MEMBER_NAMES],
    ] as const) {
      await open(path);
      await page.getByRole('main').getByText('reportExecution').nth(5).waitFor();
      const more = page.getByRole('button', { name: /^Show [\d,]+ more of/ });
      while (await more.isVisible()) await more.click();
      const shown = await textsOf(page, 'main');
      expect(names.filter((name) => !shown.includes(name.trim()))).toEqual([]);
    }
    end();
  });

  it('the command palette treats them as typed text', async () => {
    const { page, open, end } = await watchedVisit();
    await open('/settings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search or go to' });
    for (const text of XSS_TEXTS.filter((_, index) => index % 4 === 0)) {
      await field.fill(text);
      await page.getByRole('option', { name: /^Search events for/ }).waitFor();
    }
    await page.getByRole('option', { name: /^Search events for/ }).click();
    await page.waitForURL(/\/app\/events\?/);
    await page.waitForLoadState('networkidle');
    end();
  });

  it('messages of new incidents and the live tail show them', async () => {
    const { page, open, end } = await watchedVisit();
    await open('/events?live=true');
    await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'live' }).waitFor();
    const title = `</p><img src=x onerror=reportExecution(1)> just now`;
    await user.api.post('/incidents', { title, severity: 'error', projectId: seeded.projectId });
    await page.getByRole('status').filter({ hasText: title }).waitFor();
    end();
  });
});

describe('an address from an untrusted sender', () => {
  const SENT = XSS_TEXTS.filter((_, index) => index % 40 === 0);

  it(
    'reads an address as filters and ids, whatever it holds',
    async () => {
      const { page, open, end } = await watchedVisit();
      for (const text of SENT) {
        const parts = 'type source correlation_id fingerprint q event project from to range status'.split(
          ' ',
        );
        await open(`/events?${parts.map((part) => `${part}=${encodeURIComponent(text)}`).join('&')}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const id = encodeURIComponent(text);
        for (const path of [`/incidents/${id}`, `/projects/${id}`, `/${id}`, `/#${text}`]) {
          const answer = await page.goto(`/app${path}`);
          // A path that looks like a file is no page: the server answers it itself.
          if (answer?.status() === 404) continue;
          await page.getByRole('heading', { level: 1 }).waitFor();
        }
      }
      end();
    },
    LONG_MS,
  );

  it.each([
    'javascript:reportExecution(1)',
    '//evil.example/',
    'https://evil.example/',
    '/\\evil.example/',
    '/\t/evil.example',
    '\u0001javascript:reportExecution(1)',
    '/%2F/evil.example',
  ])('does not lead elsewhere after the login (%s)', async (next) => {
    const { page, open, end } = await watchedVisit(null);
    await open(`/login?next=${encodeURIComponent(next)}`);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(({ pathname }) => pathname !== '/app/login');
    await page.waitForLoadState('networkidle');
    expect(page.url().startsWith(`${service.managementUrl}/app`)).toBe(true);
    end();
  });
});

describe('the answers under /app/', () => {
  it('sends the strict policy with each answer under /app/', async () => {
    const { context } = await visit(service);
    const page = await (await context.request.get('/app/')).text();
    const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '';
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
        'connect-src': "'self'",
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
