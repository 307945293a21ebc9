import { expect, it } from 'vitest';
import { newUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';
import { aQueuedEvent, storeBatch, uuidOf } from '../processing/support.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const service = await startTestService();

const environmentsOf = async ({ api }: TestUser, projectId: string) =>
  (await api.get(`/projects/${projectId}/environments`)).body;
const described = (name: string, isWatched: boolean, isOwn: boolean) =>
  expect.objectContaining({ name, isWatched, isOwn });
const own = (name: string, isWatched = true) => described(name, isWatched, true);
const other = (name: string, isWatched: boolean) => described(name, isWatched, false);

it('lists the environments of a project, its own first', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject();
  expect(await environmentsOf(user, id)).toEqual([own('production')]);
  const names = ['eu', 'development', 'production', ...Array.from({ length: 25 }, (_, n) => `x${n}`)];
  await storeBatch(
    service,
    id,
    names.map((environment) => aQueuedEvent(id, { environment })),
  );
  const listed = await environmentsOf(user, id);
  expect(listed.slice(0, 3)).toEqual([own('production'), other('development', false), other('eu', true)]);
  expect(listed).toHaveLength(23);
  expect(listed.at(-1)).toEqual(other('other', true));
});

it('counts the events of the last hour in each environment', async () => {
  const user = await service.signUp();
  const project = await user.createProject();
  const capturedAgo = (minutes: number) => newUuid(service.context.clock.now() - minutes * 60_000);
  await storeBatch(service, project.id, [
    aQueuedEvent(project.id, { id: capturedAgo(0) }),
    aQueuedEvent(project.id, { id: capturedAgo(58), environment: 'staging' }),
    aQueuedEvent(project.id, { id: capturedAgo(62), environment: 'staging' }),
  ]);
  expect(await environmentsOf(user, project.id)).toMatchObject([
    { name: 'production', eventsLastHour: 1 },
    { name: 'staging', eventsLastHour: 1 },
  ]);
});

it('switches an environment, with an entry in the audit log', async () => {
  const user = await service.signUp();
  const project = await user.createProject();
  await storeBatch(service, project.id, [aQueuedEvent(project.id, { environment: 'staging' })]);
  const path = `/projects/${project.id}/environments`;
  const changed = await user.api.patch(`${path}/STG`, { isWatched: true });
  expect(changed).toMatchObject({ status: 200, body: other('staging', true) });
  expect((await user.api.patch(`${path}/staging`, { isWatched: true })).body).toEqual(other('staging', true));
  expect((await user.api.patch(`${path}/production`, { isWatched: false })).body).toEqual(
    own('production', false),
  );
  expect(await environmentsOf(user, project.id)).toEqual([own('production', false), other('staging', true)]);
  const { body: entries } = await user.api.get('/organizations/audit?limit=3');
  expect(entries).toMatchObject([
    {
      action: 'project.environment_changed',
      targetId: project.id,
      before: { environment: 'production', isWatched: true },
      after: { environment: 'production', isWatched: false },
    },
    {
      action: 'project.environment_changed',
      before: { environment: 'staging', isWatched: false },
      after: { environment: 'staging', isWatched: true },
    },
    { action: 'project.created' },
  ]);
});

it('finds no environment that the project does not have, and none of another organization', async () => {
  const [user, stranger] = await Promise.all([service.signUp(), service.signUp()]);
  const { id } = await user.createProject();
  const path = `/projects/${id}/environments`;
  const body = { isWatched: true };
  expectProblem(await user.api.patch(`${path}/staging`, body), 'not_found');
  expectProblem(await user.api.patch(`${path}/%20`, body), 'not_found');
  expectProblem(await stranger.api.patch(`${path}/production`, body), 'not_found');
  expectProblem(await stranger.api.get(path), 'not_found');
  expectProblem(await user.api.patch(`${path}/production`, {}), 'validation_failed');
});

it('watches the new environment of a project that is changed, and its former one no longer', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject();
  await storeBatch(service, id, [
    aQueuedEvent(id, { environment: 'production' }),
    aQueuedEvent(id, { environment: 'staging' }),
    aQueuedEvent(id, { environment: 'eu' }),
  ]);
  await user.api.patch(`/projects/${id}`, { environment: 'staging' });
  expect(await environmentsOf(user, id)).toEqual([
    own('staging'),
    other('production', false),
    other('eu', true),
  ]);
  await user.api.patch(`/projects/${id}`, { name: 'Store' });
  expect(await environmentsOf(user, id)).toHaveLength(3);
  const { rows } = await service.database.pool.query(
    'SELECT number::int FROM environments WHERE project_id = $1 AND is_watched ORDER BY number',
    [uuidOf(id)],
  );
  expect(rows.map(({ number }) => number)).toEqual([2, 4]);
});

it('names the environments of groups, those of merged ones included, and finds groups by them', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject();
  const event = (kind: number, environment?: string) =>
    aQueuedEvent(id, { fingerprint: `${kind}`.repeat(16), message: `kind ${kind}`, environment });
  await storeBatch(service, id, [event(1), event(1, 'eu'), event(2, 'staging'), event(3, 'development')]);
  await storeBatch(service, id, [event(3)]);
  const find = async (query: string): Promise<[string, string[]][]> =>
    (await user.api.get(`/groups?project_id=${id}&sort=first_seen${query}`)).body
      .map(({ title, environments }: { title: string; environments: string[] }) => [title, environments])
      .toSorted();
  expect(await find('')).toEqual([
    ['kind 1', ['production', 'eu']],
    ['kind 2', ['staging']],
    ['kind 3', ['production', 'development']],
  ]);
  expect(await find('&environment=Stage')).toEqual([['kind 2', ['staging']]]);
  expect(await find('&environment=eu')).toEqual([['kind 1', ['production', 'eu']]]);
  expect(await find('&environment=nowhere')).toEqual([]);
  const groups: { id: string; title: string }[] = (await user.api.get(`/groups?project_id=${id}`)).body;
  const idOf = (title: string) => groups.find((group) => group.title === title)?.id;
  const merge = await user.api.post(`/groups/${idOf('kind 1')}/merge`, { ids: [idOf('kind 2')] });
  expect(merge.status).toBe(200);
  expect(await find('&environment=staging')).toEqual([['kind 1', ['production', 'staging', 'eu']]]);
  const count = (environment: string, count: number) => ({ environment, count });
  const counts = [count('production', 1), count('staging', 1), count('eu', 1)];
  expect(merge.body.environmentCounts).toEqual({ counts, from: null });
  await user.api.delete(`/groups/${idOf('kind 1')}/merged/${idOf('kind 2')}`);
  expect(await find('&environment=staging')).toEqual([['kind 2', ['staging']]]);
});

it('counts the newest 5,000 events of a group by environment, and says from when on', async () => {
  const user = await service.signUp();
  const { id } = await user.createProject();
  const now = service.context.clock.now();
  const event = (agoMs: number, environment?: string) =>
    aQueuedEvent(id, { id: newUuid(now - agoMs), environment });
  await storeBatch(service, id, [
    event(3_000, 'staging'),
    event(2_000),
    ...Array.from({ length: 4_999 }, () => event(1_000)),
    event(0, 'eu'),
  ]);
  const { body } = await user.api.get(`/groups?project_id=${id}`);
  expect((await user.api.get(`/groups/${body[0].id}`)).body).toMatchObject({
    count: 5_002,
    environmentCounts: {
      counts: [
        { environment: 'production', count: 4_999 },
        { environment: 'staging', count: 0 },
        { environment: 'eu', count: 1 },
      ],
      from: isoTime(now - 2_000 + 1),
    },
  });
  await storeBatch(service, id, [aQueuedEvent(id, { fingerprint: 'f'.repeat(16), message: 'alone' })]);
  const { body: groups } = await user.api.get(`/groups?project_id=${id}&q=alone`);
  expect((await user.api.get(`/groups/${groups[0].id}`)).body.environmentCounts).toBeNull();
});
