import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import type { Answer } from '../support/client.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

describe('a member', async () => {
  const service = await startTestService();
  const pathOf = (organization: TestUser, user: TestUser) =>
    `/organizations/${organization.organizationId}/members/${user.id}`;
  const couple = async (role: 'OWNER' | 'MEMBER' = 'MEMBER') => {
    const owner = await service.signUp('Ada');
    return { owner, member: await owner.addMember('Grace', role) };
  };

  it('makes a member an OWNER and a MEMBER again, with effect on the next request', async () => {
    const { owner, member } = await couple();
    const promoted = await owner.api.patch(pathOf(owner, member), { role: 'OWNER' });
    expect(promoted.status).toBe(200);
    expect(promoted.body).toMatchObject({ role: 'OWNER', user: { id: member.id, email: member.email } });
    expect((await member.api.patch('/organizations/me', { plan: 'pro' })).status).toBe(200);
    expect((await owner.api.patch(pathOf(owner, member), { role: 'MEMBER' })).body.role).toBe('MEMBER');
    expectProblem(await member.api.patch('/organizations/me', { plan: 'free' }), 'forbidden');
  });

  it('lets only an OWNER change roles and remove members', async () => {
    const { owner, member } = await couple();
    expectProblem(await member.api.patch(pathOf(owner, member), { role: 'OWNER' }), 'forbidden');
    expectProblem(await member.api.delete(pathOf(owner, owner)), 'forbidden');
    expectProblem(await member.api.delete(pathOf(owner, member)), 'forbidden');
  });

  it('refuses changes of members to OWNERs of other organizations', async () => {
    const { owner, member } = await couple();
    const stranger = await service.signUp();
    expectProblem(await stranger.api.patch(pathOf(owner, member), { role: 'OWNER' }), 'forbidden');
    expectProblem(await stranger.api.delete(pathOf(owner, member)), 'forbidden');
    expectProblem(await stranger.api.patch(pathOf(stranger, member), { role: 'OWNER' }), 'not_found');
    expectProblem(await stranger.api.delete(pathOf(stranger, member)), 'not_found');
    expect((await owner.api.get('/organizations/members')).body).toHaveLength(2);
  });

  it('gives a removed member a new, empty organization', async () => {
    const { owner, member } = await couple();
    await owner.createProject();
    const answer = await owner.api.delete(pathOf(owner, member));
    expect(answer).toMatchObject({ status: 204, body: '' });
    const { organization } = (await member.api.get('/auth/me')).body;
    expect(organization).toMatchObject({ name: 'Grace', plan: 'free' });
    expect(organization.id).not.toBe(owner.organizationId);
    expect(organization.id).not.toBe(member.organizationId);
    expect((await member.api.get('/projects')).body).toEqual([]);
    expect((await member.api.get('/organizations/members')).body).toMatchObject([{ role: 'OWNER' }]);
    expect((await owner.api.get('/organizations/members')).body).toHaveLength(1);
    expectProblem(await owner.api.delete(pathOf(owner, member)), 'not_found');
  });

  it('refuses to let the last OWNER step down or leave', async () => {
    const { owner } = await couple();
    expectProblem(await owner.api.patch(pathOf(owner, owner), { role: 'MEMBER' }), 'last_owner');
    expectProblem(await owner.api.delete(pathOf(owner, owner)), 'last_owner');
    expect((await owner.api.patch(pathOf(owner, owner), { role: 'OWNER' })).status).toBe(200);
  });

  it('lets an OWNER step down or leave once there is another OWNER', async () => {
    const { owner, member } = await couple('OWNER');
    expect((await member.api.delete(pathOf(owner, owner))).status).toBe(204);
    expect((await owner.api.get('/organizations/me')).body.id).not.toBe(owner.organizationId);
    expectProblem(await member.api.delete(pathOf(owner, member)), 'last_owner');
    const next = await couple('OWNER');
    expect((await next.owner.api.patch(pathOf(next.owner, next.owner), { role: 'MEMBER' })).status).toBe(200);
  });

  it('keeps one of two OWNERs who step down at the same moment', async () => {
    const { owner, member } = await couple('OWNER');
    const answers = await Promise.all([
      owner.api.patch(pathOf(owner, owner), { role: 'MEMBER' }),
      member.api.patch(pathOf(owner, member), { role: 'MEMBER' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409]);
  });

  it.each<[string, (guest: TestUser, third: TestUser) => Promise<Answer>]>([
    ['a project that it creates', ({ api }) => api.post('/projects', { name: 'Just now' })],
    [
      'a user that it adds',
      ({ api, organizationId }, third) =>
        api.post(`/organizations/${organizationId}/members`, { userId: third.id }),
    ],
  ])('refuses %s while a member is moved, without an internal error', async (_what, act) => {
    const [owner, guest, third] = [await service.signUp(), await service.signUp(), await service.signUp()];
    const { pool } = service.database;
    const isWaiting = async (count: number) => (await countLockWaits(pool)) === count;
    const blocker = await beginHeldTransaction(pool);
    try {
      await blocker.query('SELECT 1 FROM organizations WHERE id = $1 FOR UPDATE', [
        toUuid('org', guest.organizationId),
      ]);
      const moved = owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: guest.id });
      await waitFor('the move to wait for its turn', () => isWaiting(1));
      const acted = act(guest, third);
      await waitFor('the other change to wait as well', () => isWaiting(2));
      await blocker.query('COMMIT');
      expect((await moved).status).toBe(201);
      expectProblem(await acted, 'unauthenticated');
      expect((await third.api.get('/organizations/me')).body.id).toBe(third.organizationId);
    } finally {
      blocker.release();
    }
  });
});
