import { toUuid } from '../../../server/src/platform/ids.ts';
import { anAttachedSeries, insertRiskIncident } from '../../../server/test/support/risk-incidents.ts';
import { waitFor } from '../../../server/test/support/wait.ts';
import { reviewDueSchedules } from '../../../server/test/support/worker-rounds.ts';
import type { TestService, TestUser } from './browser.ts';
import { critical, dayOfEvents, payments, serverError, type Write } from './seed-events.ts';

export interface SeededProject {
  projectId: string;
  /**
   * Ids of an incident of each status, created by hand (the open one has notes), and of those that Tocsin opened: of critical
   * events, of failed payments, and of a schedule without its check-in.
   */
  incidentIds: Record<'open' | 'investigating' | 'resolved' | 'risk' | keyof OtherIncidents, string>;
  /** Id of an event with a stack trace and a nested payload. */
  eventId: string;
  /** Id of its group. */
  groupId: string;
}

/** Seeds a shop after a working day: three members, three projects, a few hundred events of the last hours, incidents in all states. */
export async function seed(
  service: TestService,
  user: TestUser,
  write: Write = (text) => text,
): Promise<SeededProject> {
  const { id: projectId, ingest } = await user.createProject(write('Shop'));
  const staging = await user.createProject(write('Shop staging'));
  await user.api.patch(`/projects/${staging.id}`, { environment: 'staging' });
  await user.api.post(`/projects/${projectId}/api-keys`, { name: write('Warehouse') });

  const schedules = `/projects/${projectId}/schedules`;
  const nightly = {
    name: write('Nightly backup of the orders'),
    cron: '0 3 * * mon-fri',
    timeZone: 'America/New_York',
  };
  await expectStatus(201, user.api.post(schedules, nightly));
  await expectStatus(201, user.api.post(schedules, { slug: 'report', intervalSeconds: 86_400 }));
  await expectStatus(200, ingest.post('/ingest/check-ins/report'));
  for (const name of ['Grace Hopper', 'Edsger Dijkstra']) {
    const { id: userId } = await service.signUp(write(name));
    await expectStatus(201, user.api.post(`/organizations/${user.organizationId}/members`, { userId }));
  }

  await addNotifications(user, projectId, ['On call', 'Operations of the shop'].map(write));

  const nowMs = service.context.clock.now();
  const events = dayOfEvents(nowMs, write);
  await expectStatus(202, ingest.post('/ingest/bulk', events));
  await expectStatus(202, staging.ingest.post('/ingest/bulk', events.slice(0, 20)));
  for (let order = 0; order < 5; order++) {
    await expectStatus(202, ingest.post('/ingest/server-error', serverError(order, write)));
  }
  await expectStatus(202, ingest.post('/ingest/events', critical(write)));
  await service.settled();

  const risky = await user.firstIncident(projectId);
  const open = await createIncident(user, projectId, write('Customers cannot pay by card'), 'error');
  for (const note of ['The bank sees nothing unusual.', 'Rolled back to 4.2.0.\nErrors go down since.']) {
    await expectStatus(201, user.api.post(`/incidents/${open}/notes`, { note: write(note) }));
  }
  const investigating = await createIncident(user, projectId, write('Mails come late'), 'warn');
  await expectStatus(200, user.api.patch(`/incidents/${investigating}`, { status: 'investigating' }));
  const resolved = await createIncident(user, projectId, write('Warehouse unreachable'), 'critical');
  await expectStatus(200, user.api.patch(`/incidents/${resolved}`, { status: 'resolved' }));

  const { body: failed } = await user.api.get('/events?type=server_error&limit=1');
  return {
    projectId,
    incidentIds: {
      open,
      investigating,
      resolved,
      risk: risky.id,
      ...(await openOtherIncidents(service, user, write)),
    },
    eventId: failed[0].id,
    groupId: failed[0].groupId,
  };
}

interface OtherIncidents {
  payments: string;
  schedule: string;
}

/** Lets payments fail and a job miss its check-in, in a project of their own. @returns the ids of their incidents */
export async function openOtherIncidents(
  service: TestService,
  user: TestUser,
  write: Write = (text) => text,
): Promise<OtherIncidents> {
  const project = await user.createProject(write('Billing'));
  const { id: projectId, ingest } = project;
  const fromMs = service.context.clock.now();
  await expectStatus(202, ingest.post('/ingest/bulk', payments(write)));
  await service.settled();
  const series = { type: null, severity: null, source: null, fingerprint: null };
  // The detector compares shares only after hours of payments.
  const share = await insertRiskIncident(service.database.pool, project, {
    title: write('Card was declined by the bank'),
    fromMs,
    eventCount: 20,
    evidence: {
      sentence: 'Payments fail: 50% of 40 in 3 min, normally 3%.',
      rule: 'failed_payments',
      series: { ...series, kind: 'failed_payments' },
      observed: 50,
      expected: 3,
      windowSeconds: 180,
      exposure: { events: 40, failures: 20, usualShare: 0.03, isInProportion: false },
      alsoSeries: (['errors', 'events'] as const).map((kind) =>
        anAttachedSeries(fromMs, { ...series, kind }),
      ),
    },
  });
  const schedules = `/projects/${projectId}/schedules`;
  const job = { slug: 'invoices', name: write('Send the invoices'), intervalSeconds: 3_600, graceSeconds: 0 };
  const { id } = (await expectStatus(201, user.api.post(schedules, job))).body;
  await expectStatus(200, ingest.post('/ingest/check-ins/invoices'));
  await reviewDueSchedules(service);
  const dueAt = new Date(service.context.clock.now() - 1_000);
  await service.database.pool.query('UPDATE schedules SET due_at = $2, review_at = $2 WHERE id = $1', [
    toUuid('sch', id),
    dueAt,
  ]);
  await reviewDueSchedules(service);
  const find = async () => (await user.api.get(`${schedules}/${id}`)).body.incidentId as string | null;
  return { payments: share, schedule: await waitFor('the incident of the schedule', find) };
}

/** Creates targets with these names, disabled so that nothing is sent to them, and a route to the first two. */
export async function addNotifications(
  user: TestUser,
  projectId: string,
  names: readonly string[],
): Promise<void> {
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'America/Argentina/Buenos_Aires' };
  const targets: string[] = [];
  for (const name of names) {
    const config = { url: 'https://pager.example.com/hooks/tocsin' };
    const target = { kind: 'webhook', name, config, quietHours };
    const { status, body } = await user.api.post('/notification-targets', target);
    if (status !== 201) throw new Error(`Answered ${status} instead of 201: ${JSON.stringify(body)}`);
    await expectStatus(200, user.api.patch(`/notification-targets/${body.id}`, { enabled: false }));
    targets.push(body.id);
  }
  const [targetId, fallbackTargetId] = targets;
  const route = { targetId, fallbackTargetId, projectId, maxPerWeek: 2 };
  await expectStatus(201, user.api.post('/notification-routes', route));
}

async function createIncident(user: TestUser, projectId: string, title: string, severity: string) {
  const { body } = await expectStatus(201, user.api.post('/incidents', { title, severity, projectId }));
  return String(body.id);
}

/** Throws when seeding fails; seeding is a precondition and no assertion. */
export async function expectStatus<A extends { status: number; body: unknown }>(
  status: number,
  answer: Promise<A>,
) {
  const given = await answer;
  if (given.status !== status) {
    throw new Error(`Expected ${status}, was answered ${given.status}: ${JSON.stringify(given.body)}`);
  }
  return given;
}
