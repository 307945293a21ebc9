import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { insertRiskIncident } from '../../server/test/support/risk-incidents.ts';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { findCovered } from './support/find-covered.ts';
import { createByHand, rowsOf } from './support/incidents.ts';
import { visitProjects } from './support/projects.ts';
import { expectStatus } from './support/seed.ts';

/** Time in which a change can be undone. */
const HOLD_MS = 5_000;

const service = await startTestService();
const { page, user, faults, nextProject, show } = await visitProjects(service, 5);

/** Opens these incidents in a new project: the last one is the newest. */
async function showIncidents(titles: readonly string[], search = ''): Promise<void> {
  const { id } = nextProject();
  for (const title of titles) await createByHand(user, id, title);
  await show(`/incidents?project=${id}${search}`);
}

const statusLink = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Status' }).getByRole('link', { name });

describe('the list of incidents', () => {
  it('separates incidents by status, with counts, in the address', async () => {
    const { id } = nextProject();
    await createByHand(user, id, 'Still open');
    const taken = await createByHand(user, id, 'Being looked at');
    const over = await createByHand(user, id, 'Long over');
    await user.api.patch(`/incidents/${taken}`, { status: 'investigating' });
    await user.api.patch(`/incidents/${over}`, { status: 'resolved' });
    await show(`/incidents?project=${id}`);
    await rowsOf(page).filter({ hasText: 'Still open' }).waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await statusLink(page, /^Investigating 1$/).click();
    await rowsOf(page).filter({ hasText: 'Being looked at' }).waitFor();
    expect(page.url()).toContain('status=investigating');
    await statusLink(page, /^All 3$/).click();
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await page.goBack();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    expect(await statusLink(page, /^Investigating/).getAttribute('aria-current')).toBe('page');
    expect(faults).toEqual([]);
  });

  it('explains an empty list, and opens its connection before it reads it, which need not be read again then', async () => {
    const { page, open } = await visit(service, await service.signUp());
    const asked: string[] = [];
    page.on('websocket', () => asked.push('connection'));
    page.on('request', (request) => {
      if (/\/incidents(?:\?|\/counts)/.test(request.url()) && !request.isNavigationRequest())
        asked.push('incidents');
    });
    await open('/incidents');
    await page.getByText('No open incidents').waitFor();
    expect(asked).toContain('incidents');
    expect(asked[0]).toBe('connection');
  });

  it('moves through incidents with j and k, and opens one with Enter', async () => {
    await showIncidents(['First', 'Second', 'Third']);
    await rowsOf(page).nth(2).waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    await expect.poll(() => page.locator(':focus').textContent()).toContain('Second');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
  });

  it('moves no incident under the pointer or the focus until that leaves the list or its button is pressed', async () => {
    const { id } = nextProject();
    await createByHand(user, id, 'First');
    for (const [path, rows] of [
      ['/incidents', rowsOf(page)],
      ['/', page.getByRole('region', { name: 'Open incidents' }).getByRole('listitem')],
    ] as const) {
      await show(`${path}?project=${id}`);
      await becomesLive(page);
      await rows.first().hover();
      const before = await rows.count();
      await createByHand(user, id, 'Second');
      const waiting = page.getByRole('main').getByRole('button', { name: '1 new' });
      await waiting.waitFor();
      expect(await rows.count()).toBe(before);
      expect(await findCovered(rows, waiting)).toEqual([]);
      await waiting.click();
      await expect.poll(() => rows.count()).toBe(before + 1);
      await rows.first().getByRole('link').focus();
      await page.mouse.move(5, 5);
      await createByHand(user, id, 'Third');
      await waiting.waitFor();
      await page.getByRole('link', { name: 'Overview' }).focus();
      await expect.poll(() => rows.count()).toBe(before + 2);
      expect(await waiting.count()).toBe(0);
    }
    expect(faults).toEqual([]);
  });

  it('moves the focus to the next incident when the focused one is resolved elsewhere, and still moves none', async () => {
    const { id } = nextProject();
    await createByHand(user, id, 'First');
    const removed = await createByHand(user, id, 'Second');
    await show(`/incidents?project=${id}`);
    await becomesLive(page);
    await page.getByRole('link', { name: 'Second' }).focus();
    await expectStatus(200, user.api.patch(`/incidents/${removed}`, { status: 'resolved' }));
    await page.getByRole('link', { name: 'First' }).and(page.locator(':focus')).waitFor();
    await createByHand(user, id, 'Third');
    await page.getByRole('main').getByRole('button', { name: '1 new' }).waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('loads more incidents than fit on a page', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const { pool, clock } = service.context;
    for (let count = 0; count < 60; count++) await insertRiskIncident(pool, project, { fromMs: clock.now() });
    const { page, open } = await visit(service, user);
    await open('/incidents');
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(60);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });
});

describe('the order, the filter and the selection of incidents', () => {
  async function withIncidents(titles: [string, string][], { hasClock = false } = {}) {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const ids: string[] = [];
    for (const [title, severity] of titles) {
      const { body } = await expectStatus(201, user.api.post('/incidents', { title, severity, projectId }));
      ids.push(String(body.id));
    }
    const visited = await visit(service, user, { hasClock });
    await visited.open('/incidents');
    await rowsOf(visited.page)
      .nth(titles.length - 1)
      .waitFor();
    const statusOf = async (index: number) => (await user.api.get(`/incidents/${ids[index]}`)).body.status;
    return { ...visited, user, ids, statusOf };
  }

  it('lists the most severe incidents first, or only those that hold a text, on request', async () => {
    const { page, user, ids } = await withIncidents([
      ['The bank is down', 'critical'],
      ['Mails come late', 'warn'],
      ['The bank is slow', 'error'],
    ]);
    await choose(page.getByRole('combobox', { name: 'Sort by' }), 'Most severe first');
    await page.waitForURL(/sort=severity/);
    await expect
      .poll(() => rowsOf(page).evaluateAll((rows) => rows.map((row) => row.textContent?.slice(0, 40))))
      .toEqual([
        expect.stringContaining('is down'),
        expect.stringContaining('is slow'),
        expect.stringContaining('Mails'),
      ]);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('BANK');
    await page.waitForURL(/q=BANK/);
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Filter incidents').inputValue()).toBe('BANK');
    await page.getByLabel('Filter incidents').fill('nothing like it');
    await page.getByText('No matching incidents').waitFor();

    await expectStatus(200, user.api.patch(`/incidents/${ids[1]}`, { status: 'resolved' }));
    await page.getByText(/^Last 7 days: 3 opened, median .+ to resolve$/).waitFor();
  });

  it('takes and resolves all selected incidents by key, and undoes that', async () => {
    const incidents: [string, string][] = [
      ['First', 'warn'],
      ['Second', 'warn'],
      ['Third', 'warn'],
    ];
    const { page, statusOf, faults } = await withIncidents(incidents, { hasClock: true });
    const toolbar = page.getByRole('toolbar', { name: 'Selected incidents' });
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await toolbar.getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => toolbar.count()).toBe(0);

    await page.getByLabel('Select “Third”').check();
    await page.getByLabel('Select “Second”').check();
    await page.keyboard.press('r');
    await toolbar.getByText('Resolved 2').waitFor();
    await page.keyboard.press('z');
    await expect.poll(() => toolbar.count()).toBe(0);
    expect([await statusOf(2), await statusOf(1)]).toEqual(['open', 'open']);

    await page.getByLabel('Select “Third”').check();
    await page.getByLabel('Select “Second”').check();
    await toolbar.getByRole('button', { name: 'Investigate' }).click();
    await toolbar.getByText('Investigating 2').waitFor();
    await page.clock.fastForward(HOLD_MS);
    await expect.poll(() => statusOf(1)).toBe('investigating');
    await expect.poll(() => statusOf(2)).toBe('investigating');
    expect(await statusOf(0)).toBe('open');
    await expect.poll(() => rowsOf(page).count()).toBe(1);

    // Without a selection a key acts on the focused row; leaving the page sends held changes.
    await rowsOf(page).getByRole('link').focus();
    await page.keyboard.press('r');
    await toolbar.getByText('Resolved 1').waitFor();
    await page.reload();
    await expect.poll(() => statusOf(0)).toBe('resolved');
    expect(faults).toEqual([]);
  });
});

describe('the keys of an incident', () => {
  it('steps through incidents, writes a note, edits, and returns to the list by key', async () => {
    await showIncidents(['First', 'Second', 'Third'], '&q=ir');
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading('Third');
    await page.keyboard.press('j');
    await heading('First');
    await page.keyboard.press('k');
    await heading('Third');
    // The timeline, with the field, comes after the parts above it.
    await page.getByLabel('Note').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Not a step: j');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Note').inputValue()).toBe('Not a step: j');
    await page.keyboard.press('e');
    await page.getByRole('dialog', { name: 'Edit incident' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    for (const text of ['On this page', 'Write a note', 'Everywhere', 'Command menu'])
      await page.getByRole('dialog').getByText(text, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await page.waitForURL(/\/incidents\?.*q=ir/);
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    expect(faults).toEqual([]);
  });
});
