import { expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { announceExceeded } from '../../src/tenancy/quotas/announce-loop.ts';
import { insertPastCounts } from '../support/past-counts.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService();
const { pool } = service.database;
const NONE = { per5Minutes: null, perHour: null, perDay: null };
const HOUR_MS = 3_600_000;

const quotasOf = async ({ api }: TestUser, projectId: string) =>
  (await api.get(`/projects/${projectId}/quotas`)).body;

it('limits no key by default but one for browsers', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject();
  await user.api.post(`/projects/${id}/api-keys`, { name: 'Pages', use: 'browser' });
  await user.api.post(`/projects/${id}/api-keys`, { name: 'Jobs', use: 'ping' });
  expect(await quotasOf(user, id)).toEqual({
    quota: NONE,
    suggested: NONE,
    keys: [
      { id: expect.any(String), name: 'Pages', quota: { ...NONE, per5Minutes: 3_000 }, isChosen: false },
      { id: expect.any(String), name: expect.any(String), quota: NONE, isChosen: false },
    ],
    exceeded: [],
  });
});

it('changes the limits that are named, and records who did it', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject();
  const { body: key } = await user.api.post(`/projects/${id}/api-keys`, { use: 'browser' });
  await user.api.patch(`/projects/${id}/quotas`, { perHour: 5_000 });
  expect((await user.api.patch(`/projects/${id}/quotas`, { perDay: 20_000 })).body).toEqual({
    ...NONE,
    perHour: 5_000,
    perDay: 20_000,
  });
  expect((await user.api.patch(`/api-keys/${key.id}/quota`, { perDay: 9 })).body).toEqual({
    per5Minutes: 3_000,
    perHour: null,
    perDay: 9,
  });
  // No change, and no entry.
  await user.api.patch(`/api-keys/${key.id}/quota`, { perDay: 9 });
  const { body: entries } = await user.api.get('/organizations/audit?limit=3');
  expect(entries).toMatchObject([
    {
      action: 'api_key.quota_changed',
      targetId: key.id,
      before: { perDay: null },
      after: { perDay: 9 },
    },
    { action: 'project.quota_changed', targetId: id, after: { perDay: 20_000 } },
    { action: 'project.quota_changed', targetId: id, after: { perHour: 5_000 } },
  ]);
  await user.api.delete(`/api-keys/${key.id}`);
  expect((await quotasOf(user, id)).keys).toHaveLength(1);
});

it('refuses changes of limits by a MEMBER, and by a token without the scope admin', async () => {
  const { owner, member } = await signUpPair(service);
  const { id } = await owner.createProject();
  const { body: key } = await owner.api.post(`/projects/${id}/api-keys`, { use: 'server' });
  const [writer, admin] = [await owner.createToken('write'), await owner.createToken('admin')];
  for (const path of [`/projects/${id}/quotas`, `/api-keys/${key.id}/quota`]) {
    expectProblem(await member.api.patch(path, { perDay: 9 }), 'forbidden');
    expectProblem(await (await member.createToken('admin')).patch(path, { perDay: 9 }), 'forbidden');
    expectProblem(await writer.patch(path, { perDay: 9 }), 'insufficient_scope');
    expect((await admin.patch(path, { perDay: 9 })).body.perDay).toBe(9);
  }
});

it('refuses limits that are none, and those of other organizations and of keys for pings', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject();
  const path = `/projects/${id}/quotas`;
  expectInvalid(await user.api.patch(path, { perDay: 0 }), '/perDay');
  expectInvalid(await user.api.patch(path, { perHour: 1.5 }), '/perHour');
  expectInvalid(await user.api.patch(path, { perHour: '5' }), '/perHour');
  const { body: ping } = await user.api.post(`/projects/${id}/api-keys`, { use: 'ping' });
  const { body: key } = await user.api.post(`/projects/${id}/api-keys`, {});
  expectProblem(await user.api.patch(`/api-keys/${ping.id}/quota`, { perDay: 1 }), 'not_found');
  const stranger = await service.signUp();
  expectProblem(await stranger.api.get(path), 'not_found');
  expectProblem(await stranger.api.patch(path, { perDay: 1 }), 'not_found');
  expectProblem(await stranger.api.patch(`/api-keys/${key.id}/quota`, { perDay: 1 }), 'not_found');
  expect((await quotasOf(user, id)).quota).toEqual(NONE);
});

it('suggests five times what nearly all periods of the past had', async () => {
  const user = await service.signUp();
  const project = await user.createProject();
  const hours = 72;
  const now = service.context.clock.now();
  const startMs = Math.floor(now / HOUR_MS) * HOUR_MS - hours * HOUR_MS;
  await insertPastCounts(
    pool,
    project,
    { type: 'http', severity: 'info', source: null },
    { startMs, counts: Array.from({ length: hours * 60 }, () => 10) },
  );
  // A worker of the service may be copying the hours, which the test then does not do.
  const { suggested } = await waitFor('all hours to be copied', async () => {
    while (await service.maintain());
    const quotas = await quotasOf(user, project.id);
    return quotas.suggested.perDay === 72_000 && quotas;
  });
  expect(suggested).toEqual({ per5Minutes: 250, perHour: 3_000, perDay: 72_000 });
});

it('gives each OWNER one notice of a project that is over a limit, with what was refused since', async () => {
  const user = await service.signUp();
  const owner = await user.addMember('Grace', 'OWNER');
  const member = await user.addMember('Alan');
  const project = await user.createProject('Shop');
  const since = new Date(service.context.clock.now() - 60_000);
  const projectId = toUuid('proj', project.id);
  const exceed = (startsAt: Date, overSince: Date, refused: number) =>
    pool.query(
      `INSERT INTO quota_windows (subject_id, project_id, seconds, starts_at, over_since, refused)
        VALUES ($1, $1, 300, $2, $3, $4)`,
      [projectId, startsAt, overSince, refused],
    );
  const announced = async () => {
    while (await announceExceeded({ pool, clock: service.context.clock }));
    return (await owner.api.get('/auth/notices')).body.filter(
      ({ kind }: { kind: string }) => kind === 'quota_exceeded',
    );
  };
  await exceed(new Date(since.getTime() - 30_000), since, 12_000);
  const notice = {
    kind: 'quota_exceeded',
    by: null,
    project: { id: project.id, name: 'Shop' },
    createdAt: since.toISOString(),
  };
  expect(await announced()).toMatchObject([{ ...notice, refused: 12_000 }]);
  const [{ id }] = await announced();
  await pool.query(
    `INSERT INTO quota_windows (subject_id, project_id, seconds, starts_at, over_since, refused, is_announced)
      VALUES ($1, $1, 300, $2, $3, 345, true)`,
    [projectId, new Date(since.getTime() + 270_000), since],
  );
  expect(await announced()).toMatchObject([{ ...notice, id, refused: 12_345 }]);
  await exceed(new Date(since.getTime() + 3_000_000), new Date(since.getTime() + 3_010_000), 7);
  expect(await announced()).toMatchObject([{ ...notice, createdAt: expect.any(String), refused: 7 }]);
  const kinds = (await member.api.get('/auth/notices')).body.map(({ kind }: { kind: string }) => kind);
  expect(kinds).not.toContain('quota_exceeded');
});
