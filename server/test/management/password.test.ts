import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem, pointersOf } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const NEW_PASSWORD = 'a quite different one';

describe('changing the password', async () => {
  const service = await startTestService({ roles: ['management'] });
  const logIn = async ({ email }: TestUser, password: string) => {
    const client = new ApiClient(service.managementUrl);
    const answer = await client.post('/auth/login', { email, password });
    return { client, answer };
  };

  it('ends all other sessions and keeps this one', async () => {
    const user = await service.signUp();
    const { client: elsewhere } = await logIn(user, user.password);
    const stranger = await service.signUp();

    const answer = await user.api.post('/auth/password', { current: user.password, new: NEW_PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: expect.any(String) });
    expectProblem(await elsewhere.get('/auth/me'), 'unauthenticated');
    expect((await user.api.get('/auth/me')).status).toBe(200);
    expect((await stranger.api.get('/auth/me')).status).toBe(200);
  });

  it('makes the new password the one that logs in', async () => {
    const user = await service.signUp();
    await user.api.post('/auth/password', { current: user.password, new: NEW_PASSWORD });
    expectProblem((await logIn(user, user.password)).answer, 'invalid_credentials');
    expect((await logIn(user, NEW_PASSWORD)).answer.status).toBe(200);
  });

  it('is refused with a wrong current password, and changes nothing', async () => {
    const user = await service.signUp();
    const answer = await user.api.post('/auth/password', { current: 'wrong', new: NEW_PASSWORD });
    expectProblem(answer, 'validation_failed');
    expect(pointersOf(answer)).toEqual(['/current']);
    expect((await logIn(user, user.password)).answer.status).toBe(200);
  });

  it.each([
    ['7 characters', '1234567'],
    ['1,025 bytes', 'x'.repeat(1025)],
    ['513 characters and 1,026 bytes', 'é'.repeat(513)],
    ['null', null],
  ])('is refused with a new one of %s', async (_what, password) => {
    const user = await service.signUp();
    const answer = await user.api.post('/auth/password', { current: user.password, new: password });
    expectProblem(answer, 'validation_failed');
    expect(pointersOf(answer)).toEqual(['/new']);
  });

  it('needs a session', async () => {
    const answer = await new ApiClient(service.managementUrl).post('/auth/password', {
      current: 'a',
      new: NEW_PASSWORD,
    });
    expectProblem(answer, 'unauthenticated');
  });

  it('stores passwords as argon2id hashes only', async () => {
    const user = await service.signUp();
    const { rows } = await service.database.pool.query<{ hash: string }>(
      'SELECT password_hash AS hash FROM users WHERE email = $1',
      [user.email],
    );
    expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
