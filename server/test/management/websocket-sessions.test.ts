import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { openSocket, tryHandshake } from '../support/sockets.ts';
import { waitFor } from '../support/wait.ts';

describe('a WebSocket connection', async () => {
  const service = await startTestService();
  const second = await startTestService({ roles: ['management'], database: service.database });
  const connect = (user: TestUser, url = service.managementUrl) =>
    openSocket(url, { cookie: user.api.cookie });
  const POLICY = 1008;

  it('closes with the logout, in every process, and only that session’s', async () => {
    const user = await service.signUp();
    const other = new ApiClient(service.managementUrl);
    await other.post('/auth/login', { email: user.email, password: user.password });
    const here = await connect(user);
    const there = await connect(user, second.managementUrl);
    const elsewhere = await openSocket(service.managementUrl, { cookie: other.cookie });
    await user.api.post('/auth/logout');
    expect(await here.closed).toBe(POLICY);
    expect(await there.closed).toBe(POLICY);
    expect(elsewhere.socket.readyState).toBe(elsewhere.socket.OPEN);
  });

  it('closes a WebSocket when the password is changed in another session', async () => {
    const user = await service.signUp();
    const other = new ApiClient(service.managementUrl);
    await other.post('/auth/login', { email: user.email, password: user.password });
    const mine = await connect(user);
    await other.post('/auth/password', { current: user.password, new: 'another password' });
    expect(await mine.closed).toBe(POLICY);
  });

  it('closes a WebSocket when its user is removed from the organization, or moves to another', async () => {
    const [owner, member] = [await service.signUp(), await service.signUp()];
    const before = await connect(member, second.managementUrl);
    await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: member.id });
    expect(await before.closed).toBe(POLICY);

    const within = await connect(member);
    await owner.api.delete(`/organizations/${owner.organizationId}/members/${member.id}`);
    expect(await within.closed).toBe(POLICY);
  });

  it.each([
    'nonsense',
    '',
    'null',
    '[]',
    '{"subscribe":5}',
    '{"subscribe":"everything"}',
    '{"subscribe":{"toString":null}}',
    '{"__proto__":{"subscribe":"events"}}',
    '"subscribe"',
    '\u0000',
    '9'.repeat(4_000),
  ])('keeps a WebSocket open after the message %j', async (message) => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    const { socket, received } = await connect(user);
    socket.send(message);
    socket.send(Buffer.from([0xff, 0xfe, 0x00]));
    await user.openIncident(projectId);
    expect(await received(1)).toMatchObject([{ event: 'incident_created', data: { title: 'Down' } }]);
  });

  it('closes a WebSocket after a message over 4 KiB', async () => {
    const user = await service.signUp();
    const largest = await connect(user);
    const larger = await connect(user);
    largest.socket.send('x'.repeat(4_096));
    larger.socket.send('x'.repeat(4_097));
    await larger.closed;
    const { id: projectId } = await user.createProject();
    await user.openIncident(projectId);
    expect(await largest.received(1)).toHaveLength(1);
    expect(larger.frames).toEqual([]);
  });

  it('answers 429 to the 21st WebSocket of a session until another one is closed', async () => {
    const user = await service.signUp();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(user)));
    const handshake = () => tryHandshake(service.managementUrl, { cookie: user.api.cookie });
    expect(await handshake()).toBe(429);
    expect(await tryHandshake(second.managementUrl, { cookie: user.api.cookie })).toBe(101);
    const again = new ApiClient(service.managementUrl);
    await again.post('/auth/login', { email: user.email, password: user.password });
    expect(await tryHandshake(service.managementUrl, { cookie: again.cookie })).toBe(101);
    sockets[0]?.socket.close();
    await waitFor('its place to be free', async () => (await handshake()) === 101);
  });

  it('closes a WebSocket that sends more than 20 messages a second, and no other of the session', async () => {
    const user = await service.signUp();
    const [quick, other] = [await connect(user), await connect(user)];
    for (let message = 0; message < 1_000; message++) quick.socket.send('{"subscribe":"everything"}');
    expect(await quick.closed).toBe(POLICY);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });
});
