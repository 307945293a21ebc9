import { describe, expect, it } from 'vitest';
import { startTestService, type TestUser } from '../support/service.ts';

describe('a group whose assignee ends the membership', async () => {
  const service = await startTestService();
  const owner = await service.signUp('Ada');
  const project = await owner.createProject();

  async function assignTo(member: TestUser): Promise<string> {
    await owner.api.post(`/organizations/${owner.organizationId}/members`, { userId: member.id });
    const event = { type: 't', severity: 'ERROR', source: 'api', message: `A task of user ${member.id}` };
    expect((await project.ingest.post('/ingest/events', event)).status).toBe(202);
    await service.settled();
    const { body: groups } = await owner.api.get(`/groups?project_id=${project.id}`);
    const [{ id }] = groups;
    expect((await owner.api.patch(`/groups/${id}`, { assigneeId: member.id })).status).toBe(200);
    return id;
  }
  const ends: [string, (member: TestUser) => Promise<{ status: number }>][] = [
    ['leaves', ({ api }) => api.post('/organizations/me/leave')],
    ['is removed', ({ id }) => owner.api.delete(`/organizations/${owner.organizationId}/members/${id}`)],
  ];

  it.each(ends)('unassigns a group when its assignee %s, with an entry in the history', async (_, end) => {
    const member = await service.signUp('Grace');
    const groupId = await assignTo(member);
    expect((await end(member)).status).toBeLessThan(300);
    expect((await owner.api.get(`/groups/${groupId}`)).body.assigneeId).toBeNull();
    const { body: unassigned } = await owner.api.get(`/groups?project_id=${project.id}&assignee=none`);
    expect(unassigned.map(({ id }: { id: string }) => id)).toContain(groupId);
    const { body: history } = await owner.api.get(`/groups/${groupId}/history?limit=1`);
    expect(history).toMatchObject([
      { userId: null, before: { assigneeId: member.id }, after: { assigneeId: null } },
    ]);
  });
});
