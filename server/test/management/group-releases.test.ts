import { describe, expect, it } from 'vitest';
import { uuidOf } from '../processing/support.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('groups and the releases of their project', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();
  const setUp = async () => {
    const { id, ingest } = await user.createProject();
    const send = async (message: string, release?: string) => {
      const body = { type: 't', severity: 'ERROR', message, ...(release !== undefined && { release }) };
      expect((await ingest.post('/ingest/events', body)).status).toBe(202);
      await service.settled();
    };
    const deploy = async (release: string) => {
      expect((await ingest.post('/ingest/deploys', { release })).status).toBe(202);
      await service.settled();
    };
    const find = async (word: string) => (await user.api.get(`/groups?project_id=${id}&q=${word}`)).body[0];
    const resolve = async (word: string, resolvedIn: string) => {
      const { id: groupId } = await find(word);
      const { status, body } = await user.api.patch(`/groups/${groupId}`, { resolvedIn });
      expect(status).toBe(200);
      return body;
    };
    /** Returns the state of the group after an event of each release, one after the other. */
    const statesAfter = async (word: string, releases: (string | undefined)[]) => {
      const states: string[] = [];
      for (const release of releases) {
        await send(word, release);
        states.push((await find(word)).state);
      }
      return states;
    };
    return { id, send, deploy, find, resolve, statesAfter };
  };

  it('finds a group by the release of a merged group until that is separated again', async () => {
    const { id, send, find } = await setUp();
    await send('first', '1.0.0');
    await send('second', '2.0.0');
    const [first, second] = [await find('first'), await find('second')];
    expect((await user.api.post(`/groups/${first.id}/merge`, { ids: [second.id] })).status).toBe(200);
    await send('second', '2.0.0');
    expect(await find('first')).toMatchObject({ lastRelease: '2.0.0', count: 3 });
    await user.api.delete(`/groups/${first.id}/merged/${second.id}`);
    expect(await find('first')).toMatchObject({ lastRelease: '1.0.0', count: 1 });
    expect(await find('second')).toMatchObject({ lastRelease: '2.0.0', count: 2 });
    await send('first', '2.0.0');
    const { body } = await user.api.get(`/groups?project_id=${id}&release=2.0.0&sort=first_seen`);
    expect(body.map((group: { id: string }) => group.id)).toEqual([second.id, first.id]);
  });

  it('reopens a group resolved in the current release of the project from that release on', async () => {
    const { send, resolve, find, statesAfter } = await setUp();
    await send('broken', '1.9.0');
    await send('other', '1.10.0');
    expect(await resolve('broken', 'current')).toMatchObject({
      state: 'resolved',
      resolution: 'current',
      resolvedIn: '1.10.0',
      lastRelease: '1.9.0',
    });
    expect(await statesAfter('broken', ['1.9.0', '1.10.0-rc.2', undefined, '1.10.0'])).toEqual([
      'resolved',
      'resolved',
      'resolved',
      'open',
    ]);
    expect(await find('broken')).toMatchObject({ regressedAt: expect.any(String), resolvedIn: null });
  });

  it('reopens a group resolved in the next release only with a release after the current one', async () => {
    const { send, deploy, resolve, statesAfter } = await setUp();
    await send('broken', '2.0.0');
    // The current release, which only has a deploy.
    await deploy('2.1.0');
    expect(await resolve('broken', 'next')).toMatchObject({ resolution: 'next', resolvedIn: '2.1.0' });
    expect(await statesAfter('broken', ['2.0.0', '2.1.0', '2.0.9', '2.1.1'])).toEqual([
      'resolved',
      'resolved',
      'resolved',
      'open',
    ]);
  });

  it('compares releases without version numbers by their order of appearance in the project', async () => {
    const { send, deploy, resolve, statesAfter } = await setUp();
    await send('broken', 'f00d');
    await send('other', 'beef');
    await resolve('broken', 'next');
    await deploy('aaaa');
    expect(await statesAfter('broken', ['f00d', 'beef', 'aaaa'])).toEqual(['resolved', 'resolved', 'open']);
  });

  it('refuses to resolve in a release of a project without releases', async () => {
    const { send, find, resolve, statesAfter } = await setUp();
    await send('broken');
    const { id } = await find('broken');
    for (const resolvedIn of ['current', 'next'])
      expectProblem(await user.api.patch(`/groups/${id}`, { resolvedIn }), 'no_release');
    expect(await resolve('broken', 'now')).toMatchObject({ state: 'resolved', resolvedIn: null });
    expect(await statesAfter('broken', ['1.0.0'])).toEqual(['open']);
  });

  it('reopens a group with a new release once retention has removed that of its resolution', async () => {
    const { id, send, resolve, statesAfter } = await setUp();
    await send('broken', 'f00d');
    await resolve('broken', 'now');
    await pool.query('UPDATE releases SET last_seen = $2 WHERE project_id = $1', [
      uuidOf(id),
      new Date(service.context.clock.now() - 400 * DAY_MS),
    ]);
    await service.maintain();
    expect((await user.api.get(`/releases?project_id=${id}`)).body).toEqual([]);
    expect(await statesAfter('broken', ['beef'])).toEqual(['open']);
  });

  it('treats a blank release as none, and trims others', async () => {
    const { id, send, deploy, find, resolve, statesAfter } = await setUp();
    await send('blank', '');
    await send('blank', ' \t');
    expect(await find('blank')).toMatchObject({ firstRelease: null, lastRelease: null });
    await resolve('blank', 'now');
    expect(await statesAfter('blank', [undefined])).toEqual(['open']);
    await send('spaced', ' v1.0.0\t\v');
    await deploy('v1.0.0 ');
    expect(await find('spaced')).toMatchObject({ firstRelease: 'v1.0.0', lastRelease: 'v1.0.0' });
    const { body } = await user.api.get(`/releases?project_id=${id}`);
    expect(body).toMatchObject([{ version: 'v1.0.0', events: 1, newGroups: 1 }]);
  });

  it('removes a group and its data with its last event, unless a person changed the group', async () => {
    const { id, send, find } = await setUp();
    for (const word of ['gone', 'resolved', 'assigned', 'recent']) await send(word, '1.0.0');
    for (const [word, patch] of [
      ['resolved', { state: 'resolved' }],
      ['assigned', { assigneeId: user.id }],
    ] as const)
      expect((await user.api.patch(`/groups/${(await find(word)).id}`, patch)).status).toBe(200);
    const gone = await find('gone');
    await pool.query(
      "UPDATE groups SET first_seen = $2, last_seen = $2 WHERE project_id = $1 AND title <> 'recent'",
      [uuidOf(id), new Date(service.context.clock.now() - 400 * DAY_MS)],
    );
    await service.maintain();
    const { body } = await user.api.get(`/groups?project_id=${id}&sort=first_seen`);
    expect(body.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      'assigned',
      'recent',
      'resolved',
    ]);
    expectProblem(await user.api.get(`/groups/${gone.id}`), 'not_found');
    for (const table of ['group_fingerprints', 'group_minutes', 'group_releases']) {
      const { rows } = await pool.query(`SELECT FROM ${table} WHERE project_id = $1`, [uuidOf(id)]);
      expect(rows).toHaveLength(3);
    }
    // The same kind of event begins another group.
    await send('gone', '1.0.0');
    const again = await find('gone');
    expect(again).toMatchObject({ count: 1 });
    expect(again.id).not.toBe(gone.id);
    expect(again.number).toBeGreaterThan(gone.number);
  });
});
