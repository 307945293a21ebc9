import { expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { TestClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { createRoute, signUpWithWebhook, type WebhookTarget } from '../support/webhook-target.ts';
import { reviewDueSchedules, settleEndedSilences } from '../support/worker-rounds.ts';

const HOUR_MS = 3_600_000;
const clock = new TestClock();
const service = await startTestService({
  clock,
  environment: { OUTBOUND_ALLOW: '127.0.0.1', PUBLIC_URL: 'https://tocsin.example.com' },
});

async function setUp(...routes: string[][]) {
  const [changes, ...others] = routes;
  const { user, project, webhook, targetId } = await signUpWithWebhook(service, { route: { changes } });
  for (const other of others) await createRoute(user, targetId, { changes: other });
  const schedule = await user.api.post(`/projects/${project.id}/schedules`, {
    slug: 'job',
    name: 'Nightly `backup`',
    intervalSeconds: 3_600,
    graceSeconds: 0,
  });
  const checkIn = (status: string) => project.ingest.post('/ingest/check-ins/job', { status });
  return { user, project, webhook, schedule: schedule.body, checkIn };
}

/** Lets time pass during which the service accepts check-ins. */
async function passTime(ms: number) {
  const since = new Date(clock.now());
  clock.advance(ms);
  await service.database.pool.query(
    `INSERT INTO intake_presence (process_id, since, until, told_at)
      VALUES (gen_random_uuid(), $1, $2, clock_timestamp() - interval '1 hour')`,
    [since, new Date(clock.now())],
  );
}

const runRounds = async () => {
  await reviewDueSchedules(service);
  await settleEndedSilences(service);
};
const arrival = async (webhook: WebhookTarget, count: number) => {
  await runRounds();
  await webhook.arrived(count);
};

it('sends a missed schedule once to a target with two routes, and its recovery', async () => {
  const { user, project, webhook, schedule, checkIn } = await setUp(
    ['opened', 'worse', 'resolved'],
    ['schedule_missed'],
  );
  await passTime(HOUR_MS);
  await arrival(webhook, 1);
  await checkIn('ok');
  await arrival(webhook, 2);
  expect(webhook.types()).toEqual(['schedule.missed', 'incident.resolved']);
  const [missed, resolved] = webhook.received;
  expect(Object.keys(missed?.data ?? {}).toSorted()).toEqual([
    'facts',
    'incident',
    'lines',
    'project',
    'schedule',
    'url',
    'why',
  ]);
  const incidentId = resolved?.data['incident'].id;
  expect(missed?.data).toMatchObject({
    schedule: {
      id: schedule.id,
      slug: 'job',
      name: 'Nightly `backup`',
      status: 'failing',
      expectedAt: schedule.nextDueAt,
      incidentId,
    },
    project: { id: project.id },
    url: `https://tocsin.example.com/app/incidents/${incidentId}`,
    why: 'A route sends it: all projects, severity error or worse, schedule missed.',
  });
  const { body: decided } = await user.api.get(`/incidents/${incidentId}/notification-decisions`);
  const opening = decided.find(({ change }: { change: string }) => change === 'schedule_missed');
  expect(opening.decisions.map(({ decision }: { decision: string }) => decision)).toEqual([
    'skipped',
    'deliver',
  ]);
});

it('sends a failed schedule as an opened incident to a route without schedules', async () => {
  const { webhook, checkIn } = await setUp(['opened', 'resolved']);
  await checkIn('error');
  await arrival(webhook, 1);
  await checkIn('ok');
  await arrival(webhook, 2);
  expect(webhook.types()).toEqual(['incident.opened', 'incident.resolved']);
  expect(webhook.received[0]?.data['incident']).toMatchObject({
    title: 'Nightly `backup` failed',
    origin: 'schedule',
  });
});

it('sends nothing about a silenced schedule, and everything about another of its project', async () => {
  const { user, project, webhook, schedule, checkIn } = await setUp(['schedule_missed']);
  const other = { slug: 'other', name: 'Report', intervalSeconds: 3_600, graceSeconds: 0 };
  await user.api.post(`/projects/${project.id}/schedules`, other);
  const body = { projectId: project.id, scheduleId: schedule.id, until: new Date(clock.now() + HOUR_MS) };
  const silence = await user.api.post('/silences', body);
  expect(silence.body).toMatchObject({ projectId: project.id, scheduleId: schedule.id, type: null });
  await checkIn('error');
  await project.ingest.post('/ingest/check-ins/other', { status: 'error' });
  await arrival(webhook, 1);
  expect(webhook.received[0]?.data['schedule']).toMatchObject({ slug: 'other' });
  const { body: incidents } = await user.api.get('/incidents');
  const ofJob = incidents.find(({ scheduleId }: { scheduleId: string }) => scheduleId === schedule.id);
  const { body: covering } = await user.api.get(`/silences?covers=${ofJob.id}`);
  expect(covering).toMatchObject([{ id: silence.body.id, matched: 1 }]);
  const unknown = { ...body, scheduleId: 'sch_01h455vb4pex5vsknk084sn02q' };
  expect((await user.api.post('/silences', unknown)).status).toBe(404);
});

it('records a run missed during a silence, and sends it only at the end if it still fails', async () => {
  const { user, project, webhook, checkIn } = await setUp(['schedule_missed', 'resolved']);
  const deploy = await user.api.post(`/projects/${project.id}/silences`, { minutes: 90, reason: 'Deploy' });
  await passTime(HOUR_MS);
  await runRounds();
  const incident = await user.firstIncident(project.id);
  expect(incident).toMatchObject({ origin: 'schedule', status: 'open' });
  const { body: decided } = await user.api.get(`/incidents/${incident.id}/notification-decisions`);
  expect(decided).toMatchObject([{ change: 'schedule_missed', decisions: [{ decision: 'silenced' }] }]);
  const { body: silences } = await user.api.get('/silences?state=all');
  expect(silences).toMatchObject([{ id: deploy.body.id, matched: 1 }]);
  expect(webhook.received).toEqual([]);
  await passTime(HOUR_MS / 2);
  await arrival(webhook, 1);
  await checkIn('ok');
  await arrival(webhook, 2);
  expect(webhook.types()).toEqual(['schedule.missed', 'incident.resolved']);
});

it('sends nothing about a run that is missed and recovered within a silence', async () => {
  const { user, project, webhook, checkIn } = await setUp(['schedule_missed', 'resolved']);
  const { id } = (await user.api.post(`/projects/${project.id}/silences`, { minutes: 90 })).body;
  await checkIn('error');
  const listed = async () => (await user.api.get(`/incidents?project_id=${project.id}`)).body;
  await runRounds();
  await waitFor('the incident', async () => (await listed())[0]?.status === 'open');
  await checkIn('ok');
  await runRounds();
  await waitFor('its end', async () => (await listed())[0]?.status === 'resolved');
  await user.api.delete(`/silences/${id}`);
  await runRounds();
  await waitFor('the end of the silence', async () => {
    const { rows } = await service.database.pool.query(
      'SELECT FROM silences WHERE settled_at IS NULL AND project_id = $1',
      [toUuid('proj', project.id)],
    );
    return rows.length === 0;
  });
  await checkIn('error');
  await arrival(webhook, 1);
  expect(webhook.types()).toEqual(['schedule.missed']);
});

it('previews the failures of schedules', async () => {
  const { user, webhook, checkIn } = await setUp(['schedule_missed']);
  await checkIn('error');
  await arrival(webhook, 1);
  const { body: routes } = await user.api.get('/notification-routes');
  const { body } = await user.api.get(`/notification-routes/${routes[0].id}/preview?days=7`);
  expect(body).toMatchObject({ messages: 1, changes: 1 });
});
