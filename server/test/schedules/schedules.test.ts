import { describe, expect, it } from 'vitest';
import { nextPage } from '../support/client.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const HOUR_MS = 60 * 60_000;

describe('the schedules of a project', async () => {
  // No timetable is due between two requests.
  const clock = new StillClock(middleOf(HOUR_MS));
  const service = await startTestService({ clock, roles: ['management', 'ingestion'] });
  const user = await service.signUp();
  const project = await user.createProject();
  const path = `/projects/${project.id}/schedules`;

  it('declares a schedule by a cron expression or an interval, and shows its ping address once', async () => {
    const created = await user.api.post(path, {
      name: 'Nightly backup',
      cron: '0 3 * * *',
      timeZone: 'Europe/Berlin',
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        projectId: project.id,
        slug: 'nightly-backup',
        name: 'Nightly backup',
        cron: '0 3 * * *',
        intervalSeconds: null,
        timeZone: 'Europe/Berlin',
        graceSeconds: 300,
        maxRuntimeSeconds: 3_600,
        failureAfter: 1,
        recoverAfter: 1,
        severity: 'error',
        paused: false,
        status: 'waiting',
        lastCheckInAt: null,
        incidentId: null,
      },
    });
    expect(created.body.pingUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ping\/tsn_ping_\w{38}$/);
    const { pingUrl: _pingUrl, ...schedule } = created.body;
    expect((await user.api.get(`${path}/${schedule.id}`)).body).toEqual(schedule);
    expect((await user.api.get(path)).body).toEqual([schedule]);
    const due = Date.parse(schedule.nextDueAt);
    expect(
      new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' }).format(due),
    ).toBe('03:00');
  });

  it('refuses invalid timetables, and names the field', async () => {
    for (const [body, pointer] of [
      [{ slug: 'a' }, '/cron'],
      [{ slug: 'a', cron: '0 3 * * *', intervalSeconds: 60 }, '/cron'],
      [{ slug: 'a', cron: '0 3 * * * *' }, '/cron'],
      [{ slug: 'a', cron: '0 3 30 2 *' }, '/cron'],
      [{ slug: 'a', cron: '0 3 * * *', timeZone: 'Mars/Olympus' }, '/timeZone'],
      [{ slug: 'a', intervalSeconds: 59 }, '/intervalSeconds'],
      [{ slug: 'Not a slug', intervalSeconds: 60 }, '/slug'],
      [{ name: '夜', intervalSeconds: 60 }, '/slug'],
      [{ slug: 'a', intervalSeconds: 60, graceSeconds: -1 }, '/graceSeconds'],
      [{ slug: 'a', intervalSeconds: 60, failureAfter: 0 }, '/failureAfter'],
    ] as const) {
      const answer = await user.api.post(path, body);
      expectProblem(answer, 'validation_failed');
      expect(answer.body.errors[0].pointer, JSON.stringify(body)).toBe(pointer);
    }
  });

  it('gives each schedule its own slug', async () => {
    expect((await user.api.post(path, { slug: 'twice', intervalSeconds: 60 })).status).toBe(201);
    expectProblem(await user.api.post(path, { slug: 'twice', intervalSeconds: 60 }), 'slug_taken');
  });

  it('limits the schedules of a project, and lists them in pages', async () => {
    const { id } = await user.createProject();
    for (let index = 0; index < 100; index++) {
      const body = { slug: `job-${index}`, intervalSeconds: 3_600 };
      expect((await user.api.post(`/projects/${id}/schedules`, body)).status).toBe(201);
    }
    const more = { slug: 'one-more', intervalSeconds: 3_600 };
    expectProblem(await user.api.post(`/projects/${id}/schedules`, more), 'limit_reached');
    const first = await user.api.get(`/projects/${id}/schedules?limit=60`);
    const next = nextPage(first) ?? '';
    const second = await user.api.get(next);
    const slugs = [...first.body, ...second.body].map(({ slug }: { slug: string }) => slug);
    expect(new Set(slugs).size).toBe(100);
  });

  it('changes schedules field by field, with audit entries', async () => {
    const { body } = await user.api.post(path, { slug: 'changing', intervalSeconds: 3_600 });
    clock.advance(1);
    const changed = await user.api.patch(`${path}/${body.id}`, { cron: '0 4 * * *', name: ' Report ' });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Report', cron: '0 4 * * *', intervalSeconds: null, graceSeconds: 300 },
    });
    expectProblem(await user.api.patch(`${path}/${body.id}`, { cron: null }), 'validation_failed');
    const paused = await user.api.patch(`${path}/${body.id}`, { paused: true });
    expect(paused.body).toMatchObject({ paused: true, status: 'paused', nextDueAt: null });
    const resumed = await user.api.patch(`${path}/${body.id}`, { paused: false });
    expect(Date.parse(resumed.body.nextDueAt)).toBeGreaterThan(clock.now());
    // Entries of one millisecond have no order.
    clock.advance(1);
    expect((await user.api.delete(`${path}/${body.id}`)).status).toBe(204);
    expectProblem(await user.api.get(`${path}/${body.id}`), 'not_found');
    const { body: audit } = await user.api.get(`/organizations/audit?limit=10`);
    const actions = audit.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 4)).toEqual([
      'schedule.deleted',
      'schedule.changed',
      'schedule.changed',
      'schedule.changed',
    ]);
  });

  it('hides schedules from other organizations', async () => {
    const { body } = await user.api.post(path, { slug: 'mine', intervalSeconds: 60 });
    const stranger = await service.signUp('Eve');
    const own = await stranger.createProject();
    for (const projectId of [project.id, own.id]) {
      const address = `/projects/${projectId}/schedules/${body.id}`;
      expectProblem(await stranger.api.get(address), 'not_found');
      expectProblem(await stranger.api.patch(address, { paused: true }), 'not_found');
      expectProblem(await stranger.api.delete(address), 'not_found');
      expectProblem(await stranger.api.post(`${address}/ping-url`), 'not_found');
      expectProblem(await stranger.api.get(`${address}/check-ins`), 'not_found');
    }
    expectProblem(await stranger.api.get(path), 'not_found');
    expectProblem(await stranger.api.post(path, { slug: 'theirs', intervalSeconds: 60 }), 'not_found');
    expectProblem(await own.ingest.post('/ingest/check-ins/mine'), 'not_found');
  });
});
