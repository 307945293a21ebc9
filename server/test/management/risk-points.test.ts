import { describe, expect, it } from 'vitest';
import type { AttachedSeries, Evidence, RiskSeries } from '../../src/incidents/evidence-schema.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';
import { insertPastCounts, type PastSeries } from '../support/past-counts.ts';
import { expectProblem } from '../support/problems.ts';
import { anAttachedSeries, insertRiskIncident } from '../support/risk-incidents.ts';
import { startTestService, type TestProject } from '../support/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
// A minute that has just begun, on a quarter of an hour: all ranges begin and end on whole intervals.
const NOW_MS = Date.parse('2026-11-20T10:00:30.000Z');
const THIS_MINUTE_MS = NOW_MS - 30_000;
const ERRORS: PastSeries = { type: 'checkout', severity: 'error', source: 'shop' };
const NOTHING = { type: null, severity: null, source: null, fingerprint: null };

type Series = Partial<RiskSeries> & Pick<RiskSeries, 'kind'>;

interface Point {
  at: string;
  observed: number;
  expected: number | null;
}

interface Answer {
  intervalSeconds: number;
  points: Point[];
  running?: { at: string; observed: number };
  attached?: unknown[];
}

describe('the points of an incident', async () => {
  const clock = { now: () => NOW_MS };
  const service = await startTestService({ roles: ['management'], clock });
  const { pool } = service.database;
  const user = await service.signUp();

  interface OpenedIncident {
    fromMs: number;
    /** Unset: one minute later. */
    toMs?: number;
    resolvedMs?: number;
    rule?: Evidence['rule'];
    series?: Series;
    alsoSeries?: AttachedSeries[];
    expected?: number;
    windowSeconds?: number;
  }
  const open = (
    project: TestProject,
    {
      series = { kind: 'events', ...ERRORS },
      rule = 'rise',
      alsoSeries = [],
      expected = 2,
      // Without a window the expectation of the evidence changes no point.
      windowSeconds = 0,
      toMs,
      ...times
    }: OpenedIncident,
  ) =>
    insertRiskIncident(pool, project, {
      ...times,
      evidence: {
        rule,
        series: { ...NOTHING, ...series },
        alsoSeries,
        expected,
        windowSeconds,
        ...(toMs !== undefined && { to: isoTime(toMs) }),
      },
    });
  const read = async (incidentId: string): Promise<Answer> => {
    const { status, body } = await user.api.get(`/incidents/${incidentId}/points`);
    expect(status).toBe(200);
    return body;
  };
  const steady = (minutes: number, count: number) => Array.from({ length: minutes }, () => count);

  it('returns no points for an incident that was created manually', async () => {
    const { id: projectId } = await user.createProject();
    expect(await read(await user.openIncident(projectId))).toEqual({ intervalSeconds: 60, points: [] });
  });

  it('answers 404 for the points of an unknown incident', async () => {
    for (const id of ['inc_01h455vb4pex5vsknk084sn02q', 'nonsense']) {
      expectProblem(await user.api.get(`/incidents/${id}/points`), 'not_found');
    }
  });

  it('returns points from half an hour before the incident’s window to the last whole minute', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    const history = 26 * 60;
    const counts = [...steady(history, 10), ...steady(60, 200), 7];
    await insertPastCounts(pool, project, ERRORS, { startMs: fromMs - history * MINUTE_MS, counts });
    const { intervalSeconds, points } = await read(await open(project, { fromMs }));
    expect(intervalSeconds).toBe(60);
    expect(points).toHaveLength(90);
    expect(points[0]?.at).toBe(isoTime(fromMs - HOUR_MS / 2));
    expect(points.at(-1)?.at).toBe(isoTime(THIS_MINUTE_MS - MINUTE_MS));
    expect(points.map(({ observed }) => observed)).toEqual([...steady(30, 10), ...steady(60, 200)]);
    for (const { expected } of points) expect(expected).toBeCloseTo(10, 0);
  });

  it.each([
    ['events', { kind: 'events' as const, ...ERRORS }, 10, 200],
    ['failed payments', { kind: 'failed_payments' as const }, 1, 40],
  ])(
    'keeps the expected count of %s from before the incident, however long it lasts',
    async (_, series, usual, trouble) => {
      const project = await user.createProject();
      const fromMs = THIS_MINUTE_MS - 6 * HOUR_MS;
      const startMs = fromMs - 26 * HOUR_MS;
      const isShare = series.kind === 'failed_payments';
      const counted = isShare ? { type: 'payment', source: 'payments', severity: 'error' as const } : ERRORS;
      await insertPastCounts(pool, project, counted, {
        startMs,
        counts: [...steady(26 * 60, usual), ...steady(6 * 60, trouble)],
      });
      if (isShare)
        await insertPastCounts(
          pool,
          project,
          { ...counted, severity: 'info' },
          {
            startMs,
            counts: [...steady(26 * 60, 100 - usual), ...steady(6 * 60, 100 - trouble)],
          },
        );
      const rule = isShare ? 'failed_payments' : 'rise';
      const { points, intervalSeconds } = await read(
        await open(project, { fromMs, rule, series, expected: usual }),
      );
      const perInterval = isShare ? usual : (usual * intervalSeconds) / 60;
      expect(points.length).toBeGreaterThan(70);
      for (const { expected } of points)
        expect(Math.abs((expected ?? 0) / perInterval - 1)).toBeLessThan(0.2);
    },
  );

  it('marks the current interval, and counts the same intervals of joined series', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    const mail: PastSeries = { type: 'mail', severity: 'error', source: 'post' };
    const attached = { kind: 'events' as const, ...mail, fingerprint: null };
    const alsoSeries = [anAttachedSeries(fromMs, attached)];
    await insertPastCounts(pool, project, ERRORS, { startMs: fromMs, counts: [...steady(60, 20), 7] });
    await insertPastCounts(pool, project, mail, { startMs: fromMs, counts: [...steady(60, 3), 1] });
    const incident = await open(project, { fromMs, alsoSeries });
    const answer = await read(incident);
    expect(answer.running).toEqual({ at: isoTime(THIS_MINUTE_MS), observed: 7 });
    expect(answer.points.at(-1)?.at).toBe(isoTime(THIS_MINUTE_MS - MINUTE_MS));
    expect(answer.attached).toEqual([{ ...attached, observed: [...steady(30, 0), ...steady(60, 3)] }]);
    const over = await read(await open(project, { fromMs, resolvedMs: NOW_MS }));
    expect(over.running).toBeUndefined();
  });

  it('ends the points ten minutes after the incident was resolved', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - 5 * HOUR_MS;
    const incident = await open(project, { fromMs, resolvedMs: fromMs + 20 * MINUTE_MS + 1 });
    const { points } = await read(incident);
    expect(points.at(-1)?.at).toBe(isoTime(fromMs + 30 * MINUTE_MS));
  });

  it.each([
    [2, 60],
    [3, 300],
    [14, 300],
    [15, 900],
    [24, 900],
  ])(
    'returns at most 180 points for an incident of %d hours: one in %d seconds',
    async (hours, intervalSeconds) => {
      const project = await user.createProject();
      const fromMs = THIS_MINUTE_MS - hours * HOUR_MS;
      await insertPastCounts(pool, project, ERRORS, {
        startMs: fromMs - 26 * HOUR_MS,
        counts: steady((hours + 26) * 60, 2),
      });
      const answer = await read(await open(project, { fromMs }));
      expect(answer.intervalSeconds).toBe(intervalSeconds);
      expect(answer.points.length).toBeLessThanOrEqual(180);
      for (const { at, observed } of answer.points) {
        expect(Date.parse(at) % (intervalSeconds * 1_000)).toBe(0);
        expect(observed).toBe(intervalSeconds / 30);
      }
      expect((answer.points.at(-1)?.expected ?? 0) / (intervalSeconds / 30)).toBeCloseTo(1, 0);
    },
  );

  it('ends the points a day after the alarm, however long the incident stays open', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - 3 * DAY_MS;
    const { points } = await read(await open(project, { fromMs, toMs: fromMs }));
    expect(points.at(-1)?.at).toBe(isoTime(fromMs + DAY_MS - 900_000));
  });

  it('shows how a silence of days is over, with its usual count from the window on', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - 3 * DAY_MS;
    const toMs = THIS_MINUTE_MS - 2 * HOUR_MS;
    await insertPastCounts(pool, project, ERRORS, {
      startMs: fromMs - 26 * HOUR_MS,
      counts: steady(26 * 60, 2),
    });
    await insertPastCounts(pool, project, ERRORS, { startMs: THIS_MINUTE_MS - HOUR_MS, counts: [120, 7] });
    const silence = { fromMs, toMs, rule: 'silence', expected: 300, windowSeconds: 3 * 3_600 } as const;
    const { intervalSeconds, points, running } = await read(await open(project, silence));
    expect(intervalSeconds).toBe(3_600);
    expect(points.length).toBeLessThanOrEqual(180);
    expect(running?.at).toBe(isoTime(THIS_MINUTE_MS));
    const last = points.slice(-7);
    expect(last.map(({ observed }) => observed)).toEqual([...steady(6, 0), 127]);
    // The last usual counts before the window are of the days before.
    for (const { expected } of last.slice(0, 2)) expect(expected).toBeCloseTo(120, -1);
    expect(last.slice(2, 5).map(({ expected }) => expected)).toEqual(steady(3, 100));
    for (const { expected } of last.slice(5)) expect(expected).toBeCloseTo(100, -1);
  });

  it('starts from the expected count of the evidence in the window', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    await insertPastCounts(pool, project, ERRORS, {
      startMs: fromMs - 26 * HOUR_MS,
      counts: steady(27 * 60, 2),
    });
    const incident = await open(project, { fromMs });
    const expectation = async (evidence: object) => {
      await pool.query('UPDATE incidents SET evidence = evidence || $2::jsonb WHERE id = $1', [
        toUuid('inc', incident),
        JSON.stringify(evidence),
      ]);
      const { points } = await read(incident);
      const expectedAt = (minute: number) =>
        points.find(({ at }) => at === isoTime(fromMs + minute * MINUTE_MS))?.expected;
      return [-1, 0, 1, 2, 3].map((minute) => Number(expectedAt(minute)?.toFixed(1)));
    };
    expect(await expectation({ expected: 1.4, windowSeconds: 60 })).toEqual([2, 1.4, 1.4, 1.4, 1.4]);
    expect(await expectation({ expected: 12, windowSeconds: 180 })).toEqual([2, 4, 4, 4, 4]);
    expect(await expectation({ expected: 0, windowSeconds: 60 })).toEqual([2, 0, 0, 0, 0]);
  });

  it('expects the normal counts of the time of day', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    // Yesterday there were also 300 a minute at this time.
    const counts = Array.from({ length: 26 * 60 }, (_, minute) => (minute >= 60 && minute < 150 ? 300 : 5));
    await insertPastCounts(pool, project, ERRORS, { startMs: fromMs - 26 * HOUR_MS, counts });
    const { points } = await read(await open(project, { fromMs }));
    const at = points.find((point) => point.at === isoTime(fromMs + 10 * MINUTE_MS));
    expect(at?.expected).toBeGreaterThan(200);
  });

  it('returns no expected counts for new series, new errors and rules', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    const visits: PastSeries = { type: 'visit', severity: 'info', source: null };
    for (const begun of [visits, ERRORS]) {
      await insertPastCounts(pool, project, begun, { startMs: fromMs, counts: steady(60, 10) });
    }
    const { points } = await read(await open(project, { fromMs, series: { kind: 'events', ...visits } }));
    expect(points.map(({ expected }) => expected)).toEqual(Array(90).fill(null));

    const { points: trouble } = await read(await open(project, { fromMs }));
    for (const { expected } of trouble.slice(0, 31)) expect(expected).toBeLessThan(0.1);

    for (const rule of ['at_least', 'new_kind'] as const) {
      const { points: ruled } = await read(await open(project, { fromMs, rule }));
      expect(ruled.map(({ expected }) => expected)).toEqual(Array(90).fill(null));
    }
  });

  it('returns the points of the series that the incident is about', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    const [events, minute] = [project, fromMs];
    await insertPastCounts(pool, events, ERRORS, { startMs: minute, counts: [1] });
    await insertPastCounts(pool, events, { ...ERRORS, source: null }, { startMs: minute, counts: [2] });
    await insertPastCounts(pool, events, { ...ERRORS, severity: 'warn' }, { startMs: minute, counts: [4] });
    await insertPastCounts(pool, events, { ...ERRORS, type: 'search' }, { startMs: minute, counts: [8] });
    await insertPastCounts(pool, await user.createProject(), ERRORS, { startMs: minute, counts: [16] });
    const observed = async (series: Series) => {
      const { points } = await read(await open(project, { fromMs, series }));
      return points.reduce((sum, point) => sum + point.observed, 0);
    };
    expect(await observed({ kind: 'events', ...ERRORS })).toBe(1);
    expect(await observed({ kind: 'events', ...ERRORS, source: null })).toBe(2);
    expect(await observed({ kind: 'new_kind', ...ERRORS, fingerprint: 'f' })).toBe(1);
    expect(await observed({ kind: 'total' })).toBe(15);
    expect(await observed({ kind: 'errors' })).toBe(11);
    expect(await observed({ kind: 'other' })).toBe(15);
    expect(await observed({ kind: 'rule' })).toBe(15);
    expect(await observed({ kind: 'rule', type: 'checkout' })).toBe(7);
    expect(await observed({ kind: 'rule', severity: 'error' })).toBe(11);
    expect(await observed({ kind: 'rule', source: 'shop' })).toBe(13);
  });

  it('returns failed payments per 100 as points, and null without payments', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    const payment = { type: 'payment', source: 'payments' };
    const history = 25 * 60;
    const startMs = fromMs - history * MINUTE_MS;
    const gap = steady(5, 0);
    const good = [...steady(history, 98), ...steady(30, 60), ...gap];
    const failed = [...steady(history, 2), ...steady(30, 40), ...gap];
    await insertPastCounts(pool, project, { ...payment, severity: 'info' }, { startMs, counts: good });
    await insertPastCounts(pool, project, { ...payment, severity: 'error' }, { startMs, counts: failed });
    await insertPastCounts(pool, project, ERRORS, { startMs, counts: steady(history + 60, 50) });
    const series = { kind: 'failed_payments' } as const;
    const { points } = await read(await open(project, { fromMs, rule: 'failed_payments', series }));
    expect(points.map(({ observed }) => observed)).toEqual([...steady(30, 2), ...steady(30, 40)]);
    for (const { expected } of points.slice(0, 31)) expect(expected).toBeCloseTo(2, 1);
  });

  it('counts failed payments stored with severity info as the detector does', async () => {
    const project = await user.createProject();
    const fromMs = THIS_MINUTE_MS - HOUR_MS;
    const payment = { type: 'payment', source: 'payments' };
    const count = (severity: 'info' | 'error', counts: number[], failedPayments = false) =>
      insertPastCounts(pool, project, { ...payment, severity, failedPayments }, { startMs: fromMs, counts });
    // One row holds failed payments and others.
    await count('info', [60, 50]);
    await pool.query('UPDATE event_counts SET failed_payments = 20 WHERE count = 60');
    await count('error', [40]);
    await insertPastCounts(
      pool,
      project,
      { ...payment, type: 'refund', severity: 'info', failedPayments: false },
      { startMs: fromMs, counts: [1] },
    );
    const observed = async (
      series: Parameters<typeof open>[1]['series'] & object,
      rule: Evidence['rule'] = 'rise',
    ) => {
      const { points } = await read(await open(project, { fromMs, series, rule }));
      return points.filter(({ at }) => Date.parse(at) >= fromMs).slice(0, 2);
    };
    const sumOf = async (series: Series) =>
      (await observed(series)).reduce((sum, point) => sum + point.observed, 0);
    const shares = await observed({ kind: 'failed_payments' }, 'failed_payments');
    expect(shares.map((point) => point.observed)).toEqual([60, 0]);
    expect(await sumOf({ kind: 'errors' })).toBe(60);
    expect(await sumOf({ kind: 'events', ...payment, severity: 'error' })).toBe(60);
    expect(await sumOf({ kind: 'events', ...payment, severity: 'info' })).toBe(90);
    expect(await sumOf({ kind: 'rule', severity: 'error' })).toBe(60);
    expect(await sumOf({ kind: 'rule', type: 'payment' })).toBe(150);
    expect(await sumOf({ kind: 'total' })).toBe(151);
  });

  it('hides the points of an incident from another organization', async () => {
    const project = await user.createProject();
    const incident = await open(project, { fromMs: THIS_MINUTE_MS });
    const stranger = await service.signUp('Eve');
    expectProblem(await stranger.api.get(`/incidents/${incident}/points`), 'not_found');
  });
});
