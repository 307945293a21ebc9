import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { readCommonPasswords } from '../../src/tenancy/accounts/password-policy.ts';
import { ApiClient } from '../support/client.ts';
import { expectInvalid } from '../support/problems.ts';
import { signUpPair, startTestService } from '../support/service.ts';

const COMMON = ['password', 'PassWord', '12345678', 'football'];
const person = () => ({ name: 'Ada', email: `${randomUUID()}@example.com` });

describe('a new password', () => {
  it('accepts a common password as long as PASSWORD_CHECK is not set', async () => {
    const service = await startTestService();
    for (const password of COMMON) {
      const answer = await new ApiClient(service.managementUrl).post('/auth/signup', {
        ...person(),
        password,
      });
      expect(answer.status, password).toBe(201);
    }
  });

  it('refuses a common password at sign-up, change and recovery with PASSWORD_CHECK=common', async () => {
    const service = await startTestService({
      roles: ['management'],
      environment: { PASSWORD_CHECK: 'common' },
    });
    const { owner, member } = await signUpPair(service);
    const path = `/organizations/${owner.organizationId}/members/${member.id}/recovery-link`;
    const token = (await owner.api.post(path)).body.url.split('#')[1];
    const client = new ApiClient(service.managementUrl);
    for (const password of COMMON) {
      const refusals = [
        ['/password', await client.post('/auth/signup', { ...person(), password })],
        ['/new', await owner.api.post('/auth/password', { current: owner.password, new: password })],
        ['/password', await client.post('/auth/password-reset/confirm', { token, password })],
      ] as const;
      for (const [pointer, answer] of refusals) {
        expectInvalid(answer, pointer);
        expect(answer.body.detail).toContain('most common');
      }
    }
    expect(
      (await client.post('/auth/login', { email: member.email, password: member.password })).status,
    ).toBe(200);
    const confirmed = await client.post('/auth/password-reset/confirm', {
      token,
      password: 'password of Ada',
    });
    expect(confirmed.status).toBe(200);
  });

  it('compares new passwords with 3,000 common ones of at least 8 characters', () => {
    const common = [...readCommonPasswords()];
    expect(common).toHaveLength(3_000);
    for (const password of common) {
      expect(password).toBe(password.toLowerCase());
      expect(password.length).toBeGreaterThanOrEqual(8);
    }
  });

  it('refuses to start with an unknown PASSWORD_CHECK', () => {
    expect(() => readConfig({ PASSWORD_CHECK: 'strict' })).toThrow('PASSWORD_CHECK must be none or common.');
    expect(readConfig({}).passwordCheck).toBe('none');
  });
});
