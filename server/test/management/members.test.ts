import { describe, expect, it } from 'vitest';
import { ProjectPurge } from '../../src/maintenance/project-purge.ts';
import { toId } from '../../src/platform/ids.ts';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const NOBODY = 'usr_01h455vb4pex5vsknk084sn02q';

describe('adding a member', async () => {
  const service = await startTestService({ roles: ['management'] });
  const membersOf = (user: TestUser) => `/organizations/${user.organizationId}/members`;
  const add = (owner: TestUser, body: unknown) => owner.api.post(membersOf(owner), body);
  const organizationExists = async (id: string) => {
    const { rows } = await service.database.pool.query<{ id: string }>('SELECT id FROM organizations');
    return rows.some((row) => toId('org', row.id) === id);
  };

  it('moves an added user at once and removes their empty organization', async () => {
    const [owner, guest] = [await service.signUp('Ada'), await service.signUp('Grace')];
    const answer = await add(owner, { userId: guest.id });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      role: 'MEMBER',
      user: { id: guest.id, name: 'Grace', email: guest.email },
      createdAt: TIME,
      confirmedAt: null,
    });
    expect((await guest.api.get('/auth/me')).body.organization.id).toBe(owner.organizationId);
    expect((await guest.api.get('/organizations/me')).body.id).toBe(owner.organizationId);
    expect(await organizationExists(guest.organizationId)).toBe(false);
    expect(await organizationExists(owner.organizationId)).toBe(true);
  });

  it('adds a member in the requested role', async () => {
    const [owner, guest, third] = [await service.signUp(), await service.signUp(), await service.signUp()];
    expect((await add(owner, { userId: guest.id, role: 'OWNER' })).body.role).toBe('OWNER');
    const asGuest = await guest.api.post(membersOf(owner), { userId: third.id, role: 'MEMBER' });
    expect(asGuest.body.role).toBe('MEMBER');
  });

  it('refuses to let a MEMBER add a member', async () => {
    const [owner, member, guest] = [await service.signUp(), await service.signUp(), await service.signUp()];
    await add(owner, { userId: member.id });
    expectProblem(await member.api.post(membersOf(owner), { userId: guest.id }), 'forbidden');
    expectProblem(await member.api.post(membersOf(owner), { userId: NOBODY }), 'forbidden');
  });

  it('refuses to add a member to foreign, unknown and malformed organization ids with the same answer', async () => {
    const [owner, other, guest] = [await service.signUp(), await service.signUp(), await service.signUp()];
    const ids = [other.organizationId, 'org_01h455vb4pex5vsknk084sn02q', owner.id, 'nonsense', '%20', "'"];
    for (const id of ids) {
      expectProblem(await owner.api.post(`/organizations/${id}/members`, { userId: guest.id }), 'forbidden');
    }
    expect((await other.api.get('/organizations/members')).body).toHaveLength(1);
  });

  it('answers 404 for users that do not exist', async () => {
    const owner = await service.signUp();
    for (const userId of [NOBODY, owner.organizationId, 'nonsense', '', owner.email]) {
      expectProblem(await add(owner, { userId }), 'not_found');
    }
  });

  it('answers 409 for a user who is a member already, the OWNER included', async () => {
    const [owner, guest] = [await service.signUp(), await service.signUp()];
    await add(owner, { userId: guest.id });
    expectProblem(await add(owner, { userId: guest.id }), 'already_member');
    expectProblem(await add(owner, { userId: guest.id, role: 'OWNER' }), 'already_member');
    expectProblem(await add(owner, { userId: owner.id }), 'already_member');
    const [, member] = (await owner.api.get('/organizations/members')).body;
    expect(member.role).toBe('MEMBER');
  });

  it('answers the same 404 for a user with projects, a user with other members and an unknown id', async () => {
    const [owner, busy, host, lodger] = [
      await service.signUp(),
      await service.signUp(),
      await service.signUp(),
      await service.signUp(),
    ];
    await busy.createProject();
    await add(host, { userId: lodger.id });
    const unknown = await add(owner, { userId: NOBODY });
    expectProblem(unknown, 'not_found');
    for (const { id } of [busy, host, lodger]) {
      const answer = await add(owner, { userId: id });
      expect(answer.status).toBe(404);
      expect({ ...answer.body, requestId: null }).toEqual({ ...unknown.body, requestId: null });
    }
    expect((await busy.api.get('/projects')).body).toHaveLength(1);
  });

  it('moves a user who has deleted all projects, although their data is not purged yet', async () => {
    const [owner, guest] = [await service.signUp(), await service.signUp()];
    const project = await guest.createProject();
    await guest.api.delete(`/projects/${project.id}`);
    expect((await add(owner, { userId: guest.id })).status).toBe(201);
    expect((await guest.api.get('/organizations/me')).body.id).toBe(owner.organizationId);
    const purge = new ProjectPurge(service.database.pool);
    while (await purge.run(0));
    expect(await organizationExists(guest.organizationId)).toBe(false);
  });

  it('adds a user to only one of two organizations that do so at the same moment', async () => {
    const guest = await service.signUp();
    const owners = await Promise.all(Array.from({ length: 4 }, () => service.signUp()));
    const answers = await Promise.all(owners.map((owner) => add(owner, { userId: guest.id })));
    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      201, 404, 404, 404,
    ]);
  });

  it('lets only one of two users add the other at the same moment', async () => {
    const [left, right] = [await service.signUp(), await service.signUp()];
    const answers = await Promise.all([add(left, { userId: right.id }), add(right, { userId: left.id })]);
    const [first = 0, second = 0] = answers
      .map(({ status }) => status)
      .toSorted((left, right) => left - right);
    expect(first).toBe(201);
    expect([401, 403, 404]).toContain(second);
    const ids = await Promise.all([left, right].map(({ api }) => api.get('/organizations/me')));
    expect(ids[0]?.body.id).toBe(ids[1]?.body.id);
  });

  it.each([
    ['/userId', {}],
    ['/userId', { userId: 5 }],
    ['/role', { userId: NOBODY, role: 'owner' }],
    ['/role', { userId: NOBODY, role: 'ADMIN' }],
  ])('reports %s as the fault of %j before it checks permissions', async (pointer, body) => {
    const [owner, other] = [await service.signUp(), await service.signUp()];
    for (const { api } of [owner, other]) {
      expectInvalid(await api.post(membersOf(owner), body), pointer);
    }
  });
});
