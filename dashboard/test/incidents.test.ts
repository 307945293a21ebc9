import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../server/test/support/time-scale.ts';
import type { Current } from '../src/lib/api-types.ts';
import { startTestService, type TestUser, visit } from './support/browser.ts';
import { sendBurst } from './support/burst.ts';
import { choose } from './support/choose.ts';
import { anAttached, anEvidence, aSeries, pointsAround, showAsRisk } from './support/risk-incident.ts';
import { expectStatus } from './support/seed.ts';

const service = await startTestService();

/** A user with a project in which a burst of critical events has opened an incident. */
async function signUpWithBurst(source = 'shop') {
  const user = await service.signUp();
  const project = await user.createProject();
  await sendBurst(project.ingest, source);
  await service.settled();
  const { body } = await user.api.get('/incidents');
  return { user, project, incidentId: String(body[0].id) };
}

async function createByHand(user: TestUser, projectId: string, title: string): Promise<string> {
  const body = { title, severity: 'warn', projectId };
  const created = await expectStatus(201, user.api.post('/incidents', body));
  return String(created.body.id);
}

/** How long a pointer rests on a link before the router loads its page. */
const PRELOAD_DELAY_MS = 50;

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Incidents' }).getByRole('listitem');
const statusLink = (page: Page, name: RegExp) =>
  page.getByRole('group', { name: 'Status' }).getByRole('link', { name });

describe('the list of incidents', () => {
  it('separates incidents by status, with counts, in the address', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject();
    const [, taken, over] = [
      await createByHand(user, id, 'Still open'),
      await createByHand(user, id, 'Being looked at'),
      await createByHand(user, id, 'Long over'),
    ];
    await user.api.patch(`/incidents/${taken}`, { status: 'investigating' });
    await user.api.patch(`/incidents/${over}`, { status: 'resolved' });
    const { page, open, faults } = await visit(service, user);
    await open('/incidents');
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

  it('explains an empty list of incidents', async () => {
    const { page, open } = await visit(service, await service.signUp());
    await open('/incidents');
    await page.getByText('No open incidents').waitFor();
  });

  it('moves with j and k, and Enter opens', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject();
    for (const title of ['First', 'Second', 'Third']) await createByHand(user, id, title);
    const { page, open } = await visit(service, user);
    await open('/incidents');
    await rowsOf(page).nth(2).waitFor();
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
    expect(await page.locator(':focus').textContent()).toContain('Second');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
  });

  it('loads more where there are more than a page holds', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject();
    await Promise.all(Array.from({ length: 60 }, (_, index) => createByHand(user, id, `Number ${index}`)));
    const { page, open } = await visit(service, user);
    await open('/incidents');
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(60);
    expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  });
});

describe('the order, the filter and the selection of incidents', () => {
  async function withIncidents(titles: [string, string][]) {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const ids: string[] = [];
    for (const [title, severity] of titles) {
      const { body } = await expectStatus(201, user.api.post('/incidents', { title, severity, projectId }));
      ids.push(String(body.id));
    }
    const visited = await visit(service, user);
    await visited.open('/incidents');
    await rowsOf(visited.page)
      .nth(titles.length - 1)
      .waitFor();
    const statusOf = async (index: number) => (await user.api.get(`/incidents/${ids[index]}`)).body.status;
    return { ...visited, user, ids, statusOf };
  }

  it('lists the most severe incidents first, and those that hold a text, on request', async () => {
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
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    expect(page.url()).toContain('q=BANK');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Filter incidents').inputValue()).toBe('BANK');
    await page.getByLabel('Filter incidents').fill('nothing like it');
    await page.getByText('No matching incidents').waitFor();

    await expectStatus(200, user.api.patch(`/incidents/${ids[1]}`, { status: 'resolved' }));
    await page.getByText(/^Last 7 days: 3 opened, median .+ to resolve$/).waitFor();
  });

  it('takes and resolves all selected incidents by key, and takes that back', async () => {
    const { page, statusOf, faults } = await withIncidents([
      ['First', 'warn'],
      ['Second', 'warn'],
      ['Third', 'warn'],
    ]);
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
    await expect.poll(() => statusOf(1), { timeout: scaled(15_000) }).toBe('investigating');
    await expect.poll(() => statusOf(2)).toBe('investigating');
    expect(await statusOf(0)).toBe('open');
    await expect.poll(() => rowsOf(page).count()).toBe(1);

    // Without a selection a key is about the row that has the focus; leaving the page sends what is held.
    await rowsOf(page).getByRole('link').focus();
    await page.keyboard.press('r');
    await toolbar.getByText('Resolved 1').waitFor();
    await page.reload();
    await expect.poll(() => statusOf(0)).toBe('resolved');
    expect(faults).toEqual([]);
  });
});

describe('the keys of an incident', () => {
  it('goes through the list, writes a note, edits, and goes back to the list by key', async () => {
    const user = await service.signUp();
    const { id } = await user.createProject();
    for (const title of ['First', 'Second', 'Third']) await createByHand(user, id, title);
    const { page, open, faults } = await visit(service, user);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await open('/incidents?q=ir');
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading('Third');
    await page.keyboard.press('j');
    await heading('First');
    await page.keyboard.press('k');
    await heading('Third');
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

describe('an incident by hand', () => {
  it('creates an incident in a dialog that shows a missing value beside its field', async () => {
    const user = await service.signUp();
    await user.createProject('Warehouse');
    const { page, open } = await visit(service, user);
    await open('/incidents');
    await page.getByRole('button', { name: 'Create incident' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create incident' });
    const create = dialog.getByRole('button', { name: 'Create incident' });
    await create.click();
    const title = dialog.getByLabel('Title');
    await dialog.getByText('Give the incident a title.').waitFor();
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    await title.fill('Nobody can <b>log in</b>');
    await choose(dialog.getByLabel('Severity'), 'critical');
    await choose(dialog.getByLabel('Status'), 'investigating');
    await create.click();
    await page.getByRole('heading', { level: 1, name: 'Nobody can <b>log in</b>' }).waitFor();
    const { body } = await user.api.get('/incidents');
    expect(body).toMatchObject([{ severity: 'critical', status: 'investigating', origin: 'manual' }]);
  });

  it('shows what its project received around an incident by hand, in a chart with its opening and in a list', async () => {
    const user = await service.signUp();
    const project = await user.createProject('Warehouse');
    await expectStatus(
      202,
      project.ingest.post('/ingest/events', {
        type: 'scan',
        severity: 'ERROR',
        message: 'Scanner 7 is silent',
        capturedAt: new Date(service.context.clock.now() - 10 * 60_000).toISOString(),
      }),
    );
    await service.settled();
    const id = await createByHand(user, project.id, 'Parcels are late');
    const { page, open, faults } = await visit(service, user);
    await open(`/incidents/${id}`);
    const chart = page.getByRole('figure', { name: 'Events in this project' });
    await chart.getByText('1-minute bars').waitFor();
    await chart.getByText(/^opened \d\d:\d\d:\d\d$/).waitFor();
    const events = page.getByRole('region', { name: 'Newest events at that time' });
    await events.getByRole('link', { name: /Scanner 7 is silent/ }).click();
    await page.waitForURL(/event=evt_/);
    expect(new URL(page.url()).searchParams.get('project')).toBe(project.id);
    expect(faults).toEqual([]);
  });

  it('asks for a project where there is none', async () => {
    const { page, open } = await visit(service, await service.signUp());
    await open('/incidents?create=true');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('link', { name: 'Create project' }).getAttribute('href')).toBe(
      '/app/projects/new',
    );
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(page.url()).not.toContain('create');
  });
});

describe('the page of an incident', () => {
  it('shows the reason of an incident, and all that a decision needs above the fold', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open, faults } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    await page.getByRole('heading', { level: 1, name: /critical/i }).waitFor();
    const needed = [
      page.getByRole('button', { name: 'Investigate' }),
      page.getByRole('button', { name: 'Resolve' }),
      page.getByRole('figure', { name: /critical events/i }),
      page.getByRole('region', { name: 'Most affected' }).getByRole('link', { name: /ord_5 11 events$/ }),
      page
        .getByRole('list', { name: 'What it is' })
        .getByRole('link', { name: /Card was declined.*100% · 40 events/ }),
      page.getByRole('region', { name: 'Newest event', exact: true }).getByText(/Card was declined/),
      page
        .getByRole('region', { name: 'Newest events' })
        .getByRole('link', { name: /Card was declined/ })
        .first(),
      page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first(),
    ];
    for (const one of needed) {
      await one.waitFor();
      const box = await one.boundingBox();
      expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    }
    expect(faults).toEqual([]);
  });

  it('leads to the events behind it, to those of one correlation, and to a single one', async () => {
    const { user, project, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    const addressOf = async (region: string, name: RegExp) => {
      const link = page.getByRole('region', { name: region }).getByRole('link', { name }).first();
      return new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams;
    };
    await page.getByRole('link', { name: /order 39/ }).waitFor();
    const all = await addressOf('Newest events', /^View all events$/);
    expect(Object.fromEntries(all)).toMatchObject({ project: project.id, severity: 'critical' });
    expect(Date.parse(all.get('from') ?? '')).toBeLessThan(Date.parse(all.get('to') ?? ''));
    const affected = await addressOf('Most affected', /ord_5/);
    expect(affected.get('correlation.order_id')).toBe('ord_5');
    expect((await addressOf('Newest events', /order 39/)).get('event')).toMatch(/^evt_/);
  });

  it.each([
    ['a click', 0],
    ['a click on a link that the pointer has rested on', PRELOAD_DELAY_MS],
  ])(
    'requests all that it shows at once after %s, before the incident itself has answered',
    async (_, restMs) => {
      const { user, incidentId } = await signUpWithBurst();
      const { page, open } = await visit(service, user);
      await page.clock.install();
      await open('/incidents');
      const others = ['/events', '/groups', '/points', '/previous'].map((part) =>
        page.waitForRequest(
          (request) => new URL(request.url()).pathname === `/incidents/${incidentId}${part}`,
        ),
      );
      await page.route(`**/incidents/${incidentId}`, async (route) => {
        await Promise.all(others);
        await route.continue();
      });
      const link = rowsOf(page).getByRole('link').first();
      await link.hover();
      await page.clock.runFor(restMs);
      await link.click();
      await page.getByRole('heading', { level: 1, name: /critical/i }).waitFor();
    },
  );

  it('leads to all events of a user, whatever else the event names', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const events = Array.from({ length: 12 }, (_, index) => ({
      type: 'checkout',
      severity: 'CRITICAL',
      message: 'Card was declined',
      correlation: { order_id: `ord_${index}`, user_id: `usr_${index % 6}`, region: 'eu' },
    }));
    await expectStatus(202, project.ingest.post('/ingest/bulk', events));
    await service.settled();
    const { body } = await user.api.get('/incidents');
    const { page, open } = await visit(service, user);
    await open(`/incidents/${body[0].id}`);
    const affected = page.getByRole('region', { name: 'Most affected' });
    await affected.getByText('6 users', { exact: true }).waitFor();
    await affected.getByText('none stands out', { exact: true }).first().click();
    await affected.getByRole('link', { name: /usr_3 2 events$/ }).click();
    await page.getByRole('button', { name: 'Remove filter user_id: usr_3' }).waitFor();
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('3');
    await page.goBack();
    const newest = page.getByRole('region', { name: 'Newest event', exact: true });
    await newest.getByRole('link', { name: 'user_id usr_5' }).click();
    await page.getByRole('button', { name: 'Remove filter user_id: usr_5' }).waitFor();
  });

  it('leads to muting one of its groups, and says that it is muted', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    const groups = page.getByRole('list', { name: 'What it is' });
    await groups.getByRole('link', { name: /^Mute / }).click();
    await page.getByRole('menuitem', { name: 'For a week' }).click();
    await page.getByText(/^muted until /).waitFor();
    expect(page.url()).not.toContain('change');
    await expect.poll(async () => (await user.api.get('/groups?state=muted')).body.length).toBe(1);
    await page.goBack();
    await groups.getByText('muted', { exact: true }).waitFor();
  });

  it('compares the release of its events with the one before', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const send = (release: string, severity: string, message: string) =>
      expectStatus(
        202,
        project.ingest.post('/ingest/events', { type: 'checkout', severity, message, release }),
      );
    await send('4.18.0', 'INFO', 'The order was paid');
    await service.settled();
    await send('4.18.1', 'CRITICAL', 'No price was found');
    await service.settled();
    await expect.poll(async () => (await user.api.get('/incidents')).body.length).toBe(1);
    const { body } = await user.api.get('/incidents');
    const { page, open } = await visit(service, user);
    await open(`/incidents/${body[0].id}`);
    await page.getByRole('link', { name: 'Compare 4.18.1 with the release before it' }).click();
    await page
      .getByRole('region', { name: 'New in 4.18.1' })
      .getByRole('link', { name: /No price was found/ })
      .waitFor();
  });

  it('says which release its events come from, and when that was deployed', async () => {
    const user = await service.signUp();
    const project = await user.createProject('Shop');
    const deploy = {
      release: '4.18.1',
      at: new Date(service.context.clock.now() - 3 * 60_000 - 30_000).toISOString(),
    };
    await expectStatus(202, project.ingest.post('/ingest/deploys', deploy));
    const events = Array.from({ length: 5 }, (_, index) => ({
      type: 'checkout',
      severity: 'CRITICAL',
      message: `Card was declined for order ${index}`,
      correlation: { user_id: `usr_${index % 2}` },
      release: '4.18.1',
    }));
    await expectStatus(202, project.ingest.post('/ingest/bulk', events));
    await service.settled();
    const { body } = await user.api.get('/incidents');
    const { page, open } = await visit(service, user);
    await open(`/incidents/${body[0].id}`);
    await page.getByText(/^All 5 from 4\.18\.1, deployed [34] min( \d+ s)? before Compare$/).waitFor();
    await page.getByText('2 users', { exact: true }).first().waitFor();
    const marks = page.getByRole('list', { name: 'Releases in this chart' });
    await marks.getByRole('link', { name: /^4\.18\.1: deployed to production/ }).waitFor();
    await page.getByRole('link', { name: '4.18.1', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter release: 4.18.1' }).waitFor();
  });

  it('moves on by its buttons and offers only what may follow', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    await page.getByRole('button', { name: 'Investigate' }).click();
    await page.getByText('started investigating').waitFor();
    expect(await page.getByRole('button', { name: 'Investigate' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByText('resolved this').waitFor();
    expect(await page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
  });

  it('moves on by i and r, but not while the user writes', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    await page.getByLabel('Note').fill('');
    await page.getByLabel('Note').press('r');
    expect(await page.getByLabel('Note').inputValue()).toBe('r');
    await page.getByLabel('Note').blur();
    await page.keyboard.press('i');
    await page.getByText('started investigating').waitFor();
    await page.keyboard.press('r');
    await page.getByText('resolved this').waitFor();
  });

  it('explains a step that is not possible any more, and shows the present state', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    // A page without a connection: it does not learn of changes by others.
    await page.routeWebSocket('**/ws', () => {});
    await open(`/incidents/${incidentId}`);
    const investigate = page.getByRole('button', { name: 'Investigate' });
    await investigate.waitFor();
    await expectStatus(200, user.api.patch(`/incidents/${incidentId}`, { status: 'resolved' }));
    await investigate.click();
    await page.getByRole('alert').filter({ hasText: 'Someone else already changed this.' }).waitFor();
    await page.getByText('resolved this').waitFor();
    expect(await investigate.count()).toBe(0);
  });

  it('changes title and severity of an incident', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit incident' });
    await dialog.getByLabel('Title').fill('The bank is down');
    await choose(dialog.getByLabel('Severity'), 'warn');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByText('changed severity from critical to warn').waitFor();
    await open('/incidents');
    await rowsOf(page).filter({ hasText: 'The bank is down' }).waitFor();
  });

  it('keeps notes as they were written', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    const note = page.getByLabel('Note');
    await note.fill('Two lines,\n<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Add note' }).click();
    const entry = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first();
    await expect.poll(() => entry.innerText()).toContain('Two lines,\n<script>alert(1)</script>');
    expect(await note.inputValue()).toBe('');
    await note.fill('By keyboard');
    await note.press('Control+Enter');
    await expect.poll(() => entry.innerText()).toContain('By keyboard');
  });

  it('shows previous incidents of the same cause, with who ended them and what was written', async () => {
    const { user, project, incidentId } = await signUpWithBurst();
    await expectStatus(201, user.api.post(`/incidents/${incidentId}/notes`, { note: 'The bank was down.' }));
    await expectStatus(200, user.api.patch(`/incidents/${incidentId}`, { status: 'resolved' }));
    await expectStatus(
      202,
      project.ingest.post('/ingest/events', {
        type: 'checkout',
        severity: 'CRITICAL',
        message: 'It is back',
        source: 'shop',
      }),
    );
    await service.settled();
    const { body } = await user.api.get('/incidents?status=open');
    const { page, open } = await visit(service, user);
    await open(`/incidents/${body[0].id}`);
    const before = page.getByRole('region', { name: 'Before' });
    await before.getByText('The bank was down.').waitFor();
    await before.getByRole('link', { name: /resolved by Ada Lovelace/ }).click();
    await page.waitForURL(`**/incidents/${incidentId}`);
    await page.getByText('resolved this').waitFor();
  });

  it('copies the link by y and the incident as Markdown, and prints without what can be pressed', async () => {
    const { user, incidentId } = await signUpWithBurst();
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    await page.getByRole('button', { name: 'Copy as Markdown' }).waitFor();
    await page.keyboard.press('y');
    await page.getByRole('status').getByText('Link copied').waitFor();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toBe(page.url());
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await expect.poll(copied).toMatch(/^### .*critical events in 1 min: `checkout`[^]*Opened automatically/);
    expect(await copied()).toContain(`<${page.url()}>`);

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });

  it('reports an incident that does not exist', async () => {
    const { page, open } = await visit(service, await service.signUp());
    await open('/incidents/inc_nobody');
    await page.getByText('Incident not found').waitFor();
  });
});

describe('the page of an incident that counts have opened', () => {
  /** The page of an incident with an evidence, which counts of days would have to bring about. */
  async function openWith(
    particulars: Parameters<typeof anEvidence>[0],
    { expected = 2, current = null }: { expected?: number | null; current?: Current | null } = {},
  ) {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject('Shop');
    const id = await createByHand(user, projectId, 'Rise: checkout');
    const { page, open, faults } = await visit(service, user);
    const evidence = anEvidence(particulars);
    const points = {
      ...pointsAround(evidence.from, (minute) => ({ observed: minute < 0 ? 2 : 14, expected })),
      attached: evidence.alsoSeries.map((series) => ({
        kind: series.kind,
        type: series.type,
        severity: series.severity,
        source: series.source,
        fingerprint: series.fingerprint,
        observed: [0, 1, 7],
      })),
    };
    await showAsRisk(page, id, { evidence, current }, points);
    await open(`/incidents/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, faults, projectId };
  }

  it('shows on demand what the sentence leaves out', async () => {
    const alsoSeries = ['mail', 'stock', 'login'].map((type) => anAttached({ type }));
    const { page, faults } = await openWith({ series: aSeries({ source: 'shop' }), alsoSeries });
    await page.getByRole('button', { name: 'Why' }).click();
    await page.getByText(/^Found in 3 min from /).waitFor();
    // Only the sentence gives the expected count and the rate of false alarms.
    expect(await page.getByText(/usually about|By chance/).allInnerTexts()).toEqual([
      'checkout errors are 7× normal: 42 in 3 min, usually about 6.',
    ]);
    await page.getByText('and 3 more').click();
    await page.getByText('mail errors, stock errors, login errors').waitFor();
    // The title is one that the service gives: it says nothing more.
    expect(await page.getByText('Rise: checkout').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows a row for each series that attached, with its count and its peak', async () => {
    const row = anAttached({
      kind: 'failed_payments',
      type: 'payment',
      severity: null,
      rule: 'failed_payments',
      alarmSeverity: 'critical',
      observed: 35,
      expected: 0.1,
      peak: 52,
      windowSeconds: 180,
      from: '2026-11-21T12:00:00.000Z',
      at: '2026-11-21T12:03:00.000Z',
    });
    const mail = anAttached({ ...row, ...aSeries({ type: 'mail' }), rule: 'rise', observed: 7, peak: 7 });
    const alsoSeries = [row, mail, { ...mail, type: 'stock' }];
    const { page, faults } = await openWith({ alsoSeries });
    const rows = page.getByRole('list', { name: 'Joined', exact: true }).getByRole('listitem');
    await rows.filter({ hasText: 'failed payments: 35% in 3 min, usually about 0.1%, peak 52%' }).waitFor();
    await rows.filter({ hasText: /mail errors: 7 in 3 min, usually about 0.1joined/ }).waitFor();
    expect(await rows.count()).toBe(2);
    // A bar of its sparkline for each interval with events.
    await expect.poll(() => rows.first().locator('svg rect').count()).toBe(3);
    await page.getByText('and 1 more').click();
    await page.getByText('stock errors').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows what is observed now, its trend and its peak, also of what attached', async () => {
    const mail = anAttached({
      type: 'mail',
      rule: 'rise',
      alarmSeverity: 'error',
      observed: 7,
      expected: 1,
      peak: 7,
      windowSeconds: 60,
      from: '2026-11-21T12:00:00.000Z',
      at: '2026-11-21T12:01:00.000Z',
    });
    const now = { observed: 60, perMinute: 12, expected: 10, trend: 'rising' } as const;
    const current: Current = {
      ...now,
      at: '2026-11-21T12:09:00.000Z',
      windowSeconds: 300,
      peak: { perMinute: 31, at: '2026-11-21T12:04:00.000Z' },
      share: 4,
      release: null,
      series: [{ ...aSeries({ type: 'mail' }), ...now, observed: 0, perMinute: 0, trend: 'falling' }],
    };
    const { page, faults } = await openWith({ alsoSeries: [mail] }, { current });
    await page
      .getByText(/^now 12\/min \(usually 2\) · peak 31\/min at \d\d:\d\d · rising · 4% of events$/)
      .waitFor();
    await page.getByText(/mail errors: 7 in 1 min, usually about 1, now none, falling/).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows observed beside expected counts', async () => {
    const { page } = await openWith({});
    const chart = page.getByRole('figure', { name: 'checkout errors' });
    await chart.getByText('1-minute bars').waitFor();
    await chart.getByRole('button', { name: 'Table' }).click();
    const rows = chart.getByRole('row');
    await expect.poll(() => rows.count()).toBe(41);
    expect(await rows.last().getByRole('cell').allInnerTexts()).toEqual(['14', '2']);
  });

  it('expects nothing for a rule that expects nothing', async () => {
    const series = aSeries({ kind: 'rule', type: null, severity: null });
    const { page } = await openWith(
      { rule: 'at_least', series, falseAlarmsPerWeek: null },
      { expected: null },
    );
    const chart = page.getByRole('figure', { name: 'Events' });
    await chart.getByText('1-minute bars').waitFor();
    expect(await chart.getByText('expected').count()).toBe(0);
    expect(await page.getByText(/By chance/).count()).toBe(0);
    const href = await page.getByRole('link', { name: 'View all events' }).getAttribute('href');
    expect(href).not.toMatch(/type=|source=|severity=/);
  });

  it.each(['drop', 'silence'] as const)('shows the events before a %s, and leads to them', async (rule) => {
    const { page } = await openWith({ rule, from: '2026-11-21T12:00:00.000Z' });
    await page
      .getByRole('region', { name: `Last events before the ${rule === 'drop' ? 'drop' : 'gap'}` })
      .waitFor();
    const href = await page.getByRole('link', { name: 'View events around this time' }).getAttribute('href');
    expect(new URL(href ?? '', page.url()).searchParams.get('from')).toBe('2026-11-21T11:30:00.000Z');
  });

  it('names whom it hit though no events are kept any more', async () => {
    const { page } = await openWith({ correlationIds: [{ correlationId: 'ord_5', events: 11 }] });
    const affected = page.getByRole('region', { name: 'Most affected' });
    await affected.getByRole('link', { name: /ord_5 11 events$/ }).waitFor();
    await affected.getByText('Its events are no longer stored.').waitFor();
  });

  it('shows since when it goes on, and when it opened in the chart', async () => {
    const { page } = await openWith({});
    await page.getByText(/^since .*21.*, \d\d:\d\d \(.+\)$/).waitFor();
    await page.getByRole('figure', { name: 'checkout errors' }).getByText('expected ±').waitFor();
  });

  it('leads to the alarm settings of its project', async () => {
    const { page, projectId } = await openWith({});
    await page.getByRole('button', { name: 'Why' }).click();
    const link = page.getByRole('link', { name: 'Alert settings' });
    expect(await link.getAttribute('href')).toMatch(new RegExp(`/projects/${projectId}/alarms`));
  });
});

describe('a long timeline', () => {
  it('shows its newest entries, and the earlier ones when asked', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const id = await createByHand(user, projectId, 'Long story');
    for (let count = 1; count <= 101; count++)
      await expectStatus(201, user.api.post(`/incidents/${id}/notes`, { note: `Note ${count}.` }));
    const { page, open, faults } = await visit(service, user);
    await open(`/incidents/${id}`);
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('Note 101.').waitFor();
    expect(await timeline.getByText('Note 1.', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show earlier entries' }).click();
    await timeline.getByText('Note 1.', { exact: true }).waitFor();
    expect(await timeline.getByText(/^Note/).count()).toBe(101);
    expect(await page.getByRole('button', { name: 'Show earlier entries' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
