import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { scaled } from '../../server/test/support/time-scale.ts';
import { becomesLive, startTestService, type Visit, visit } from './support/browser.ts';

const HOUR_MS = 3_600_000;
/** Interval in which the ledger is read. */
const LEDGER_MS = 4_000;
const SLOW_ANSWER_MS = 300;
/** Time that a toast waits for the list at most. */
const MAX_NEWS_WAIT_MS = 1_000;

const service = await startTestService();

async function userWithEvents() {
  const user = await service.signUp();
  const project = await user.createProject('Shop');
  const hour = Math.floor(service.context.clock.now() / HOUR_MS) * HOUR_MS;
  const at = (hours: number) => new Date(hour - hours * HOUR_MS + 1_000).toISOString();
  const events = [
    { type: 'checkout', source: 'api', severity: 'ERROR', message: 'Card 4411 refused', capturedAt: at(20) },
    { type: 'checkout', source: 'api', severity: 'ERROR', message: 'Card 4412 refused', capturedAt: at(20) },
    { type: 'signup', source: 'web', severity: 'INFO', message: 'Welcome', capturedAt: at(3) },
  ];
  const answer = await project.ingest.post('/ingest/bulk', events);
  expect(answer.status).toBe(202);
  await service.settled();
  return { user, project };
}

/** Returns true if a chart's canvas has an opaque pixel of a colour of the theme. */
const hasPixels = (chart: Locator, colour: string) =>
  chart.locator('canvas').evaluate((canvas: HTMLCanvasElement, name) => {
    const probe = document.body.appendChild(document.createElement('canvas')).getContext('2d');
    const context = canvas.getContext('2d');
    if (!probe || !context) throw new Error('The browser draws nothing.');
    const style = document.body.appendChild(document.createElement('i')).style;
    style.color = `var(${name})`;
    const element = document.body.lastElementChild;
    probe.fillStyle = element ? getComputedStyle(element).color : '';
    probe.fillRect(0, 0, 1, 1);
    const wanted = probe.getImageData(0, 0, 1, 1).data.join();
    probe.canvas.remove();
    element?.remove();
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) if (data.subarray(at, at + 4).join() === wanted) return true;
    return false;
  }, colour);

/** Its events are only looked at. */
const { user } = await userWithEvents();

describe('the overview', () => {
  let visited: Visit | null = null;
  afterEach(async () => {
    expect(visited?.faults).toEqual([]);
    visited = null;
  });

  /** Opens the page of a user with events and without an incident, and waits until it is live. */
  const openWithoutIncidents = async (prepare: (page: Page) => Promise<unknown> = async () => {}) => {
    const { user: sender, project } = await userWithEvents();
    visited = await visit(service, sender);
    const { page } = visited;
    await prepare(page);
    await visited.open('/');
    await page.getByText('No open incidents').waitFor();
    await becomesLive(page);
    return { sender, project, page };
  };

  it('shows a user without a project how to create one', async () => {
    visited = await visit(service, await service.signUp());
    await visited.open('/');
    await visited.page.getByRole('main').getByRole('link', { name: 'Create project' }).click();
    await visited.page.waitForURL('**/app/projects/new');
  });

  it('shows that no incident is open, and a new incident without a reload', async () => {
    const { sender, project, page } = await openWithoutIncidents();

    const title = 'Nobody can pay';
    await sender.api.post('/incidents', { title, severity: 'critical', projectId: project.id });
    const row = page.getByRole('main').getByRole('link', { name: title });
    await row.waitFor({ timeout: scaled(5_000) });
    expect(await row.innerText()).toContain('open');
    await row.click();
    await page.waitForURL('**/app/incidents/inc_*');
  });

  it('lists a new incident no later than its toast', async () => {
    // A busy machine must not use up the time for which the toast waits.
    const stretchWait = (waits: { fromMs: number; toMs: number }) => {
      const wait = setTimeout.bind(window);
      const stretched = (run: () => void, ms?: number, ...more: unknown[]) =>
        wait(run, ms === waits.fromMs ? waits.toMs : ms, ...more);
      Object.assign(window, { setTimeout: stretched });
    };
    const { sender, project, page } = await openWithoutIncidents((opened) =>
      opened.addInitScript(stretchWait, { fromMs: MAX_NEWS_WAIT_MS, toMs: scaled(15_000) }),
    );
    // With a slow answer the list would contradict the toast.
    await page.route('**/incidents?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_ANSWER_MS));
      await route.continue();
    });
    const listedWithToast = page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          new MutationObserver(() => {
            const { innerText } = document.body;
            if (innerText.includes('New incident')) resolve(!innerText.includes('No open incidents'));
          }).observe(document.body, { childList: true, subtree: true, characterData: true });
        }),
    );
    await sender.api.post('/incidents', {
      title: 'Nobody can pay',
      severity: 'error',
      projectId: project.id,
    });
    expect(await listedWithToast).toBe(true);
  });

  it('says below the rest that all received events are stored, and keeps that up to date', async () => {
    const { user: sender, project } = await userWithEvents();
    visited = await visit(service, sender, { hasClock: true });
    await visited.open('/');
    const ledger = visited.page.getByRole('region', { name: 'Ledger' });
    await ledger.getByText('All 3 events received are stored.').waitFor();
    await project.ingest.post('/ingest/events', { type: 'signup', severity: 'INFO', message: 'Welcome' });
    await service.settled();
    await visited.page.clock.fastForward(LEDGER_MS);
    await ledger.getByText('All 4 events received are stored.').waitFor();
  });

  it('warns above the rest of failed events at once, and of waiting events after a while', async () => {
    visited = await visit(service, user, { hasClock: true });
    const { page } = visited;
    const asked: Route[] = [];
    await page.route('**/organizations/ledger', (route) => void asked.push(route));
    /** Answers the next reading of the page: until then it reads no other, however long a step takes. */
    const read = async (ledger: object) => {
      await expect.poll(() => asked.length).toBe(1);
      await asked.shift()?.fulfill({ json: ledger });
    };
    await visited.open('/');
    const failed = {
      accepted: 9,
      stored: 7,
      queued: 0,
      duplicate: 0,
      dead: 2,
      dropped: 0,
      expired: 0,
      sampled: 0,
      onDisk: 0,
      unstored: [],
    };
    await read(failed);
    const warning = page.getByRole('region', { name: 'Ledger' }).getByRole('alert');
    await warning.getByText('2 events couldn’t be stored and became dead letters.').waitFor();
    const heading = page.getByRole('heading', { name: 'Open incidents' });
    const [first, second] = [await warning.boundingBox(), await heading.boundingBox()];
    expect(first?.y).toBeLessThan(second?.y ?? 0);

    const waiting = { ...failed, stored: 5, dead: 0, queued: 4 };
    await page.clock.fastForward(LEDGER_MS);
    await read(waiting);
    await page.getByText('9 events received, 5 stored, 4 about to be stored.').waitFor();
    await page.clock.fastForward(LEDGER_MS);
    await read(waiting);
    await warning.getByText('4 events waiting to be stored.').waitFor();
    await page.clock.fastForward(LEDGER_MS);
    await read({ ...waiting, stored: 9, queued: 0 });
    await page.getByText('All 9 events received are stored.').waitFor();
    expect(await warning.count()).toBe(0);
  });

  it('links the most frequent types and sources to their events, and fingerprints to their groups, in the same range', async () => {
    visited = await visit(service, user);
    const { page } = visited;
    for (const [list, name, place, filter] of [
      ['Top types', /checkout.*2/, '/app/events?', 'type=checkout'],
      ['Top sources', /api.*2/, '/app/events?', 'source=api'],
      ['Top fingerprints', /Card 4412 refused.*2/, '/app/groups/grp_', ''],
    ] as const) {
      await visited.go('/?range=7d');
      await page.getByRole('region', { name: list }).getByRole('link', { name }).click();
      await page.waitForURL((url) => url.href.includes(place) && url.search.includes(filter));
      expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
    }
  });

  it('scales the axis to the drawn bars, and shows severity info as a number or as bars, never both', async () => {
    const { user: sender, project } = await userWithEvents();
    const traffic = Array.from({ length: 40 }, () => ({ type: 'paid', severity: 'INFO', message: 'Paid' }));
    expect((await project.ingest.post('/ingest/bulk', traffic)).status).toBe(202);
    await service.settled();
    visited = await visit(service, sender);
    const { page } = visited;
    for (const [place, name] of [
      ['/?range=24h', 'Events over time'],
      ['/events?range=24h', 'Events over time'],
    ] as const) {
      await visited.go(place);
      const chart = page.getByRole('figure', { name });
      await chart.getByText('43 events · bars without info').waitFor();
      await chart
        .getByRole('img', { name: /43 events, including 2 error .*; the bars are error$/ })
        .waitFor();
      await expect.poll(() => hasPixels(chart, '--error-fill')).toBe(true);
      expect(await hasPixels(chart, '--info-fill')).toBe(false);
      await chart.getByRole('button', { name: /41/ }).click();
      await expect.poll(() => hasPixels(chart, '--info-fill')).toBe(true);
      expect(await hasPixels(chart, '--error-fill')).toBe(false);
      await chart.getByRole('img', { name: /; the bars are info$/ }).waitFor();
    }
  });

  it('asks for permission to notify on request, and not again after the answer', async () => {
    visited = await visit(service, user);
    const { page } = visited;
    // A headless browser has decided already.
    await page.addInitScript(() => {
      const undecided = { permission: 'default', requestPermission: () => Promise.resolve('granted') };
      Object.defineProperty(window, 'Notification', { value: undecided });
    });
    await visited.open('/');
    await page.getByRole('button', { name: 'Notify me' }).click();
    await page.getByRole('status').getByText('You’ll get a browser notification').waitFor();
    expect(await page.getByRole('button', { name: 'Notify me' }).count()).toBe(0);
  });
});

describe('the chart of the overview', async () => {
  // Each test leaves the page as it found it.
  const { page, open, faults } = await visit(service, user);
  beforeAll(() => open('/'));
  afterAll(() => expect(faults).toEqual([]));
  const chart = page.getByRole('figure', { name: 'Events over time' });

  it('puts a range dragged in the chart into the address, and goes back by a double click', async () => {
    await chart.getByText('3 events').waitFor();
    const plot = chart.locator('.u-over');
    const box = await plot.boundingBox();
    if (!box) throw new Error('The chart has no size.');
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.6, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, middle, { steps: 5 });
    await page.mouse.move(box.x + box.width - 2, middle, { steps: 5 });
    await page.mouse.up();

    await page.waitForURL(/from=.*to=/);
    // Moves the pointer off the chart, which then shows its total.
    await page.mouse.move(0, 0);
    const { searchParams } = new URL(page.url());
    const [from, to] = ['from', 'to'].map((name) =>
      Date.parse(searchParams.get(name)?.replaceAll('"', '') ?? ''),
    );
    expect((to ?? 0) - (from ?? 0)).toBeGreaterThan(8 * HOUR_MS);
    expect((to ?? 0) - (from ?? 0)).toBeLessThan(11 * HOUR_MS);
    await chart.getByText('1 event', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Top types' }).getByRole('link', { name: 'signup' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'checkout' }).count()).toBe(0);

    await plot.dblclick();
    await page.mouse.move(0, 0);
    await page.waitForURL((url) => !url.search.includes('from='));
    await chart.getByText('3 events').waitFor();
  });

  it('shows the numbers of the chart as a table, from which the keyboard zooms', async () => {
    await chart.getByText('3 events').waitFor();
    await chart.getByText(/^\d+ min per bar$/).waitFor();
    const toggle = chart.getByRole('button', { name: 'Table' });
    await toggle.press('Enter');
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    const table = chart.getByRole('table', { name: 'Events over time' });
    const sums = await table
      .locator('tbody tr')
      .evaluateAll((rows) => rows.reduce((sum, row) => sum + Number(row.lastElementChild?.textContent), 0));
    expect(sums).toBe(3);

    await chart.getByLabel('Zoom from').click();
    await page.getByRole('option').nth(60).click();
    await chart.getByRole('button', { name: 'Zoom', exact: true }).press('Enter');
    await page.waitForURL(/from=.*to=/);
    await chart.getByText('1 event', { exact: true }).waitFor();
    await chart.getByRole('button', { name: 'Zoom out' }).press('Enter');
    await page.waitForURL((url) => !url.search.includes('from='));
    await toggle.press('Enter');
    await table.waitFor({ state: 'detached' });
  });

  it('shows a severity of the chart alone on a click on its legend, and all of them again', async () => {
    const legend = chart.getByRole('button', { name: /^error 2$/ });
    await legend.click();
    expect(await legend.getAttribute('aria-pressed')).toBe('true');
    expect(await legend.getAttribute('title')).toBe('Show all');
    expect(await chart.getByRole('button', { pressed: true }).count()).toBe(1);
    await legend.click();
    expect(await chart.getByRole('button', { pressed: true }).count()).toBe(0);
  });

  it('shows the counts of the bar under the pointer in one place', async () => {
    await chart.getByText('3 events').waitFor();
    const before = await chart.boundingBox();
    await chart.locator('.u-over').hover();
    await chart.getByText(/\d+ \w+, \d\d:\d\d – (\d+ \w+, )?\d\d:\d\d/).waitFor();
    expect(await chart.boundingBox()).toEqual(before);
    await page.mouse.move(0, 0);
  });
});
