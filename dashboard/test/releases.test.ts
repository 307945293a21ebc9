import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { visitProjects } from './support/projects.ts';
import { expectStatus } from './support/seed.ts';

const service = await startTestService();
const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number) =>
  new Date(service.context.clock.now() - minutes * MINUTE_MS).toISOString();

const { page, user, open, faults, nextProject, show } = await visitProjects(service, 3);

/** Lets a new project run releases 1.0.0 to 1.2.0; the deploy of 1.1.0 is reported. */
async function runReleases() {
  const project = nextProject();
  const event = (release: string, minutes: number, severity = 'INFO') => ({
    type: severity === 'ERROR' ? 'checkout' : 'order',
    severity,
    message: severity === 'ERROR' ? 'Card was declined' : 'Order was placed',
    release,
    capturedAt: minutesAgo(minutes),
  });
  const events = [
    ...Array.from({ length: 8 }, (_, index) => event('1.0.0', 50 - index)),
    ...Array.from({ length: 8 }, (_, index) => event('1.1.0', 29 - index)),
    ...Array.from({ length: 4 }, (_, index) => event('1.2.0', 6 - index, index === 0 ? 'ERROR' : 'INFO')),
  ];
  await expectStatus(202, project.ingest.post('/ingest/bulk', events));
  await expectStatus(202, project.ingest.post('/ingest/deploys', { release: '1.1.0', at: minutesAgo(30) }));
  await service.settled();
  return project;
}
/** A project that is only read. */
const read = await runReleases();

const marksOf = (page: Page) => page.getByRole('list', { name: 'Releases in this chart' });

describe('the releases in charts', () => {
  it('marks deploys and first events in a chart by links that filter the events', async () => {
    await show(`/?project=${read.id}&range=1h`);
    const marks = marksOf(page).getByRole('link');
    await expect.poll(() => marks.count()).toBe(3);
    expect(await marks.nth(0).getAttribute('aria-label')).toMatch(/^1\.0\.0: first event, .*\d\d:\d\d$/);
    expect(await marks.nth(1).getAttribute('aria-label')).toMatch(/^1\.1\.0: deployed to production, /);
    await marks.nth(1).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove filter release: 1.1.0' }).waitFor();
    await page.getByText('8 events').waitFor();
    const address = new URL(page.url()).searchParams;
    expect(Object.fromEntries(address)).toMatchObject({ project: read.id, release: '1.1.0', range: '1h' });
    // The chart of the filtered events has the same marks.
    await expect.poll(() => marksOf(page).getByRole('link').count()).toBe(3);
    expect(faults).toEqual([]);
  });

  it('marks releases in the chart of a group, and links to the group’s events of a release', async () => {
    const { body } = await user.api.get(`/groups?project_id=${read.id}&min_severity=error`);
    await show(`/groups/${body[0].id}`);
    await page.getByRole('button', { name: 'Last hour' }).click();
    const marks = marksOf(page).getByRole('link');
    await expect.poll(() => marks.count()).toBe(3);
    await marks.nth(2).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove filter release: 1.2.0' }).waitFor();
    const address = new URL(page.url()).searchParams;
    expect(Object.fromEntries(address)).toMatchObject({
      group_id: body[0].id,
      release: '1.2.0',
      range: '1h',
    });
    expect(faults).toEqual([]);
  });

  it('folds close marks into their number, which opens a list of them', async () => {
    const project = await runReleases();
    for (const release of ['1.2.1', '1.2.2'])
      await expectStatus(
        201,
        user.api.post(`/projects/${project.id}/deploys`, {
          release,
          environment: 'staging',
          at: minutesAgo(5),
        }),
      );
    await show(`/events?project=${project.id}&range=24h`);
    const fold = marksOf(page).getByText(/^5 releases$/);
    await fold.click();
    const list = page.getByRole('list', { name: '5 releases' });
    await list.getByRole('link', { name: /^1\.2\.2.*deployed to staging/ }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => list.getByRole('link').first().isVisible()).toBe(false);
    await fold.click();
    await list.getByRole('link', { name: /^1\.0\.0/ }).click();
    await page.getByRole('button', { name: 'Remove filter release: 1.0.0' }).waitFor();
  });
});

describe('the release of an event', () => {
  it('narrows the list to the events of its release', async () => {
    const { body } = await user.api.get(`/events?project_id=${read.id}&severity=error`);
    await show(`/events?project=${read.id}&event=${body[0].id}`);
    await page.getByRole('button', { name: '1.2.0', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter release: 1.2.0' }).waitFor();
    await expect.poll(() => page.getByRole('grid').getByText('Order was placed').count()).toBe(3);
  });
});

describe('the page of releases', () => {
  it('lists the releases of a project with their deploys, errors and new groups', async () => {
    await show(`/?project=${read.id}`);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('link', { name: 'Releases', exact: true }).click();
    const rows = page.getByRole('region', { name: 'Releases', exact: true }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(4);
    await rows.filter({ hasText: '1.1.0' }).getByText('production').waitFor();
    const newest = rows.filter({ hasText: '1.2.0' });
    await newest.getByText('first event').waitFor();
    await newest.getByText('(25%)').waitFor();
    const groups = newest.getByRole('link', { name: /New groups/ });
    const search = new URL((await groups.getAttribute('href')) ?? '', page.url()).searchParams;
    expect(Object.fromEntries(search)).toMatchObject({ project: read.id, release: '1.2.0', is: 'new' });
    await newest.getByRole('link', { name: '1.2.0', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter release: 1.2.0' }).waitFor();
    await page.getByText('4 events').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('leads from a release to its comparison with the one before, also from its former address', async () => {
    await show(`/releases?project=${read.id}`);
    await page.getByRole('link', { name: 'Compare 1.1.0 with the release before it' }).click();
    await page.getByText(/^1\.1\.0 against 1\.0\.0: errors 0 of 8 events/).waitFor();
    await open(`/releases?project=${read.id}&release=1.2.0&base=1.0.0`);
    await page.getByText(/^1\.2\.0 against 1\.0\.0: errors 1 of 4 events/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/releases/compare');
    expect(faults).toEqual([]);
  });

  it('records a deploy, which appears in the list and in charts at once', async () => {
    const user = await service.signUp();
    const project = await user.createProject('Shop');
    await expectStatus(200, user.api.patch(`/projects/${project.id}`, { environment: 'staging' }));
    const { page, open, go, faults } = await visit(service, user);
    await open('/releases');
    await page.getByText('No releases yet').waitFor();
    await page
      .getByText(String.raw`-d "{\"release\": \"$RELEASE\", \"environment\": \"staging\"}"`)
      .waitFor();
    await page.getByRole('button', { name: 'Record deploy' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record deploy' });
    await dialog.getByRole('button', { name: 'Record deploy' }).click();
    await dialog.getByText('Enter the release.').waitFor();
    await dialog.getByLabel('Release').fill('2.0.0');
    await dialog.getByLabel('Environment').fill('staging');
    await dialog.getByRole('button', { name: 'Record deploy' }).click();
    const rows = page.getByRole('region', { name: 'Releases', exact: true }).getByRole('row');
    await rows.filter({ hasText: '2.0.0' }).getByText('staging').waitFor();
    const { body } = await user.api.get(`/projects/${project.id}/deploys`);
    expect(body).toMatchObject([{ release: '2.0.0', environment: 'staging' }]);
    await go('/');
    await marksOf(page)
      .getByRole('link', { name: /^2\.0\.0: deployed to staging/ })
      .waitFor();
    expect(faults).toEqual([]);
  });

  it('records a deploy to the environment of the chosen project where none is named', async () => {
    const user = await service.signUp();
    const [{ body: staging }] = await Promise.all([
      user.api.post('/projects', { name: 'Shop', environment: 'staging' }),
      user.api.post('/projects', { name: 'Website', environment: 'production' }),
    ]);
    const { page, open, faults } = await visit(service, user);
    await open('/releases?record=true');
    const dialog = page.getByRole('dialog', { name: 'Record deploy' });
    await dialog.getByLabel('Project').click();
    await page.getByRole('option', { name: 'Website' }).click();
    await dialog.getByText('Defaults to production.').waitFor();
    await dialog.getByLabel('Project').click();
    await page.getByRole('option', { name: 'Shop' }).click();
    await dialog.getByText('Defaults to staging.').waitFor();
    await dialog.getByLabel('Release').fill('2.0.0');
    await dialog.getByRole('button', { name: 'Record deploy' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await user.api.get(`/projects/${staging.id}/deploys`);
    expect(body).toMatchObject([{ release: '2.0.0', environment: 'staging' }]);
    expect(faults).toEqual([]);
  });

  it('shows in a chart a deploy that is reported while it is open', async () => {
    const project = await runReleases();
    await show(`/?project=${project.id}&range=1h`);
    await expect.poll(() => marksOf(page).getByRole('link').count()).toBe(3);
    await becomesLive(page);
    await expectStatus(202, project.ingest.post('/ingest/deploys', { release: '9.9.9', at: minutesAgo(20) }));
    await marksOf(page)
      .getByRole('link', { name: /^9\.9\.9/ })
      .waitFor();
  });
});
