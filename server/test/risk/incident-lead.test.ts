import { DOWN, eventsSeries, UP } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import { eventsOn } from '../../src/events/read/events-on.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { makeLead } from '../../src/risk/headline/make-lead.ts';
import type { OpenedAlarm } from '../../src/risk/headline/opened-alarm.ts';
import { alarm } from '../../src/risk/incidents/testing.ts';
import { middleOfToday, StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { beginProject, type SentEvent } from './project-life.ts';
import { CHECKOUT, IS, ORDERS, SYNC } from './shop-events.ts';
import { incidentsOf, QUICK_PACE } from './support.ts';

const MINUTE_MS = 60_000;

describe('the lead of an incident', { timeout: scaled(120_000) }, async () => {
  const clock = new StillClock(middleOfToday());
  const service = await startTestService({ clock, riskPace: QUICK_PACE });
  const user = await service.signUp();

  const setUp = () => beginProject(service, clock, user);

  const PAID = { ...ORDERS, type: 'payment', source: 'bank', message: 'Paid' };
  const DECLINED = { ...PAID, severity: 'ERROR', message: 'Declined' };

  it.each([
    ['a rise', ORDERS, 30, [[40, CHECKOUT]]],
    ['a drop', ORDERS, 60, [[6, ORDERS]]],
    ['a drop that stays above half', ORDERS, 200, [[130, ORDERS]]],
    ['a silence', ORDERS, 30, []],
    [
      'failed payments',
      PAID,
      20,
      [
        [14, PAID],
        [6, DECLINED],
      ],
    ],
  ] as const)('says the counted beginning in the sentence of %s', async (_name, usual, rate, then) => {
    const project = await setUp();
    await project.learn(rate, usual);
    await project.run(3, [rate, usual]);
    const beganMs = clock.now();
    // The first failures are a new error; those of one minute may be of one payer.
    const isCounted = async () =>
      (await incidentsOf(user, project.id)).length > 0 && (await project.one()).evidence.rule !== 'new_kind';
    for (let minute = 0; minute < 30 && !(await isCounted()); minute++)
      await project.run(1, ...then.map(([count, event]): [number, typeof event] => [count, event]));
    const { since, evidence } = await project.one();
    expect(Math.abs(Date.parse(since) - beganMs)).toBeLessThanOrEqual(MINUTE_MS);
    expect(evidence.sentence).toContain(`since ${since.slice(11, 16)} UTC`);
  });

  it('begins with the first event after a resolution where the rise goes on', async () => {
    const project = await setUp();
    await project.run(1, [30, ORDERS]);
    await project.send(40, CHECKOUT);
    await project.run(1, [30, ORDERS]);
    const { id } = await project.one();
    clock.advance(7_000);
    expect((await user.api.patch(`/incidents/${id}`, { status: 'resolved' })).status).toBe(200);
    clock.advance(11_000);
    await project.send(60, CHECKOUT);
    await project.run(2, [60, CHECKOUT]);
    const [next] = (await incidentsOf(user, project.id)).filter(
      (incident: { id: string }) => incident.id !== id,
    );
    const { resolvedAt } = (await user.api.get(`/incidents/${id}`)).body;
    const [first] = (await project.stored(IS.checkout, Date.parse(resolvedAt) + 1)).slice(-1);
    expect(Date.parse(next.since)).toBe(first?.atMs);
    expect(first?.atMs).toBeGreaterThan(Date.parse(resolvedAt) + 1);
  });

  it('does not move the beginning backwards with a lead that began earlier', async () => {
    const project = await setUp();
    await project.run(3, [30, ORDERS], [3, SYNC]);
    await project.send(40, CHECKOUT);
    await project.run(1, [30, ORDERS], [3, SYNC]);
    const before = await project.one();
    await project.send(600, SYNC);
    await project.run(1, [30, ORDERS]);
    const after = await project.one();
    expect(after.lead.series).toMatchObject({ type: 'sync' });
    expect(after.since).toBe(before.since);
    expect(after.eventCount).toBe((await project.stored(IS.sync, Date.parse(after.since))).length);
    expect(after.eventCount).toBeLessThan((await project.stored(IS.sync)).length);
  });

  /** Computes the lead of an alarm that opens now. */
  const leadOf = async ({ id }: { id: string }, opened: OpenedAlarm) => {
    const { rows } = await service.database.pool.query(
      'SELECT organization_id AS "organizationId", id AS "projectId" FROM projects WHERE id = $1',
      [toUuid('proj', id)],
    );
    const times = { shiftMs: 0, nowMs: clock.now(), sinceMs: null, previousEndMs: null };
    const { lead } = await makeLead(
      service.database.pool,
      { ...opened, atMs: clock.now() },
      { ...rows[0], ...times },
    );
    return lead;
  };

  it('says that a rise or a drop that fills the searched time may have begun earlier', async () => {
    const project = await setUp();
    await project.run(35, [4, CHECKOUT]);
    const series = eventsSeries('checkout', 'error', 'shop');
    const sinceOf = async (opened: OpenedAlarm) => {
      const { since, mayBeEarlier = false } = await leadOf(project, opened);
      return [Math.round((clock.now() - Date.parse(since)) / MINUTE_MS), mayBeEarlier];
    };
    // The half hour before its minute is searched: the rise began before that.
    expect(await sinceOf(alarm(series, 4, { expected: 0.01 }))).toEqual([32, true]);
    const drop = { rule: 'drop', side: DOWN, expected: 60, windowMinutes: 2 } as const;
    expect(await sinceOf(alarm(series, 8, drop))).toEqual([33, true]);
    // As long a time as its window is searched, which is more than it has lasted.
    const [minutes, mayBeEarlier] = await sinceOf(alarm(series, 80, { expected: 0.2, windowMinutes: 20 }));
    expect(mayBeEarlier).toBe(false);
    expect(minutes).toBeLessThanOrEqual(36);
  });

  it.each([
    ['the alarm', 'rise', 0],
    ['the alarm', 'drop', 0],
    ['its empty window', 'silence', 10],
  ] as const)(
    'begins with %s for a %s of other events, which no stored count tells apart',
    async (_beginning, rule, minutes) => {
      const project = await setUp();
      await project.run(2, [30, ORDERS]);
      const series = { kind: 'other', type: null, severity: null, source: null, fingerprint: null } as const;
      const opened = alarm(series, 5, { rule, side: rule === 'rise' ? UP : DOWN, windowMinutes: 10 });
      const { since } = await leadOf(project, opened);
      expect(Date.parse(since)).toBe(clock.now() - minutes * MINUTE_MS);
    },
  );

  it('names the group with most of its events from more than 60% on', async () => {
    for (const [count, title] of [
      [60, undefined],
      [61, 'Card refused'],
    ] as const) {
      const project = await setUp();
      await project.send(count, CHECKOUT);
      for (const message of ['Card expired', 'Cart is gone'])
        await project.send(message === 'Cart is gone' ? 20 : 80 - count, { ...CHECKOUT, message });
      const opened = alarm(eventsSeries('checkout', 'error', 'shop'), 100);
      expect((await leadOf(project, opened)).main?.title, String(count)).toBe(title);
    }
  });

  it('reports a new lead and its release in one entry', async () => {
    const project = await setUp();
    const { users: _users, ...calls } = { ...ORDERS, source: SYNC.source };
    const traffic = ['1.0', '1.1'].map((release): [number, SentEvent] => [40, { ...calls, release }]);
    await project.run(2, ...traffic);
    const { release: _release, ...checkout } = CHECKOUT;
    await project.send(40, checkout);
    await project.run(1, ...traffic);
    const { id } = await project.one();
    const { users: _all, ...sync } = SYNC;
    // In one request: releases are compared as soon as the rise is found.
    await project.sendAll([[400, { ...sync, release: '1.1' }], ...traffic]);
    await project.run(2, ...traffic);
    const { timeline, eventCount, release } = (await user.api.get(`/incidents/${id}`)).body;
    expect(release).toMatchObject({ version: '1.1' });
    const about = timeline.filter(({ note }: { note: string | null }) =>
      /Now about|are from/.test(note ?? ''),
    );
    expect(about).toHaveLength(1);
    expect(about[0].note).toContain(`Now about \`sync\` errors in \`broker\``);
    expect(about[0].note).toContain(`${eventCount} events instead of 40.`);
    expect(about[0].note).toContain('are from `1.1`');
  });

  it('tells a group that is new in an incident from one that was known, both with all of their users', async () => {
    const project = await setUp();
    const known = { ...CHECKOUT, message: 'Card expired' };
    await project.send(1, { ...known, severity: 'ERROR' });
    await project.run(40, [1, ORDERS]);
    for (const event of [known, { ...CHECKOUT, users: 1_100 }])
      for (let part = 0; part < 2; part++) await project.send(550, event);
    await project.run(1, [1, ORDERS]);
    const { id } = (await incidentsOf(user, project.id)).at(0);
    const { body } = await user.api.get(`/incidents/${id}/groups`);
    const facts = new Map(
      body.map(({ group, ...facts }: { group: { title: string } }) => [group.title, facts]),
    );
    expect(facts.get('Card refused')).toMatchObject({ isNew: true, readEvents: 1_000, usersExact: true });
    expect(facts.get('Card expired')).toMatchObject({ isNew: false, readEvents: 1_000, usersExact: true });
  });

  it('counts the events of one group without those of the others beside it', async () => {
    const project = await setUp();
    await project.send(3, ORDERS);
    await project.send(2, CHECKOUT);
    const { body: groups } = await user.api.get(`/groups?project_id=${project.id}`);
    const ids: string[] = groups.map(({ id }: { id: string }) => toUuid('grp', id));
    const events = eventsOn(service.context.pool);
    const count = (groupId?: string) =>
      events.countByGroup(toUuid('org', user.organizationId) ?? '', {
        projectId: toUuid('proj', project.id) ?? '',
        ...(groupId !== undefined && { groupId }),
        ranges: [{ fromMs: clock.now() - MINUTE_MS, toMs: clock.now() + MINUTE_MS }],
        series: null,
      });
    const all = await count();
    expect(all.map(({ groupId }) => groupId).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect(await count(id)).toEqual(all.filter(({ groupId }) => groupId === id));
  });
});
