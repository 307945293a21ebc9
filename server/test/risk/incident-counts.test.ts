import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { readAll } from '../support/client.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { reviewDueSchedules } from '../support/worker-rounds.ts';
import { beginProject } from './project-life.ts';
import { CHECKOUT, IS, MAIL, ORDERS, SYNC } from './shop-events.ts';
import { incidentsOf, QUICK_PACE } from './support.ts';

const MINUTE_MS = 60_000;

describe('what an incident says', { timeout: scaled(120_000) }, async () => {
  const clock = new StillClock(middleOf(MINUTE_MS));
  const service = await startTestService({ clock, riskPace: QUICK_PACE });
  const user = await service.signUp();
  const { pool } = service.database;

  const setUp = () => beginProject(service, clock, user);
  type Project = Awaited<ReturnType<typeof setUp>>;

  const idsOf = async (path: string) => {
    const rows = await readAll(user.api, `${path}${path.includes('?') ? '&' : '?'}limit=200`);
    return rows.map(({ id }): string => id);
  };

  /** Compares each number of an incident with the events of a clause that were captured in a time. */
  const expectTruth = async (project: Project, incidentId: string, clause: string, fromMs: number) => {
    const {
      rows: [row],
    } = await pool.query('SELECT resolved_at FROM incidents WHERE id = $1', [toUuid('inc', incidentId)]);
    const untilMs = row.resolved_at?.getTime() ?? Number.MAX_SAFE_INTEGER;
    const events = await project.stored(clause, fromMs, untilMs);
    const incident = await waitFor('the count to be that of the events', async () => {
      const { body } = await user.api.get(`/incidents/${incidentId}`);
      return body.eventCount === events.length && body;
    });
    const ids = events.map(({ id }) => id);
    expect(await idsOf(`/incidents/${incidentId}/events`)).toEqual(ids);
    expect(incident.eventsQuery).toEqual({ says: 'counted', params: { incident_id: incidentId } });
    expect(await idsOf(`/events?incident_id=${incidentId}`)).toEqual(ids);
    const { body: buckets } = await user.api.get(
      `/events/histogram?incident_id=${incidentId}&from=${new Date(fromMs - MINUTE_MS).toISOString()}&to=${new Date(clock.now() + MINUTE_MS).toISOString()}&interval=60`,
    );
    const charted = buckets.reduce(
      (sum: number, { start: _start, ...counts }: { start: string } & Record<string, number>) =>
        Object.values(counts).reduce((all, count) => all + count, sum),
      0,
    );
    expect(charted).toBe(ids.length);
    const users = new Set(events.flatMap((event) => event.user ?? []));
    expect(incident.facts.users).toEqual({ count: users.size, isExact: true });
    expect(incident.facts.newestEvent?.id).toBe(ids[0]);
    const sinceMs = Date.parse(incident.since);
    const firstMs = events.at(-1)?.atMs ?? 0;
    expect(sinceMs).toBeLessThanOrEqual(firstMs);
    expect(sinceMs).toBeGreaterThanOrEqual(Math.floor(firstMs / MINUTE_MS) * MINUTE_MS);
    const { body: groups } = await user.api.get(`/incidents/${incidentId}/groups`);
    expect(groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(ids.length);
    const [listed] = (await incidentsOf(user, project.id)).filter(
      ({ id }: { id: string }) => id === incidentId,
    );
    expect(listed).toMatchObject({ eventCount: ids.length, since: incident.since });
    return incident;
  };

  it('counts the events of a rise whatever joins, and those of a new lead', async () => {
    const project = await setUp();
    await project.run(1, [30, ORDERS]);
    const startMs = clock.now();
    await project.send(40, CHECKOUT);
    await project.run(1, [30, ORDERS]);
    const { id } = await project.one();
    const first = await expectTruth(project, id, IS.checkout, startMs);
    expect(first).toMatchObject({ title: 'Card refused in shop', lead: { kind: 'series' } });

    // Another series joins: it adds nothing.
    await project.send(20, MAIL);
    await project.run(1, [30, ORDERS], [10, CHECKOUT]);
    const joined = await expectTruth(project, id, IS.checkout, startMs);
    expect(joined.evidence.alsoSeries).toContainEqual(expect.objectContaining({ type: 'mail' }));
    expect(joined.since).toBe(first.since);

    // Another one is clearly worse: it becomes the lead, and the number is its own.
    await project.send(400, SYNC);
    await project.run(1, [30, ORDERS]);
    const led = await expectTruth(project, id, IS.sync, startMs);
    expect(led).toMatchObject({ title: 'Broker is gone in broker', lead: { series: { type: 'sync' } } });
    expect(led.since >= first.since).toBe(true);
    const change = led.timeline.filter(
      ({ to }: { to: { title?: string } | null }) => to?.title === led.title,
    );
    expect(change).toHaveLength(1);

    await project.send(10, SYNC);
    expect((await user.api.patch(`/incidents/${id}`, { status: 'resolved' })).status).toBe(200);
    await project.run(1, [5, SYNC]);
    const resolved = await expectTruth(project, id, IS.sync, startMs);
    expect(resolved).toMatchObject({ status: 'resolved', until: resolved.resolvedAt });
    expect(resolved.evidence.sentence).not.toMatch(/ are [\d,.]+× | are up /);

    // Retention removes events before their counts: the number stays, and the answer says since when events are kept.
    await project.run(4, [5, ORDERS]);
    const keptMs = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS - 2 * MINUTE_MS;
    const uuid = toUuid('proj', project.id);
    const before = [uuid, new Date(keptMs)];
    await pool.query('DELETE FROM events WHERE project_id = $1 AND received_at < $2', before);
    await project.run(2, [5, ORDERS]);
    const { body: old } = await user.api.get(`/incidents/${id}`);
    expect(old).toMatchObject({
      eventCount: resolved.eventCount,
      since: resolved.since,
      facts: { users: { isExact: false }, newestEvent: null, eventsKeptFrom: expect.any(String) },
    });
    expect(Date.parse(old.facts.eventsKeptFrom)).toBeGreaterThanOrEqual(keptMs);
  });

  it('counts users beyond the events that are read: those of groups that the incident counts whole', async () => {
    const project = await setUp();
    await project.run(1, [30, ORDERS]);
    const startMs = clock.now();
    // More events of one group than are read of each, by more users than those name.
    await project.send(1_200, { ...CHECKOUT, users: 1_000 });
    await project.run(1, [30, ORDERS]);
    const { id } = await project.one();
    const { title } = await expectTruth(project, id, IS.checkout, startMs);
    const usersOf = async () => {
      const { body } = await user.api.get(`/incidents/${id}`);
      const { body: groups } = await user.api.get(`/incidents/${id}/groups`);
      return [
        body.facts.users,
        ...groups.map(({ users, usersExact }: { users: number; usersExact: boolean }) => ({
          count: users,
          isExact: usersExact,
        })),
      ];
    };
    const exact = { count: 1_000, isExact: true };
    expect(await usersOf()).toEqual([exact, exact]);

    // Traffic beside it hides the events of the lead among the newest.
    await copyNewestEvent(project, 20_001);
    expect(await usersOf()).toEqual([exact, exact]);

    // A second group: the users of both, each once.
    await project.send(5, { ...CHECKOUT, message: 'Address is missing', users: 3 });
    expect(await usersOf()).toEqual([exact, exact, { count: 3, isExact: true }]);

    // More users than groups know: at least those that are read, of the incident as of the group. Ids of one millisecond have no
    // order if others are made meanwhile, and these are to be the newest.
    clock.advance(1);
    await project.send(1_100, { ...CHECKOUT, users: 1_100 });
    const atLeast = { count: 1_100, isExact: false };
    expect(await usersOf()).toEqual([atLeast, atLeast, { count: 3, isExact: true }]);
    expect(title).toBe('Card refused in shop');
  });

  /** Stores copies of the newest event, which nothing counts. */
  const copyNewestEvent = async (project: Project, count: number) => {
    await project.send(1, { ...ORDERS, message: 'Traffic' });
    await pool.query(
      `INSERT INTO events SELECT copy.* FROM (
          SELECT * FROM events WHERE project_id = $1 AND message = 'Traffic' ORDER BY id DESC LIMIT 1
        ) AS e CROSS JOIN generate_series(1, $2::int) AS place
        CROSS JOIN LATERAL jsonb_populate_record(NULL::events, to_jsonb(e) || jsonb_build_object('id',
          overlay(e.id::text PLACING lpad(to_hex(place), 12, '0') FROM 25))) AS copy`,
      [toUuid('proj', project.id), count],
    );
  };

  it('lists groups and incidents of each other when all events of a project have risen', async () => {
    const project = await setUp();
    await project.learn(10, ORDERS);
    await project.run(2, [10, ORDERS]);
    const sources = Array.from({ length: 8 }, (_, index) => ({
      ...ORDERS,
      source: `web-${index}`,
      message: `Order paid by ${'abcdefgh'.charAt(index)}`,
    }));
    await project.run(2, [10, ORDERS], ...sources.map((event): [number, typeof ORDERS] => [60, event]));
    const incident = await waitFor('an incident', async () => (await incidentsOf(user, project.id))[0]);
    expect(incident.lead).toMatchObject({ kind: 'series', series: { kind: 'total' } });
    const { body: groups } = await user.api.get(`/incidents/${incident.id}/groups`);
    expect(groups.length).toBeGreaterThan(1);
    for (const { group, count } of groups) {
      const { body: incidents } = await user.api.get(`/groups/${group.id}/incidents`);
      expect(incidents).toMatchObject([{ incident: { id: incident.id }, count }]);
    }
  });

  it('counts the events of the group of a new error', async () => {
    const project = await setUp();
    await project.learn(10, ORDERS);
    await project.run(2, [10, ORDERS]);
    const startMs = clock.now();
    await project.send(1, { ...CHECKOUT, message: 'Brand new failure' });
    await project.run(1, [10, ORDERS]);
    const { id } = await project.one();
    const opened = await expectTruth(project, id, IS.newError, startMs);
    expect(opened).toMatchObject({
      title: 'Brand new failure in shop',
      lead: { kind: 'group' },
      mainGroup: { share: 1 },
    });
    expect(Date.parse(opened.since)).toBe((await project.stored(IS.newError))[0]?.atMs);
    await project.run(1, [10, ORDERS], [2, { ...CHECKOUT, message: 'Brand new failure' }]);
    await expectTruth(project, id, IS.newError, startMs);
  });

  it('counts failed payments', async () => {
    const project = await setUp();
    const paid = { type: 'payment', severity: 'INFO', source: 'bank', message: 'Paid', users: 20 };
    const failed = { ...paid, severity: 'ERROR', message: 'Declined' };
    await project.learn(20, paid);
    await project.run(2, [20, paid]);
    const startMs = clock.now();
    await project.run(4, [14, paid], [6, failed]);
    const { id } = await project.one();
    await expectTruth(project, id, IS.failures, startMs);
  });

  it('counts failed payments of a processor that are stored with severity info, and lists their groups', async () => {
    const project = await setUp();
    const paid = { type: 'payment', severity: 'INFO', source: 'payments', message: 'Paid', users: 20 };
    await project.learn(20, paid);
    await project.run(2, [20, paid]);
    const startMs = clock.now();
    const sent = [
      ['invoice.payment_failed', { amount_due: 4_210, currency: 'eur' }],
      ['invoice.payment_failed', { amount_due: 9_800, currency: 'jpy' }],
      ['invoice.payment_failed', {}],
      ['payment_failed', { amount: 1_005, currency: 'eur' }],
      ['charge.refunded', { amount: 77, currency: 'eur' }],
      ['charge.dispute.created', { amount: 77, currency: 'chf' }],
    ] as const;
    for (let minute = 0; minute < 4; minute++) {
      for (const [type, object] of sent)
        for (let count = 0; count < 2; count++)
          expect((await project.ingest.post('/ingest/payments', { type, data: { object } })).status).toBe(
            202,
          );
      await project.run(1, [14, paid]);
    }
    const { id } = await project.one();
    const { title, facts } = await expectTruth(project, id, IS.failuresOfProcessor, startMs);
    expect(facts.failedPayments).toEqual({
      count: 32,
      amounts: [
        { currency: 'EUR', amount: '417.20', count: 16 },
        { currency: 'JPY', amount: '78400', count: 8 },
      ],
      otherCurrencies: 0,
      from: null,
      text: '32 failed payments, €417.20 + ¥78,400 in 24 of them',
    });
    const { body: groups } = await user.api.get(`/incidents/${id}/groups`);
    expect(groups).toMatchObject([
      { group: { title: 'invoice.payment_failed' }, count: 24, share: 0.75 },
      { group: { title: 'payment_failed' }, count: 8, share: 0.25 },
    ]);
    expect(title).not.toContain('payment_failed');
    const { body: incidents } = await user.api.get(`/groups/${groups[0].group.id}/incidents`);
    expect(incidents).toMatchObject([{ incident: { id }, count: 24 }]);
  });

  it.each([
    ['a drop', 60, 6],
    ['a silence', 30, 0],
    ['a heartbeat', 1, 0],
  ])('counts no events of %s, and lists those before it', async (_name, usual, left) => {
    const project = await setUp();
    await project.learn(usual, ORDERS);
    await project.run(3, [usual, ORDERS]);
    const beganMs = clock.now();
    await project.run(6, [left, ORDERS]);
    const { id } = await project.one();
    const { body } = await user.api.get(`/incidents/${id}`);
    expect(body).toMatchObject({
      lead: { kind: 'absence' },
      eventCount: 0,
      eventsQuery: { says: 'before', params: { incident_id: id } },
      facts: { users: { count: 0, isExact: true }, newestEvent: null },
    });
    const sinceMs = Date.parse(body.since);
    const [last] = await project.stored(`type = 'order'`);
    // A silence begins after its last event.
    if (left === 0) expect(sinceMs).toBe((last?.atMs ?? 0) + 1);
    else expect(Math.abs(sinceMs - beganMs)).toBeLessThanOrEqual(MINUTE_MS);
    const before = await project.stored(`type = 'order'`, 0, sinceMs - 1);
    expect(await idsOf(`/incidents/${id}/events`)).toEqual(before.map(({ id: eventId }) => eventId));
    expect((await user.api.get(`/incidents/${id}/groups`)).body).toEqual([]);
  });

  it('counts no events of a schedule or of an incident created by hand', async () => {
    const project = await setUp();
    const path = `/projects/${project.id}/schedules`;
    const schedule = { slug: 'job', name: 'Nightly', intervalSeconds: 3_600, graceSeconds: 0 };
    const { body: created } = await user.api.post(path, schedule);
    await project.ingest.post('/ingest/check-ins/job', { status: 'error' });
    await reviewDueSchedules(service);
    const { id: missed } = await user.firstIncident(project.id);
    const manual = await user.openIncident(project.id);
    await project.run(1, [5, CHECKOUT]);
    for (const [id, lead] of [
      [missed, { kind: 'schedule', scheduleId: created.id }],
      [manual, { kind: 'manual' }],
    ]) {
      const { body } = await user.api.get(`/incidents/${id}`);
      expect(body).toMatchObject({ lead, eventCount: 0, since: body.createdAt });
      expect(body.eventsQuery).toMatchObject({ says: 'before', params: { to: body.createdAt } });
      expect(await idsOf(`/incidents/${id}/events`)).toEqual([]);
    }
  });
});
