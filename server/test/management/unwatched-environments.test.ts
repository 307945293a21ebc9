import { expect, it } from 'vitest';
import { announceUnwatched } from '../../src/environments/unwatched-loop.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { insertNotice } from '../../src/tenancy/organizations/notice-queries.ts';
import { aQueuedEvent, storeBatch } from '../processing/support.ts';
import { LeapingClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService();
const HOUR_MS = 3_600_000;

async function setUp() {
  const user = await service.signUp();
  const project = await user.createProject('Shop');
  const announce = async (clock: Clock = service.context.clock) => {
    while (await announceUnwatched({ pool: service.database.pool, clock }));
    return (await user.api.get('/auth/notices')).body;
  };
  return {
    user,
    project,
    /** Stores an event a minute of an hour that ends now, or so much later. */
    storeHour: (environment: string, { minutes = 59, laterMs = 0 } = {}) =>
      storeBatch(
        service,
        project.id,
        Array.from({ length: minutes }, (_, minute) =>
          aQueuedEvent(project.id, {
            id: newUuid(service.context.clock.now() + laterMs - minute * 60_000),
            environment,
          }),
        ),
      ),
    switch: (environment: string, isWatched: boolean) =>
      user.api.patch(`/projects/${project.id}/environments/${environment}`, { isWatched }),
    announce,
    /** Announces until there is a notice: the loop of the service may have locked the environment at this moment. */
    announced: (clock?: Clock) =>
      waitFor('a notice', async () => {
        const notices = await announce(clock);
        return notices.length > 0 ? notices : null;
      }),
  };
}

it('gives each OWNER one notice about an environment that nearly all events of an hour come from, unwatched', async () => {
  const { user, project, storeHour, announce, announced } = await setUp();
  const owner = await user.addMember('Grace', 'OWNER');
  const member = await user.addMember('Alan');
  await storeHour('staging');
  await storeHour('production', { minutes: 5 });
  const notice = expect.objectContaining({
    kind: 'environment_unwatched',
    by: null,
    project: { id: project.id, name: 'Shop' },
    environment: 'staging',
  });
  expect(await announced()).toEqual([notice]);
  expect(await announce()).toEqual([notice]);
  expect((await owner.api.get('/auth/notices')).body).toContainEqual(notice);
  expect((await member.api.get('/auth/notices')).body).not.toContainEqual(notice);
});

it('gives no notice of a tenth of other events, of a burst, or of an environment that is watched', async () => {
  const mixed = await setUp();
  await mixed.storeHour('staging', { minutes: 54 });
  await mixed.storeHour('production', { minutes: 6 });
  expect(await mixed.announce()).toEqual([]);
  const burst = await setUp();
  await burst.storeHour('staging', { minutes: 45 });
  expect(await burst.announce()).toEqual([]);
  const watched = await setUp();
  await watched.storeHour('eu-west');
  expect(await watched.announce()).toEqual([]);
});

it('takes the notice back once the environment is switched, and gives another after the next switch', async () => {
  const { user, storeHour, announce, announced, ...project } = await setUp();
  await storeHour('staging');
  const [{ id }] = await announced();
  await project.switch('staging', true);
  expect(await announce()).toEqual([]);
  await project.switch('staging', false);
  const [again] = await announced();
  expect(again).toMatchObject({ environment: 'staging' });
  expect(again.id).not.toBe(id);
  await user.api.delete(`/auth/notices/${again.id}`);
  expect(await announce()).toEqual([]);
});

it('takes the notice back once the project is of that environment', async () => {
  const { user, project, storeHour, announce, announced } = await setUp();
  await storeHour('staging');
  expect(await announced()).toHaveLength(1);
  await user.api.patch(`/projects/${project.id}`, { environment: 'staging' });
  expect(await announce()).toEqual([]);
});

it('takes the notice of a user back who is removed from the organization', async () => {
  const { user, storeHour, announced } = await setUp();
  const owner = await user.addMember('Grace', 'OWNER');
  await storeHour('staging');
  await announced();
  const kinds = async () => {
    const notices = (await owner.api.get('/auth/notices')).body;
    return notices.map(({ kind }: { kind: string }) => kind);
  };
  expect(await kinds()).toContain('environment_unwatched');
  await user.api.delete(`/organizations/${user.organizationId}/members/${owner.id}`);
  expect(await kinds()).toEqual(['member_removed']);
});

it('replaces no notice about a person by those about environments', async () => {
  const { user, announce, project } = await setUp();
  const about = {
    organizationId: toUuid('org', user.organizationId) ?? '',
    organizationName: 'Shop',
    actorId: null,
    actorName: null,
    projectId: toUuid('proj', project.id),
    projectName: 'Shop',
    environment: 'staging',
    createdAt: new Date(service.context.clock.now()),
  };
  const insert = (kind: 'totp_disabled' | 'environment_unwatched') =>
    insertNotice(service.database.pool, toUuid('usr', user.id) ?? '', {
      ...about,
      kind,
      id: newUuid(service.context.clock.now()),
    });
  await insert('totp_disabled');
  for (let count = 0; count < 21; count++) await insert('environment_unwatched');
  const notices = await announce();
  expect(notices).toHaveLength(20);
  expect(notices.at(-1)).toMatchObject({ kind: 'totp_disabled' });
});

it('takes the hour from a clock that is confirmed, whatever it leaps to', async () => {
  const clock = new LeapingClock();
  const ahead = await setUp();
  await ahead.storeHour('staging', { laterMs: 3 * HOUR_MS });
  const present = await setUp();
  await present.storeHour('staging');
  clock.set(3 * HOUR_MS);
  expect(await ahead.announce(clock)).toEqual([]);
  expect(await present.announced(clock)).toMatchObject([{ environment: 'staging' }]);
});
