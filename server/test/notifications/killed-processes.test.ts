import { rm } from 'node:fs/promises';
import { Random } from '@tocsin/simulation/random';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { clientOf } from '../support/exactly-once.ts';
import { BUILD_TIMEOUT_MS, buildServer, type RunningProgram, startProgram } from '../support/program.ts';
import { longForm, rounds } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { startWebhookTarget, type WebhookTarget } from '../support/webhook-target.ts';

/*
 * Two processes with all roles on one database are killed by SIGKILL, while incidents open, get worse and are resolved, each
 * at a moment of its own. In the long form the leases of killed processes run out by the real clock.
 */
const PROJECTS = rounds(2, 4);
const TEST_TIMEOUT_MS = scaled(300_000);
const SEED = 17;

/** Target states of the incidents of a round; a title is that of one incident in each project. */
interface Step {
  title: string;
  severity: 'error' | 'critical';
  status: 'open' | 'resolved';
  /**
   * Both processes are killed when a target has received a message, before its answer or right after it; or one of them some
   * time after the first change.
   */
  kill: 'received' | 'answered' | 'meanwhile';
}

const ALL_STEPS: Step[] = [
  { title: 'first', severity: 'error', status: 'open', kill: 'received' },
  { title: 'first', severity: 'critical', status: 'open', kill: 'meanwhile' },
  { title: 'first', severity: 'critical', status: 'resolved', kill: 'answered' },
  { title: 'second', severity: 'error', status: 'open', kill: 'meanwhile' },
  { title: 'second', severity: 'critical', status: 'open', kill: 'answered' },
  { title: 'third', severity: 'error', status: 'open', kill: 'meanwhile' },
  { title: 'second', severity: 'critical', status: 'resolved', kill: 'received' },
];
/** Steps of a run; the first three have each kind of kill. */
const STEPS = ALL_STEPS.slice(0, rounds(3, ALL_STEPS.length));
const TITLES = new Set(STEPS.map(({ title }) => title));

const database = await createTestDatabase();
const programs: RunningProgram[] = [];
const directory = await makeScratchDirectory();

beforeAll(buildServer, BUILD_TIMEOUT_MS);
afterAll(async () => {
  for (const program of programs) program.signal('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  await rm(directory, { recursive: true, force: true });
});

it(
  'sends the final state of each incident to each target, and repeats with the same webhook-id, although processes are killed',
  async () => {
    const random = new Random(SEED);
    let running: RunningProgram[] = await Promise.all([start(), start()]);
    const api = new ApiClient(running[0]?.managementUrl ?? '');
    await api.post('/auth/signup', { name: 'Ada', email: 'ada@example.com', password: 'a long password' });
    const clientAt = (program: RunningProgram) => clientOf(program, api.cookie);
    const webhooks: WebhookTarget[] = [];
    const places: { projectId: string; targetId: string; webhook: WebhookTarget }[] = [];
    for (let index = 0; index < PROJECTS; index++) {
      const webhook = await startWebhookTarget();
      webhooks.push(webhook);
      const { body: project } = await api.post('/projects', { name: `Project ${index}` });
      const { body: target } = await api.post('/notification-targets', {
        kind: 'webhook',
        name: `Target ${index}`,
        config: { url: webhook.url },
      });
      await api.post('/notification-routes', { targetId: target.id, projectId: project.id });
      places.push({ projectId: project.id, targetId: target.id, webhook });
    }

    for (const [step, { kill, ...wanted }] of STEPS.entries()) {
      const killed =
        kill === 'meanwhile' ? running.slice(random.uniform() < 0.5 ? 0 : 1).slice(0, 1) : running;
      const isKilled = killAt(kill, killed, webhooks, random.uniform() * 300);
      const clients = running.map(clientAt);
      const changes = Promise.all(places.map(({ projectId }) => bringTo(clients, projectId, wanted)));
      await isKilled;
      if (killed.length === running.length) await endLeases();
      const left = running.filter((program) => !killed.includes(program));
      const started = await Promise.all(Array.from({ length: runningAt(step + 1) - left.length }, start));
      running = [...left, ...started];
      clients.unshift(...started.map(clientAt));
      await changes;
    }

    // A lease lasts 30 seconds, and the target of the last kill may wait for another one.
    await waitFor(
      'an empty outbox',
      async () => {
        const { rowCount } = await database.pool.query(
          `SELECT FROM deliveries WHERE state = 'pending' LIMIT 1`,
        );
        return rowCount === 0;
      },
      120_000,
    );
    const [reader = api] = running.map(clientAt);
    let repeats = 0;
    for (const { projectId, targetId, webhook } of places) {
      const { body: incidents } = await reader.get(`/incidents?project_id=${projectId}`);
      expect(incidents).toHaveLength(TITLES.size);
      for (const { id, status, severity } of incidents) {
        const received = webhook.received.filter(({ data }) => data['incident']?.id === id);
        const last = received.at(-1);
        expect([last?.data['incident'].status, last?.data['incident'].severity]).toEqual([status, severity]);
        const { body: log } = await reader.get(`/incidents/${id}/deliveries`);
        const logged = log.filter((each: { targetId: string }) => each.targetId === targetId);
        const ids = new Set(received.map((message) => message.id));
        // The log has one delivery for each message, however often it was sent.
        expect(logged.map((each: { id: string }) => each.id)).toEqual(expect.arrayContaining([...ids]));
        expect(logged.map((each: { state: string }) => each.state)).not.toContain('failed');
        repeats += received.length - ids.size;
      }
    }
    // At least the messages that were received and never answered are repeated.
    expect(repeats).toBeGreaterThan(0);
  },
  TEST_TIMEOUT_MS,
);

/** Returns how many processes run at the beginning of a step: in the short form two where one is to take over from the other. */
const runningAt = (step: number) => (longForm || STEPS[step]?.kill === 'meanwhile' ? 2 : 1);

/** Ends all leases, as half a minute later, when no process is left that could hold one. */
async function endLeases(): Promise<void> {
  if (!longForm) await database.pool.query('UPDATE notification_targets SET leased_until = now()');
}

async function start(): Promise<RunningProgram> {
  const program = await startProgram(directory, {
    environment: {
      DATABASE_URL: database.connectionString,
      ENCRYPTION_KEY: 'a-key-of-tests-that-encrypts-nothing-real',
      OUTBOUND_ALLOW: '127.0.0.1',
    },
  });
  programs.push(program);
  return program;
}

/** @returns resolves when the processes have ended */
async function killAt(
  kill: Step['kill'],
  killed: RunningProgram[],
  webhooks: WebhookTarget[],
  delayMs: number,
): Promise<void> {
  const end = () => {
    for (const webhook of webhooks) webhook.answer = (_, response) => response.end('ok');
    for (const program of killed) program.signal('SIGKILL');
  };
  if (kill === 'meanwhile') setTimeout(end, delayMs);
  for (const webhook of kill === 'meanwhile' ? [] : webhooks) {
    webhook.answer = (_, response) => {
      if (kill === 'received') end();
      else response.end('ok', end);
    };
  }
  await Promise.all(killed.map(({ ended }) => ended));
}

/** Creates the incident of a title and changes it, over and over, until it is as wanted: requests fail with their processes. */
async function bringTo(
  clients: ApiClient[],
  projectId: string,
  wanted: Pick<Step, 'title' | 'severity' | 'status'>,
): Promise<void> {
  await waitFor(
    'the incident to be as wanted',
    async () => {
      for (const client of clients) {
        try {
          const { body } = await client.get(`/incidents?project_id=${projectId}`);
          const found = body.find(({ title }: { title: string }) => title === wanted.title);
          if (!found) {
            const { title, severity } = wanted;
            await client.post('/incidents', { title, severity, projectId });
          } else if (found.severity !== wanted.severity) {
            await client.patch(`/incidents/${found.id}`, { severity: wanted.severity });
          } else if (found.status !== wanted.status) {
            await client.patch(`/incidents/${found.id}`, { status: wanted.status });
          } else {
            return true;
          }
        } catch {
          // Its process was killed or has ended: the next one answers.
        }
      }
      return false;
    },
    60_000,
  );
}
