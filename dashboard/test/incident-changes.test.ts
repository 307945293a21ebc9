import { describe, expect, it } from 'vitest';
import { insertTimelineEntry } from '../../server/src/incidents/timeline-queries.ts';
import { newUuid, toUuid } from '../../server/src/platform/ids.ts';
import { startTestService, visit } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { createByHand, rowsOf, visitBursts } from './support/incidents.ts';
import { expectStatus } from './support/seed.ts';

/** Time in which a change can be undone. */
const HOLD_MS = 5_000;

const service = await startTestService();
const { page, user, go, incidentsOf, burst } = await visitBursts(service, 8, { hasClock: true });

describe('the page of an incident', () => {
  it('links to muting one of the incident’s groups, and then shows it as muted', async () => {
    const { project, showIncident } = await burst();
    await showIncident();
    const groups = page.getByRole('list', { name: 'Groups' });
    await groups.getByRole('link', { name: /^Mute or silence / }).click();
    await page.getByRole('menuitem', { name: 'For a week' }).click();
    await page.getByText(/^muted until /).waitFor();
    expect(page.url()).not.toContain('change');
    await page.clock.fastForward(HOLD_MS);
    const muted = `/groups?state=muted&project_id=${project.id}`;
    await expect.poll(async () => (await user.api.get(muted)).body.length).toBe(1);
    await page.goBack();
    await groups.getByText('muted', { exact: true }).waitFor();
  });

  it('changes the status by buttons, and offers only the possible ones', async () => {
    const { showIncident } = await burst();
    await showIncident();
    await page.getByRole('button', { name: 'Investigate' }).click();
    await page.getByText('started investigating').waitFor();
    expect(await page.getByRole('button', { name: 'Investigate' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(HOLD_MS);
    await page.getByRole('main').getByText('resolved this').waitFor();
    expect(await page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
  });

  it('folds further actions behind “More actions”, on phones the silence, too', async () => {
    const { showIncident } = await burst();
    await page.setViewportSize({ width: 360, height: 740 });
    await showIncident();
    const more = page.getByRole('button', { name: 'More actions' });
    const head = page.getByRole('main').locator('header');
    await more.waitFor();
    expect(await head.getByRole('button').allInnerTexts()).toEqual(['Why', 'Investigate', 'Resolve', '⋯']);
    await more.click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Silence…',
      expect.stringMatching(/^Edit/),
      expect.stringMatching(/^Copy link/),
      'Copy as Markdown',
    ]);
    await page.getByRole('menuitem', { name: 'Silence…' }).click();
    await page.getByRole('dialog', { name: 'Silence notifications' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
    await head.getByRole('button', { name: 'Silence' }).waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Silence…' }).count()).toBe(0);
  });

  it('changes the status by i and r, but not while the user writes', async () => {
    const { showIncident } = await burst();
    await showIncident();
    await page.getByLabel('Note').fill('');
    await page.getByLabel('Note').press('r');
    expect(await page.getByLabel('Note').inputValue()).toBe('r');
    await page.getByLabel('Note').blur();
    await page.keyboard.press('i');
    await page.getByText('started investigating').waitFor();
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.fastForward(HOLD_MS);
    await page.getByRole('main').getByText('resolved this').waitFor();
  });

  it('explains why a change is no longer possible, and shows the present state', async () => {
    const { incidentId } = await burst();
    const { page, open } = await visit(service, user);
    // Without a connection the page does not learn of changes by others.
    await page.routeWebSocket('**/ws', () => {});
    // Nor from a read, which the first connection and the time start, before it has tried its own change.
    const before = await user.api.get(`/incidents/${incidentId}`);
    let isTried = false;
    await page.route(`**/incidents/${incidentId}`, async (route) => {
      const request = route.request();
      isTried ||= request.method() === 'PATCH';
      if (isTried || request.isNavigationRequest()) await route.continue();
      else await route.fulfill({ json: before.body });
    });
    await open(`/incidents/${incidentId}`);
    const investigate = page.getByRole('button', { name: 'Investigate' });
    await investigate.waitFor();
    await expectStatus(200, user.api.patch(`/incidents/${incidentId}`, { status: 'resolved' }));
    await investigate.click();
    await page.getByRole('alert').filter({ hasText: 'Someone else already changed this.' }).waitFor();
    await page.getByRole('main').getByText('resolved this').waitFor();
    expect(await investigate.count()).toBe(0);
  });

  it('changes title and severity of an incident', async () => {
    const { showIncident } = await burst();
    await showIncident();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit incident' });
    await dialog.getByLabel('Title').fill('The bank is down');
    await choose(dialog.getByLabel('Severity'), 'warn');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByText('changed severity from critical to warn').waitFor();
    await go('/incidents');
    await rowsOf(page).filter({ hasText: 'The bank is down' }).waitFor();
  });

  it('keeps notes as they were written', async () => {
    const { showIncident } = await burst();
    await showIncident();
    const note = page.getByLabel('Note');
    await note.fill('Two lines,\n<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Add note' }).click();
    const entry = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first();
    await expect.poll(() => entry.innerText()).toContain('Two lines,\n<script>alert(1)</script>');
    await expect.poll(() => note.inputValue()).toBe('');
    await note.fill('By keyboard');
    await note.press('Control+Enter');
    await expect.poll(() => entry.innerText()).toContain('By keyboard');
  });

  it('shows previous incidents of the same cause, with the people who resolved them and their notes', async () => {
    const { project, incidentId, showIncident } = await burst();
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
    const [next] = await incidentsOf(project);
    await showIncident(next?.id);
    const before = page.getByRole('region', { name: 'Previous incidents' });
    await before.getByText('The bank was down.').waitFor();
    await before.getByRole('link', { name: /resolved by Ada Lovelace/ }).click();
    await page.waitForURL(`**/incidents/${incidentId}`);
    await page.getByRole('main').getByText('resolved this').waitFor();
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

  it('shows the events of the project around an incident created by hand, in a chart with its opening and in a list', async () => {
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
    await chart.getByText('per minute').waitFor();
    await chart.getByText(/^opened \d\d:\d\d:\d\d$/).waitFor();
    const events = page.getByRole('region', { name: 'Newest events at that time' });
    await events.getByRole('link', { name: /Scanner 7 is silent/ }).click();
    await page.waitForURL(/event=evt_/);
    expect(new URL(page.url()).searchParams.get('project')).toBe(project.id);
    expect(faults).toEqual([]);
  });

  it('asks for a project if there is none', async () => {
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

describe('a long timeline', () => {
  it('shows the newest entries of a long timeline, and the earlier ones on request', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const id = await createByHand(user, projectId, 'Long story');
    const { pool, clock } = service.context;
    const change = { before: null, after: null, userId: toUuid('usr', user.id) };
    for (let count = 1; count <= 101; count++) {
      const createdAt = new Date(clock.now());
      const entry = { ...change, id: newUuid(createdAt.getTime()), note: `Note ${count}.`, createdAt };
      await insertTimelineEntry(pool, toUuid('inc', id) ?? '', entry);
    }
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
