import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { readAll } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { signUpWithWebhook } from '../support/webhook-target.ts';
import { settleEndedSilences } from '../support/worker-rounds.ts';

const clock = new TestClock();
const service = await startTestService({ clock, environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(clock.now() + hours * HOUR_MS).toISOString();

async function silence(user: TestUser, body: object = {}) {
  const created = await user.api.post('/silences', { until: inHours(1), ...body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body;
}

const notesOf = async (user: TestUser, id: string): Promise<string[]> =>
  (await user.api.get(`/incidents/${id}/timeline`)).body.flatMap(
    ({ note }: { note: string | null }) => note ?? [],
  );
const silenceOf = async (user: TestUser, id: string) =>
  (await user.api.get('/silences?state=all')).body.find((each: { id: string }) => each.id === id);
const settled = async (id: string) => {
  await settleEndedSilences(service);
  await waitFor('the end of the silence', async () => {
    const { rows } = await service.database.pool.query<{ isSettled: boolean }>(
      'SELECT settled_at IS NOT NULL AS "isSettled" FROM silences WHERE id = $1',
      [toUuid('sil', id)],
    );
    return rows[0]?.isSettled === true;
  });
};

describe('while a silence goes on', () => {
  it('opens a silenced incident without a message, and records the silence in the timeline and the decisions', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const { id } = await silence(user, { projectId: project.id, reason: 'Load test' });
    const silenced = await user.openIncident(project.id);
    const other = await user.createProject('Blog');
    const heard = await user.openIncident(other.id);
    await webhook.arrived(1);
    expect(webhook.incidentIds()).toEqual([heard]);
    const [note] = await notesOf(user, silenced);
    expect(note).toMatch(/^Silenced by Ada Lovelace until \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC: Load test$/);
    const { body: decided } = await user.api.get(`/incidents/${silenced}/notification-decisions`);
    expect(decided).toMatchObject([
      { change: 'opened', decisions: [{ decision: 'silenced', reason: note }] },
    ]);
    expect((await user.api.get(`/incidents/${silenced}/deliveries`)).body).toEqual([]);
    await user.api.patch(`/incidents/${silenced}`, { severity: 'critical' });
    expect(await notesOf(user, silenced)).toHaveLength(1);
    expect(await silenceOf(user, id)).toMatchObject({ matched: 1, state: 'active', endedAt: null });
  });

  it('records a silence in the timeline even without targets', async () => {
    const user = await service.signUp();
    const { id: projectId } = await user.createProject();
    await silence(user);
    const id = await user.openIncident(projectId);
    expect((await notesOf(user, id))[0]).toMatch(/^Silenced by Ada Lovelace until .* UTC\.$/);
  });

  it('sends an incident that becomes worse than the silenced severity', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const { id } = await silence(user, { severity: 'error' });
    const incident = await user.openIncident(project.id);
    await user.api.patch(`/incidents/${incident}`, { severity: 'critical' });
    await webhook.arrived(1);
    await user.api.delete(`/silences/${id}`);
    await settled(id);
    await user.api.patch(`/incidents/${incident}`, { status: 'resolved' });
    await webhook.arrived(2);
    expect(webhook.types()).toEqual(['incident.opened', 'incident.resolved']);
  });

  it('sends the resolution of an incident that was announced before the silence', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const incident = await user.openIncident(project.id);
    await webhook.arrived(1);
    const { matched } = await silence(user, { projectId: project.id });
    expect(matched).toBe(1);
    await user.api.patch(`/incidents/${incident}`, { status: 'resolved' });
    await webhook.arrived(2);
    expect(webhook.received.at(-1)?.type).toBe('incident.resolved');
  });

  it('covers groups by their type, and leaves other groups', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service, {
      route: { changes: ['group_new'] },
    });
    const { id } = await silence(user, { projectId: project.id, type: 'server_error' });
    const failure = {
      status_code: 500,
      path: '/pay',
      method: 'POST',
      error_message: 'TypeError: x is undefined',
    };
    await project.ingest.post('/ingest/server-error', failure);
    await waitFor('the group', async () => (await silenceOf(user, id)).matched === 1);
    expect(webhook.received).toEqual([]);
    const { body: groups } = await user.api.get(`/groups?project_id=${project.id}`);
    const ofGroup = await silence(user, { groupId: groups[0].id });
    expect(ofGroup).toMatchObject({ projectId: project.id, groupId: groups[0].id });
  });
});

describe('the silences of an incident or a group', () => {
  it('lists the active silences that cover an incident or a group at present', async () => {
    const { user, project } = await signUpWithWebhook(service);
    const incident = await user.openIncident(project.id);
    const other = await user.openIncident((await user.createProject('Blog')).id);
    const ended = await silence(user, { projectId: project.id });
    await user.api.delete(`/silences/${ended.id}`);
    const ofErrors = await silence(user, { projectId: project.id, severity: 'error' });
    const ofType = await silence(user, { type: 'checkout' });
    const all = await silence(user);
    const covering = async (id: string) =>
      (await user.api.get(`/silences?covers=${id}`)).body.map((each: { id: string }) => each.id);
    expect(await covering(incident)).toEqual([all.id, ofErrors.id]);
    expect(await covering(other)).toEqual([all.id]);
    await user.api.patch(`/incidents/${incident}`, { severity: 'critical' });
    expect(await covering(incident)).toEqual([all.id]);
    const event = { type: 'checkout', severity: 'ERROR', message: 'The card was refused' };
    await project.ingest.post('/ingest/events', event);
    await service.settled();
    const { body: groups } = await user.api.get(`/groups?project_id=${project.id}`);
    expect(await covering(groups[0].id)).toEqual([all.id, ofType.id, ofErrors.id]);
    for (const id of ['inc_01h455vb4pex5vsknk084sn02q', 'grp_nobody', 'sil_nobody', 'x'])
      expectProblem(await user.api.get(`/silences?covers=${id}`), 'not_found');
    const stranger = await service.signUp();
    expectProblem(await stranger.api.get(`/silences?covers=${incident}`), 'not_found');
  });
});

describe('the end of a silence', () => {
  it('sends each unresolved incident once at the end of a silence, and nothing about the others', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const { id } = await silence(user, { projectId: project.id });
    const open = await user.openIncident(project.id);
    const over = await user.openIncident(project.id);
    await user.api.patch(`/incidents/${open}`, { severity: 'critical' });
    await user.api.patch(`/incidents/${over}`, { status: 'resolved' });
    const ended = await user.api.delete(`/silences/${id}`);
    expect(ended).toMatchObject({
      status: 200,
      body: { id, state: 'ended', matched: 2, endedBy: { id: user.id, name: 'Ada Lovelace' } },
    });
    await settled(id);
    await webhook.arrived(1);
    const after = await user.openIncident(project.id);
    await webhook.arrived(2);
    expect(webhook.incidentIds()).toEqual([open, after]);
    expect(webhook.received[0]).toMatchObject({
      type: 'incident.opened',
      data: { incident: { severity: 'critical' } },
    });
  });

  it('ends a silence by its time, too', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const { id } = await silence(user, { projectId: project.id });
    const incident = await user.openIncident(project.id);
    clock.advance(HOUR_MS);
    // By the loop of the worker; the others do not wait for it.
    service.wake('silences');
    await webhook.arrived(1);
    expect(webhook.incidentIds()).toEqual([incident]);
    expect(await silenceOf(user, id)).toMatchObject({ state: 'ended', endedBy: null, matched: 1 });
  });

  it('leaves to another silence what that one still covers', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const first = await silence(user, { projectId: project.id });
    const second = await silence(user);
    const incident = await user.openIncident(project.id);
    await user.api.delete(`/silences/${first.id}`);
    await settled(first.id);
    expect((await user.api.get(`/incidents/${incident}/deliveries`)).body).toEqual([]);
    await user.api.delete(`/silences/${second.id}`);
    await settled(second.id);
    await webhook.arrived(1);
    expect(webhook.incidentIds()).toEqual([incident]);
  });

  it('says that a silence matched nothing, and keeps an ended silence unchanged', async () => {
    const user = await service.signUp();
    const { id } = await silence(user);
    const answers = await Promise.all(Array.from({ length: 4 }, () => user.api.delete(`/silences/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.endedAt)).size).toBe(1);
    for (const { body } of answers) expect(body).toMatchObject({ matched: 0, state: 'ended' });
    const { body: audit } = await user.api.get('/organizations/audit');
    const actions = audit.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action.startsWith('silence.'))).toEqual([
      'silence.ended',
      'silence.created',
    ]);
    expect((await user.api.get('/silences')).body).toEqual([]);
    expect((await user.api.get('/silences?state=ended')).body).toMatchObject([{ id }]);
  });
});

describe('the endpoints of silences', () => {
  it('silences a project for minutes with a token of the scope silences, which allows nothing else', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const pipeline = await user.createToken('silences');
    const before = clock.now();
    const path = `/projects/${project.id}/silences`;
    const created = await pipeline.post(path, { minutes: 30, reason: ' Deploy ' });
    expect(created).toMatchObject({
      status: 201,
      body: {
        projectId: project.id,
        reason: 'Deploy',
        learn: true,
        state: 'active',
        createdBy: { id: user.id },
      },
    });
    const lengthMs = Date.parse(created.body.until) - before;
    expect(lengthMs).toBeGreaterThanOrEqual(30 * 60_000);
    expect(lengthMs).toBeLessThan(31 * 60_000);
    expectProblem(await pipeline.get('/silences'), 'insufficient_scope');
    expectProblem(await pipeline.get('/projects'), 'insufficient_scope');
    expect((await pipeline.delete(`/silences/${created.body.id}`)).status).toBe(200);
    const [reader, writer] = [await user.createToken('read'), await user.createToken('write')];
    expectProblem(await reader.post(path, { minutes: 30 }), 'insufficient_scope');
    expect((await writer.post(path, { minutes: 30 })).status).toBe(201);
    expect((await reader.get('/silences')).body).toHaveLength(1);
  });

  it('lets members create and end silences', async () => {
    const user = await service.signUp();
    const member = await user.addMember();
    const { id } = await silence(member, { reason: null });
    expect((await member.api.delete(`/silences/${id}`)).status).toBe(200);
  });

  it('refuses an invalid silence, and names the field', async () => {
    const user = await service.signUp();
    const [project, other] = [await user.createProject(), await user.createProject('Blog')];
    await other.ingest.post('/ingest/server-error', {
      status_code: 500,
      path: '/pay',
      method: 'POST',
      error_message: 'TypeError: x is undefined',
    });
    const listGroups = async () => (await user.api.get(`/groups?project_id=${other.id}`)).body;
    await waitFor('a group', async () => (await listGroups()).length > 0);
    const groups = await listGroups();
    const job = { slug: 'job', name: 'Job', intervalSeconds: 3_600 };
    const { body: schedule } = await user.api.post(`/projects/${project.id}/schedules`, job);
    for (const [body, pointer] of [
      [{}, '/until'],
      [{ until: 'tomorrow' }, '/until'],
      [{ until: inHours(-1) }, '/until'],
      [{ until: inHours(30 * 24 + 1) }, '/until'],
      [{ until: inHours(7 * 24 + 1), learn: false }, '/learn'],
      [{ until: inHours(1), learn: false, correlation: 'tenant=acme' }, '/learn'],
      [{ until: inHours(1), learn: false, groupId: groups[0].id }, '/learn'],
      [{ until: inHours(1), learn: false, scheduleId: schedule.id, projectId: project.id }, '/learn'],
      [{ until: inHours(1), scheduleId: 'sch_x' }, '/scheduleId'],
      [{ until: inHours(1), severity: 'fatal' }, '/severity'],
      [{ until: inHours(1), type: '' }, '/type'],
      [{ until: inHours(1), correlation: 'tenant' }, '/correlation'],
      [{ until: inHours(1), correlation: '=acme' }, '/correlation'],
      [{ until: inHours(1), correlation: 'tenant=' }, '/correlation'],
      [{ until: inHours(1), reason: 'x'.repeat(501) }, '/reason'],
      [{ until: inHours(1), projectId: project.id, groupId: groups[0].id }, '/groupId'],
    ] as const) {
      const answer = await user.api.post('/silences', body);
      expectProblem(answer, 'validation_failed');
      expect(answer.body.errors[0].pointer, JSON.stringify(body)).toBe(pointer);
    }
    const path = `/projects/${project.id}/silences`;
    for (const body of [{}, { minutes: 0 }, { minutes: 43_201 }, { minutes: 1.5 }, { minutes: '30' }])
      expectProblem(await user.api.post(path, body), 'validation_failed');
    expect((await user.api.post(path, { minutes: 10_080, learn: false })).body.learn).toBe(false);
    expectProblem(await user.api.post(path, { minutes: 10_090, learn: false }), 'validation_failed');
    expect((await user.api.post(path, { minutes: 43_200 })).status).toBe(201);
  });

  it('hides silences from other organizations', async () => {
    const { user, project } = await signUpWithWebhook(service);
    const { id } = await silence(user, { projectId: project.id });
    const { user: stranger, project: own, webhook } = await signUpWithWebhook(service);
    expect((await stranger.api.get('/silences?state=all')).body).toEqual([]);
    expectProblem(await stranger.api.delete(`/silences/${id}`), 'not_found');
    expectProblem(await stranger.api.delete('/silences/nonsense'), 'not_found');
    expectProblem(await stranger.api.post(`/projects/${project.id}/silences`, { minutes: 1 }), 'not_found');
    expectProblem(await stranger.api.get(`/silences?project_id=${project.id}`), 'not_found');
    for (const body of [{ projectId: project.id }, { groupId: 'grp_01h455vb4pex5vsknk084sn02q' }])
      expectProblem(await stranger.api.post('/silences', { until: inHours(1), ...body }), 'not_found');
    await silence(user);
    const incident = await stranger.openIncident(own.id);
    await webhook.arrived(1);
    expect(webhook.incidentIds()).toEqual([incident]);
  });

  it('limits the number of active silences, and lists silences in pages', async () => {
    const user = await service.signUp();
    for (let index = 0; index < 20; index++)
      await Promise.all(Array.from({ length: 10 }, () => silence(user)));
    const more = { until: inHours(1) };
    expectProblem(await user.api.post('/silences', more), 'limit_reached');
    const ids = (await readAll(user.api, '/silences?limit=150')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(200);
    await user.api.delete(`/silences/${ids[0]}`);
    expect((await user.api.post('/silences', more)).status).toBe(201);
  });
});
