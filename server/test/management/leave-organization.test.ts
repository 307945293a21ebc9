import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const service = await startTestService();

async function couple(role: 'OWNER' | 'MEMBER' = 'MEMBER') {
  const owner = await service.signUp('Ada');
  return { owner, member: await owner.addMember('Grace', role) };
}
const leave = ({ api }: TestUser) => api.post('/organizations/me/leave');
const noticesOf = async ({ api }: TestUser) => {
  const { status, body } = await api.get('/auth/notices');
  expect(status).toBe(200);
  return body;
};

describe('leaving an organization', () => {
  it('moves a user who leaves into a new, empty organization, in the same session', async () => {
    const { owner, member } = await couple();
    await owner.createProject();
    const answer = await leave(member);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^org_/),
      name: 'Grace',
      plan: 'free',
      createdAt: TIME,
    });
    expect([owner.organizationId, member.organizationId]).not.toContain(answer.body.id);
    expect((await member.api.get('/auth/me')).body.organization.id).toBe(answer.body.id);
    expect((await member.api.get('/projects')).body).toEqual([]);
    expect((await member.api.get('/organizations/members')).body).toMatchObject([{ role: 'OWNER' }]);
    expect((await owner.api.get('/organizations/members')).body).toHaveLength(1);
    expect((await owner.api.get('/projects')).body).toHaveLength(1);
  });

  it('refuses to let the last OWNER leave an organization, alone or not', async () => {
    const { owner, member } = await couple();
    expectProblem(await leave(owner), 'last_owner');
    expectProblem(await leave(await service.signUp()), 'last_owner');
    expect((await leave(member)).status).toBe(200);
    expectProblem(await leave(member), 'last_owner');
  });

  it('lets an OWNER beside another one leave, but only one of two who leave at the same moment', async () => {
    const { owner, member } = await couple('OWNER');
    const answers = await Promise.all([leave(owner), leave(member)]);
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 409]);
  });

  it('leaves an organization once for two concurrent requests', async () => {
    const { owner, member } = await couple();
    const answers = await Promise.all([leave(member), leave(member)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    // The second one is the last OWNER of the new organization, or was moved while it waited.
    expect([401, 409]).toContain(answers.find(({ status }) => status !== 200)?.status);
    expect((await owner.api.get('/organizations/members')).body).toHaveLength(1);
  });

  it('needs a session to leave an organization', async () => {
    const { member } = await couple();
    member.api.cookie = null;
    expectProblem(await leave(member), 'unauthenticated');
  });

  it('closes the WebSockets of the leaver in the organization, and nobody else’s', async () => {
    const { owner, member } = await couple();
    const theirs = await openSocket(service.managementUrl, { cookie: member.api.cookie });
    const stays = await openSocket(service.managementUrl, { cookie: owner.api.cookie });
    await leave(member);
    expect(await theirs.closed).toBe(1008);
    expect(stays.socket.readyState).toBe(stays.socket.OPEN);
  });

  it('records a leave in the audit log of the organization that was left', async () => {
    const { owner, member } = await couple();
    await leave(member);
    const [entry] = (await owner.api.get('/organizations/audit')).body;
    expect(entry).toMatchObject({
      action: 'member.left',
      targetId: member.id,
      user: { id: member.id, name: 'Grace' },
      before: { role: 'MEMBER' },
      after: null,
    });
    expect((await member.api.get('/organizations/audit')).body).toEqual([]);
  });
});

describe('a notice', () => {
  it('notifies a user who was added of the organization and the owner, until dismissed', async () => {
    const { owner, member } = await couple();
    const notices = await noticesOf(member);
    expect(notices).toEqual([
      {
        id: expect.stringMatching(/^ntc_/),
        kind: 'member_added',
        organization: { id: owner.organizationId, name: 'Ada' },
        by: { id: owner.id, name: 'Ada' },
        project: null,
        refused: null,
        lost: null,
        environment: null,
        createdAt: TIME,
      },
    ]);
    expect(await noticesOf(owner)).toEqual([]);
    const path = `/auth/notices/${notices[0].id}`;
    expectProblem(await owner.api.delete(path), 'not_found');
    expect(await member.api.delete(path)).toMatchObject({ status: 204, body: '' });
    expectProblem(await member.api.delete(path), 'not_found');
    expect(await noticesOf(member)).toEqual([]);
  });

  it('notifies a user who was removed, and replaces outdated notices', async () => {
    const { owner, member } = await couple();
    await owner.api.delete(`/organizations/${owner.organizationId}/members/${member.id}`);
    expect(await noticesOf(member)).toMatchObject([{ kind: 'member_removed', by: { name: 'Ada' } }]);
    await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: member.id });
    expect(await noticesOf(member)).toMatchObject([{ kind: 'member_added' }]);
  });

  it('removes a notice when the user leaves', async () => {
    const { member } = await couple();
    await leave(member);
    expect(await noticesOf(member)).toEqual([]);
  });

  it('creates no notice for a change that users make to their own membership', async () => {
    const { owner, member } = await couple('OWNER');
    await owner.api.delete(`/organizations/${owner.organizationId}/members/${owner.id}`);
    expect(await noticesOf(owner)).toEqual([]);
    expect(await noticesOf(member)).toHaveLength(1);
  });

  it('keeps the newest 20 notices of a user', async () => {
    const user = await service.signUp();
    const owners: TestUser[] = [];
    for (let count = 0; count < 21; count++) {
      const owner = await service.signUp(`Owner ${count}`);
      owners.push(owner);
      await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: user.id });
      await owner.api.delete(`/organizations/${owner.organizationId}/members/${user.id}`);
    }
    const notices = await noticesOf(user);
    expect(notices).toHaveLength(20);
    expect(notices[0].organization.name).toBe('Owner 20');
    expect(notices[19].organization.name).toBe('Owner 1');
  });

  it.each(['ntc_01h455vb4pex5vsknk084sn02q', 'usr_01h455vb4pex5vsknk084sn02q', 'nonsense'])(
    'answers 404 where a notice to dismiss does not exist: %s',
    async (id) => {
      expectProblem(await (await service.signUp()).api.delete(`/auth/notices/${id}`), 'not_found');
    },
  );
});
