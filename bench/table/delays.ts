import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { connect } from '../support/database.ts';
import { percentile } from '../support/median.ts';
import { type BenchProject, createProject, createProjectIn, startService } from '../support/processes.ts';
import type { Options, Row } from './row.ts';

const RATE = 1_000;
const TICK_MS = 10;
const VISIBLE_SECONDS = 10;
const WATCHED_EACH = 20;
const POLL_MS = 2;
/** Incidents of each kind; a round of the table is worth so many. */
const INCIDENTS_A_ROUND = 10;
const BURST = 20;
/** Each has a project of its own, and an organization has at most a hundred. */
const MAX_INCIDENTS = 90;

/**
 * How long an accepted event takes to be readable at 1,000 a second, and how long after the request that goes beyond what is
 * usual the frame of the incident is at the client.
 */
export async function measureDelays({ rounds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const visible = await measureVisible(service, project);
  log(`delays: ${visible.length} events watched until readable`);
  const frames = await measureFrames(service, project, Math.min(rounds * INCIDENTS_A_ROUND, MAX_INCIDENTS));
  log(`delays: ${frames.critical.length + frames.burst.length} incidents watched`);
  await service.stop();
  const row = (what: string, values: number[], share: number, atMost: number): Row => ({
    what: `${what}, ${share === 0.5 ? 'p50' : 'p99'}`,
    value: percentile(values, share),
    unit: 'ms',
    bar: { atMost },
    detail: `${values.length} samples, longest ${Math.round(Math.max(...values))} ms`,
  });
  const all = [...frames.critical, ...frames.burst];
  return [
    row(`Accepted → readable at ${RATE.toLocaleString('en-US')} a second`, visible, 0.5, 35),
    row('… the same', visible, 0.99, 60),
    row('Threshold → frame at the client', all, 0.5, 300),
    row('… the same', all, 0.99, 500),
  ];
}

type Service = Awaited<ReturnType<typeof startService>>;

async function measureVisible(service: Service, project: BenchProject): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const client = await connect(service.dataDirectory);
  const acceptedAt = new Map<string, number>();
  const waits: number[] = [];
  const sends: Promise<void>[] = [];
  const ticks = (VISIBLE_SECONDS * 1_000) / TICK_MS;
  const perTick = (RATE * TICK_MS) / 1_000;
  let isSending = true;
  const polling = (async () => {
    while (isSending || acceptedAt.size > 0) {
      if (acceptedAt.size > 0) {
        const { rows } = await client.query<{ message: string }>({
          name: 'readable',
          text: "SELECT message FROM events WHERE received_at > now() - interval '10 seconds' AND message = ANY ($1)",
          values: [[...acceptedAt.keys()]],
        });
        const now = performance.now();
        for (const { message } of rows) {
          waits.push(now - (acceptedAt.get(message) ?? now));
          acceptedAt.delete(message);
        }
      }
      await delay(POLL_MS);
    }
  })();
  const startedAt = performance.now();
  for (let tick = 0; tick < ticks; tick++) {
    const early = startedAt + tick * TICK_MS - performance.now();
    if (early > 0) await delay(early);
    for (let index = 0; index < perTick; index++) {
      const number = tick * perTick + index;
      const message = `Watched event ${number}`;
      sends.push(
        send(service.ingestionUrl, project.apiKey, agent, {
          type: 't',
          severity: 'INFO',
          source: 's',
          message,
        }).then(() => {
          if (number % WATCHED_EACH === 0) acceptedAt.set(message, performance.now());
        }),
      );
    }
  }
  await Promise.all(sends);
  isSending = false;
  await polling;
  await client.end();
  agent.destroy();
  return waits;
}

async function measureFrames(service: Service, project: BenchProject, count: number) {
  const agent = new Agent({ keepAlive: true });
  const socket = new WebSocket(`${service.managementUrl.replace('http', 'ws')}/ws`, {
    headers: { cookie: project.cookie },
  });
  const framesAt = new Map<string, number>();
  socket.on('message', (data: Buffer) => {
    // The service of the same commit sends what it documents.
    const frame = JSON.parse(data.toString()) as { event: string; data: { projectId: string } };
    if (frame.event === 'incident_created' && !framesAt.has(frame.data.projectId))
      framesAt.set(frame.data.projectId, performance.now());
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const measure = async (events: object[]) => {
    const { id, apiKey } = await createProjectIn(service.managementUrl, project.cookie, 'Watched');
    // The moments within the detector's round are all alike.
    await delay(Math.random() * 1_000);
    const sentAt = performance.now();
    for (const event of events) await send(service.ingestionUrl, apiKey, agent, event);
    const acceptedAt = events.length > 1 ? performance.now() : sentAt;
    while (!framesAt.has(id)) {
      if (performance.now() - sentAt > 30_000) throw new Error('No incident was opened within 30 seconds.');
      await delay(1);
    }
    return (framesAt.get(id) ?? 0) - acceptedAt;
  };
  const error = { type: 'failed', severity: 'ERROR', source: 'shop', message: 'The card was refused' };
  const [critical, burst]: [number[], number[]] = [[], []];
  for (let incident = 0; incident < count / 2; incident++) {
    critical.push(await measure([{ ...error, severity: 'CRITICAL' }]));
    burst.push(await measure(Array.from({ length: BURST }, () => error)));
  }
  socket.close();
  agent.destroy();
  return { critical, burst };
}

function send(url: string, apiKey: string, agent: Agent, event: object): Promise<void> {
  const body = JSON.stringify(event);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/ingest/events`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-api-key': apiKey,
        },
      },
      (answer) => {
        answer.resume();
        answer.once('end', () =>
          answer.statusCode === 202 ? resolve() : reject(new Error(`answered with ${answer.statusCode}`)),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
