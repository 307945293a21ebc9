import { describe, expect, it } from 'vitest';
import { uuidOf } from '../processing/support.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { waitFor } from '../support/wait.ts';

describe('live updates of groups and releases', async () => {
  const service = await startTestService();
  const watch = async (user: TestUser, ...topics: string[]) => {
    const opened = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    for (const subscribe of topics) opened.socket.send(JSON.stringify({ subscribe }));
    return opened;
  };
  const setUp = async () => {
    const user = await service.signUp();
    const { id, ingest } = await user.createProject();
    const send = async (message: string, more: object = {}) => {
      const body = { type: 't', severity: 'ERROR', message, ...more };
      expect((await ingest.post('/ingest/events', body)).status).toBe(202);
      await service.settled();
    };
    const find = async (word: string) => (await user.api.get(`/groups?project_id=${id}&q=${word}`)).body[0];
    return { user, id, ingest, send, find };
  };

  it('sends a new group, its changes by people and its regression only to subscribers of the organization', async () => {
    const { user, send, find } = await setUp();
    const stranger = await service.signUp();
    const [mine, silent, theirs] = [
      await watch(user, 'groups'),
      await watch(user, 'events'),
      await watch(stranger, 'groups', 'releases'),
    ];
    const next = (change: string, state: string) =>
      waitFor(`${change} ${state}`, () =>
        mine.frames.find((frame) => frame.change === change && frame.data.state === state),
      );
    await send('broken');
    const created = await next('created', 'open');
    const group = await find('broken');
    expect(created).toEqual({ event: 'group_updated', change: 'created', mergedInto: null, data: group });

    await user.api.patch(`/groups/${group.id}`, { state: 'resolved' });
    expect((await next('changed', 'resolved')).data).toEqual(await find('broken'));
    await send('broken');
    expect((await next('changed', 'open')).data).toMatchObject({
      id: group.id,
      regressedAt: expect.any(String),
    });
    expect(silent.frames.filter(({ event }) => event !== 'event_captured')).toEqual([]);
    expect(theirs.frames).toEqual([]);
  });

  it('sends merged and separated groups with the group that they were merged into', async () => {
    const { user, send, find } = await setUp();
    const { frames } = await watch(user, 'groups');
    const next = (change: string, id: string) =>
      waitFor(`${change} ${id}`, () => frames.find((one) => one.change === change && one.data.id === id));
    for (const message of ['first', 'second']) await send(message);
    const [first, second] = [await find('first'), await find('second')];
    // A group that is new and changed before a frame is sent is one frame, as new.
    for (const { id } of [first, second]) await next('created', id);
    await user.api.post(`/groups/${first.id}/merge`, { ids: [second.id] });
    expect(await next('merged', second.id)).toMatchObject({ mergedInto: first.id });
    expect((await next('changed', first.id)).data.count).toBe(2);
    await user.api.delete(`/groups/${first.id}/merged/${second.id}`);
    expect(await next('separated', second.id)).toMatchObject({ mergedInto: null });
  });

  it('sends one message for the events of some seconds, and none after the subscription ends', async () => {
    const { user, ingest, send, find } = await setUp();
    await send('storm');
    const { socket, frames } = await watch(user, 'groups');
    const body = { type: 't', severity: 'ERROR', message: 'storm' };
    for (let batch = 0; batch < 5; batch++) {
      await ingest.post(
        '/ingest/bulk',
        Array.from({ length: 100 }, () => body),
      );
      await service.settled();
    }
    const counted = () => frames.filter(({ change }) => change === 'counted');
    await waitFor('the whole storm', () => counted().at(-1)?.data.count === 501);
    expect(counted().at(-1)?.data).toEqual(await find('storm'));
    expect(counted().length).toBeLessThan(50);
    socket.send('{"unsubscribe":"groups"}');
    const witness = await watch(user, 'groups');
    await send('later');
    await waitFor('the later group', () => witness.frames.find(({ change }) => change === 'created'));
    expect(frames.some(({ data }) => data.title === 'later')).toBe(false);
  });

  it('sends a new release once and each new deploy, by applications and by people', async () => {
    const { user, id, ingest, send } = await setUp();
    const { frames } = await watch(user, 'releases');
    await send('one', { release: '1.0.0' });
    await send('two', { release: '1.0.0' });
    await ingest.post('/ingest/deploys', { release: '1.0.0' });
    await ingest.post('/ingest/deploys', { release: '1.0.0' });
    await service.settled();
    const { body: deploy } = await user.api.post(`/projects/${id}/deploys`, { release: '1.1.0' });
    await waitFor('the last deploy', () => frames.find(({ data }) => data.id === deploy.id));
    const named = frames.map(({ event, data }) => [event, data.version ?? data.release]);
    expect(named).toHaveLength(4);
    expect(named).toEqual(
      expect.arrayContaining([
        ['deploy_recorded', '1.0.0'],
        ['deploy_recorded', '1.1.0'],
        ['release_created', '1.0.0'],
        ['release_created', '1.1.0'],
      ]),
    );
    expect(frames.find(({ data }) => data.id === deploy.id)).toEqual({
      event: 'deploy_recorded',
      data: deploy,
    });
    const [release] = (await user.api.get(`/releases?project_id=${id}`)).body;
    expect(frames.find(({ data }) => data.version === '1.1.0')?.data).toEqual(release);
  });

  it('sends an update whose transaction commits after a later one', async () => {
    const { user, id, send } = await setUp();
    await send('known');
    const { frames } = await watch(user, 'groups', 'releases');
    const slow = await beginHeldTransaction(service.database.pool);
    try {
      await slow.query('INSERT INTO releases (project_id, version, first_seen) VALUES ($1, $2, now())', [
        uuidOf(id),
        'slow',
      ]);
      await send('quick');
      await waitFor('the later update', () => frames.find(({ change }) => change === 'created'));
      await slow.query('COMMIT');
    } finally {
      slow.release();
    }
    await waitFor('the earlier update', () => frames.find(({ data }) => data.version === 'slow'));
  });
});
