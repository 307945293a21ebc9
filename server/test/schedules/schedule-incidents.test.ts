import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { TestClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { reviewDueSchedules } from '../support/worker-rounds.ts';

const HOUR_MS = 3_600_000;

describe('the incidents of schedules', async () => {
  const clock = new TestClock();
  const service = await startTestService({ clock });
  const user = await service.signUp();
  const setUp = async (settings: object = {}) => {
    const project = await user.createProject();
    const path = `/projects/${project.id}/schedules`;
    const body = {
      slug: 'job',
      name: 'Nightly backup',
      intervalSeconds: 3_600,
      graceSeconds: 0,
      ...settings,
    };
    const { id } = (await user.api.post(path, body)).body;
    return {
      id,
      schedule: async () => (await user.api.get(`${path}/${id}`)).body,
      change: async (patch: object) => (await user.api.patch(`${path}/${id}`, patch)).body,
      remove: () => user.api.delete(`${path}/${id}`),
      statuses: async () =>
        (await user.api.get(`${path}/${id}/check-ins`)).body.map(({ status }: { status: string }) => status),
      checkIn: (status: string) => project.ingest.post('/ingest/check-ins/job', { status }),
      incidents: async () => (await user.api.get(`/incidents?project_id=${project.id}`)).body,
    };
  };
  type Job = Awaited<ReturnType<typeof setUp>>;

  /** Lets time pass during which the service accepts check-ins. */
  const passTime = async (ms: number) => {
    const since = new Date(clock.now());
    clock.advance(ms);
    await service.database.pool.query(
      `INSERT INTO intake_presence (process_id, since, until, told_at)
        VALUES (gen_random_uuid(), $1, $2, clock_timestamp() - interval '1 hour')`,
      [since, new Date(clock.now())],
    );
  };
  const review = () => reviewDueSchedules(service);
  const hasOpened = async (job: Job, count: number) => {
    const incidents = await job.incidents();
    return incidents.length === count && (await job.schedule()).incidentId === incidents[0].id;
  };
  const opened = async (job: Job, count = 1) => {
    await review();
    await waitFor('the incident to open', () => hasOpened(job, count));
    const [{ id }] = await job.incidents();
    return (await user.api.get(`/incidents/${id}`)).body;
  };

  it('opens an incident if no check-in arrives in time, and says since when', async () => {
    const job = await setUp({ severity: 'critical' });
    await passTime(HOUR_MS);
    // Opened by the worker's loop; the other tests do not wait for it.
    service.wake('schedules');
    await waitFor('the incident to open', () => hasOpened(job, 1));
    const incident = await opened(job);
    expect(incident).toMatchObject({
      title: 'Nightly backup didn’t check in',
      titleOrigin: 'generated',
      severity: 'critical',
      status: 'open',
      origin: 'schedule',
      scheduleId: job.id,
      evidence: null,
    });
    expect(incident.timeline[0].note).toMatch(/^Nightly backup was due at .*\(UTC\) and hasn’t checked in\./);
    expect(await job.schedule()).toMatchObject({ status: 'failing', incidentId: incident.id });
    expect(await job.statuses()).toEqual(['missed']);
    await waitFor('the metric to count it', async () => {
      const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return /^tocsin_check_ins_total\{status="missed"\} [1-9]/m.test(metrics);
    });
  });

  it('resolves the incident with the next success, and names it in the next incident', async () => {
    const job = await setUp();
    await job.checkIn('error');
    const first = await opened(job);
    expect(first.title).toBe('Nightly backup failed');
    await job.checkIn('ok');
    await review();
    await waitFor(
      'the incident to be resolved',
      async () => (await job.incidents())[0].status === 'resolved',
    );
    const { timeline } = (await user.api.get(`/incidents/${first.id}`)).body;
    expect(timeline.at(-1)).toMatchObject({
      by: null,
      note: 'Nightly backup succeeded. Resolved automatically.',
    });
    expect(await job.schedule()).toMatchObject({ status: 'ok', incidentId: null });
    await job.checkIn('error');
    expect((await opened(job, 2)).previousIncidentId).toBe(first.id);
  });

  it('opens and resolves the incident though the next run starts before the worker has seen the outcome', async () => {
    const job = await setUp();
    await job.checkIn('error');
    await job.checkIn('in_progress');
    const { title, id } = await opened(job);
    expect(title).toBe('Nightly backup failed');
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await review();
    await job.checkIn('ok');
    await job.checkIn('error');
    await job.checkIn('in_progress');
    await opened(job, 2);
    await job.checkIn('ok');
    await job.checkIn('in_progress');
    await review();
    await waitFor(
      'the incident to be resolved',
      async () => (await job.incidents())[0].status === 'resolved',
    );
  });

  it('opens an incident if a run does not finish in time', async () => {
    const job = await setUp({ maxRuntimeSeconds: 600 });
    await job.checkIn('in_progress');
    await passTime(11 * 60_000);
    expect((await opened(job)).title).toBe('Nightly backup didn’t finish');
  });

  it('opens incidents of other schedules while a time zone is unknown to Node, and reports that schedule', async () => {
    const [stuck, other] = [await setUp({ cron: '0 * * * *', intervalSeconds: null }), await setUp()];
    const setZone = (zone: string) =>
      service.database.pool.query('UPDATE schedules SET time_zone = $2 WHERE id = $1', [
        toUuid('sch', stuck.id),
        zone,
      ]);
    // As a worker with a newer Node may have stored it.
    await setZone('Europe/Nowhere');
    await passTime(2 * HOUR_MS);
    await opened(other);
    expect(await stuck.schedule()).toMatchObject({
      problem:
        'The time zone Europe/Nowhere is no time zone that is known here, such as Europe/Berlin or UTC.',
      nextDueAt: null,
    });
    expect((await stuck.checkIn('ok')).body).toMatchObject({ status: 'recorded', nextDueAt: null });
    expect(await stuck.incidents()).toEqual([]);
    expect((await stuck.checkIn('error')).status).toBe(200);
    expect((await opened(stuck)).title).toBe('Nightly backup failed');
    expect(await stuck.change({ paused: true })).toMatchObject({ status: 'paused' });
    expect((await stuck.change({ paused: false })).detail).toContain('timeZone');

    await setZone('Europe/Berlin');
    expect(await stuck.change({ paused: false })).toMatchObject({ problem: null, status: 'ok' });
  });

  it('expects a job again once its time zone is known', async () => {
    // Half past: no hour begins between a review and what is read after it.
    await passTime((1.5 * HOUR_MS - (clock.now() % HOUR_MS)) % HOUR_MS);
    const job = await setUp({ cron: '0 * * * *', intervalSeconds: null });
    const setZone = (zone: string) =>
      service.database.pool.query('UPDATE schedules SET time_zone = $2 WHERE id = $1', [
        toUuid('sch', job.id),
        zone,
      ]);
    await setZone('Europe/Nowhere');
    await passTime(2 * HOUR_MS);
    const isReviewed = () =>
      service.database.pool
        .query('SELECT FROM schedules WHERE id = $1 AND review_at > $2', [
          toUuid('sch', job.id),
          new Date(clock.now()),
        ])
        .then(({ rowCount }) => rowCount === 1);
    await review();
    await waitFor('the review', isReviewed);
    await setZone('UTC');
    await passTime(HOUR_MS);
    await review();
    await waitFor('the review', isReviewed);
    expect(await job.schedule()).toMatchObject({ problem: null, nextDueAt: expect.stringMatching(/Z$/) });
    expect(await job.incidents()).toEqual([]);
    await passTime(HOUR_MS);
    expect((await opened(job)).title).toBe('Nightly backup didn’t check in');
  });

  it('waits for the configured number of failures and of successes', async () => {
    const job = await setUp({ failureAfter: 2, recoverAfter: 2 });
    await job.checkIn('error');
    await passTime(HOUR_MS);
    await opened(job);
    expect(await job.statuses()).toEqual(['missed', 'error']);
    await job.checkIn('ok');
    await job.checkIn('ok');
    await review();
    await waitFor(
      'the incident to be resolved',
      async () => (await job.incidents())[0].status === 'resolved',
    );
  });

  it('keeps an incident through further failures, and opens another after a person resolved it', async () => {
    const job = await setUp();
    await passTime(HOUR_MS);
    const first = await opened(job);
    await passTime(HOUR_MS);
    await review();
    await waitFor('the second one to be missed', async () => (await job.statuses()).length === 2);
    expect(await job.incidents()).toHaveLength(1);
    await user.api.patch(`/incidents/${first.id}`, { status: 'resolved' });
    await passTime(HOUR_MS);
    expect((await opened(job, 2)).previousIncidentId).toBe(first.id);
  });

  it('continues an incident whose resolution was undone until the next success', async () => {
    const job = await setUp();
    await job.checkIn('error');
    const { id } = await opened(job);
    const resolved = async () => {
      await review();
      await waitFor('it to be resolved', async () => (await job.incidents())[0].status === 'resolved');
    };
    await job.checkIn('ok');
    await resolved();
    expect((await user.api.post(`/incidents/${id}/undo-resolve`)).body.status).toBe('open');
    expect(await job.schedule()).toMatchObject({ status: 'failing', incidentId: id });
    await job.checkIn('error');
    expect(await job.incidents()).toHaveLength(1);
    await job.checkIn('ok');
    await resolved();
    expect(await job.schedule()).toMatchObject({ status: 'ok', incidentId: null });
  });

  it('lists earlier incidents of the schedule, with the notes of people', async () => {
    const [job, other] = [await setUp(), await setUp()];
    for (const each of [job, other]) await each.checkIn('error');
    await opened(other);
    const ids = [(await opened(job)).id];
    await user.api.post(`/incidents/${ids[0]}/notes`, { note: 'The disk was full' });
    for (const count of [2, 3]) {
      await user.api.patch(`/incidents/${ids.at(-1)}`, { status: 'resolved' });
      await job.checkIn('error');
      ids.push((await opened(job, count)).id);
    }
    const { body: previous } = await user.api.get(`/incidents/${ids[2]}/previous`);
    expect(previous.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[0]]);
    expect(previous[1]).toMatchObject({
      status: 'resolved',
      resolvedBy: { id: user.id },
      notes: [{ note: 'The disk was full' }],
      noteCount: 1,
    });
  });

  it('opens no incident for times without ingestion', async () => {
    const job = await setUp();
    clock.advance(1.5 * HOUR_MS);
    await review();
    await waitFor('the time to pass', async () => (await job.statuses()).length === 1);
    expect(await job.statuses()).toEqual(['unknown']);
    expect(await job.incidents()).toEqual([]);
  });

  it('resolves an incident when its schedule is paused or deleted', async () => {
    const [paused, removed] = [await setUp(), await setUp()];
    for (const job of [paused, removed]) await job.checkIn('error');
    for (const job of [paused, removed]) await opened(job);
    expect(await paused.change({ paused: true })).toMatchObject({ status: 'paused', incidentId: null });
    expect((await removed.remove()).status).toBe(204);
    for (const job of [paused, removed]) expect((await job.incidents())[0].status).toBe('resolved');
    await passTime(2 * HOUR_MS);
    await review();
    expect((await paused.statuses())[0]).toBe('error');
  });
});
