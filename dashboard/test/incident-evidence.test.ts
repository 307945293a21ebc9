import { describe, expect, it } from 'vitest';
import type { Current } from '../src/lib/api-types.ts';
import { startTestService, visit } from './support/browser.ts';
import { createByHand } from './support/incidents.ts';
import { anAttached, anEvidence, aSeries, pointsAround, showAsRisk } from './support/risk-incident.ts';

const service = await startTestService();

describe('the page of an incident that counts have opened', () => {
  /** Opens the page of an incident with a given evidence, which would otherwise take days of counts. */
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

  it('shows the sentence of the cause and more than two joined series on request', async () => {
    const alsoSeries = ['mail', 'stock', 'login'].map((type) => anAttached({ type }));
    const { page, faults } = await openWith({ series: aSeries({ source: 'shop' }), alsoSeries });
    const why = page.getByRole('region', { name: 'Why' });
    expect(await why.count()).toBe(0);
    await page.getByRole('button', { name: 'Why' }).click();
    await why.getByText(/^Found in 3 min from /).waitFor();
    await why.getByText('checkout errors are 7× normal: 42 in 3 min, usually about 6.').waitFor();
    const rows = page.getByRole('list', { name: 'Also affected', exact: true }).getByRole('listitem');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/mail errors: 50 in 3 min/),
      expect.stringMatching(/stock errors: 50 in 3 min/),
    ]);
    await page.getByText('and 1 more').click();
    await page.getByText('login errors').waitFor();
    expect(faults).toEqual([]);
  });

  it('shows a row for each series that joined, with its count and its peak', async () => {
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
    const rows = page.getByRole('list', { name: 'Also affected', exact: true }).getByRole('listitem');
    await rows.filter({ hasText: 'failed payments: 35% in 3 min, usually about 0.1%, peak 52%' }).waitFor();
    await rows.filter({ hasText: /mail errors: 7 in 3 min, usually about 0.1joined/ }).waitFor();
    expect(await rows.count()).toBe(2);
    // Its sparkline has a bar for each interval with events.
    await expect.poll(() => rows.first().locator('svg rect').count()).toBe(3);
    await page.getByText('and 1 more').click();
    await page.getByText('stock errors').waitFor();
    expect(faults).toEqual([]);
  });

  it('folds totals that include the lead’s events', async () => {
    const alarm = { rule: 'rise', alarmSeverity: 'error', observed: 50, expected: 6, peak: 50 } as const;
    const window = { windowSeconds: 180, from: '2026-11-21T12:00:00.000Z', at: '2026-11-21T12:03:00.000Z' };
    const kinds = ['total', 'errors'] as const;
    const alsoSeries = kinds.map((kind) =>
      anAttached({ ...alarm, ...window, kind, type: null, severity: null, isSuperset: true }),
    );
    const { page } = await openWith({ alsoSeries });
    const totals = page.getByRole('list', { name: 'also seen in the project’s totals' });
    await page.getByText('also seen in the project’s totals').waitFor();
    expect(await page.getByRole('list', { name: 'Also affected', exact: true }).count()).toBe(0);
    expect(await totals.isVisible()).toBe(false);
    await page.getByText('also seen in the project’s totals').click();
    await totals.getByText('events in this project: 50 in 3 min, usually about 6').waitFor();
    expect(await totals.getByRole('listitem').count()).toBe(2);
  });

  it('shows the present rate, its trend and its peak, also of series that joined', async () => {
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
      .getByText(/^12\/min now · usually 2 · peak 31\/min at \d\d:\d\d · rising · 4% of all events$/)
      .waitFor();
    await page.getByText(/mail errors: 7 in 1 min, usually about 1, now none, falling/).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows observed and expected counts', async () => {
    const { page } = await openWith({});
    const chart = page.getByRole('figure', { name: 'checkout errors' });
    await chart.getByText('per minute').waitFor();
    await chart.getByRole('button', { name: 'Table' }).click();
    const rows = chart.getByRole('row');
    await expect.poll(() => rows.count()).toBe(41);
    expect(await rows.last().getByRole('cell').allInnerTexts()).toEqual(['14', '2']);
  });

  it('shows no expected counts for a rule without them', async () => {
    const series = aSeries({ kind: 'rule', type: null, severity: null });
    const { page } = await openWith(
      { rule: 'at_least', series, falseAlarmsPerWeek: null },
      { expected: null },
    );
    const chart = page.getByRole('figure', { name: 'Events' });
    await chart.getByText('per minute').waitFor();
    expect(await chart.getByText('expected').count()).toBe(0);
    expect(await page.getByText(/By chance/).count()).toBe(0);
    const href = await page.getByRole('link', { name: 'View all 42 events' }).getAttribute('href');
    expect(href).toMatch(/incident_id=inc_/);
  });

  it.each(['drop', 'silence'] as const)('shows the events before a %s, and links to them', async (rule) => {
    const { page } = await openWith({ rule, from: '2026-11-21T12:00:00.000Z' });
    await page
      .getByRole('region', { name: `Last events before the ${rule === 'drop' ? 'drop' : 'gap'}` })
      .waitFor();
    const href = await page.getByRole('link', { name: 'View events around this time' }).getAttribute('href');
    expect(new URL(href ?? '', page.url()).searchParams.get('from')).toBe('2026-11-21T11:30:00.000Z');
  });

  it('names the affected ids although the events are no longer stored', async () => {
    const { page } = await openWith({ correlationIds: [{ correlationId: 'ord_5', events: 11 }] });
    const affected = page.getByRole('region', { name: 'Most affected' });
    await affected.getByRole('link', { name: /ord_5 11 events$/ }).waitFor();
    await affected.getByText('These events are no longer stored.').waitFor();
  });

  it('shows the start of the incident, and its opening in the chart', async () => {
    const { page } = await openWith({});
    await page.getByText(/^.*21.*, \d\d:\d\d \(.+\)$/).waitFor();
    await page.getByRole('figure', { name: 'checkout errors' }).getByText('expected ±').waitFor();
  });

  it('links to the alert settings of the project', async () => {
    const { page, projectId } = await openWith({});
    await page.getByRole('button', { name: 'Why' }).click();
    const link = page.getByRole('link', { name: 'Alert settings' });
    expect(await link.getAttribute('href')).toMatch(new RegExp(`/alerts\\?.*project=${projectId}`));
  });
});
