import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { Random } from '@tocsin/simulation/random';
import { percentile } from './support/median.ts';
import { startService } from './support/processes.ts';

/*
 * How long after the event that crosses a threshold a message is accepted by its target: over intake, the queue, detection,
 * the outbox and the sending. 1,000 webhooks in 20 organizations: one takes each request and never answers, each of the
 * others answers after a time of its own. Each project has a rule (10 events in a minute), so the event that crosses is known.
 *
 * `apart`: one incident after another at random times, each sent to the 50 targets of its organization. `at once`: an incident
 * in every organization at the same time, 1,000 messages.
 */
const ORGANIZATIONS = 20;
const TARGETS = 50;
/** Incidents of each organization, one by one. A target is sent at most 10 messages of their own within 10 minutes. */
const INCIDENTS_APART = Number(process.env.INCIDENTS_APART ?? 6);
const INCIDENTS_AT_ONCE = Number(process.env.INCIDENTS_AT_ONCE ?? 3);
/** Between two incidents, exponentially distributed: the 50 messages of each take a part of it. */
const MEAN_PAUSE_MS = 1_000;
const RULE_EVENTS = 10;
/** Time that a target takes to answer, log-normal: the median, and σ of the logarithm (one in a hundred takes 520 ms and more). */
const ANSWER_MEDIAN_MS = 80;
const ANSWER_SIGMA = 0.8;
const SEED = Number(process.env.SEED ?? 1);
const BAR_MS = 3_000;
const LIMIT_MS = 120_000;

interface Organization {
  cookie: string;
  /** Without an incident so far, to be used one after the other. */
  projects: { id: string; apiKey: string }[];
}

interface Part {
  name: string;
  /** By the id of the project: when the request that crosses the threshold was sent. */
  crossedAt: Map<string, number>;
  /** From the crossing to the answer of the target. */
  elapsedMs: number[];
  /** From the crossing to the arrival of the first message of each incident. */
  firstMs: Map<string, number>;
}

const random = new Random(SEED);
const deadPath = '/0/0';
let part: Part = createPart('');
let deadRequests = 0;
const accepted = new Set<string>();
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (piece: Buffer) => (body += piece.toString()));
  request.on('end', () => {
    if (request.url === deadPath) {
      deadRequests++;
      return;
    }
    setTimeout(() => response.end('ok', () => record(body, request.url ?? '')), answerMs());
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const service = await startService({ environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
process.once('uncaughtException', (error) => {
  console.error(error);
  process.exit(1);
});
const setUpAt = performance.now();
const organizations: Organization[] = [];
for (let index = 0; index < ORGANIZATIONS; index++) organizations.push(await setUp(index));
console.log(
  `${cpus().length} × ${cpus()[0]?.model}, all roles in one process; ${ORGANIZATIONS * TARGETS} webhooks in ` +
    `${ORGANIZATIONS} organizations; one never answers (set up in ${seconds(setUpAt)} s)`,
);

const apart = createPart('apart');
part = apart;
const order = Array.from({ length: INCIDENTS_APART * ORGANIZATIONS }, (_, index) => index % ORGANIZATIONS);
for (const index of shuffle(order)) {
  await cross(organizations[index]);
  await pause(-Math.log(1 - random.uniform()) * MEAN_PAUSE_MS);
}
await allAccepted();
report(apart);

const atOnce = createPart('at once');
part = atOnce;
for (let round = 1; round <= INCIDENTS_AT_ONCE; round++) {
  await Promise.all(organizations.map((organization) => cross(organization)));
  await allAccepted();
  await pause(MEAN_PAUSE_MS);
}
report(atOnce);

console.log(`the target that never answers was sent ${deadRequests} requests`);
await service.stop();
receiver.close();
receiver.closeAllConnections();
if (percentile(apart.elapsedMs, 0.99) > BAR_MS) {
  console.log(`p99 is over ${BAR_MS} ms`);
  process.exitCode = 1;
}

function createPart(name: string): Part {
  return { name, crossedAt: new Map(), elapsedMs: [], firstMs: new Map() };
}

async function setUp(index: number): Promise<Organization> {
  const { cookie } = await call('POST', '/auth/signup', '', {
    name: 'Bench',
    email: `bench-${randomUUID()}@example.com`,
    password: 'a long password',
  });
  for (let target = 0; target < TARGETS; target++) {
    const config = { url: `${receiverUrl}/${index}/${target}` };
    const created = await call('POST', '/notification-targets', cookie, {
      kind: 'webhook',
      name: `Target ${target}`,
      config,
    });
    await call('POST', '/notification-routes', cookie, {
      targetId: created.body.id,
      changes: ['opened'],
      minSeverity: 'info',
    });
  }
  const projects = [];
  for (let count = 0; count < INCIDENTS_APART + INCIDENTS_AT_ONCE; count++) {
    const { body } = await call('POST', '/projects', cookie, {
      name: `Project ${count}`,
    });
    const rule = { type: null, severity: null, source: null, events: RULE_EVENTS, minutes: 1 };
    await call('PUT', `/projects/${body.id}/risk`, cookie, { rules: [rule], newKinds: false });
    projects.push({ id: body.id, apiKey: body.apiKey });
  }
  return { cookie, projects };
}

/** Sends as many events as the rule of a project asks for, the last one by itself. */
async function cross(organization: Organization | undefined): Promise<void> {
  const project = organization?.projects.pop();
  if (!project) throw new Error('An organization has no project left.');
  for (let count = 1; count < RULE_EVENTS; count++) await send(project.apiKey);
  part.crossedAt.set(project.id, performance.now());
  await send(project.apiKey);
}

async function send(apiKey: string): Promise<void> {
  const response = await fetch(`${service.ingestionUrl}/ingest/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ type: 'checkout', severity: 'INFO', message: 'Order 48213 was paid' }),
  });
  await response.arrayBuffer();
  if (response.status !== 202) throw new Error(`An event was answered ${response.status}.`);
}

function record(body: string, path: string): void {
  // The service of the same commit sends its documented form.
  const { data } = JSON.parse(body) as { data: { project: { id: string } } };
  const projectId = data.project.id;
  const crossedAt = part.crossedAt.get(projectId);
  // Sent at least once: the first time counts.
  if (crossedAt === undefined || accepted.has(`${projectId} ${path}`)) return;
  accepted.add(`${projectId} ${path}`);
  const elapsedMs = performance.now() - crossedAt;
  part.elapsedMs.push(elapsedMs);
  if (!part.firstMs.has(projectId)) part.firstMs.set(projectId, elapsedMs);
}

/** Waits until the targets that answer have accepted all messages. */
async function allAccepted(): Promise<void> {
  const startedAt = performance.now();
  while (part.elapsedMs.length < expected()) {
    if (performance.now() - startedAt > LIMIT_MS)
      throw new Error(`Of ${expected()} messages ${part.elapsedMs.length} were accepted.`);
    await pause(20);
  }
}

function expected(): number {
  const dead = organizations[0]?.projects.length ?? 0;
  const used = INCIDENTS_APART + INCIDENTS_AT_ONCE - dead;
  const ofDead = part === apart ? used : used - INCIDENTS_APART;
  return part.crossedAt.size * TARGETS - ofDead;
}

function report({ name, crossedAt, elapsedMs, firstMs }: Part): void {
  const show = (values: number[], share: number) => `${Math.round(percentile(values, share))} ms`;
  console.log(
    `${name}: ${crossedAt.size} incidents, ${elapsedMs.length} messages; from the event that crosses to the message accepted: ` +
      `p50 ${show(elapsedMs, 0.5)}, p99 ${show(elapsedMs, 0.99)}, longest ${show(elapsedMs, 1)}; ` +
      `the first message of an incident: p50 ${show([...firstMs.values()], 0.5)}, longest ${show([...firstMs.values()], 1)}`,
  );
}

function answerMs(): number {
  return ANSWER_MEDIAN_MS * Math.exp(ANSWER_SIGMA * random.normal());
}

function shuffle<T>(values: T[]): T[] {
  return values
    .map((value) => ({ value, at: random.uniform() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ value }) => value);
}

async function call(
  method: string,
  path: string,
  cookie: string,
  content: object,
): Promise<{ body: { id: string; apiKey: string }; cookie: string }> {
  const response = await fetch(`${service.managementUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(content),
  });
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}.`);
  // The service of the same commit answers in its documented form; these fields are read where an answer has them.
  const body = (await response.json()) as { id: string; apiKey: string };
  return { body, cookie: response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(0);
}
