import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';

const NEW_PASSWORD = 'a quite different one';
const service = await startTestService();

async function authorizationOf({ api }: TestUser): Promise<{ authorization: string }> {
  const { body } = await api.post('/tokens', { name: 'CI', scopes: ['read'] });
  return { authorization: `Bearer ${body.token}` };
}
const programOf = async (user: TestUser) => new ApiClient(service.managementUrl, await authorizationOf(user));
async function recoveryToken(): Promise<{ owner: TestUser; member: TestUser; token: string }> {
  const { owner, member } = await signUpPair(service);
  const path = `/organizations/${owner.organizationId}/members/${member.id}/recovery-link`;
  return { owner, member, token: (await owner.api.post(path)).body.url.split('#')[1] };
}

describe('the access tokens of a user who sets a new password', () => {
  it('keeps access tokens after a change and a reset that do not ask to revoke them', async () => {
    const user = await service.signUp();
    const program = await programOf(user);
    const body = { current: user.password, new: NEW_PASSWORD, revokeTokens: false };
    expect((await user.api.post('/auth/password', body)).body.message).not.toContain('token');
    expect((await program.get('/projects')).status).toBe(200);
    const { member, token } = await recoveryToken();
    const theirs = await programOf(member);
    await new ApiClient(service.managementUrl).post('/auth/password-reset/confirm', {
      token,
      password: NEW_PASSWORD,
    });
    expect((await theirs.get('/projects')).status).toBe(200);
  });

  it('revokes the user’s access tokens and closes their WebSockets by a change that asks for it', async () => {
    const { owner, member } = await recoveryToken();
    const headers = await authorizationOf(owner);
    const first = new ApiClient(service.managementUrl, headers);
    const [second, others] = [await programOf(owner), await programOf(member)];
    const socket = await openSocket(service.managementUrl, { headers });
    const body = { current: owner.password, new: NEW_PASSWORD, revokeTokens: true };
    const answer = await owner.api.post('/auth/password', body);
    expect(answer.body.message).toContain('your access tokens are revoked');
    for (const program of [first, second]) expectProblem(await program.get('/projects'), 'invalid_token');
    expect(await socket.closed).toBe(1008);
    expect((await others.get('/projects')).status).toBe(200);
    const entries: { action: string }[] = (await owner.api.get('/organizations/audit')).body;
    expect(entries.filter(({ action }) => action === 'token.revoked')).toHaveLength(2);
  });

  it('keeps access tokens if the change is refused', async () => {
    const user = await service.signUp();
    const program = await programOf(user);
    const body = { current: 'a wrong one', new: NEW_PASSWORD, revokeTokens: true };
    expectProblem(await user.api.post('/auth/password', body), 'validation_failed');
    expect((await program.get('/projects')).status).toBe(200);
  });

  it('revokes access tokens by a reset that asks for it', async () => {
    const { owner, member, token } = await recoveryToken();
    const [program, others] = [await programOf(member), await programOf(owner)];
    const body = { token, password: NEW_PASSWORD, revokeTokens: true };
    const answer = await new ApiClient(service.managementUrl).post('/auth/password-reset/confirm', body);
    expect(answer.status).toBe(200);
    expectProblem(await program.get('/projects'), 'invalid_token');
    expect((await others.get('/projects')).status).toBe(200);
  });
});
