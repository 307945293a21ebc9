import { describe, expect, it } from 'vitest';
import { expectInvalid, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UNKNOWN = ['inc_01h455vb4pex5vsknk084sn02q', 'evt_01h455vb4pex5vsknk084sn02q', 'nonsense', '%00'];
const STATUSES = ['open', 'investigating', 'resolved'] as const;

describe('an incident', async () => {
  const service = await startTestService();
  const user = await service.signUp('Ada');
  const { api } = user;
  const { id: projectId } = await user.createProject();
  const create = async (changes: Record<string, unknown> = {}) =>
    (await api.post('/incidents', { title: 'Down', severity: 'error', projectId, ...changes })).body;

  it('creates an incident manually with all of its fields', async () => {
    const answer = await api.post('/incidents', {
      title: '  Shop is down ',
      severity: 'critical',
      projectId,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^inc_[0-9a-z]{26}$/),
      title: 'Shop is down',
      titleOrigin: 'person',
      severity: 'critical',
      status: 'open',
      projectId,
      organizationId: user.organizationId,
      origin: 'manual',
      scheduleId: null,
      links: [],
      lead: { kind: 'manual' },
      since: answer.body.createdAt,
      until: null,
      eventCount: 0,
      mainGroup: null,
      rate: null,
      release: null,
      eventsQuery: {
        says: 'before',
        params: { project_id: projectId, from: TIME, to: answer.body.createdAt },
      },
      evidence: null,
      current: null,
      previousIncidentId: null,
      investigatorId: null,
      createdAt: TIME,
      updatedAt: answer.body.createdAt,
      resolvedAt: null,
    });
    const { timeline, facts, ...fields } = (await api.get(`/incidents/${answer.body.id}`)).body;
    expect(fields).toEqual(answer.body);
    expect(facts).toEqual({
      users: { count: 0, isExact: true },
      newestEvent: null,
      failedPayments: null,
      eventsKeptFrom: null,
    });
    expect(timeline).toEqual([
      {
        id: expect.stringMatching(/^tle_[0-9a-z]{26}$/),
        at: answer.body.createdAt,
        by: { id: user.id, name: 'Ada' },
        from: null,
        to: { status: 'open', title: 'Shop is down', severity: 'critical' },
        note: null,
      },
    ]);
  });

  it('creates an incident as investigating on request', async () => {
    expect(await create({ status: 'investigating' })).toMatchObject({
      status: 'investigating',
      investigatorId: user.id,
    });
  });

  it('names the user who took an incident, also after an undone resolution', async () => {
    const { id, investigatorId } = await create();
    expect(investigatorId).toBeNull();
    const guest = await service.signUp('Grace');
    await api.post(`/organizations/${user.organizationId}/members`, { userId: guest.id });
    const taken = await guest.api.patch(`/incidents/${id}`, { status: 'investigating' });
    expect(taken.body.investigatorId).toBe(guest.id);
    await api.patch(`/incidents/${id}`, { status: 'resolved' });
    const undone = await api.post(`/incidents/${id}/undo-resolve`);
    expect(undone.body).toMatchObject({ status: 'investigating', investigatorId: guest.id });
    const [listed] = (await api.get('/incidents?status=investigating&limit=1')).body;
    expect(listed).toMatchObject({ id, investigatorId: guest.id });
  });

  it.each([
    ['/title', { title: undefined }],
    ['/title', { title: ' ' }],
    ['/title', { title: 'x'.repeat(201) }],
    ['/severity', { severity: undefined }],
    ['/severity', { severity: 'ERROR' }],
    ['/projectId', { projectId: undefined }],
    ['/projectId', { projectId: 5 }],
    ['/status', { status: 'resolved' }],
    ['/status', { status: null }],
  ])('refuses to create an incident for its %s (case %#)', async (pointer, changes) => {
    const body = { title: 'Down', severity: 'error', projectId, ...changes };
    expectInvalid(await api.post('/incidents', body), pointer);
  });

  it('refuses to create an incident in a project that does not exist', async () => {
    for (const id of ['proj_01h455vb4pex5vsknk084sn02q', 'nonsense', '']) {
      const body = { title: 'Down', severity: 'error', projectId: id };
      expectProblem(await api.post('/incidents', body), 'not_found');
    }
  });

  const steps = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));
  it.each(steps)('changes an incident from %s to %s only if that is not backwards', async (from, to) => {
    const { id } = await create();
    if (from !== 'open') await api.patch(`/incidents/${id}`, { status: from });
    const before = (await api.get(`/incidents/${id}`)).body;
    const answer = await api.patch(`/incidents/${id}`, { status: to });
    if (STATUSES.indexOf(to) < STATUSES.indexOf(from)) {
      expectProblem(answer, 'invalid_transition');
      expect((await api.get(`/incidents/${id}`)).body).toEqual(before);
      return;
    }
    expect(answer.status).toBe(200);
    expect(answer.body.status).toBe(to);
    expect((await api.get(`/incidents/${id}`)).body).toEqual(answer.body);
    if (from === to) expect(answer.body).toEqual(before);
    else {
      expect(answer.body.timeline).toHaveLength(before.timeline.length + 1);
      expect(answer.body.timeline.at(-1)).toMatchObject({
        by: { id: user.id, name: 'Ada' },
        at: answer.body.updatedAt,
        from: { status: from },
        to: { status: to },
        note: null,
      });
    }
    expect(answer.body.resolvedAt).toEqual(to === 'resolved' ? TIME : null);
  });

  it('changes nothing when one of several changes is backwards', async () => {
    const { id } = await create({ status: 'investigating' });
    const body = { title: 'Renamed', severity: 'info', status: 'open' };
    expectProblem(await api.patch(`/incidents/${id}`, body), 'invalid_transition');
    expect((await api.get(`/incidents/${id}`)).body).toMatchObject({ title: 'Down', severity: 'error' });
  });

  it('changes title and severity together in one timeline entry, with only what differs', async () => {
    const { id } = await create();
    const answer = await api.patch(`/incidents/${id}`, { title: ' Up ', severity: 'info', status: 'open' });
    expect(answer.body).toMatchObject({ title: 'Up', severity: 'info', status: 'open' });
    expect(answer.body.timeline).toHaveLength(2);
    expect(answer.body.timeline[1]).toMatchObject({
      from: { title: 'Down', severity: 'error' },
      to: { title: 'Up', severity: 'info' },
    });
    expect(answer.body.timeline[1].from).not.toHaveProperty('status');
  });

  it('ignores fields of an incident that clients may not set', async () => {
    const incident = await create({ origin: 'risk', eventCount: 9, id: 'inc_0', resolvedAt: 'now' });
    expect(incident).toMatchObject({ origin: 'manual', eventCount: 0, resolvedAt: null });
    const patch = { projectId: 'proj_0', origin: 'risk', organizationId: 'org_0', eventCount: 9 };
    const {
      timeline: _timeline,
      facts: _facts,
      ...patched
    } = (await api.patch(`/incidents/${incident.id}`, patch)).body;
    expect(patched).toEqual(incident);
  });

  it('stores notes unchanged, from every member of the organization', async () => {
    const { id } = await create();
    const guest = await service.signUp('Grace');
    await api.post(`/organizations/${user.organizationId}/members`, { userId: guest.id });
    const note = '  <b>It is DNS</b>\n';
    const answer = await guest.api.post(`/incidents/${id}/notes`, { note });
    expect(answer.status).toBe(201);
    expect(answer.body.timeline.at(-1)).toEqual({
      id: expect.any(String),
      at: TIME,
      by: { id: guest.id, name: 'Grace' },
      from: null,
      to: null,
      note,
    });
    expect((await api.get(`/incidents/${id}`)).body).toEqual(answer.body);
    for (const bad of ['', ' \n', 'x'.repeat(10_001), null, 5]) {
      expectInvalid(await api.post(`/incidents/${id}/notes`, { note: bad }), '/note');
    }
    await api.delete(`/organizations/${user.organizationId}/members/${guest.id}`);
    expect((await api.get(`/incidents/${id}`)).body.timeline.at(-1).by.id).toBe(guest.id);
  });

  it.each(UNKNOWN)('answers 404 for an incident id such as %s', async (id) => {
    expectProblem(await api.get(`/incidents/${id}`), 'not_found');
    expectProblem(await api.patch(`/incidents/${id}`, { status: 'resolved' }), 'not_found');
    expectProblem(await api.post(`/incidents/${id}/notes`, { note: 'x' }), 'not_found');
    expectProblem(await api.get(`/incidents/${id}/events`), 'not_found');
  });

  it('resolves an incident once for many concurrent requests', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.patch(`/incidents/${id}`, { status: 'resolved' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await api.get(`/incidents/${id}`)).body.timeline).toHaveLength(2);
  });
});
