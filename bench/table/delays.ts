import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { connect } from '../support/database.ts';
import { post } from '../support/load.ts';
import { percentile } from '../support/median.ts';
import { sendPaced } from '../support/paced.ts';
import { type BenchProject, createProject, createProjectIn, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const CALM = { rate: 1_000, watchedEach: 20 };
const UNDER_LOAD = { rate: 200, watchedEach: 4 };
/** Far more than are needed to keep the service busy. */
const LOAD_CONNECTIONS = 256;
const VISIBLE_SECONDS = 10;
const POLL_MS = 2;
/** An event was captured before it was accepted. */
const EARLIER_MS = 1_000;
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
  const visible = await measureVisible(service, project, { ...CALM, seconds: VISIBLE_SECONDS });
  log(`delays: ${visible.length} events watched until readable`);
  const loaded = await measureVisibleUnderLoad(service, project, VISIBLE_SECONDS);
  log(`delays: ${loaded.waits.length} events watched beside ${Math.round(loaded.rate)} a second`);
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
    row(`Accepted → readable at ${CALM.rate.toLocaleString('en-US')} a second`, visible, 0.5, 35),
    row('… the same', visible, 0.99, 60),
    row(`… beside ${LOAD_CONNECTIONS} connections of another project`, loaded.waits, 0.5, 250),
    row('… the same', loaded.waits, 0.99, 250),
    row('Threshold → frame at the client', all, 0.5, 300),
    row('… the same', all, 0.99, 500),
  ];
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Sends events of one project at a steady rate, and looks for some of them until they are readable. @returns the delays */
async function measureVisible(
  service: Service,
  project: BenchProject,
  { rate, watchedEach, seconds }: { rate: number; watchedEach: number; seconds: number },
): Promise<number[]> {
  const client = await connect(service.dataDirectory);
  // It is the first one that was created.
  const { rows: projects } = await client.query<{ id: string }>(
    'SELECT id FROM projects ORDER BY id LIMIT 1',
  );
  const accepted = new Map<string, { at: number; epochMs: number }>();
  const waits: number[] = [];
  const ended = AbortSignal.timeout(seconds * 1_000);
  const title = (number: number) => `Watched event ${number} of ${rate}`;
  let isSending = true;
  const polling = (async () => {
    while (isSending || accepted.size > 0) {
      const [oldest] = accepted.values();
      if (oldest) {
        const { rows } = await client.query<{ message: string }>({
          name: 'readable',
          text: `SELECT message FROM events WHERE message = ANY ($1) AND project_id = $2
            AND id >= (lpad(to_hex($3::bigint), 12, '0') || repeat('0', 20))::uuid`,
          values: [[...accepted.keys()], projects[0]?.id, oldest.epochMs - EARLIER_MS],
        });
        const now = performance.now();
        for (const { message } of rows) {
          waits.push(now - (accepted.get(message)?.at ?? now));
          accepted.delete(message);
        }
      }
      await delay(POLL_MS);
    }
  })();
  await sendPaced(
    {
      url: `${service.ingestionUrl}/ingest/events`,
      apiKey: project.apiKey,
      rate,
      bodyOf: (number) =>
        JSON.stringify({ type: 't', severity: 'INFO', source: 's', message: title(number) }),
      onAnswer: (number) => {
        if (number % watchedEach === 0)
          accepted.set(title(number), { at: performance.now(), epochMs: Date.now() });
      },
    },
    ended,
  );
  isSending = false;
  await polling;
  await client.end();
  return waits;
}

/** As above, while another project sends as fast as it is answered. */
async function measureVisibleUnderLoad(service: Service, project: BenchProject, seconds: number) {
  const noisy = await createProject(service.managementUrl);
  const url = `${service.ingestionUrl}/ingest/events`;
  const load = { url, apiKey: noisy.apiKey, body: EVENT, connections: LOAD_CONNECTIONS, seconds };
  const loading = post(load);
  const waits = await measureVisible(service, project, { ...UNDER_LOAD, seconds: seconds - 1 });
  const { rate } = await loading;
  await drain(noisy);
  return { waits, rate };
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
