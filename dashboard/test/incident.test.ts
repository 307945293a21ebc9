import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { rowsOf, visitBursts } from './support/incidents.ts';
import { assetsOf } from './support/manifest.ts';
import { expectStatus } from './support/seed.ts';

const service = await startTestService();
// Most tests only read this incident.
const { page, user, open, go, faults, nextProject, incidentsOf, burst } = await visitBursts(service, 4);
const { project, incidentId, showIncident } = await burst();

const TITLE = /^Card was declined for order \d+ in shop$/;

/** Time that a pointer must rest on a link before the router loads its page. */
const PRELOAD_DELAY_MS = 50;

describe('the page of an incident', () => {
  it('shows the reason of an incident, and everything that a decision needs, above the fold', async () => {
    await showIncident();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
    const needed = [
      page.getByRole('button', { name: 'Investigate' }),
      page.getByRole('button', { name: 'Resolve' }),
      page.getByRole('figure', { name: /critical events/i }),
      page.getByRole('region', { name: 'Most affected' }).getByRole('link', { name: /ord_5 11 events$/ }),
      page
        .getByRole('list', { name: 'Groups' })
        .getByRole('link', { name: /Card was declined.*100% · 40 events/ }),
      page.getByRole('region', { name: 'Newest event', exact: true }).getByText(/Card was declined/),
      page
        .getByRole('region', { name: 'Newest event', exact: true })
        .getByRole('link', { name: 'Open event' }),
      page.getByRole('region', { name: 'Timeline' }).getByRole('listitem').first(),
    ];
    for (const one of needed) {
      await one.waitFor();
      const box = await one.boundingBox();
      expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    }
    expect(faults).toEqual([]);
  });

  it('leads from a group that regressed to the comparison with the release in which it was resolved', async () => {
    await page.route(`**/incidents/${incidentId}/groups`, async (route) => {
      const response = await route.fetch();
      const [group] = await response.json();
      const regression = { at: group.at, resolvedAt: group.at, resolvedIn: '4.17.0', resolvedBy: null };
      const releases = [{ version: '4.18.1', count: group.count }];
      await route.fulfill({ response, json: [{ ...group, releases, regression }] });
    });
    // A load, since the page has read the groups as they are.
    await open(`/incidents/${incidentId}`);
    const said = page.getByRole('paragraph').filter({ hasText: 'Regressed after it was resolved in 4.17.0' });
    await said.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { level: 1, name: 'Compare releases' }).waitFor();
    const address = Object.fromEntries(new URL(page.url()).searchParams);
    expect(address).toMatchObject({ project: project.id, release: '4.18.1', base: '4.17.0' });
    await page.unrouteAll();
    expect(faults.splice(0).filter((fault) => !fault.includes('404'))).toEqual([]);
  });

  it('keeps the key of a group in one line, and a long name of its release within its row', async () => {
    const { page, open } = await visit(service, user);
    const version = 'f'.repeat(120);
    await page.route(`**/incidents/${incidentId}/groups`, async (route) => {
      const response = await route.fetch();
      const [group] = await response.json();
      const releases = [{ version, count: group.count }];
      await route.fulfill({ response, json: [{ ...group, releases, allReleases: [version] }] });
    });
    await open(`/incidents/${incidentId}`);
    const row = page.getByRole('list', { name: 'Groups' }).getByRole('listitem');
    await row.getByText(version).waitFor();
    for (const width of [1280, 1024, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const link = row.getByRole('link').first();
      expect(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      const key = row.getByText(/^SHOP-\d+$/);
      expect(await key.evaluate((element) => element.getClientRects().length)).toBe(1);
    }
  });

  it('links to the events of an incident, to those of one correlation, and to a single one', async () => {
    await showIncident();
    const addressOf = async (region: string, name: RegExp) => {
      const link = page.getByRole('region', { name: region }).getByRole('link', { name }).first();
      return new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams;
    };
    await page.getByRole('link', { name: /order 38/ }).waitFor();
    const all = await addressOf('Newest events', /^View all 40 events$/);
    expect(Object.fromEntries(all)).toMatchObject({ project: project.id, incident_id: incidentId });
    expect(Date.parse(all.get('from') ?? '')).toBeLessThan(Date.parse(all.get('to') ?? ''));
    const affected = await addressOf('Most affected', /ord_5/);
    expect(affected.get('correlation.order_id')).toBe('ord_5');
    expect((await addressOf('Newest events', /order 38/)).get('event')).toMatch(/^evt_/);
  });

  it.each([
    ['a click', 0],
    ['a click on a link that the pointer has rested on', PRELOAD_DELAY_MS],
  ])('requests all data of the page in parallel after %s', async (_, restMs) => {
    const { page, open } = await visit(service, user, { hasClock: true });
    await open(`/incidents?project=${project.id}`);
    const others = ['/events', '/groups', '/points', '/previous'].map((part) =>
      page.waitForRequest((request) => new URL(request.url()).pathname === `/incidents/${incidentId}${part}`),
    );
    await page.route(`**/incidents/${incidentId}`, async (route) => {
      await Promise.all(others);
      await route.continue();
    });
    const link = rowsOf(page).getByRole('link').first();
    await link.hover();
    await page.clock.runFor(restMs);
    await link.click();
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  });

  it('links to all events of a user, whatever else the event names', async () => {
    const project = nextProject();
    const events = Array.from({ length: 12 }, (_, index) => ({
      type: 'checkout',
      severity: 'CRITICAL',
      message: 'Card was declined',
      correlation: { order_id: `ord_${index}`, user_id: `usr_${index % 6}`, region: 'eu' },
    }));
    await expectStatus(202, project.ingest.post('/ingest/bulk', events));
    await service.settled();
    const [incident] = await incidentsOf(project);
    await showIncident(incident?.id);
    const affected = page.getByRole('region', { name: 'Most affected' });
    await affected.getByText('6 users', { exact: true }).waitFor();
    await affected.getByText('evenly spread', { exact: true }).first().click();
    await affected.getByRole('link', { name: /usr_3 2 events$/ }).click();
    await page.getByRole('button', { name: 'Remove filter user_id: usr_3' }).waitFor();
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('3');
    await page.goBack();
    const newest = page.getByRole('region', { name: 'Newest event', exact: true });
    await newest.getByRole('link', { name: 'user_id usr_5' }).click();
    await page.getByRole('button', { name: 'Remove filter user_id: usr_5' }).waitFor();
  });

  it('compares the release of the events with the one before', async () => {
    const project = nextProject();
    const send = (release: string, severity: string, message: string) =>
      expectStatus(
        202,
        project.ingest.post('/ingest/events', { type: 'checkout', severity, message, release }),
      );
    await send('4.18.0', 'INFO', 'The order was paid');
    await service.settled();
    await send('4.18.1', 'CRITICAL', 'No price was found');
    await service.settled();
    await expect.poll(async () => (await incidentsOf(project)).length).toBe(1);
    const [incident] = await incidentsOf(project);
    await showIncident(incident?.id);
    await page.getByRole('link', { name: 'Compare 4.18.1 with the release before it' }).click();
    await page
      .getByRole('region', { name: 'New in 4.18.1' })
      .getByRole('link', { name: /No price was found/ })
      .waitFor();
  });

  it('names the release of the events and the time of its deploy', async () => {
    const project = nextProject();
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
    const [incident] = await incidentsOf(project);
    await showIncident(incident?.id);
    await page.getByText(/^(?:Last deploy [34] min before: |(?:new in|all from) )4\.18\.1.*$/).waitFor();
    await page.getByText('2 users', { exact: true }).first().waitFor();
    const marks = page.getByRole('list', { name: 'Releases in this chart' });
    await marks.getByRole('link', { name: /^4\.18\.1: deployed to production/ }).waitFor();
    await page.getByRole('link', { name: '4.18.1', exact: true }).click();
    await page.getByRole('button', { name: 'Remove filter release: 4.18.1' }).waitFor();
  });

  it('copies the link by y and the incident as Markdown, and prints without controls', async () => {
    const { page, open } = await visit(service, user);
    await open(`/incidents/${incidentId}`);
    await page.getByRole('button', { name: 'More actions' }).waitFor();
    await page.keyboard.press('y');
    await page.getByRole('status').getByText('Link copied').waitFor();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    expect(await copied()).toBe(page.url());
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await expect
      .poll(copied)
      .toMatch(
        /^### Card was declined for order \d+ in shop\n[^]*\*\*critical\*\* · open[^]*40 events · since [^]*100% · 40 events: SHOP-1 Card was declined[^]*Opened automatically/,
      );
    expect(await copied()).toContain(`<${page.url()}>`);

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });

  it('keeps the head, the actions and the timeline of an incident whose chart cannot be loaded', async () => {
    const { page, open } = await visit(service, user);
    const [plot = ''] = await assetsOf(/observed-plot/);
    await page.route(`**${plot}`, (route) => route.abort());
    await open(`/incidents/${incidentId}`);
    const failure = page.getByRole('alert').filter({ hasText: 'Couldn’t load this.' });
    await failure.waitFor();
    await page.getByRole('button', { name: 'Resolve' }).waitFor();
    await page.getByRole('region', { name: 'Timeline' }).waitFor();
    await page.unrouteAll();
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('figure', { name: /critical events/i }).waitFor();
  });

  it('reports an incident that does not exist', async () => {
    await go('/incidents/inc_nobody');
    await page.getByText('Incident not found').waitFor();
  });
});
