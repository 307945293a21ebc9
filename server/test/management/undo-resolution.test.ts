import { describe, expect, it } from 'vitest';
import { findOngoingOf } from '../../src/incidents/risk-queries.ts';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { StillClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';

describe('the resolution of an incident', async () => {
  const clock = new StillClock();
  const service = await startTestService({ roles: ['management'], clock });
  const owner = await service.signUp('Ada');
  const member = await owner.addMember();
  const { id: projectId } = await owner.createProject();
  const create = async (status = 'open') => {
    const incident = { title: 'Down', severity: 'error', projectId, status };
    return String((await owner.api.post('/incidents', incident)).body.id);
  };
  const undo = (id: string, user = owner) => user.api.post(`/incidents/${id}/undo-resolve`);
  const resolve = (id: string, user = owner) => user.api.patch(`/incidents/${id}`, { status: 'resolved' });

  it.each(['open', 'investigating'])(
    'returns an incident to the state %s when its resolution is undone',
    async (status) => {
      const live = await openSocket(service.managementUrl, { cookie: owner.api.cookie });
      const id = await create(status);
      // Entries of one millisecond are in order only where nothing else makes ids of other times meanwhile.
      clock.advance(1);
      await resolve(id);
      clock.advance(1);
      const answer = await undo(id);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ status, resolvedAt: null });
      expect(answer.body.timeline.at(-1)).toMatchObject({
        by: { id: owner.id, name: 'Ada' },
        from: { status: 'resolved' },
        to: { status },
        note: null,
      });
      expect((await live.received(3)).at(-1)).toMatchObject({
        event: 'incident_updated',
        data: { id, status, resolvedAt: null },
      });
      const { body: audit } = await owner.api.get('/organizations/audit');
      expect(audit).toContainEqual(
        expect.objectContaining({
          action: 'incident.changed',
          targetId: id,
          before: { status: 'resolved' },
          after: { status },
        }),
      );
    },
  );

  it('lets members undo their own resolution, and owners any', async () => {
    const id = await create();
    await resolve(id);
    expectProblem(await undo(id, member), 'forbidden');
    expect((await undo(id)).status).toBe(200);
    clock.advance(1);
    await resolve(id, member);
    expect((await undo(id, member)).status).toBe(200);
    clock.advance(1);
    await resolve(id, member);
    expect((await undo(id)).body.status).toBe('open');
  });

  it('refuses to undo a resolution after 10 minutes', async () => {
    const [first, second] = [await create(), await create()];
    await resolve(first);
    await resolve(second);
    clock.advance(10 * MINUTE_MS);
    expect((await undo(first)).status).toBe(200);
    clock.advance(1);
    expectProblem(await undo(second), 'invalid_transition');
  });

  it('refuses to undo a resolution twice, or one that never was', async () => {
    const id = await create();
    expectProblem(await undo(id), 'invalid_transition');
    await resolve(id);
    await undo(id);
    expectProblem(await undo(id), 'invalid_transition');
  });

  it('undoes a resolution once for many concurrent requests', async () => {
    const id = await create();
    await resolve(id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo(id)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409,
    ]);
  });

  it('does not undo a resolution by a change of the status', async () => {
    const id = await create();
    await resolve(id);
    await undo(id);
    await resolve(id);
    expectProblem(await owner.api.patch(`/incidents/${id}`, { status: 'open' }), 'invalid_transition');
  });

  it('hides incidents of other organizations from an undo', async () => {
    const id = await create();
    await resolve(id);
    expectProblem(await undo(id, await service.signUp()), 'not_found');
    for (const unknown of ['inc_01h455vb4pex5vsknk084sn02q', 'nonsense', '%00']) {
      expectProblem(await undo(unknown), 'not_found');
    }
  });
});

describe('the resolution of an incident that counts have opened', async () => {
  const service = await startTestService();
  const burst = { type: 'core', source: 'reactor', severity: 'CRITICAL', message: 'Melting' };

  it('refuses to undo a resolution once a newer incident has the same cause', async () => {
    const user = await service.signUp();
    const { ingest } = await user.createProject();
    await ingest.post('/ingest/events', burst);
    await service.settled();
    const [{ id }] = (await user.api.get('/incidents')).body;
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await service.settled();
    await ingest.post('/ingest/events', burst);
    await service.settled();
    expect((await user.api.get('/incidents?status=open')).body).toHaveLength(1);
    const answer = await user.api.post(`/incidents/${id}/undo-resolve`);
    expectProblem(answer, 'invalid_transition');
    expect(answer.body.detail).toBe('A newer incident has the same cause: continue there.');
  });

  it('continues an incident with the next alarm of its series once its resolution is undone', async () => {
    const user = await service.signUp();
    const { id: projectId, ingest } = await user.createProject();
    await ingest.post('/ingest/events', burst);
    await service.settled();
    const [{ id, evidence }] = (await user.api.get('/incidents')).body;
    const organization = toUuid('org', user.organizationId) ?? '';
    const project = toUuid('proj', projectId) ?? '';
    const findOngoing = () =>
      findOngoingOf(service.database.pool, organization, project, {
        series: evidence.series,
        rules: [evidence.rule],
        exceptNumbers: [],
      });
    // An alarm that is open continues by its number.
    expect(await findOngoing()).toBeNull();
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    expect(await findOngoing()).toBeNull();
    await user.api.post(`/incidents/${id}/undo-resolve`);
    expect(await findOngoing()).toMatchObject({ id: toUuid('inc', id) });
  });
});
