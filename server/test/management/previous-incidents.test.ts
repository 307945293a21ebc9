import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../src/incidents/evidence-schema.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/durations.ts';
import { isoTime } from '../../src/platform/time.ts';
import { StillClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { insertRiskIncident } from '../support/risk-incidents.ts';
import { startTestService } from '../support/service.ts';

const CHECKOUT: RiskSeries = {
  kind: 'events',
  type: 'checkout',
  severity: 'error',
  source: 'shop',
  fingerprint: null,
};

describe('the incidents of the same cause before an incident', async () => {
  const clock = new StillClock();
  const service = await startTestService({ roles: ['management'], clock });
  const user = await service.signUp('Ada');
  const project = await user.createProject();
  const open = async (agoMs: number, series: RiskSeries, previous: string | null = null) => {
    const rule = series.kind === 'new_kind' ? 'new_kind' : 'rise';
    const fromMs = clock.now() - agoMs;
    const incident = { fromMs, eventCount: 7, previousId: previous, evidence: { rule, series } } as const;
    return insertRiskIncident(service.database.pool, project, incident);
  };
  const listOf = async (id: string, query = '') =>
    (await user.api.get(`/incidents/${id}/previous${query}`)).body;
  const idsOf = async (id: string, query = '') =>
    (await listOf(id, query)).map((incident: { id: string }) => incident.id);

  it('lists previous incidents newest first, with their resolver, duration and notes', async () => {
    const first = await open(3 * HOUR_MS, CHECKOUT);
    const second = await open(2 * HOUR_MS, CHECKOUT);
    await open(HOUR_MS, { ...CHECKOUT, source: 'till' });
    await open(HOUR_MS, { ...CHECKOUT, kind: 'new_kind', fingerprint: 'f' });
    const last = await open(MINUTE_MS, CHECKOUT);
    await open(0, CHECKOUT);
    for (let index = 0; index < 6; index++) {
      await user.api.post(`/incidents/${second}/notes`, { note: `Note ${index}` });
      // Notes of one millisecond have no order.
      clock.advance(1);
    }
    await user.api.patch(`/incidents/${second}`, { status: 'resolved' });

    const [newer, older, ...others] = await listOf(last);
    expect(others).toEqual([]);
    expect(newer).toMatchObject({
      id: second,
      status: 'resolved',
      eventCount: 7,
      durationSeconds: 2 * 3_600,
      resolvedBy: { id: user.id, name: 'Ada' },
      noteCount: 6,
    });
    expect(newer.notes.map(({ note }: { note: string }) => note)).toEqual(
      [5, 4, 3, 2, 1].map((index) => `Note ${index}`),
    );
    expect(newer.notes[0]).toMatchObject({ by: { name: 'Ada' }, at: isoTime(clock.now() - 1) });
    expect(older).toMatchObject({
      id: first,
      status: 'open',
      durationSeconds: null,
      resolvedBy: null,
      notes: [],
      noteCount: 0,
    });
    expect(await idsOf(last, '?limit=1')).toEqual([second]);
  });

  it('lists only incidents of the same error and the predecessor before a new error', async () => {
    const kind = (fingerprint: string): RiskSeries => ({
      ...CHECKOUT,
      kind: 'new_kind',
      type: 'card',
      fingerprint,
    });
    const other = await open(3 * HOUR_MS, kind('b'));
    const same = await open(2 * HOUR_MS, kind('a'));
    expect(await idsOf(await open(0, kind('a')))).toEqual([same]);
    expect(await idsOf(await open(0, kind('c'), other))).toEqual([other]);
  });

  it('lists no previous incidents of manual, foreign and unknown ones', async () => {
    const id = await user.openIncident(project.id);
    expect(await listOf(id)).toEqual([]);
    const stranger = await service.signUp();
    expectProblem(await stranger.api.get(`/incidents/${id}/previous`), 'not_found');
    expectProblem(await user.api.get('/incidents/inc_x/previous'), 'not_found');
    expectProblem(await user.api.get(`/incidents/${id}/previous?limit=0`), 'validation_failed');
  });
});
