import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../src/incidents/evidence-schema.ts';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { isoTime } from '../../src/platform/time.ts';
import { insertPastCounts, type PastSeries } from '../support/past-counts.ts';
import { anAttachedSeries, insertRiskIncident } from '../support/risk-incidents.ts';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';

/** Half a minute into a minute. */
const NOW_MS = Date.parse('2026-11-20T10:00:30.000Z');
const THIS_MINUTE_MS = NOW_MS - 30_000;
const CHECKOUT: PastSeries = { type: 'checkout', severity: 'error', source: 'shop' };
const CALLS: PastSeries = { type: 'call', severity: 'info', source: 'shop' };
const MAIL: PastSeries = { type: 'mail', severity: 'error', source: 'post' };
const seriesOf = (series: PastSeries): RiskSeries => ({ kind: 'events', ...series, fingerprint: null });

describe('the current values of an incident', async () => {
  const service = await startTestService({ roles: ['management'], clock: { now: () => NOW_MS } });
  const { pool } = service.database;
  const user = await service.signUp();
  const project = await user.createProject();
  const fromMs = THIS_MINUTE_MS - 20 * MINUTE_MS;
  const count = (series: PastSeries, counts: number[]) =>
    insertPastCounts(pool, project, series, {
      startMs: THIS_MINUTE_MS - (counts.length - 1) * MINUTE_MS,
      counts,
    });
  await count(CHECKOUT, [...Array.from({ length: 20 }, (_, minute) => (minute === 3 ? 40 : 20)), 10]);
  await count(
    CALLS,
    Array.from({ length: 21 }, () => 80),
  );
  await count(MAIL, [7, 6]);
  const mail = anAttachedSeries(fromMs, seriesOf(MAIL));
  const evidence = { series: seriesOf(CHECKOUT), alsoSeries: [mail] };
  const path = `/incidents/${await insertRiskIncident(pool, project, { fromMs, evidence })}`;
  const current = {
    at: isoTime(NOW_MS),
    windowSeconds: 270,
    observed: 90,
    perMinute: 20,
    expected: 9,
    trend: 'steady',
    peak: { perMinute: 40, at: isoTime(fromMs + 3 * MINUTE_MS) },
    release: null,
    share: 18.37,
    series: [{ ...seriesOf(MAIL), observed: 13, perMinute: 2.889, expected: null, trend: 'rising' }],
  };

  it('computes current values when an open incident is read, but not in lists', async () => {
    const { status, body } = await user.api.get(path);
    expect(status).toBe(200);
    expect(body.current).toEqual(current);
    expect((await user.api.get('/incidents')).body).toMatchObject([{ current: null }]);
  });

  it('sends current values with the message of a change, without a timeline entry', async () => {
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    await user.api.patch(path, { severity: 'critical' });
    const [frame] = await live.received(1);
    expect(frame).toMatchObject({ event: 'incident_updated', data: { severity: 'critical', current } });
    expect((await user.api.get(path)).body.timeline).toHaveLength(1);
  });

  it('returns no current values for a resolved incident, and for one created by hand', async () => {
    const byHand = await user.openIncident(project.id);
    expect((await user.api.get(`/incidents/${byHand}`)).body.current).toBeNull();
    expect((await user.api.patch(path, { status: 'resolved' })).body.current).toBeNull();
  });
});
