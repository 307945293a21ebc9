import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { median, percentile } from '../support/median.ts';
import { type BenchProject, createProject, startService } from '../support/processes.ts';
import type { Options, Row } from './row.ts';

const ORGANIZATIONS = 50;
const CLIENTS_EACH = 20;
/** Rate of all organizations together, in turn. */
const INCIDENTS_A_SECOND = 20;
/** A frame that comes later is missing. */
const LIMIT_MS = 5_000;
const OPENED_AT_ONCE = 50;

interface Incident {
  project: string;
  sentAt: number;
  /** Delays by client. */
  frames: Map<number, number>;
}

/** Frames that the clients have received. */
class ReceivedFrames {
  readonly incidents = new Map<string, Incident>();
  wrong = 0;
  double = 0;

  /** A frame for a client of an organization, which has this one project. */
  take(client: number, ownProject: string, text: string): void {
    // The service of the same commit sends what it documents.
    const { event, data } = JSON.parse(text) as { event: string; data: { projectId: string; title: string } };
    if (event !== 'incident_created') return;
    const incident = this.incidents.get(data.title);
    if (!incident || incident.project !== ownProject || data.projectId !== ownProject) this.wrong++;
    else if (incident.frames.has(client)) this.double++;
    else incident.frames.set(client, performance.now() - incident.sentAt);
  }
}

/** Incidents of 50 organizations, created over HTTP, and their frames at all clients of each. */
export async function measureFanOut({ rounds, seconds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const projects: BenchProject[] = [];
  for (let index = 0; index < ORGANIZATIONS; index++)
    projects.push(await createProject(service.managementUrl));
  const received = new ReceivedFrames();
  const sockets = await openSockets(service.managementUrl, projects, received);
  const [p50s, p99s]: number[][] = [[], []];
  let expected = 0;
  let arrived = 0;
  let longestMs = 0;
  for (let round = 0; round < rounds; round++) {
    received.incidents.clear();
    await createIncidents(service.managementUrl, projects, received, { round, seconds });
    const incidents = [...received.incidents.values()];
    const isComplete = () => incidents.every(({ frames }) => frames.size === CLIENTS_EACH);
    for (let waitedMs = 0; waitedMs < LIMIT_MS && !isComplete(); waitedMs += 10) await delay(10);
    const delays = incidents.flatMap(({ frames }) => [...frames.values()]);
    expected += incidents.length * CLIENTS_EACH;
    arrived += delays.length;
    p50s?.push(percentile(delays, 0.5));
    p99s?.push(percentile(delays, 0.99));
    longestMs = delays.reduce((longest, one) => Math.max(longest, one), longestMs);
    log(
      `fan-out: ${delays.length} frames, p50 ${p50s?.at(-1)?.toFixed(1)}, p99 ${p99s?.at(-1)?.toFixed(1)} ms`,
    );
  }
  for (const socket of sockets) socket.terminate();
  await service.stop();
  const clients = `${(ORGANIZATIONS * CLIENTS_EACH).toLocaleString('en-US')} clients of ${ORGANIZATIONS} organizations`;
  return [
    {
      what: `WebSocket: ${clients}, request → frame, p50`,
      value: median(p50s ?? []),
      unit: 'ms',
      bar: null,
      detail: `${INCIDENTS_A_SECOND} incidents a second; the clients are one process on the same cores`,
    },
    {
      what: '… p99',
      value: median(p99s ?? []),
      unit: 'ms',
      bar: { atMost: 40 },
      detail: `median of ${rounds} rounds, longest of all frames ${longestMs.toFixed(0)} ms`,
    },
    {
      what: '… frames of another organization, double or missing',
      value: received.wrong + received.double + expected - arrived,
      unit: '',
      bar: { atMost: 0 },
      detail: `${received.wrong}, ${received.double} and ${expected - arrived} of ${expected.toLocaleString('en-US')}`,
    },
  ];
}

async function openSockets(
  managementUrl: string,
  projects: BenchProject[],
  received: ReceivedFrames,
): Promise<WebSocket[]> {
  const clients = projects.flatMap((project) => Array.from({ length: CLIENTS_EACH }, () => project));
  const sockets: WebSocket[] = [];
  for (let first = 0; first < clients.length; first += OPENED_AT_ONCE) {
    const opening = clients.slice(first, first + OPENED_AT_ONCE).map(async ({ id, cookie }, index) => {
      const socket = new WebSocket(`${managementUrl.replace('http', 'ws')}/ws`, { headers: { cookie } });
      socket.on('message', (data: Buffer) => received.take(first + index, id, data.toString()));
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      sockets.push(socket);
    });
    await Promise.all(opening);
  }
  return sockets;
}

/** At a steady pace, each in the next organization, whether the answers come or not. */
async function createIncidents(
  managementUrl: string,
  projects: BenchProject[],
  received: ReceivedFrames,
  { round, seconds }: { round: number; seconds: number },
): Promise<void> {
  const requests: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < seconds * INCIDENTS_A_SECOND; number++) {
    const early = startedAt + (number * 1_000) / INCIDENTS_A_SECOND - performance.now();
    if (early > 0) await delay(early);
    const project = projects[number % projects.length];
    if (!project) throw new Error('There is no project.');
    const title = `Incident ${number} of round ${round}`;
    received.incidents.set(title, { project: project.id, sentAt: performance.now(), frames: new Map() });
    requests.push(createIncident(managementUrl, project, title));
  }
  await Promise.all(requests);
}

export async function createIncident(
  managementUrl: string,
  { id, cookie }: Pick<BenchProject, 'id' | 'cookie'>,
  title: string,
): Promise<void> {
  const answer = await fetch(`${managementUrl}/incidents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ projectId: id, title, severity: 'error' }),
  });
  await answer.arrayBuffer();
  if (answer.status !== 201) throw new Error(`An incident was answered with ${answer.status}.`);
}
