import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const person = (changes: object = {}) => ({
  name: 'Ada',
  email: `${randomUUID()}@example.com`,
  password: 'correct horse',
  ...changes,
});

async function start(mode: string, environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const service = await startTestService({
    roles: ['management'],
    environment: { SIGNUP: mode, LOG_LEVEL: 'warn', ...environment },
    logDestination: { write: (line) => lines.push(line) },
  });
  const post = (changes: object = {}) =>
    new ApiClient(service.managementUrl).post('/auth/signup', person(changes));
  const options = async () => (await new ApiClient(service.managementUrl).get('/auth/options')).body;
  return { service, post, options, lines };
}

async function tokenOf({ api, organizationId }: TestUser): Promise<string> {
  const { body } = await api.post(`/organizations/${organizationId}/invitations`, {});
  return body.url.split('#')[1];
}

describe('sign-up', () => {
  it('lets anyone sign up by default', async () => {
    const { post, options } = await start('open');
    expect(await options()).toMatchObject({ signUp: 'open', hasUsers: false });
    expect((await post()).status).toBe(201);
    expect((await post()).status).toBe(201);
    expect(await options()).toMatchObject({ signUp: 'open', hasUsers: true });
  });

  it('requires an invitation with SIGNUP=invited, except for the first user', async () => {
    const { service, post, options } = await start('invited');
    expect(await options()).toMatchObject({ signUp: 'open', hasUsers: false });
    const owner = await service.signUp();
    expect(await options()).toMatchObject({ signUp: 'invited' });
    expectProblem(await post(), 'invitation_required');
    expectProblem(await post({ invitation: 'tsn_inv_nonsense' }), 'invalid_invitation');
    const answer = await post({ invitation: await tokenOf(owner) });
    expect(answer.status).toBe(201);
    expect(answer.body.organization.id).toBe(owner.organizationId);
  });

  it('refuses sign-ups with SIGNUP=closed, invited or not, except for the first user', async () => {
    const { service, post, options } = await start('closed');
    const owner = await service.signUp();
    expect(await options()).toMatchObject({ signUp: 'closed' });
    expectProblem(await post(), 'signup_closed');
    expectProblem(await post({ invitation: await tokenOf(owner) }), 'signup_closed');
    expect((await owner.api.get('/organizations/members')).body).toHaveLength(1);
    // Logging in goes on.
    const login = await new ApiClient(service.managementUrl).post('/auth/login', owner);
    expect(login.status).toBe(200);
  });

  it('accepts one of several concurrent first users', async () => {
    const { post } = await start('closed');
    const answers = await Promise.all(Array.from({ length: 5 }, () => post()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectProblem(answer, 'signup_closed');
  });
});

describe('sign-up that is open at a public address', () => {
  const PUBLIC = { PUBLIC_URL: 'https://tocsin.example.com' };

  it('warns OWNERs of an open sign-up, and writes it to the log once', async () => {
    const { service, lines } = await start('open', PUBLIC);
    const [owner, member] = [await service.signUp(), await service.signUp()];
    expect((await owner.api.get('/service')).body.warnings).toEqual(['open_signup']);
    await member.api.post('/invitations/accept', { invitation: await tokenOf(owner) });
    expect((await member.api.get('/service')).body.warnings).toEqual([]);
    expect(lines.filter((line) => line.includes('SIGNUP=invited'))).toHaveLength(1);
  });

  it.each([
    ['invited', PUBLIC],
    ['closed', PUBLIC],
    ['open', { PUBLIC_URL: 'http://tocsin.local:4000' }],
    ['open', {}],
  ])('warns of nothing with SIGNUP=%s at %j', async (mode, environment) => {
    const { service, lines } = await start(mode, environment);
    const owner = await service.signUp();
    expect((await owner.api.get('/service')).body.warnings).toEqual([]);
    expect(lines).toEqual([]);
  });
});
