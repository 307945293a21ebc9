import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { openSocket, tryHandshake } from '../support/sockets.ts';

describe('the WebSocket', async () => {
  const environment = { PUBLIC_URL: 'https://tocsin.example.com' };
  const service = await startTestService({ roles: ['management'], environment });
  const second = await startTestService({
    roles: ['management'],
    environment,
    database: service.database,
  });
  const url = service.managementUrl;
  const connect = (user: TestUser, at = url) => openSocket(at, { cookie: user.api.cookie });
  const createIncident = async (user: TestUser, projectId: string, title = 'Down') =>
    (await user.api.post('/incidents', { title, severity: 'error', projectId })).body;

  it('refuses a WebSocket without a session', async () => {
    const user = await service.signUp();
    expect(await tryHandshake(url, {})).toBe(401);
    expect(await tryHandshake(url, { cookie: 'session=nonsense' })).toBe(401);
    expect(await tryHandshake(url, { cookie: user.api.cookie })).toBe(101);
    await user.api.post('/auth/logout');
    expect(await tryHandshake(url, { cookie: user.api.cookie })).toBe(401);
  });

  it.each([
    ['the address of the request', () => url, 403],
    ['its public address without TLS', () => 'http://tocsin.example.com', 403],
    ['its public address', () => 'https://tocsin.example.com', 101],
    ['another site', () => 'https://evil.example.com', 403],
    ['another port', () => url.replace(/\d+$/, '1'), 403],
    ['a longer name that begins with its own', () => 'https://tocsin.example.com.evil.org', 403],
    ['an opaque origin', () => 'null', 403],
    ['nonsense', () => 'nonsense', 403],
  ])('answers a page of %s with the right status', async (_where, origin, status) => {
    const { api } = await service.signUp();
    expect(await tryHandshake(url, { cookie: api.cookie, origin: origin() })).toBe(status);
  });

  it('checks the session before the origin, and a key before both', async () => {
    const { api } = await service.signUp();
    const origin = 'https://evil.example.com';
    expect(await tryHandshake(url, { origin })).toBe(401);
    const headers = { 'x-api-key': 'nonsense' };
    expect(await tryHandshake(url, { cookie: api.cookie, headers })).toBe(401);
  });

  it('refuses a request to the WebSocket’s address that is no handshake', async () => {
    const { api } = await service.signUp();
    expectProblem(await api.get('/ws'), 'not_found');
    expectProblem(await new ApiClient(url).get('/ws'), 'unauthenticated');
    expectProblem(await api.post('/ws', {}), 'method_not_allowed');
  });

  it('sends each change of an incident once, in order, with its state, in every process', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const sockets = [await connect(user), await connect(user, second.managementUrl)];
    const there = new ApiClient(second.managementUrl);
    there.cookie = user.api.cookie;

    const created = await createIncident(user, projectId);
    const path = `/incidents/${created.id}`;
    const states: { state: object; entries: number }[] = [];
    for (const [client, patch] of [
      [user.api, { severity: 'critical' }],
      [there, { status: 'investigating' }],
      [user.api, { status: 'investigating' }],
      [user.api, { title: 'Renamed', status: 'investigating' }],
      [there, { status: 'open' }],
      [there, {}],
      [there, { status: 'resolved' }],
    ] as const) {
      const answer = await client.patch(path, patch);
      if (answer.status !== 200) continue;
      const { timeline, facts: _, ...state } = answer.body;
      states.push({ state, entries: timeline.length });
    }
    const distinct = states.filter(({ entries }, index) => entries !== states[index - 1]?.entries);
    expect(distinct).toHaveLength(4);
    const last = await createIncident(user, projectId, 'The next one');
    for (const { received } of sockets) {
      expect(await received(6)).toEqual([
        { event: 'incident_created', data: created },
        ...distinct.map(({ state }) => ({ event: 'incident_updated', data: state })),
        { event: 'incident_created', data: last },
      ]);
    }
  });

  it('sends simultaneous changes each with its own state', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const { received, frames } = await connect(user);
    const { id } = await createIncident(user, projectId);
    await received(1);
    const titles = Array.from({ length: 12 }, (_, index) => `Title ${index}`);
    await Promise.all(titles.map((title) => user.api.patch(`/incidents/${id}`, { title })));
    await received(13);
    const heard: string[] = frames.slice(1).map(({ data }) => data.title);
    expect(heard.toSorted()).toEqual(titles.toSorted());
    const { timeline, title } = (await user.api.get(`/incidents/${id}`)).body;
    expect(frames.at(-1)?.data.title).toBe(title);
    const made = timeline.slice(1).map(({ to }: { to: { title: string } }) => to.title);
    expect(made.toSorted()).toEqual(titles.toSorted());
  });

  it('sends one frame for a note', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const { received } = await connect(user);
    const incident = await createIncident(user, projectId);
    await user.api.post(`/incidents/${incident.id}/notes`, { note: 'It is DNS' });
    await createIncident(user, projectId, 'Afterwards');
    expect((await received(3)).map(({ event, data }) => [event, data.title])).toEqual([
      ['incident_created', 'Down'],
      ['incident_updated', 'Down'],
      ['incident_created', 'Afterwards'],
    ]);
  });

  it('sends no frame to other organizations', async () => {
    const [user, stranger] = [await service.signUp(), await service.signUp()];
    const [mine, theirs] = [await user.createProject(), await stranger.createProject()];
    const { frames, received } = await connect(stranger);
    const { id } = await createIncident(user, mine.id);
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await createIncident(stranger, theirs.id, 'Theirs');
    await received(1);
    expect(frames.map(({ data }) => data.title)).toEqual(['Theirs']);
  });
});
