import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

describe('what belongs to another organization', async () => {
  const service = await startTestService();
  const owner = await service.signUp('Ada');
  const stranger = await service.signUp('Eve');
  const project = await owner.createProject('Shop');
  const { jobId } = (
    await project.ingest.post('/ingest/events', {
      type: 'checkout',
      severity: 'ERROR',
      message: 'A secret of the shop',
      correlation: { order_id: 'ord_1' },
    })
  ).body;
  const eventId = jobId.replace('job_', 'evt_');
  const { id: incidentId } = (
    await owner.api.post('/incidents', { title: 'Ours', severity: 'error', projectId: project.id })
  ).body;
  const [key] = (await owner.api.get(`/projects/${project.id}/api-keys`)).body;
  await service.settled();

  it.each<[string, string, unknown?]>([
    ['GET', `/projects/${project.id}`],
    ['PATCH', `/projects/${project.id}`, { name: 'Mine' }],
    ['DELETE', `/projects/${project.id}`],
    ['GET', `/projects/${project.id}/ledger`],
    ['GET', `/projects/${project.id}/risk`],
    ['PUT', `/projects/${project.id}/risk`, { budget: 100 }],
    ['GET', `/projects/${project.id}/risk/decisions`],
    ['GET', `/projects/${project.id}/risk/preview`],
    ['GET', `/projects/${project.id}/api-keys`],
    ['POST', `/projects/${project.id}/api-keys`, { name: 'Mine' }],
    ['DELETE', `/api-keys/${key.id}`],
    ['GET', `/events/${eventId}`],
    ['GET', `/incidents/${incidentId}`],
    ['PATCH', `/incidents/${incidentId}`, { status: 'resolved' }],
    ['POST', `/incidents/${incidentId}/undo-resolve`],
    ['POST', `/incidents/${incidentId}/notes`, { note: 'Mine' }],
    ['GET', `/incidents/${incidentId}/events`],
    ['GET', `/incidents/${incidentId}/points`],
    ['POST', `/projects/${project.id}/silences`, { minutes: 5 }],
    ['GET', `/silences?project_id=${project.id}`],
    ['POST', '/incidents', { title: 'Mine', severity: 'info', projectId: project.id }],
  ])('answers %s %s of another organization like an unknown resource', async (method, path, body) => {
    const answer = await stranger.api.request(method, path, { body });
    expectProblem(answer, 'not_found');
    // The same answer as for an unknown id of the same time: the two cannot be distinguished. The answer about an old event says
    // that events of its age are removed.
    const swap = (text: string) => text.replace(/(_[0-9a-z]{10})[0-9a-z]{16}/, '$1ex5vsknk084sn02q');
    const unknown = await stranger.api.request(method, swap(path), {
      body: body && JSON.parse(swap(JSON.stringify(body))),
    });
    expect({ ...answer.body, requestId: null }).toEqual({ ...unknown.body, requestId: null });
  });

  it.each([
    '/projects',
    '/events',
    `/events?project_id=${project.id}`,
    '/events?correlation_id=ord_1',
    '/events?q=secret',
    `/events/histogram?project_id=${project.id}`,
    '/events/histogram',
    '/events/histogram?correlation_id=ord_1',
    '/events/top?by=type',
    '/events/top?by=fingerprint',
    `/events/top?by=fingerprint&project_id=${project.id}`,
    '/events/top?by=source&correlation_id=ord_1',
    '/incidents',
    `/incidents?project_id=${project.id}`,
    '/incidents?status=open',
  ])('returns nothing of another organization in %s', async (path) => {
    const answer = await stranger.api.get(path);
    expect(answer.status).toBe(200);
    if (path.includes('histogram')) {
      const counts = answer.body.map(({ error }: { error: number }) => error);
      expect(counts.filter(Boolean)).toEqual([]);
    } else {
      expect(answer.body).toEqual([]);
    }
  });

  it.each(['/incidents/counts', `/incidents/counts?project_id=${project.id}`, '/organizations/ledger'])(
    'counts nothing of another organization in %s',
    async (path) => {
      const { status, body } = await stranger.api.get(path);
      expect(status).toBe(200);
      const { unstored = [], ...counts } = body;
      expect(unstored).toEqual([]);
      expect(Object.values(counts).every((count) => count === 0)).toBe(true);
    },
  );

  it('refuses a cursor of a list of another organization', async () => {
    const cursor = eventId.slice('evt_'.length);
    expect((await stranger.api.get(`/events?cursor=${cursor.replace(/.$/, 'z')}`)).body).toEqual([]);
  });

  it('leaves everything of another organization in place for its owner', async () => {
    expect((await owner.api.get(`/projects/${project.id}`)).body.name).toBe('Shop');
    expect((await owner.api.get(`/events/${eventId}`)).body.message).toBe('A secret of the shop');
    expect((await owner.api.get(`/incidents/${incidentId}`)).body).toMatchObject({
      status: 'open',
      timeline: [{ by: { id: owner.id } }],
    });
    expect((await owner.api.get(`/projects/${project.id}/api-keys`)).body).toHaveLength(1);
  });
});
