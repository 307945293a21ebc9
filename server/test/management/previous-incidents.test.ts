import { describe, expect, it } from 'vitest';
import type { RiskSeries } from '../../src/incidents/evidence-schema.ts';
import type { MainGroup } from '../../src/incidents/stored-evidence.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/platform/durations.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';
import { emptyLead } from '../../src/risk/counts/count-lead.ts';
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

const CARD_DECLINED: Omit<MainGroup, 'groupId'> = {
  key: 'SHOP-1',
  title: 'Card was declined',
  source: 'shop',
  severity: 'error',
  share: 0.9,
  releases: [],
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

  it('lists previous incidents that share a group, by a lead or a main group, of any other series', async () => {
    const [declined, timeout] = [newUuid(clock.now()), newUuid(clock.now())];
    const ledBy = async (agoMs: number, source: string, groupId: string | null, mainId: string | null) => {
      const fromMs = clock.now() - agoMs;
      const main: MainGroup | null = mainId === null ? null : { ...CARD_DECLINED, groupId: mainId };
      const series: RiskSeries = { ...CHECKOUT, source };
      const evidence = { series, lead: { ...emptyLead(groupId, fromMs), main } };
      return insertRiskIncident(service.database.pool, project, { fromMs, evidence });
    };
    const byMain = await ledBy(5 * HOUR_MS, 'till-1', null, declined);
    const byLead = await ledBy(4 * HOUR_MS, 'till-2', declined, null);
    const other = await ledBy(3 * HOUR_MS, 'till-3', timeout, timeout);
    await ledBy(2 * HOUR_MS, 'till-4', null, null);
    expect(await idsOf(await ledBy(MINUTE_MS, 'till-5', null, declined))).toEqual([byLead, byMain]);
    expect(await idsOf(await ledBy(0, 'till-6', timeout, declined))).toHaveLength(4);
    expect(await idsOf(await ledBy(0, 'till-7', timeout, null))).toContain(other);
    expect(await idsOf(await ledBy(0, 'till-8', null, null))).toEqual([]);
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
