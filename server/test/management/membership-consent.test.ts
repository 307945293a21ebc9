import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { signUpPair, startTestService, type TestUser } from '../support/service.ts';

const service = await startTestService();

const add = (owner: TestUser, user: TestUser) =>
  owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: user.id });
const stay = (user: TestUser, { organizationId }: TestUser) =>
  user.api.post(`/organizations/${organizationId}/stay`);
const makeLink = ({ api, organizationId }: TestUser, user: { id: string }) =>
  api.post(`/organizations/${organizationId}/members/${user.id}/recovery-link`);

async function added(): Promise<{ owner: TestUser; user: TestUser }> {
  const owner = await service.signUp('Ada');
  return { owner, user: await owner.addMember() };
}

describe('the agreement to a membership', () => {
  it('lets an OWNER create a recovery link after the user chose to stay, and removes the notice', async () => {
    const { owner, user } = await added();
    expectProblem(await makeLink(owner, user), 'membership_not_confirmed');
    expect((await stay(user, owner)).status).toBe(204);
    expect((await user.api.get('/auth/notices')).body).toEqual([]);
    expect((await makeLink(owner, user)).status).toBe(201);
    expect((await owner.api.get('/organizations/audit')).body).toContainEqual(
      expect.objectContaining({ action: 'member.confirmed', targetId: user.id }),
    );
  });

  it('records a choice to stay once', async () => {
    const { owner, user } = await added();
    await stay(user, owner);
    const [, first] = (await owner.api.get('/organizations/members')).body;
    expect((await stay(user, owner)).status).toBe(204);
    expect((await owner.api.get('/organizations/members')).body[1]).toEqual(first);
    const entries: { action: string }[] = (await owner.api.get('/organizations/audit')).body;
    expect(entries.filter(({ action }) => action === 'member.confirmed')).toHaveLength(1);
  });

  it('treats the acceptance of an invitation as an agreement', async () => {
    const { owner, member: user } = await signUpPair(service);
    expect((await makeLink(owner, user)).status).toBe(201);
  });

  it('treats a sign-up by an invitation of the organization as an agreement', async () => {
    const owner = await service.signUp('Ada');
    const { body: invited } = await owner.api.post(`/organizations/${owner.organizationId}/invitations`, {});
    const invitation = invited.url.split('#')[1];
    const fields = { name: 'Grace', email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
    const { status, body } = await new ApiClient(service.managementUrl).post('/auth/signup', {
      ...fields,
      invitation,
    });
    expect([status, body.organization?.id]).toEqual([201, owner.organizationId]);
    const members = (await owner.api.get('/organizations/members')).body;
    expect(members.map((member: { confirmedAt: string | null }) => member.confirmedAt)).not.toContain(null);
    expect((await makeLink(owner, body.user)).status).toBe(201);
  });

  it('takes no agreement by an OWNER, nor to an organization that the user is not in', async () => {
    const { owner, user } = await added();
    const other = await service.signUp();
    expect((await stay(owner, owner)).status).toBe(204);
    expectProblem(await stay(user, other), 'not_found');
    expectProblem(await user.api.post('/organizations/nonsense/stay'), 'not_found');
    expectProblem(
      await new ApiClient(service.managementUrl).post('/organizations/x/stay'),
      'unauthenticated',
    );
    expectProblem(await makeLink(owner, user), 'membership_not_confirmed');
  });

  it('ends an agreement with the membership, even if the user returns to the organization', async () => {
    const { owner, user } = await added();
    await stay(user, owner);
    await user.api.post('/organizations/me/leave');
    expect((await user.api.get('/organizations/members')).body[0].confirmedAt).not.toBeNull();
    await add(owner, user);
    expectProblem(await makeLink(owner, user), 'membership_not_confirmed');
  });
});
