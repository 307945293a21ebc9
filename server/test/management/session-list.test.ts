import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('the list of sessions', async () => {
  const clock = new TestClock();
  const service = await startTestService({ roles: ['management'], clock });
  const logIn = async (user: TestUser, userAgent: string) => {
    const client = new ApiClient(service.managementUrl);
    const answer = await client.post('/auth/login', user, { headers: { 'user-agent': userAgent } });
    expect(answer.status).toBe(200);
    return client;
  };

  it('lists the user’s own sessions, newest first, and marks the current one', async () => {
    const [user] = [await service.signUp(), await service.signUp()];
    const phone = await logIn(user, `Phone ${'x'.repeat(300)}`);
    const { status, body } = await phone.get('/auth/sessions');
    expect(status).toBe(200);
    const session = {
      id: expect.stringMatching(/^ses_/),
      createdAt: TIME,
      expiresAt: TIME,
      lastSeenAt: TIME,
    };
    expect(body).toEqual([
      { ...session, address: '127.0.0.1', userAgent: `Phone ${'x'.repeat(194)}`, current: true },
      { ...session, address: '127.0.0.1', userAgent: expect.any(String), current: false },
    ]);
    const own = (await user.api.get('/auth/sessions')).body;
    expect(own.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
  });

  it('lists no expired sessions', async () => {
    const user = await service.signUp();
    clock.advance(8 * 24 * 60 * 60_000);
    const { body } = await (await logIn(user, 'Later')).get('/auth/sessions');
    expect(body).toMatchObject([{ userAgent: 'Later' }]);
  });

  it('lets users end their own sessions, WebSockets included, and no other user’s', async () => {
    const [user, stranger] = [await service.signUp(), await service.signUp()];
    const phone = await logIn(user, 'Phone');
    const socket = await openSocket(service.managementUrl, { cookie: phone.cookie });
    const [{ id }] = (await phone.get('/auth/sessions')).body;
    expectProblem(await stranger.api.delete(`/auth/sessions/${id}`), 'not_found');
    expect(await user.api.delete(`/auth/sessions/${id}`)).toMatchObject({ status: 204, body: '' });
    expectProblem(await phone.get('/auth/me'), 'unauthenticated');
    expect(await socket.closed).toBe(1008);
    expectProblem(await user.api.delete(`/auth/sessions/${id}`), 'not_found');
    expectProblem(await user.api.delete('/auth/sessions/nonsense'), 'not_found');
    expect((await user.api.get('/auth/me')).status).toBe(200);
  });

  it('shows the last use of each session, to 5 minutes', async () => {
    const user = await service.signUp();
    const phone = await logIn(user, 'Phone');
    clock.advance(3 * 60_000);
    await phone.get('/auth/me');
    const before = (await user.api.get('/auth/sessions')).body;
    expect(before[0].lastSeenAt).toBe(before[0].createdAt);
    clock.advance(3 * 60_000);
    await phone.get('/auth/me');
    const [{ createdAt, lastSeenAt }] = (await user.api.get('/auth/sessions')).body;
    expect(Date.parse(lastSeenAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(6 * 60_000);
  });

  it('ends all other sessions of the user at once, and no other user’s', async () => {
    const [user, stranger] = [await service.signUp(), await service.signUp()];
    const [phone, tablet] = [await logIn(user, 'Phone'), await logIn(user, 'Tablet')];
    const socket = await openSocket(service.managementUrl, { cookie: tablet.cookie });
    expect(await phone.delete('/auth/sessions')).toMatchObject({ status: 204, body: '' });
    for (const ended of [user.api, tablet]) expectProblem(await ended.get('/auth/me'), 'unauthenticated');
    expect(await socket.closed).toBe(1008);
    expect((await phone.get('/auth/sessions')).body).toMatchObject([{ current: true }]);
    expect((await stranger.api.get('/auth/me')).status).toBe(200);
    expect((await phone.delete('/auth/sessions')).status).toBe(204);
  });

  it('lists the one session that remains after a password change', async () => {
    const user = await service.signUp();
    await logIn(user, 'Phone');
    await user.api.post('/auth/password', { current: user.password, new: 'a quite different one' });
    expect((await user.api.get('/auth/sessions')).body).toMatchObject([{ current: true }]);
  });
});
