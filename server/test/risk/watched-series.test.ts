import { describe, expect, it } from 'vitest';
import type { WatchedSeriesList } from '../../src/risk/series/schema.ts';
import { scaled } from '../support/time-scale.ts';
import { Detection, MINUTE_MS } from './detection.ts';

describe('GET /projects/:id/risk/series', { timeout: scaled(120_000) }, async () => {
  const detection = await Detection.start(2, 10_000);
  const { user, projects } = detection;
  const list = async (project = 0) =>
    (await user.api.get(`/projects/${projects[project]}/risk/series`)).body as unknown as WatchedSeriesList;

  it('lists nothing before the first event of a project', async () => {
    expect(await list()).toEqual({ at: null, series: [] });
  });

  it('lists totals first, then each series with its rate and its last event, seconds after an event', async () => {
    for (let minute = 0; minute < 120; minute++) {
      await detection.pass(1, [
        { project: 0, events: 40 + (minute % 3) },
        { project: 0, events: 2, type: 'signup' },
        { project: 1, events: 4, type: 'payment' },
        ...(minute % 30 === 7
          ? [{ project: 1, events: 1, type: 'payment', severity: 'error' as const }]
          : []),
      ]);
    }
    const { at, series } = await list();
    expect(series.map((one) => [one.series.kind, one.series.type])).toEqual([
      ['total', null],
      ['events', 'order'],
      ['events', 'signup'],
    ]);
    expect(series[1]?.perMinute).toBeGreaterThan(35);
    expect(series[1]?.perMinute).toBeLessThan(45);
    const lastMs = detection.clock.now() - MINUTE_MS;
    expect(Date.parse(series[1]?.lastEventAt ?? '')).toBe(lastMs);
    expect(Date.parse(at ?? '')).toBeGreaterThanOrEqual(lastMs - MINUTE_MS);
  });

  it('names the count that opens an incident, of which half opens none', async () => {
    const [, orders] = (await list()).series;
    const [minute] = orders?.opening ?? [];
    expect(minute?.windowSeconds).toBe(60);
    const rise = minute?.rise ?? Number.NaN;
    const incidents = async () => (await user.api.get('/incidents')).body as unknown as unknown[];
    await detection.send([{ project: 0, events: Math.floor(rise / 2) }]);
    await detection.runRounds();
    expect(await incidents()).toEqual([]);
    await detection.send([{ project: 0, events: Math.ceil(rise / 2) }]);
    await detection.runRounds();
    expect(await incidents()).toHaveLength(1);
  });

  it('lists the same series after the detector was saved as before', async () => {
    const before = await list();
    await detection.watch.resign(60_000);
    expect(await list()).toEqual(before);
  });

  it('lists the number of failed payments that opens an incident for each window, and the usual share', async () => {
    const { series } = await list(1);
    const payments = series.find(({ series: { kind } }) => kind === 'failed_payments');
    expect(payments?.opening).toEqual([]);
    const { of, usualShare, opening = [] } = payments?.share ?? {};
    expect(of).toBe('payments');
    expect(usualShare).toBeLessThan(0.05);
    expect(opening.map(({ windowSeconds }) => windowSeconds).slice(0, 2)).toEqual([600, 1_800]);
    expect(opening.every(({ failures, events }) => failures >= 5 && failures < events)).toBe(true);
  });

  it('answers 404 for a project of another organization', async () => {
    const stranger = await detection.service.signUp();
    expect((await stranger.api.get(`/projects/${projects[0]}/risk/series`)).status).toBe(404);
  });
});
