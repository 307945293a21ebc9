import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

describe('check-ins', async () => {
  const service = await startTestService({ roles: ['management', 'ingestion'] });
  const user = await service.signUp();
  const project = await user.createProject();
  const path = `/projects/${project.id}/schedules`;
  const stranger = new ApiClient(service.ingestionUrl);
  const declare = async (slug: string) => (await user.api.post(path, { slug, intervalSeconds: 3_600 })).body;
  const read = async (id: string) => (await user.api.get(`${path}/${id}`)).body;
  const history = async (id: string) => (await user.api.get(`${path}/${id}/check-ins`)).body;

  it('accepts a check-in with the API key and the slug, as a success without a body', async () => {
    const { id } = await declare('hourly');
    const answer = await project.ingest.post('/ingest/check-ins/hourly');
    expect(answer).toMatchObject({ status: 200, body: { status: 'recorded', scheduleId: id } });
    expect(await read(id)).toMatchObject({ status: 'ok', lastStatus: 'ok' });
    expect((await read(id)).nextDueAt).toBe(answer.body.nextDueAt);
    for (const status of ['in_progress', 'error'] as const) {
      expect((await project.ingest.post('/ingest/check-ins/hourly', { status })).status).toBe(200);
    }
    const checkIns = await history(id);
    expect(checkIns.map(({ status }: { status: string }) => status)).toEqual(['error', 'in_progress', 'ok']);
    expect(checkIns[0].durationSeconds).toBeGreaterThanOrEqual(0);
    expect(await read(id)).toMatchObject({ status: 'failing', lastStatus: 'error' });
  });

  it('refuses a check-in without a valid key, for an unknown slug, or with an unknown status', async () => {
    await declare('guarded');
    expectProblem(await stranger.post('/ingest/check-ins/guarded'), 'invalid_api_key');
    expectProblem(await project.ingest.post('/ingest/check-ins/unknown'), 'not_found');
    const body = { status: 'missed' };
    expectProblem(await project.ingest.post('/ingest/check-ins/guarded', body), 'validation_failed');
  });

  it('declares a schedule with the first check-in, and updates it later', async () => {
    const declared = { cron: '0 5 * * *', timeZone: 'Asia/Tokyo', name: 'Report' };
    const first = await project.ingest.post('/ingest/check-ins/report', { schedule: declared });
    expect(first.status).toBe(200);
    expect(await read(first.body.scheduleId)).toMatchObject({ ...declared, slug: 'report', status: 'ok' });
    const later = { schedule: { ...declared, cron: '0 6 * * *' } };
    const second = await project.ingest.post('/ingest/check-ins/report', later);
    expect(second.body.scheduleId).toBe(first.body.scheduleId);
    expect(await read(first.body.scheduleId)).toMatchObject({ cron: '0 6 * * *', name: 'Report' });
    const none = await project.ingest.post('/ingest/check-ins/other', { schedule: { name: 'Other' } });
    expectProblem(none, 'validation_failed');
  });

  it('declares one schedule for several concurrent check-ins', async () => {
    const body = { schedule: { intervalSeconds: 600 } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => project.ingest.post('/ingest/check-ins/at-once', body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map((answer) => answer.body.scheduleId)).size).toBe(1);
  });

  it('accepts a check-in at the ping address by GET, HEAD and POST with any body', async () => {
    const { id, pingUrl } = await declare('pinged');
    const token = new URL(pingUrl).pathname;
    expect(await stranger.get(`${token}/start`)).toMatchObject({ status: 200, body: { scheduleId: id } });
    expect(await read(id)).toMatchObject({ status: 'running' });
    const output = { body: 'x'.repeat(200_000), headers: { 'content-type': 'text/plain' } };
    expect((await stranger.request('POST', token, output)).status).toBe(200);
    const form = { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await stranger.request('POST', `${token}/fail`, form)).status).toBe(200);
    expect((await fetch(new URL(token, service.ingestionUrl), { method: 'HEAD' })).status).toBe(200);
    const statuses = (await history(id)).map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['ok', 'error', 'ok', 'in_progress']);
  });

  it('takes the exit status of a job at its ping address, and the status of a push monitor', async () => {
    const { id, pingUrl } = await declare('exits');
    const address = new URL(pingUrl).pathname;
    const push = address.replace('/ping/', '/api/push/');
    for (const report of [
      `${address}/0`,
      `${address}/1`,
      `${address}/255`,
      push,
      `${push}?status=down&msg=No+answer&ping=`,
      `${push}?status=up&msg=OK&ping=12`,
    ])
      expect(await stranger.get(report)).toMatchObject({ status: 200, body: { ok: true, scheduleId: id } });
    const statuses = (await history(id)).map(({ status }: { status: string }) => status);
    expect(statuses.toReversed()).toEqual(['ok', 'error', 'error', 'ok', 'error', 'ok']);
    expectProblem(await stranger.get(`${address}/256`), 'validation_failed');
    expectProblem(await stranger.get(`${address}/done`), 'not_found');
    expectProblem(await stranger.get('/api/push/unknown'), 'not_found');
  });

  it('accepts a ping address until it is replaced or its schedule is deleted', async () => {
    const { id, pingUrl } = await declare('replaced');
    const before = new URL(pingUrl).pathname;
    const replaced = await user.api.post(`${path}/${id}/ping-url`);
    expect(replaced.status).toBe(201);
    const after = new URL(replaced.body.pingUrl).pathname;
    expectProblem(await stranger.get(before), 'not_found');
    expect((await stranger.get(after)).status).toBe(200);
    await user.api.delete(`${path}/${id}`);
    expectProblem(await stranger.get(after), 'not_found');
    for (const token of ['x', 'tsn_ping_', `${before.slice(6, -1)}!`]) {
      expectProblem(await stranger.get(`/ping/${token}`), 'not_found');
    }
  });

  it('refuses check-ins of a schedule with too many, and accepts the others', async () => {
    await declare('noisy');
    await declare('quiet');
    // At once: the pace allows for more while a busy machine sends them one by one.
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => project.ingest.post('/ingest/check-ins/noisy')),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectProblem(answer, 'too_many_check_ins');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await project.ingest.post('/ingest/check-ins/quiet')).status).toBe(200);
  });

  it('refuses check-ins of a deleted project, and deletes its schedules', async () => {
    const other = await user.createProject();
    const body = { slug: 'gone', intervalSeconds: 60 };
    const { pingUrl } = (await user.api.post(`/projects/${other.id}/schedules`, body)).body;
    await user.api.delete(`/projects/${other.id}`);
    expectProblem(await stranger.get(new URL(pingUrl).pathname), 'not_found');
    while (await service.maintain());
    const { rows } = await service.database.pool.query('SELECT FROM schedules WHERE slug = $1', ['gone']);
    expect(rows).toEqual([]);
  });
});
