import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const run = promisify(execFile);

describe('pings', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const stranger = new ApiClient(service.ingestionUrl);
  const text = { 'content-type': 'text/plain' };

  const setUp = async () => {
    const project = await user.createProject();
    const path = `/projects/${project.id}/schedules`;
    return {
      project,
      declare: async (slug: string) => {
        const { id, pingUrl } = (await user.api.post(path, { slug, intervalSeconds: 3_600 })).body;
        return { id: String(id), address: new URL(pingUrl).pathname };
      },
      schedules: async () => (await user.api.get(path)).body,
      checkIns: async (id: string) => (await user.api.get(`${path}/${id}/check-ins`)).body,
      createKey: async () =>
        (await user.api.post(`/projects/${project.id}/api-keys`, { name: 'Cron', use: 'ping' })).body,
    };
  };

  it('keeps the end of what a job posts on the check-in, and output alone without a change of the state', async () => {
    const { declare, checkIns, schedules } = await setUp();
    const { id, address } = await declare('backup');
    const post = (path: string, body: string) => stranger.request('POST', path, { body, headers: text });
    expect((await post(`${address}/1`, `${'x'.repeat(20_000)}disk full`)).status).toBe(200);
    expect((await post(`${address}/log`, 'half of it')).status).toBe(200);
    const [log, failure] = await checkIns(id);
    expect(log).toMatchObject({ status: 'log', body: 'half of it', dueAt: null, durationSeconds: null });
    expect(failure.status).toBe('error');
    expect(failure.body).toMatch(/^x{9991}disk full$/);
    expect(await schedules()).toMatchObject([{ status: 'failing', lastStatus: 'error' }]);
    const compressed = { body: 'x', headers: { ...text, 'content-encoding': 'gzip' } };
    expect((await stranger.request('POST', address, compressed)).status).toBe(200);
    expect((await checkIns(id))[0]).toMatchObject({ status: 'ok', body: null });
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'takes a ping by the method %s, as healthchecks does',
    async (method) => {
      const { declare, schedules } = await setUp();
      const { address } = await declare('any');
      expect((await stranger.request(method, `${address}/fail`)).status).toBe(200);
      expect(await schedules()).toMatchObject([{ lastStatus: 'error' }]);
    },
  );

  it('keeps the output of the newest twenty failures, and of the newest twenty other check-ins', async () => {
    const { declare, checkIns } = await setUp();
    const { id, address } = await declare('chatty');
    const { rows } = await service.database.pool.query(
      `INSERT INTO check_ins (id, schedule_id, project_id, status, at, body)
        SELECT ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, s.id, s.project_id,
          CASE WHEN number <= 25 THEN 'error' ELSE 'ok' END, s.created_at, number::text
        FROM schedules s, generate_series(1, 50) AS number WHERE s.slug = 'chatty' RETURNING id`,
    );
    expect(rows).toHaveLength(50);
    await stranger.request('POST', address, { body: 'newest', headers: text });
    const kept = (await checkIns(id)).flatMap(({ body }: { body: string | null }) => body ?? []);
    const numbers = [
      ...Array.from({ length: 19 }, (_, index) => 50 - index),
      ...Array.from({ length: 20 }, (_, index) => 25 - index),
    ];
    expect(kept).toEqual(['newest', ...numbers.map(String)]);
  });

  it('measures overlapping runs by their ids, which must be UUIDs', async () => {
    const { declare, checkIns, schedules } = await setUp();
    const { id, address } = await declare('overlapping');
    const [first, second] = [randomUUID(), randomUUID()];
    for (const report of [`/start?rid=${first}`, `/start?rid=${second}`, `?rid=${first.toUpperCase()}`])
      expect((await stranger.get(`${address}${report}`)).status).toBe(200);
    expect(await schedules()).toMatchObject([{ status: 'running' }]);
    expect((await stranger.get(`${address}/0?rid=${second}`)).status).toBe(200);
    expect(await schedules()).toMatchObject([{ status: 'ok' }]);
    // A start that comes after the end of its run.
    expect((await stranger.get(`${address}/start?rid=${second}`)).status).toBe(200);
    const known = await checkIns(id);
    expect(known.map(({ runId }: { runId: string }) => runId)).toEqual([second, first, second, first]);
    expect(known.map(({ durationSeconds }: { durationSeconds: number | null }) => durationSeconds)).toEqual([
      expect.any(Number),
      expect.any(Number),
      null,
      null,
    ]);
    expectProblem(await stranger.get(`${address}?rid=1`), 'validation_failed');
  });

  it('names schedules by their slugs with a ping key, and creates them where it is asked to', async () => {
    const { createKey, schedules } = await setUp();
    const { pingUrl, dsn, rawKey } = await createKey();
    expect(dsn).toBeNull();
    expect(pingUrl.endsWith(`/ping/${rawKey}/`)).toBe(true);
    const address = new URL(pingUrl).pathname;
    expectProblem(await stranger.get(`${address}report`), 'not_found');
    expect(await stranger.get(`${address}report/start?create=1`)).toMatchObject({
      status: 201,
      body: { ok: true, status: 'recorded' },
    });
    expect((await stranger.get(`${address}report?create=1`)).status).toBe(200);
    expect(await schedules()).toMatchObject([
      { slug: 'report', name: 'report', intervalSeconds: 86_400, graceSeconds: 3_600, status: 'ok' },
    ]);
    expectProblem(await stranger.get(`${address}Report?create=1`), 'validation_failed');
  });

  it('answers 201 to one of the pings at the same time that would create a schedule, and 200 to the others', async () => {
    const { createKey, schedules } = await setUp();
    const address = new URL((await createKey()).pingUrl).pathname;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => stranger.get(`${address}report?create=1`)),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(200)]).toEqual([1, 3]);
    expect(await schedules()).toHaveLength(1);
  });

  it('creates no more schedules by pings than a project can have', async () => {
    const { project, createKey } = await setUp();
    const address = new URL((await createKey()).pingUrl).pathname;
    await service.database.pool.query(
      `INSERT INTO schedules (id, project_id, slug, name, interval_seconds, time_zone, grace_seconds, failure_after,
          recover_after, severity, ping_hash, due_at, created_at)
        SELECT gen_random_uuid(), id, 'job-' || place, 'Job', 60, 'UTC', 0, 1, 1, 'error', sha256((id::text || place)::bytea),
          now() + interval '1 hour', now()
        FROM projects, generate_series(1, 100) AS place WHERE id = $1`,
      [toUuid('proj', project.id)],
    );
    expectProblem(await stranger.get(`${address}one-more?create=1`), 'limit_reached');
    expect((await stranger.get(`${address}job-7`)).status).toBe(200);
  });

  it('takes neither an API key in the address of a ping, nor a ping key as an API key', async () => {
    const { project, createKey, declare } = await setUp();
    await declare('job');
    const key = await createKey();
    expectProblem(await stranger.get(`/ping/${project.apiKey}/job`), 'not_found');
    const sender = new ApiClient(service.ingestionUrl, { 'x-api-key': key.rawKey });
    expectProblem(await sender.post('/ingest/check-ins/job'), 'invalid_api_key');
    const { number } = (await user.api.get(`/projects/${project.id}`)).body;
    const address = `/api/${number}/cron/job/${key.rawKey}/?status=ok`;
    expect((await stranger.get(address)).status).toBe(403);
    await user.api.delete(`/api-keys/${key.id}`);
    expectProblem(await stranger.get(`/ping/${key.rawKey}/job`), 'not_found');
  });

  it('takes the lines of integrations.md as they are, but for the address and the key', async () => {
    const { createKey, declare, schedules } = await setUp();
    const { address } = await declare('pushed');
    const token = address.replace('/ping/', '');
    const { rawKey } = await createKey();
    const page = await readFile(new URL('../../../docs/integrations.md', import.meta.url), 'utf8');
    const lines = page.match(/^curl .*\/(?:ping|api\/push)\/.*$/gm) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const ready = line
        .replace('http://localhost:4100', service.ingestionUrl)
        .replace('tsn_pkey_…', rawKey)
        .replace('tsn_ping_…', token);
      await run('sh', ['-c', ready]);
    }
    expect(await schedules()).toMatchObject([
      { slug: 'nightly-backup', status: 'ok' },
      { slug: 'pushed', status: 'ok' },
    ]);
  });

  it('takes check-ins at the address of older Sentry clients, with the timetable of a body', async () => {
    const { project, schedules } = await setUp();
    const { number } = (await user.api.get(`/projects/${project.id}`)).body;
    const address = `/api/${number}/cron/Nightly%20Backup/${project.apiKey}/`;
    const monitor_config = { schedule: { type: 'crontab', value: '0 3 * * *' } };
    const check_in_id = randomUUID();
    const started = await stranger.post(address, { status: 'in_progress', check_in_id, monitor_config });
    expect(started.status).toBe(200);
    expect(await schedules()).toMatchObject([
      { slug: 'nightly-backup', cron: '0 3 * * *', status: 'running' },
    ]);
    expect((await stranger.get(`${address}?status=ok&check_in_id=${check_in_id}`)).status).toBe(200);
    expect(await schedules()).toMatchObject([{ status: 'ok' }]);
    expect((await stranger.get(`${address}?status=up`)).headers.get('x-sentry-error')).toMatch(/status/);
  });
});
