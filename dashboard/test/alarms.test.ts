import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TestProject } from '../../server/test/support/service.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import type { WatchedSeriesList } from '../src/lib/api-types.ts';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { choose, chooseAction } from './support/choose.ts';

const service = await startTestService();

const user = await service.signUp();
const inside = await visit(service, user);
/** Projects of the tests, a new one each: a document reads the list of projects only once in a while. */
const unused: TestProject[] = [];
for (let count = 0; count < 15; count++) unused.push(await user.createProject('Shop'));

function takeProject(): TestProject {
  const project = unused.pop();
  if (!project) throw new Error('There are more tests than projects.');
  return project;
}

/** Opens a page of alerts for a project of the test's own, in the document of the test before. */
async function openAlerts(
  path: '' | '/quiet-log' | '/watched' = '',
  prepare?: (page: Page) => Promise<unknown>,
) {
  const { id, ingest } = takeProject();
  const { page, go } = inside;
  await page.unrouteAll();
  await prepare?.(page);
  await go(`/alerts${path}?project=${id}`);
  return { ...inside, id, ingest };
}

/** Opens the alert settings of a new project. */
async function openAlarms() {
  const { page, id, ingest } = await openAlerts();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  return { page, id, ingest, savedSettings: async () => (await user.api.get(`/projects/${id}/risk`)).body };
}

const PLAIN = { name: null, type: null, severity: null, source: null, field: null, percent: null };
const sensitivity = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Sensitivity' }).getByRole('radio', { name });
const rulesOf = (page: Page) => page.getByRole('group', { name: /^Rule \d+$/ });
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();
const isSaved = (page: Page) => page.getByRole('status').getByText('Saved').waitFor();

describe('the alarms of a project', () => {
  it('opens the alert settings from the project, with the defaults', async () => {
    const { page, go, faults } = inside;
    await go(`/projects/${takeProject().id}`);
    await chooseAction(page, 'Shop', 'Alerts');
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await expect.poll(() => sensitivity(page, 'Normal').isChecked()).toBe(true);
    expect(await rulesOf(page).count()).toBe(1);
    expect(await rulesOf(page).getByLabel('Severity').textContent()).toBe('critical');
    expect(await page.getByLabel('Open an incident for errors never seen before').isChecked()).toBe(true);
    expect(faults).toEqual([]);
  });

  it('keeps the alert settings as they were saved', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createProject('Shop');
    const { page, open } = await visit(service, owner);
    await open('/alerts');
    await sensitivity(page, 'Low').check();
    await page.getByLabel('Open an incident for errors never seen before').uncheck();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const added = rulesOf(page).nth(1);
    // The new rule has the focus.
    await added.getByLabel('Type').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('checkout');
    await choose(added.getByLabel('Severity'), 'any');
    await added.getByLabel('Source').fill('shop');
    await added.getByLabel('Events (at least)').fill('20');
    await added.getByLabel('Within (minutes)').fill('3');
    await save(page);
    await isSaved(page);
    expect((await owner.api.get(`/projects/${id}/risk`)).body).toEqual({
      budget: 0.2,
      newKinds: false,
      rules: [
        { ...PLAIN, severity: 'critical', events: 1, minutes: 1 },
        { ...PLAIN, type: 'checkout', source: 'shop', events: 20, minutes: 3 },
      ],
    });
    await page.reload();
    await expect.poll(() => sensitivity(page, 'Low').isChecked()).toBe(true);
    expect(await rulesOf(page).nth(1).getByLabel('Type').inputValue()).toBe('checkout');
  });

  it('shows what a rule about a field would have opened while it is edited, and saves it with its name', async () => {
    const { page, ingest, savedSettings: saved } = await openAlarms();
    const event = {
      type: 'checkout',
      severity: 'INFO',
      message: 'Paid',
      payload: { cart: { state: 'failed' } },
    };
    for (let count = 0; count < 3; count++) await ingest.post('/ingest/events', event);
    await service.settled();
    await page.getByRole('button', { name: 'Add rule' }).click();
    const rule = rulesOf(page).nth(1);
    await rule.getByLabel('Type').and(page.locator(':focus')).waitFor();
    await choose(rule.getByLabel('Severity'), 'any');
    await rule.getByLabel('Name').fill('Checkouts fail');
    await rule.getByLabel('Payload field').fill('cart.state');
    await rule.getByLabel('Value').fill('failed');
    await rule.getByLabel('Events (at least)').fill('3');
    await rule
      .getByRole('status')
      .getByText(/^Past 30 days: 1 incident, the last on /)
      .waitFor();
    await rule.getByText('When').click();
    await rule.getByText(/3 events in 5 min: events where cart.state is failed/).waitFor();
    await rule.getByLabel('Events (at least)').fill('4');
    await rule.getByText('Past 30 days: no incidents').waitFor();
    await choose(rule.getByLabel('Condition'), 'is over');
    await save(page);
    await rule.getByText('Enter a number.').waitFor();
    await choose(rule.getByLabel('Condition'), 'is not');
    await rule.getByLabel('Share (more than %)').fill('2.5');
    await save(page);
    await isSaved(page);
    const field = { path: ['cart', 'state'], operator: 'not', value: 'failed' };
    const ruled = { ...PLAIN, name: 'Checkouts fail', field, percent: 2.5, events: 4, minutes: 5 };
    expect((await saved()).rules[1]).toEqual(ruled);
  });

  it('searches the past of a saved rule once it is edited or its preview is asked for', async () => {
    const asked: unknown[] = [];
    const { page } = await openAlerts('', (prepared) =>
      prepared.route('**/risk/rule-preview', (route) => {
        asked.push(route.request().postDataJSON());
        return route.continue();
      }),
    );
    const [first, added] = [rulesOf(page).first(), rulesOf(page).nth(1)];
    await first.getByRole('button', { name: 'Show the past 30 days' }).waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await added.getByText('Past 30 days: no incidents').waitFor();
    expect(asked).toEqual([{ ...PLAIN, severity: 'error', events: 10, minutes: 5 }]);
    await first.getByRole('button', { name: 'Show the past 30 days' }).click();
    await first.getByText('Past 30 days: no incidents').waitFor();
    expect(asked).toHaveLength(2);
    await page.getByRole('button', { name: 'Remove rule 2' }).click();
    await save(page);
    await isSaved(page);
  });

  it('runs the previews of a setting and of a rule again only when asked to', async () => {
    const owner = await service.signUp();
    const { id } = await owner.createProject('Shop');
    const { page, context, open } = await visit(service, owner, { hasClock: true });
    const refusals = [
      { detail: 'Other previews are running.', headers: { 'retry-after': '5' } },
      { detail: 'The preview took too much time.', headers: {} },
    ];
    let asked = 0;
    for (const path of ['preview?*', 'rule-preview']) {
      const left = [...refusals];
      await page.route(`**/risk/${path}`, (route) => {
        asked++;
        const refusal = left.shift();
        if (!refusal) return route.continue();
        const { detail, headers } = refusal;
        return route.fulfill({ status: 503, headers, json: { status: 503, code: 'unavailable', detail } });
      });
    }
    const settingsRead = () => page.waitForResponse('**/risk');
    /** Gives the page time and the focus, and takes its connection for a while: each makes it read its settings again. */
    const disturb = async () => {
      await page.clock.runFor(40_000);
      await Promise.all([settingsRead(), page.evaluate(() => dispatchEvent(new Event('visibilitychange')))]);
      await context.setOffline(true);
      await page.getByRole('status', { name: 'Connection' }).filter({ hasText: 'offline' }).waitFor();
      await Promise.all([settingsRead(), context.setOffline(false)]);
    };
    await open(`/alerts?project=${id}`);
    await becomesLive(page);
    const [rule, failure] = [rulesOf(page), page.getByRole('alert')];
    await rule.getByRole('button', { name: 'Show the past 30 days' }).click();
    await page.getByRole('button', { name: 'Run test' }).click();
    for (const [index, { detail }] of refusals.entries()) {
      await rule.getByText(`No preview: ${detail}`).waitFor();
      await failure.getByText(detail, { exact: true }).waitFor();
      await disturb();
      expect(asked).toBe(2 * (index + 1));
      for (const part of [rule, failure]) await part.getByRole('button', { name: 'Try again' }).click();
    }
    await rule.getByText('Past 30 days: no incidents').waitFor();
    await page.getByText('No incidents would have opened').waitFor();
    await disturb();
    expect(asked).toBe(6);
  });

  it('sends only edited fields, and keeps changes of other users', async () => {
    const { page, id, savedSettings: saved } = await openAlarms();
    await sensitivity(page, 'High').check();
    await user.api.request('PUT', `/projects/${id}/risk`, { body: { newKinds: false } });
    await save(page);
    await isSaved(page);
    expect(await saved()).toMatchObject({ budget: 5, newKinds: false });
  });

  it('keeps a number of false alarms that was set through the API as a fourth choice', async () => {
    const { page, id, savedSettings: saved } = await openAlarms();
    expect(await page.getByRole('radio').count()).toBe(3);
    await user.api.request('PUT', `/projects/${id}/risk`, { body: { budget: 2.5 } });
    await page.reload();
    await expect.poll(() => sensitivity(page, 'Custom').isChecked()).toBe(true);
    await page.getByText('About 2.5 false alarms a week').waitFor();
    await sensitivity(page, 'Normal').check();
    await sensitivity(page, 'Custom').check();
    await page.getByLabel('Open an incident for errors never seen before').uncheck();
    await save(page);
    await isSaved(page);
    expect(await saved()).toMatchObject({ budget: 2.5, newKinds: false });
  });

  it('saves settings without rules, and keeps the focus when one is removed', async () => {
    const { page, savedSettings: saved } = await openAlarms();
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    expect(await rulesOf(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Add rule' }).and(page.locator(':focus')).waitFor();
    await save(page);
    await isSaved(page);
    expect(await saved()).toMatchObject({ rules: [] });
  });

  it('shows errors at their fields, and sends nothing', async () => {
    const { page, savedSettings: saved } = await openAlarms();
    await sensitivity(page, 'High').check();
    const minutes = rulesOf(page).getByLabel('Within (minutes)');
    await minutes.fill('1.5');
    await save(page);
    await page.getByText('Enter a whole number from 1 to 1,440.').waitFor();
    expect(await minutes.getAttribute('aria-invalid')).toBe('true');
    await minutes.and(page.locator(':focus')).waitFor();
    expect(await saved()).toMatchObject({ budget: 1 });
  });

  it('shows the service’s error at its field', async () => {
    const { page } = await openAlarms();
    const problem = {
      status: 400,
      code: 'validation_failed',
      detail: 'body/rules/0/type must not have fewer than 1 characters.',
      errors: [{ pointer: '/rules/0/type', message: 'is not one that events have' }],
    };
    await page.route('**/risk', (route) => route.fulfill({ status: 400, json: problem }));
    await rulesOf(page).getByLabel('Type').fill('nonsense');
    await save(page);
    await rulesOf(page).getByText('Is not one that events have.').waitFor();
  });

  it('shows no alert settings for a project that does not exist', async () => {
    const { page, go } = inside;
    await go('/alerts?project=nonsense');
    await page.getByText('No project here').waitFor();
  });
});

describe('the preview of alarms', () => {
  it('previews no incidents for the chosen sensitivity if no events were sent', async () => {
    const { page, savedSettings: saved } = await openAlarms();
    await sensitivity(page, 'High').check();
    await page.getByRole('button', { name: 'Run test' }).click();
    await page.getByText('No incidents would have opened').waitFor();
    await page.getByText(/ · Sensitivity: High$/).waitFor();
    expect(await saved()).toMatchObject({ budget: 1 });
  });

  it('lists the incidents of a preview as sentences with their time', async () => {
    const { page } = await openAlarms();
    const preview = {
      from: '2026-11-14T12:00:00.000Z',
      to: '2026-11-21T12:00:00.000Z',
      budget: 1,
      incidents: [
        {
          openedAt: '2026-11-20T12:00:00.000Z',
          resolvedAt: '2026-11-20T12:50:00.000Z',
          direction: 'down',
          rule: 'drop',
          series: aSeries('orders'),
          alsoSeries: [aSeries('mail')],
          alsoSeriesCount: 1,
          observed: 3,
          expected: 120,
          windowSeconds: 600,
          severity: 'critical',
          sentence: '`orders` events are down: 3 in 10 min, usually about 120.',
        },
        ...[1, 2].map((day) => ({
          openedAt: `2026-11-1${4 + day}T12:00:00.000Z`,
          resolvedAt: null,
          direction: 'up',
          rule: 'at_least',
          series: { ...aSeries('x'), type: null, severity: 'critical' },
          alsoSeries: [],
          alsoSeriesCount: 0,
          observed: 1,
          expected: 1,
          windowSeconds: 60,
          severity: 'critical',
          sentence: 'Critical event: `disk` from `db`. Matched your rule “any critical event”.',
        })),
      ],
    };
    await page.route('**/risk/preview?*', (route) => route.fulfill({ json: preview }));
    await page.getByRole('button', { name: 'Run test' }).click();
    const row = page.getByRole('list', { name: 'Incidents that would have opened' }).getByRole('listitem');
    await row
      .filter({ hasText: 'orders events are down: 3 in 10 min, usually about 120. and 1 more' })
      .waitFor();
    await row.filter({ hasText: /20.*, for 50 min$/ }).waitFor();
    await page
      .getByText('3 incidents: 1 from detection, 2 from your rule “any critical event”', { exact: true })
      .waitFor();
    const strips = page.getByRole('figure', { name: 'When they would have opened' });
    await strips.getByRole('img', { name: /^Detection: 1 incident, 20 Nov/ }).waitFor();
    await strips.getByRole('img', { name: /^any critical event: 2 incidents, / }).waitFor();
  });
});

describe('why they did not go off', () => {
  it('shows no decisions if nothing was unusual', async () => {
    const { page } = await openAlerts('/quiet-log');
    await page.getByText('Nothing kept quiet in the last 7 days').waitFor();
    await choose(page.getByLabel('Outcome'), 'opened an incident');
    await page.getByText('Nothing with this outcome').waitFor();
    expect(page.url()).toContain('outcome=opened');
    await choose(page.getByLabel('Outcome'), 'all outcomes');
    await page.getByText('Nothing unusual in the last 7 days').waitFor();
  });

  it('explains decisions in words, page by page, with a link to the incident', async () => {
    const first = aDecision({ id: 'dec_1', outcome: 'suppressed', reason: 'small_effect' });
    const second = aDecision({ id: 'dec_2', outcome: 'opened', incidentId: 'inc_1' });
    const { page } = await openAlerts('/quiet-log', (opened) =>
      opened.route('**/risk/decisions?*', (route) => {
        const url = new URL(route.request().url());
        if (url.searchParams.get('cursor') === 'next') return route.fulfill({ json: [second] });
        url.searchParams.set('cursor', 'next');
        return route.fulfill({ json: [first], headers: { link: `<${url.href}>; rel="next"` } });
      }),
    );
    const rows = page.getByRole('list', { name: 'Decisions' }).getByRole('listitem');
    await rows.filter({ hasText: 'too small to matter' }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rows.count()).toBe(2);
    const link = rows.nth(1).getByRole('link', { name: 'View incident' });
    expect(await link.getAttribute('href')).toMatch(/\/incidents\/inc_1\?project=/);
  });

  it('lists the watched series seconds after the first event of a project, and filters them by name', async () => {
    const owner = await service.signUp();
    const { id, ingest } = await owner.createProject('Shop');
    const { page, open, faults } = await visit(service, owner);
    await open(`/alerts/watched?project=${id}`);
    await page.getByText('Nothing is watched yet').waitFor();
    await ingest.post('/ingest/events', { type: 'signup', severity: 'INFO', message: 'Welcome' });
    const watched = async () =>
      (await owner.api.get(`/projects/${id}/risk/series`)).body as unknown as WatchedSeriesList;
    await expect.poll(async () => (await watched()).series.length, { timeout: scaled(10_000) }).toBe(2);
    await page.reload();
    const row = page.getByRole('list', { name: 'Watched series' }).getByRole('button', { name: /signup/ });
    await row.waitFor();
    expect(await row.innerText()).toContain('still learning');
    await page.getByLabel('Filter by name').fill('nothing-like-it');
    await page.getByText('No series with this name').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the counts that open an incident, and since when a regular sender is overdue', async () => {
    const opening = [
      { stepSeconds: 60, windowSeconds: 60, expected: 40, rise: 61, drop: 17 },
      { stepSeconds: 60, windowSeconds: 1_800, expected: 1_200, rise: 1_560, drop: null },
    ];
    const known = { perMinute: 40, dispersion: 1.5, lastEventAt: '2026-11-21T11:59:58.000Z', opening };
    const series = { ...known, share: null, silence: null };
    const heartbeat = { everySeconds: 300, dueAt: '2026-11-21T11:50:00.000Z' };
    const { page } = await openAlerts('/watched', (opened) =>
      opened.route('**/risk/series', (route) =>
        route.fulfill({
          json: {
            at: '2026-11-21T12:00:00.000Z',
            series: [
              { ...series, series: aSeries('login'), heartbeat: null },
              { ...series, series: aSeries('job'), perMinute: 0.2, heartbeat },
              {
                ...series,
                series: aSeries('upload'),
                opening: [{ stepSeconds: 21_600, windowSeconds: 21_600, expected: 2, rise: 10, drop: null }],
                silence: { expected: 15, threshold: 21, dueAt: '2099-11-21T11:50:00.000Z' },
                heartbeat: null,
              },
              {
                ...series,
                series: { ...aSeries('payment'), kind: 'failed_payments', type: null, severity: null },
                opening: [],
                share: {
                  of: 'payments',
                  usualShare: 0.03,
                  opening: [{ windowSeconds: 1_800, events: 30, failures: 6 }],
                },
                heartbeat: null,
              },
            ],
          },
        }),
      ),
    );
    const rows = page.getByRole('list', { name: 'Watched series' });
    const drawer = page.getByRole('dialog');
    const openDetails = async (name: RegExp, line: RegExp) => {
      const row = rows.getByRole('button', { name });
      await row.waitFor();
      expect((await row.innerText()).replaceAll(/\s+/g, ' ')).toMatch(line);
      await row.click();
      const details = (await drawer.innerText()).replaceAll(/\s+/g, ' ');
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      return details;
    };
    const login = await openDetails(/login/, /opens at about 61 in a minute now usually 40 a minute$/);
    for (const text of ['40 a minute', '61 in 1 min', '1,560 in 30 min', '17 in 1 min', 'Dispersion']) {
      expect(login).toContain(text);
    }
    const job = await openDetails(/job/, /overdue since 21 Nov.* usually 12 an hour$/);
    expect(job).toMatch(/since .* usually every 5 min/);
    const upload = await openDetails(/upload/, /opens at about 10 in 6 h now/);
    expect(upload).toMatch(/at .*2099.* 15 of 21 expected events missed/);
    const payments = await openDetails(/failed payments/i, /opens at 6 of 30 payments in 30 min/);
    expect(payments).toContain('6 of 30 payments in 30 min');
    expect(payments).toContain('usually 3% fail');
    expect(payments).not.toContain('still learning');
  });
});

function aSeries(type: string) {
  return { kind: 'events', type, severity: 'info', source: null, fingerprint: null };
}

function aDecision(particulars: Record<string, unknown>) {
  return {
    at: '2026-11-21T12:00:00.000Z',
    reason: null,
    sentence: '`login` events are 1.3× normal: 130 in 10 min, usually about 98.',
    series: aSeries('login'),
    observed: 130,
    expected: 98,
    windowSeconds: 600,
    incidentId: null,
    ...particulars,
  };
}
