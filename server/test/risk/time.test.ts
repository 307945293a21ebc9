import { Random } from '@tocsin/simulation/random';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { Detection, UNBOUNDED } from './detection.ts';
import {
  decisionsOf,
  evaluatedUntil,
  incidentsOf,
  insertHistory,
  passTime,
  QUICK_PACE,
  queueEmptied,
  sendEvents,
} from './support.ts';

const MINUTE_MS = 60_000;
/** Time within a minute at which events are sent. */
const SENT_AT_MS = 20_000;
const ORDERS = { type: 'order', severity: 'INFO', source: 'web' };
const PAST_ORDERS = { type: 'order', severity: 'info', source: 'web' };

/** Starts a service whose clock the test sets. */
async function startAccelerated() {
  const clock = new TestClock();
  return { clock, service: await startTestService({ clock, riskPace: QUICK_PACE }) };
}

/** Creates a project that sends orders at random times. */
async function beginOrders({ clock, service }: Awaited<ReturnType<typeof startAccelerated>>, seed: number) {
  const user = await service.signUp();
  const { id, ingest } = await user.createProject();
  const random = new Random(seed);
  /** Lets time pass to the same second of the next minute, regardless of how long sending took: no minute is left out. */
  const passToNext = () => passTime(service, clock, MINUTE_MS - ((clock.now() - SENT_AT_MS) % MINUTE_MS));
  return {
    user,
    id,
    ingest,
    passToNext,
    /** Inserts a day of history. */
    rememberDay: async (rate: number) => {
      const counts = Array.from({ length: 24 * 60 }, () => random.poisson(rate));
      await insertHistory(service.database, {
        projectId: id,
        series: PAST_ORDERS,
        nowMs: clock.now(),
        counts,
      });
      await evaluatedUntil(service, clock.now() - MINUTE_MS);
    },
    /** Sends for a number of minutes, and waits until they are evaluated. */
    run: async (minutes: number, rate: number, to: ApiClient = ingest) => {
      for (let minute = 0; minute < minutes; minute++) {
        await sendEvents(to, random.poisson(rate), ORDERS);
        await queueEmptied(service);
        await passToNext();
        // The risk loop catches up after each minute, as in production.
        if (minute % 20 === 19) await evaluatedUntil(service, clock.now() - MINUTE_MS);
      }
      await passTime(service, clock, 10_000);
      await evaluatedUntil(service, clock.now() - 5_000);
    },
  };
}

describe('detection of the traffic that its projects send', { timeout: scaled(60_000) }, async () => {
  const accelerated = await startAccelerated();
  const { clock, service } = accelerated;

  it('opens an incident within three minutes of silence of a source that sent ten a minute at random, and ends it when events return', async () => {
    const { user, id, run, rememberDay } = await beginOrders(accelerated, 1);
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    await rememberDay(10);
    await run(10, 10);
    expect(await incidentsOf(user, id)).toEqual([]);
    await run(3, 0);
    const [silence, ...others] = await incidentsOf(user, id);
    expect(others).toEqual([]);
    expect(silence).toMatchObject({
      title: expect.stringMatching(/^No /),
      status: 'open',
      evidence: { rule: 'silence', observed: 0 },
    });
    expect(silence.evidence.sampleEventIds).toHaveLength(10);
    const [created] = await live.received(1);
    expect(created).toMatchObject({ event: 'incident_created', data: { id: silence.id } });

    await run(45, 10);
    const [resolved, ...more] = await incidentsOf(user, id);
    expect(more).toEqual([]);
    expect(resolved).toMatchObject({ id: silence.id, status: 'resolved' });
    const { body } = await user.api.get(`/incidents/${silence.id}`);
    expect(body.timeline.at(-1)).toMatchObject({
      by: null,
      to: { status: 'resolved' },
      note: expect.stringContaining('Resolved automatically.'),
    });
    const { body: points } = await user.api.get(`/incidents/${silence.id}/points`);
    expect(points.points.some(({ observed }: { observed: number }) => observed === 0)).toBe(true);
  });

  it('leaves an incident under investigation open when traffic is normal again, and continues it when the alarm returns', async () => {
    const { user, id, ingest, run } = await beginOrders(accelerated, 3);
    await sendEvents(ingest, 30);
    await queueEmptied(service);
    await run(1, 0);
    const [{ id: incidentId }] = await incidentsOf(user, id);
    await user.api.patch(`/incidents/${incidentId}`, { status: 'investigating' });
    await run(100, 0);
    const { body } = await user.api.get(`/incidents/${incidentId}`);
    expect(body).toMatchObject({ status: 'investigating' });
    expect(body.timeline.at(-1)).toMatchObject({
      by: null,
      to: null,
      note: expect.stringContaining('Left open because it’s being investigated.'),
    });
    expect(await decisionsOf(user, id, 'left_open')).toHaveLength(1);

    await sendEvents(ingest, 300);
    await queueEmptied(service);
    await passTime(service, clock, 2 * MINUTE_MS);
    await evaluatedUntil(service, clock.now() - MINUTE_MS);
    const incidents = await incidentsOf(user, id);
    expect(incidents).toMatchObject([{ id: incidentId, status: 'investigating', eventCount: 330 }]);
  });

  it('opens an incident for a new kind of error, and gives it the headline of the burst that follows', async () => {
    const { user, id, ingest, rememberDay, passToNext } = await beginOrders(accelerated, 6);
    await rememberDay(10);
    // The first error and the burst are of one minute.
    await passToNext();
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    const event = { type: 'checkout', severity: 'ERROR', source: 'shop', message: 'No such card' };
    await ingest.post('/ingest/events', event);
    const kind = await user.firstIncident(id);
    expect(kind).toMatchObject({
      title: 'No such card in shop',
      severity: 'warn',
      eventCount: 1,
      evidence: {
        rule: 'new_kind',
        sentence: 'New `checkout` error in `shop`: “No such card”.',
      },
    });
    const { body: groups } = await user.api.get(`/groups?project_id=${id}&q=card`);
    const { id: groupId, number, key, title } = groups[0];
    const group = { id: groupId, number, key, title };
    expect(kind.evidence.group).toEqual(group);
    await sendEvents(ingest, 60);
    const told = await waitFor('the burst', async () => {
      const [incident] = await incidentsOf(user, id);
      return incident.evidence.rule === 'rise' && incident;
    });
    expect(told).toMatchObject({
      id: kind.id,
      title: 'It failed in shop',
      severity: 'error',
      eventCount: 61,
    });
    expect(told.evidence.alsoSeries).toContainEqual(expect.objectContaining({ kind: 'new_kind' }));
    expect(told.evidence.group).toEqual(group);
    const { body } = await user.api.get(`/incidents/${kind.id}`);
    expect(body.timeline.at(-1)).toMatchObject({
      by: null,
      from: { title: kind.title, severity: 'warn' },
      to: { title: told.title, severity: 'error' },
      note: expect.stringMatching(
        /^Now about `checkout` errors in `shop`: 61 in 1 min, normally close to zero; 61 events instead of 1\.\n/,
      ),
    });
    expect(live.frames.filter(({ event: name }) => name === 'incident_created')).toHaveLength(1);
    expect([kind.titleOrigin, told.titleOrigin]).toEqual(['generated', 'generated']);
    // The minute of the burst is shown although it is not over.
    const { body: points } = await user.api.get(`/incidents/${kind.id}/points`);
    const shown = points.points.reduce(
      (sum: number, { observed }: { observed: number }) => sum + observed,
      0,
    );
    expect(shown).toBeGreaterThanOrEqual(60);
  });

  it('keeps a title that a person chose when the headline changes, even if it looks like a generated one', async () => {
    const { user, id, ingest, rememberDay } = await beginOrders(accelerated, 7);
    await rememberDay(10);
    const event = { type: 'checkout', severity: 'ERROR', source: 'shop', message: 'No such card' };
    await ingest.post('/ingest/events', event);
    const kind = await user.firstIncident(id);
    const title = 'New error: see ticket 4711';
    const { body: renamed } = await user.api.patch(`/incidents/${kind.id}`, { title });
    expect(renamed).toMatchObject({ title, titleOrigin: 'person' });
    await sendEvents(ingest, 60);
    const told = await waitFor('the burst', async () => {
      const [incident] = await incidentsOf(user, id);
      return incident.evidence.rule === 'rise' && incident;
    });
    expect(told).toMatchObject({ id: kind.id, title, titleOrigin: 'person' });
  });
});

describe('a level shift', { timeout: scaled(120_000) }, async () => {
  // Round by round, without the hours in which a service would take the events in.
  const detection = await Detection.start(1, UNBOUNDED);
  const { service, user } = detection;
  const id = detection.projects[0] ?? '';
  const random = new Random(2);
  const run = async (minutes: number, rate: number) => {
    const sent = () => [{ project: 0, events: 1 + random.poisson(rate) }];
    await detection.sendMinutes(Array.from({ length: minutes }, sent));
    await detection.runRounds();
  };

  it('opens one incident for a level shift and resolves it as the new baseline', async () => {
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    await run(24 * 60, 10);
    await run(10, 60);
    const [shift, ...others] = await incidentsOf(user, id);
    expect(others).toEqual([]);
    expect(shift).toMatchObject({ status: 'open', evidence: { rule: 'rise' } });
    await run(240, 60);
    const [resolved, ...more] = await incidentsOf(user, id);
    expect(more).toEqual([]);
    expect(resolved).toMatchObject({ id: shift.id, status: 'resolved' });
    const frames = await waitFor('the frame of its end', () => {
      const found = live.frames.filter(({ data }) => data.id === shift.id);
      return found.at(-1)?.data.status === 'resolved' && found;
    });
    expect(frames.at(0)).toMatchObject({ event: 'incident_created' });
    expect(frames.at(-1)).toMatchObject({ event: 'incident_updated' });
    const decisions = await decisionsOf(user, id);
    expect(decisions.at(0)).toMatchObject({ outcome: 'resolved', incidentId: shift.id });
  });
});

describe('a gap of the service', { timeout: scaled(60_000) }, () => {
  it('opens no silence incident for a gap of the service, neither without ingestion nor after the clock is set forward', async () => {
    const accelerated = await startAccelerated();
    const { user, id, run, rememberDay } = await beginOrders(accelerated, 4);
    await rememberDay(30);
    await run(5, 30);
    // No ingestion process reports its liveness for half an hour.
    accelerated.clock.advance(30 * MINUTE_MS);
    await run(30, 30);
    expect(await incidentsOf(user, id)).toEqual([]);
    expect(await decisionsOf(user, id, 'opened')).toEqual([]);
    // The same silence opens an incident while the service is up.
    await run(3, 0);
    expect(await incidentsOf(user, id)).toMatchObject([{ evidence: { rule: 'silence' } }]);
  });
});

describe('a risk loop that was down for days', { timeout: scaled(60_000) }, async () => {
  const service = await startTestService({ roles: ['ingestion', 'management'] });
  const user = await service.signUp();
  const { id } = await user.createProject();

  it('evaluates days of backlog minute by minute in several rounds, and opens the missed incidents', async () => {
    const random = new Random(8);
    const nowMs = service.context.clock.now();
    const counts = Array.from({ length: 2_500 }, (_, minute) => random.poisson(minute === 2_200 ? 200 : 10));
    await insertHistory(service.database, {
      projectId: id,
      series: PAST_ORDERS,
      nowMs,
      counts,
      batches: counts.length,
    });
    const worker = await startTestService({ roles: ['worker'], database: service.database });
    await evaluatedUntil(service, nowMs - 2 * MINUTE_MS);
    await worker.stop();
    const incidents = await incidentsOf(user, id);
    expect(incidents).toMatchObject([
      { status: 'resolved', evidence: { rule: 'rise', observed: counts[2_200] } },
    ]);
    const openedMs = Date.parse(incidents[0].evidence.from);
    expect(Math.round((nowMs - openedMs) / MINUTE_MS)).toBeCloseTo(300, -1);
  });
});

describe('a clock that is set back', { timeout: scaled(60_000) }, () => {
  it('neither loses nor opens an incident when the clock is set back', async () => {
    const accelerated = await startAccelerated();
    const { user, id, ingest, run } = await beginOrders(accelerated, 5);
    await run(30, 30);
    accelerated.clock.advance(-30 * MINUTE_MS);
    await run(10, 30);
    expect(await incidentsOf(user, id)).toEqual([]);
    await sendEvents(ingest, 50);
    await waitFor('the burst to be found', async () => (await incidentsOf(user, id)).length === 1);
  });
});
