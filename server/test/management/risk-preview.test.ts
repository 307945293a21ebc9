import { describe, expect, it } from 'vitest';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';
import { findIncidents } from '../../src/risk/replay/find-incidents.ts';
import { MAX_COST, previewIncidents } from '../../src/risk/replay/preview.ts';
import { boundBeginning } from '../../src/risk/replay/preview-range.ts';
import { findRiskSettings } from '../../src/risk/settings/queries.ts';
import type { RiskSettings } from '../../src/risk/settings/schema.ts';
import { insertPastCounts, type PastSeries } from '../support/past-counts.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { longForm, rounds } from '../support/test-length.ts';

const { signal } = new AbortController();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOW_MS = Date.parse('2026-11-20T10:00:30.000Z');
const THIS_MINUTE_MS = NOW_MS - 30_000;
const SIGN_UPS: PastSeries = { type: 'signup', severity: 'info', source: 'site' };

interface PreviewedIncident {
  openedAt: string;
  rule: string;
}

describe('the preview of a budget', async () => {
  const service = await startTestService({ roles: ['management'], clock: { now: () => NOW_MS } });
  const { pool } = service.database;
  const user = await service.signUp();
  const { organizationId } = user;
  const organizationUuid = toUuid('org', organizationId) ?? '';
  const create = async () => {
    const { id } = await user.createProject();
    const preview = async (query = '') => {
      const { status, body } = await user.api.get(`/projects/${id}/risk/preview${query}`);
      expect({ status, body }).toMatchObject({ status: 200 });
      return body;
    };
    /** Computes a preview as the endpoint does, but without its own thread, which takes a second to start here. */
    const previewHere = async (settings: Partial<RiskSettings> = {}, days = 7) => {
      const projectId = toUuid('proj', id) ?? '';
      const stored = await findRiskSettings(pool, organizationUuid, projectId);
      const request = { projectId, settings: { ...stored, ...settings }, days, nowMs: NOW_MS, signal };
      return previewIncidents(pool, organizationUuid, request, async (task) => findIncidents(task));
    };
    /** Inserts counts of whole days up to now, by the minute before now. */
    const fill = (series: PastSeries, days: number, countOf: (minutesAgo: number) => number) => {
      const minutes = days * 1_440;
      const counts = Array.from({ length: minutes }, (_, index) => countOf(minutes - index));
      const startMs = THIS_MINUTE_MS - minutes * MINUTE_MS;
      return insertPastCounts(pool, { organizationId, id }, series, { startMs, counts });
    };
    return { id, preview, previewHere, fill };
  };
  /** Returns a steady rate with a little deterministic noise; a low one, since each event costs a preview time. */
  const steady = (minutesAgo: number) => 6 + ((minutesAgo * 7) % 5) - 2;
  const burstOf = (factor: number, fromMinutesAgo: number) => (minutesAgo: number) =>
    steady(minutesAgo) * (minutesAgo <= fromMinutesAgo && minutesAgo > fromMinutesAgo - 15 ? factor : 1);

  it('previews a week with the project’s own budget by default, empty without counts', async () => {
    const { id, preview } = await create();
    const range = { from: isoTime(THIS_MINUTE_MS - 7 * DAY_MS), to: isoTime(THIS_MINUTE_MS) };
    expect(await preview()).toEqual({ ...range, budget: 1, incidents: [] });
    await user.api.put(`/projects/${id}/risk`, { budget: 0.25 });
    expect(await preview()).toEqual({ ...range, budget: 0.25, incidents: [] });
    expect(await preview('?budget=3')).toEqual({ ...range, budget: 3, incidents: [] });
  });

  it('previews the incidents that would have opened, with numbers and a sentence', async () => {
    const { preview, fill } = await create();
    await fill(SIGN_UPS, 2, burstOf(10, 1_440));
    const { incidents, from } = await preview();
    expect(from).toBe(isoTime(THIS_MINUTE_MS - 2 * DAY_MS));
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({
      direction: 'up',
      rule: 'rise',
      series: expect.objectContaining({ kind: expect.stringMatching(/^(events|total)$/) }),
      severity: expect.stringMatching(/^(info|warn)$/),
      sentence: expect.stringMatching(/^.+ are .+, (usually|normally) .+\.$/),
    });
    const begunMs = THIS_MINUTE_MS - DAY_MS;
    expect(Date.parse(incidents[0].openedAt)).toBeGreaterThan(begunMs);
    expect(Date.parse(incidents[0].openedAt)).toBeLessThanOrEqual(begunMs + 3 * MINUTE_MS);
    expect(Date.parse(incidents[0].resolvedAt)).toBeGreaterThan(begunMs + 15 * MINUTE_MS);
    expect(incidents[0].observed).toBeGreaterThan(4 * incidents[0].expected);
    expect(incidents[0].windowSeconds % 60).toBe(0);
  });

  it('previews more incidents with a larger budget', async () => {
    const { previewHere, fill } = await create();
    await fill(SIGN_UPS, 2, burstOf(3, 720));
    expect((await previewHere({ budget: 0.01 })).incidents).toEqual([]);
    expect((await previewHere({ budget: 100 })).incidents.length).toBeGreaterThan(0);
  });

  it('previews the requested days after learning from the week before', async () => {
    const { previewHere, fill } = await create();
    await fill(SIGN_UPS, 3, burstOf(10, 2 * 1_440));
    const { from, incidents } = await previewHere({}, 1);
    expect(from).toBe(isoTime(THIS_MINUTE_MS - DAY_MS));
    expect(incidents).toEqual([]);
    expect((await previewHere({}, 3)).incidents).toHaveLength(1);
  });

  it('begins a preview with the first counted minute', async () => {
    const { preview, fill } = await create();
    await fill(SIGN_UPS, 1, steady);
    expect((await preview('?days=30')).from).toBe(isoTime(THIS_MINUTE_MS - DAY_MS));
  });

  it('does not evaluate the current minute in a preview', async () => {
    const { previewHere, fill, id } = await create();
    await fill(SIGN_UPS, 2, steady);
    await insertPastCounts(pool, { organizationId, id }, SIGN_UPS, {
      startMs: THIS_MINUTE_MS,
      counts: [100_000],
    });
    expect((await previewHere()).incidents).toEqual([]);
  });

  it('lists a silence in the preview', async () => {
    const { previewHere, fill } = await create();
    await fill(SIGN_UPS, 2, (minutesAgo) => (minutesAgo <= 20 ? 0 : steady(minutesAgo)));
    const { incidents } = await previewHere();
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({ direction: 'down', rule: 'silence', resolvedAt: null });
  });

  it('treats the downtime of the service as unknown in a preview', async () => {
    const { previewHere, fill } = await create();
    await fill(SIGN_UPS, 2, (minutesAgo) => (minutesAgo <= 300 && minutesAgo > 180 ? 0 : steady(minutesAgo)));
    expect((await previewHere()).incidents).toMatchObject([{ rule: 'silence' }]);
    const present = (daysAgo: number, minutesAgo: number) =>
      pool.query('INSERT INTO intake_presence VALUES ($1, $2, $3, $3)', [
        newUuid(NOW_MS),
        new Date(NOW_MS - daysAgo * DAY_MS),
        new Date(NOW_MS - minutesAgo * MINUTE_MS),
      ]);
    try {
      await present(1, 300);
      await present(180 / 1_440, 0);
      expect((await previewHere()).incidents).toEqual([]);
      await present(310 / 1_440, 170);
      expect((await previewHere()).incidents).toMatchObject([{ rule: 'silence' }]);
    } finally {
      await pool.query('DELETE FROM intake_presence');
    }
  });

  it('applies the rules of the project in a preview, newest first', async () => {
    const { id, preview, previewHere, fill } = await create();
    const rule = { type: 'refund', severity: null, source: null, events: 5, minutes: 10 };
    await user.api.put(`/projects/${id}/risk`, { rules: [rule] });
    await fill(SIGN_UPS, 2, steady);
    const refunds: PastSeries = { type: 'refund', severity: 'warn', source: null };
    await fill(refunds, 2, (minutesAgo) => ([600, 601, 2_000].includes(minutesAgo) ? 3 : 0));
    const { incidents } = await preview('?budget=0.01');
    const ruled = incidents.filter((incident: PreviewedIncident) => incident.rule === 'at_least');
    expect(ruled.map(({ openedAt }: PreviewedIncident) => openedAt.slice(0, 16))).toEqual([
      isoTime(THIS_MINUTE_MS - 600 * MINUTE_MS).slice(0, 16),
    ]);
    expect(ruled[0]).toMatchObject({ series: { kind: 'rule', type: 'refund' }, observed: 5, expected: 5 });

    await user.api.put(`/projects/${id}/risk`, { rules: [{ ...rule, events: 3 }] });
    const twice = (await previewHere({ budget: 0.01 })).incidents.filter(
      (incident: PreviewedIncident) => incident.rule === 'at_least',
    );
    expect(twice.map(({ openedAt }: PreviewedIncident) => openedAt.slice(0, 16))).toEqual([
      isoTime(THIS_MINUTE_MS - 601 * MINUTE_MS).slice(0, 16),
      isoTime(THIS_MINUTE_MS - 2_000 * MINUTE_MS).slice(0, 16),
    ]);
  });

  it('names every rule that joined an incident', async () => {
    const { id, previewHere, fill } = await create();
    const types = ['refund', 'dispute', 'chargeback'];
    const rules = types.map((type) => ({ type, severity: null, source: null, events: 1, minutes: 1 }));
    await user.api.put(`/projects/${id}/risk`, { rules });
    await fill(SIGN_UPS, 1, steady);
    for (const [index, type] of types.entries()) {
      await fill({ type, severity: 'info', source: null }, 1, (minutesAgo) =>
        minutesAgo === 600 - index ? 1 : 0,
      );
    }
    const { incidents } = await previewHere({ budget: 0.01 });
    const [incident] = incidents.filter(({ rule }: PreviewedIncident) => rule === 'at_least');
    expect(incident).toMatchObject({
      series: { kind: 'rule', type: 'refund' },
      alsoSeries: [
        { kind: 'rule', type: 'dispute' },
        { kind: 'rule', type: 'chargeback' },
      ],
      alsoSeriesCount: 2,
    });
  });

  it('recognises failed payments with severity info in a preview', async () => {
    const { previewHere, fill } = await create();
    const payments: PastSeries = { type: 'payment', severity: 'info', source: 'payments' };
    await fill(payments, 1, () => 20);
    expect((await previewHere()).incidents).toEqual([]);
    const failed: PastSeries = {
      type: 'payment',
      severity: 'warn',
      source: 'payments',
      failedPayments: true,
    };
    await fill(failed, 1, (minutesAgo) => (minutesAgo <= 600 && minutesAgo > 580 ? 15 : 0));
    const { incidents } = await previewHere();
    expect(incidents).toHaveLength(1);
    expect(incidents.flatMap(({ series, alsoSeries }) => [series, ...alsoSeries])).toContainEqual({
      kind: 'failed_payments',
      type: 'payment',
      severity: null,
      source: null,
      fingerprint: null,
    });
  });

  it('begins a preview later if there are too many series', async () => {
    const { id, preview } = await create();
    const project = { organizationId, id };
    await insertPastCounts(pool, project, SIGN_UPS, { startMs: THIS_MINUTE_MS - 30 * DAY_MS, counts: [1] });
    await pool.query(
      `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, source, count)
        SELECT $1, $2, $3, 'info', 'type-' || n, 'site', 1 FROM generate_series(1, 600) AS n`,
      [organizationUuid, toUuid('proj', id) ?? '', new Date(THIS_MINUTE_MS - 60 * MINUTE_MS)],
    );
    const { signal } = new AbortController();
    const range = { fromMs: THIS_MINUTE_MS - 37 * DAY_MS, toMs: THIS_MINUTE_MS, cost: MAX_COST, signal };
    const beginMs = await boundBeginning(pool, organizationUuid, toUuid('proj', id) ?? '', range);
    const minutes = (THIS_MINUTE_MS - (beginMs ?? 0)) / MINUTE_MS;
    expect(minutes).toBeLessThan(6_000);
    expect(minutes).toBeGreaterThan(5_900);
    // The maximum number of steps of a preview.
    if (longForm) expect((await preview('?days=30')).from).toBe(isoTime(beginMs ?? 0));
  });

  it('queues previews, and refuses one if the queue is full', async () => {
    const { id } = await create();
    const startMs = THIS_MINUTE_MS - 60 * MINUTE_MS;
    const counts = Array.from({ length: 60 }, (_, index) => steady(60 - index));
    await insertPastCounts(pool, { organizationId, id }, SIGN_UPS, { startMs, counts });
    const answers = await Promise.all(
      Array.from({ length: rounds(6, 8) }, () => user.api.get(`/projects/${id}/risk/preview?days=3`)),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(5);
    for (const { body } of done) expect(body).toEqual(done[0]?.body);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, 'unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it.each(['budget=0', 'budget=101', 'budget=x', 'days=0', 'days=31', 'days=1.5'])(
    'refuses a preview with ?%s',
    async (query) => {
      const { id } = await create();
      expectProblem(await user.api.get(`/projects/${id}/risk/preview?${query}`), 'validation_failed');
    },
  );

  it('hides the preview from another organization', async () => {
    const { id } = await create();
    const stranger = await service.signUp('Eve');
    expectProblem(await stranger.api.get(`/projects/${id}/risk/preview`), 'not_found');
  });
});
