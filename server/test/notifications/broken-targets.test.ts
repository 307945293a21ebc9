import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import type { Answer } from '../support/client.ts';
import { TestClock } from '../support/clock.ts';
import { startNameServer } from '../support/name-server.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { createRoute, createWebhook, startWebhookTarget } from '../support/webhook-target.ts';

const SILENT_NAMES = Array.from({ length: 10 }, (_, index) => `silent-${index}.example`);
/** Promised time until a working target receives a critical incident. */
const TOLD_WITHIN_MS = 5_000;
/** Maximum targets of an organization. */
const MAX_TARGETS = 50;
/** Maximum of them sent to at once: working ones, and failed ones. */
const MAX_WORKING = 32;
const MAX_FAILING = 16;

const names = await startNameServer({
  'healthy.example': { ipv4: ['127.0.0.1'] },
  ...Object.fromEntries(SILENT_NAMES.map((name) => [name, 'silence'] as const)),
});
const clock = new TestClock();
const service = await startTestService({
  clock,
  environment: { OUTBOUND_ALLOW: '127.0.0.1', DATABASE_POOL_SIZE: '10' },
  nameServers: [names.address],
});

/** Starts a webhook that answers nothing until it is told to. */
async function startHeldWebhook() {
  const webhook = await startWebhookTarget();
  const held: ServerResponse[] = [];
  webhook.answer = (_, response) => void held.push(response);
  const release = () => {
    webhook.answer = (_, response) => response.end();
    for (const response of held) response.end();
  };
  return { webhook, held, release };
}

/** Counts the requests that wait for an answer. On a busy machine some have ended by their time limit, and let others in. */
const underWay = (held: readonly ServerResponse[]) => held.filter(({ destroyed }) => !destroyed).length;

async function addTarget(user: TestUser, url: string, name = 'Pager'): Promise<string> {
  const { id } = await createWebhook(user, { url }, { name });
  await createRoute(user, id);
  return id;
}

/** Signs up another organization, whose target works: its webhook is reached by a name, as most are. */
async function signUpHealthy() {
  const user = await service.signUp('Grace');
  const project = await user.createProject();
  const webhook = await startWebhookTarget();
  await addTarget(user, webhook.url.replace('127.0.0.1', 'healthy.example'));
  return { user, project, webhook };
}

const openCritical = (user: TestUser, projectId: string, severity = 'critical') =>
  user.openIncident(projectId, { severity });

/**
 * Opens a critical incident, and expects that its message is delivered within the promised time, stretched to the
 * machine. By stored times of the service's clock: how long this process waits does not count.
 */
async function expectTold({ user, project, webhook }: Awaited<ReturnType<typeof signUpHealthy>>) {
  const id = await openCritical(user, project.id);
  await webhook.arrived(1);
  const toldMs = await waitFor('the end of the delivery', async () => {
    const { rows } = await service.database.pool.query<{ ms: number | null }>(
      `SELECT extract(epoch FROM d.finished_at - i.created_at)::float8 * 1000 AS ms
        FROM incidents i JOIN deliveries d ON d.subject_id = i.id WHERE i.id = $1`,
      [toUuid('inc', id)],
    );
    return rows[0]?.ms;
  });
  expect(toldMs).toBeLessThanOrEqual(scaled(TOLD_WITHIN_MS));
}

describe('targets that are broken', () => {
  it('tells a critical incident while another organization has names looked up that are never answered', async () => {
    const attacker = await service.signUp('Mallory');
    const project = await attacker.createProject();
    const targets = await Promise.all(
      SILENT_NAMES.map((name) => addTarget(attacker, `http://${name}/hook`, name)),
    );
    const healthy = await signUpHealthy();
    const tests = Promise.all(
      [...targets, ...targets].map((id) => attacker.api.post(`/notification-targets/${id}/test`)),
    );
    await openCritical(attacker, project.id);
    await waitFor('look-ups of the worker and of tests', () => new Set(names.asked).size >= 4);
    await expectTold(healthy);
    // Two at a time, of which each takes seconds: the last of ten are not done for long.
    const { rows } = await service.database.pool.query<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM deliveries d JOIN notification_targets t ON t.id = d.target_id
        WHERE t.name LIKE 'silent-%' AND d.attempts = 0`,
    );
    expect(rows[0]?.waiting).toBeGreaterThan(0);
    for (const name of SILENT_NAMES) names.answers.set(name, 'no such name');
    const statuses = (await tests).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  }, 120_000);

  it('tells a critical incident while another organization tests a target 300 times at once', async () => {
    const attacker = await service.signUp('Mallory');
    const { webhook, held, release } = await startHeldWebhook();
    const target = await addTarget(attacker, webhook.url);
    const healthy = await signUpHealthy();
    const answers: Answer[] = [];
    const tests = Array.from({ length: 300 }, async () => {
      answers.push(await attacker.api.post(`/notification-targets/${target}/test`));
    });
    await waitFor('four tests under way', () => held.length === 4);
    await expectTold(healthy);
    await waitFor('the other answers', () => answers.length + underWay(held) === tests.length);
    expect(underWay(held)).toBeLessThanOrEqual(4);
    release();
    await Promise.all(tests);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(tests.length - held.length);
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([429, 'too_many_tests']);
      expect(body.detail).toMatch(/tests (?:at a time|a minute).*Try again in \d+ seconds\./);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('tells a critical incident while the target of another organization is slow', async () => {
    const slow = await service.signUp('Mallory');
    const project = await slow.createProject();
    const { webhook, held, release } = await startHeldWebhook();
    await addTarget(slow, webhook.url);
    const healthy = await signUpHealthy();
    await openCritical(slow, project.id);
    await waitFor('a message that is not answered', () => held.length === 1);
    await expectTold(healthy);
    expect(held.every(({ writableEnded }) => !writableEnded)).toBe(true);
    release();
  });

  it('tells a critical incident while all targets of another organization are slow', async () => {
    const slow = await service.signUp('Mallory');
    const project = await slow.createProject();
    const { webhook, held, release } = await startHeldWebhook();
    for (let index = 0; index < MAX_TARGETS; index++) await addTarget(slow, webhook.url, `Pager ${index}`);
    const healthy = await signUpHealthy();
    for (let index = 0; index < 3; index++) await openCritical(slow, project.id);
    await waitFor('messages that are not answered', () => held.length >= MAX_WORKING);
    await expectTold(healthy);
    // The targets of those that have ended have failed.
    const failing = underWay(held) === held.length ? 0 : MAX_FAILING;
    expect(underWay(held)).toBeLessThanOrEqual(MAX_WORKING + failing);
    release();
    await waitFor('the messages of all targets', () => webhook.received.length >= MAX_TARGETS);
  });

  it('tells a critical incident at a target that failed while all targets of another organization fail', async () => {
    const slow = await service.signUp('Mallory');
    const project = await slow.createProject();
    const { webhook, held, release } = await startHeldWebhook();
    for (let index = 0; index < MAX_TARGETS; index++) await addTarget(slow, webhook.url, `Pager ${index}`);
    const healthy = await signUpHealthy();
    await service.database.pool.query(
      'UPDATE notification_targets SET failures = 1 WHERE organization_id = ANY ($1::uuid[])',
      [[slow, healthy.user].map(({ organizationId }) => toUuid('org', organizationId))],
    );
    for (let index = 0; index < 3; index++) await openCritical(slow, project.id);
    await waitFor('messages that are not answered', () => held.length >= MAX_FAILING);
    await expectTold(healthy);
    expect(underWay(held)).toBeLessThanOrEqual(MAX_FAILING);
    expect(underWay(held)).toBeGreaterThan(0);
    release();
  });

  it('tells a critical incident before older errors to a target that is slow with one of them', async () => {
    const user = await service.signUp();
    const project = await user.createProject();
    const { webhook, held, release } = await startHeldWebhook();
    await addTarget(user, webhook.url);
    await openCritical(user, project.id, 'error');
    await waitFor('the first message', () => held.length === 1);
    for (let index = 0; index < 3; index++) await openCritical(user, project.id, 'error');
    held[0]?.end();
    // The next turn begins with the second error, before it knows of the critical one.
    await waitFor('the second message', () => held.length === 2);
    await openCritical(user, project.id);
    clock.advance(3_000);
    held[1]?.end();
    await waitFor('the third message', () => held.length === 3);
    release();
    expect(webhook.received.map(({ data }) => data['incident'].severity)).toEqual([
      'error',
      'error',
      'critical',
    ]);
  });
});

it('counts nothing against a target while the name servers answer nothing at all', async () => {
  const { user, project, webhook } = await signUpHealthy();
  const readTarget = async () => {
    const { body } = await user.api.get('/notification-targets');
    return body[0];
  };
  names.isSilent = true;
  await openCritical(user, project.id);
  const attempted = await waitFor('an attempt', async () => {
    const { body } = await user.api.get(`/notification-targets/${(await readTarget()).id}/deliveries`);
    return body[0]?.attempts === 1 && body[0];
  });
  expect(attempted).toMatchObject({
    state: 'pending',
    reason: expect.stringContaining('its name servers do not answer'),
  });
  expect((await readTarget()).health).toMatchObject({ state: 'unused', failingSince: null });
  names.isSilent = false;
  clock.advance(60_000);
  await webhook.arrived(1);
});
