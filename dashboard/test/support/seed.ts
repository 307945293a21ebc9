import type { TestService, TestUser } from './browser.ts';

const HOURS = 20;
const EVENT_COUNT = 360;
const HOUR_MS = 3_600_000;

export interface SeededProject {
  projectId: string;
  /** Ids of an incident of each status, created by hand (the open one has notes), and of one that Tocsin opened. */
  incidentIds: Record<'open' | 'investigating' | 'resolved' | 'risk', string>;
  /** Id of an event with a stack trace and a nested payload. */
  eventId: string;
  /** Id of its group. */
  groupId: string;
}

/** Kinds of a shop's events, with their frequency. */
const KINDS = [
  {
    weight: 20,
    type: 'order',
    severity: 'INFO',
    source: 'checkout',
    message: 'Order {n} was placed for {n} €',
  },
  { weight: 12, type: 'login', severity: 'INFO', source: 'accounts', message: 'Customer {n} logged in' },
  { weight: 6, type: 'slow_query', severity: 'WARN', source: 'catalogue', message: 'Query took {n} ms' },
  {
    weight: 3,
    type: 'stock',
    severity: 'WARN',
    source: 'warehouse',
    message: 'Only {n} pieces left of item {n}',
  },
  {
    weight: 2,
    type: 'checkout',
    severity: 'ERROR',
    source: 'checkout',
    message: 'Card was declined for order {n}',
  },
  { weight: 1, type: 'mail', severity: 'ERROR', message: 'No answer of mail-{n}.example.com after {n} s' },
] as const;
const BY_WEIGHT = KINDS.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));

const STACK = `TypeError: Cannot read properties of undefined (reading 'total')
    at priceOf (/srv/shop/src/basket.ts:42:17)
    at checkout (/srv/shop/src/checkout.ts:108:9)
    at Layer.handle (/srv/shop/node_modules/express/lib/router/layer.js:95:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`;

/** Replaces a text of the seed, as written by a person or an application. */
export type Write = (text: string) => string;

/** Seeds a shop after a working day: three members, two projects, a few hundred events of the last hours, incidents in all states. */
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

  const nowMs = service.context.clock.now();
  const events = Array.from({ length: EVENT_COUNT }, (_, index) => toEvent(index, nowMs, write));
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

  await addNotifications(user, projectId, ['On call', 'Operations of the shop'].map(write));

  const { body: failed } = await user.api.get('/events?type=server_error&limit=1');
  return {
    projectId,
    incidentIds: { open, investigating, resolved, risk: risky.id },
    eventId: failed[0].id,
    groupId: failed[0].groupId,
  };
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

function toEvent(index: number, nowMs: number, write: Write) {
  const { type, severity, message, ...kind } = BY_WEIGHT[(index * 17) % BY_WEIGHT.length] ?? KINDS[0];
  const number = 1000 + ((index * 37) % 613);
  return {
    type: write(type),
    severity,
    message: write(message).replaceAll('{n}', String(number)),
    ...('source' in kind && { source: write(kind.source) }),
    correlation: { order_id: `ord_${number % 90}`, [write('user_id')]: number % 40 },
    payload: {
      order: { id: number, items: [{ sku: `A-${number % 7}`, count: 2 }], paid: index % 3 > 0 },
      [write('coupon')]: null,
    },
    release: `4.${index % 3}.0`,
    capturedAt: new Date(nowMs - (HOURS * HOUR_MS * index) / EVENT_COUNT).toISOString(),
  };
}

function serverError(order: number, write: Write) {
  return {
    status_code: 500,
    path: write(`/orders/${order}/checkout`),
    method: 'POST',
    error_message: `${write("Cannot read properties of undefined (reading 'total')")} of order ${order}`,
    stack: STACK.replaceAll(/priceOf|basket|total/g, (word) => write(word)),
    correlation: { order_id: `ord_${order}`, service: write('checkout') },
    release: '4.2.0',
  };
}

function critical(write: Write) {
  return {
    type: write('database'),
    severity: 'CRITICAL',
    source: write('warehouse'),
    message: write('The replica lags 90 s behind'),
    correlation: { host: write('db-2') },
    release: write('4.3.0'),
    payload: { lagSeconds: 90 },
  };
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
