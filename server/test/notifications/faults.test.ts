import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/platform/clock.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { StillClock, TestClock } from '../support/clock.ts';
import { NAUGHTY_STRINGS } from '../support/naughty-strings.ts';
import { startTestService, type TestService, type TestUser } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import {
  createRoute,
  createWebhook,
  signUpWithWebhook,
  startWebhookTarget,
  verify,
} from '../support/webhook-target.ts';
import { prepareStorm, STORM_CHANGES, STORM_INCIDENTS } from './storm.ts';

const HOUR_MS = 3_600_000;
const environment = { OUTBOUND_ALLOW: '127.0.0.1' };
const roles = ['management', 'ingestion'] as const;

// Management only: each test starts its own workers.
const clock = new TestClock();
const service = await startTestService({ environment, clock, roles: [...roles] });
const { database } = service;

const startWorker = (its: Clock = clock) =>
  startTestService({ environment, clock: its, roles: ['worker'], database });

async function signUpWithProject() {
  const user = await service.signUp();
  return { user, project: await user.createProject() };
}

const recorded = (user: TestUser, targetId: string, attempts: number) =>
  waitFor(`${attempts} attempts in the log`, async () => {
    const { body } = await user.api.get(`/notification-targets/${targetId}/deliveries`);
    return body[0]?.attempts === attempts;
  });

const nothingPending = () =>
  waitFor('an empty outbox', async () => {
    const { rowCount } = await database.pool.query(`SELECT FROM deliveries WHERE state = 'pending' LIMIT 1`);
    return rowCount === 0;
  });

async function withWorkers(count: number, work: (workers: TestService[]) => Promise<void>): Promise<void> {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker()));
  try {
    await work(workers);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

describe('deliveries under faults', () => {
  it('sends each message once with two workers at once', async () => {
    const { user, project } = await signUpWithProject();
    const webhooks = await Promise.all(Array.from({ length: 4 }, () => startWebhookTarget()));
    for (const [index, webhook] of webhooks.entries())
      await createRoute(user, (await createWebhook(user, webhook, { name: `Pager ${index}` })).id);
    await withWorkers(2, async () => {
      for (let count = 0; count < 8; count++)
        await user.openIncident(project.id, { title: `Incident ${count}` });
      for (const webhook of webhooks) await webhook.arrived(8);
      await nothingPending();
    });
    for (const { received } of webhooks) {
      expect(new Set(received.map(({ data }) => data['incident'].id)).size).toBe(8);
      expect(received).toHaveLength(8);
    }
  });

  it('sends the last state of an incident once after a time without a worker', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const id = await user.openIncident(project.id);
    await user.api.patch(`/incidents/${id}`, { severity: 'critical' });
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await withWorkers(2, async () => {
      await webhook.arrived(1);
      await nothingPending();
    });
    expect(webhook.received.map(({ type, data }) => [type, data['incident'].severity])).toEqual([
      ['incident.resolved', 'critical'],
    ]);
    const { body } = await user.api.get(`/incidents/${id}/deliveries`);
    expect(body.map((each: { state: string }) => each.state).toSorted()).toEqual([
      'collapsed',
      'collapsed',
      'delivered',
    ]);
  });

  it('repeats the message of a killed worker with the same webhook-id', async () => {
    const { user, project, webhook, targetId, secret } = await signUpWithWebhook(service);
    const id = await user.openIncident(project.id);
    // The lease lasts however long a worker takes to start. All messages are due by this clock.
    const still = new StillClock(clock.now() + HOUR_MS / 2);
    // As a worker leaves it that has sent, and was killed before it recorded the answer.
    const lease = `UPDATE notification_targets SET lease_holder = gen_random_uuid(), leased_until = $2 WHERE id = $1`;
    await database.pool.query(lease, [toUuid('ntg', targetId), new Date(still.now() + 30_000)]);
    const worker = await startWorker(still);
    const other = await startWebhookTarget();
    await createRoute(user, (await createWebhook(user, other, { name: 'Other' })).id);
    await user.openIncident(project.id, { title: 'Another' });
    await other.arrived(1);
    expect(webhook.received).toEqual([]);
    still.advance(31_000);
    await webhook.arrived(2);
    await nothingPending();
    await worker.stop();
    const log = (await user.api.get(`/incidents/${id}/deliveries`)).body as {
      id: string;
      targetId: string;
    }[];
    const message = webhook.received.find(({ data }) => data['incident'].id === id);
    expect(message?.id).toBe(log.find((each) => each.targetId === targetId)?.id);
    if (message) expect(message.headers['webhook-signature']).toMatch(/^v1,/);
    expect(secret).toMatch(/^whsec_/);
  });

  it(
    'sends four changes of hundreds of incidents in at most 12 messages, without losing one',
    async () => {
      const { user, project, webhook, targetId, secret } = await signUpWithWebhook(service);
      const storm = await prepareStorm({ pool: database.pool, clock }, user, project);
      await withWorkers(2, async () => {
        await storm();
        await waitFor('a digest', () => webhook.received.some(({ type }) => type === 'digest'), 30_000);
        clock.advance(61_000);
        await nothingPending();
      });
      expect(webhook.received.length).toBeLessThanOrEqual(12);
      for (const message of webhook.received.slice(0, 3)) verify(message, secret);
      const said = webhook.received.reduce(
        (sum, { type, data }) => sum + (type === 'digest' ? data['digest'].total : 1),
        0,
      );
      for (const { type, data } of webhook.received) {
        if (type !== 'digest') continue;
        const { listed, others, total } = data['digest'];
        expect(listed.length + others.length).toBe(Math.min(total, 1_010));
        for (const other of others)
          expect(other).toEqual({ id: expect.stringMatching(/^inc_/), status: expect.any(String) });
      }
      // An incident that was sent before may have changed again, and be in the digest as well.
      expect(said).toBeGreaterThanOrEqual(STORM_INCIDENTS);
      const { rows } = await database.pool.query(
        `SELECT state, count(*) AS count FROM deliveries WHERE target_id = $1 GROUP BY 1 ORDER BY 1`,
        [toUuid('ntg', targetId)],
      );
      expect(rows.map(({ state }) => state)).toEqual(['collapsed', 'delivered']);
      expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBeGreaterThanOrEqual(STORM_CHANGES);
    },
    scaled(120_000),
  );

  it('sends a critical incident at once during a storm of warnings that has used up its messages', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service, { route: { minSeverity: 'warn' } });
    await withWorkers(1, async () => {
      const warnings = async (count: number) => {
        const opened = Array.from({ length: count }, () =>
          user.openIncident(project.id, { title: 'Slow', severity: 'warn' }),
        );
        return await Promise.all(opened);
      };
      await warnings(10);
      await webhook.arrived(10);
      for (const digests of [1, 2]) {
        const [worsening] = await warnings(2);
        clock.advance(61_000);
        await webhook.arrived(10 + 2 * digests - 1);
        const opened = await user.openIncident(project.id, {
          title: 'Checkout is down',
          severity: 'critical',
        });
        await webhook.arrived(10 + 2 * digests);
        expect(webhook.received.at(-1)).toMatchObject({
          type: 'incident.opened',
          data: { incident: { id: opened } },
        });
        if (digests === 1) continue;
        await user.api.patch(`/incidents/${worsening}`, { severity: 'critical' });
        await webhook.arrived(15);
      }
    });
    const types = webhook.types();
    expect(types.filter((type) => type === 'digest')).toHaveLength(2);
    expect(webhook.received.at(-1)?.data['incident']).toMatchObject({ title: 'Slow', severity: 'critical' });
  });

  it('delays nothing of a working target while others never answer', async () => {
    const { user, project } = await signUpWithProject();
    const dead = await Promise.all(Array.from({ length: 20 }, () => startWebhookTarget()));
    for (const [index, webhook] of dead.entries()) {
      webhook.answer = () => {};
      await createRoute(user, (await createWebhook(user, webhook, { name: `Dead ${index}` })).id);
    }
    const working = await startWebhookTarget();
    await createRoute(user, (await createWebhook(user, working)).id);
    await withWorkers(1, async () => {
      for (let count = 0; count < 5; count++)
        await user.openIncident(project.id, { title: `Incident ${count}` });
      await working.arrived(5);
      for (const webhook of dead) webhook.stop();
    });
    await database.pool.query(`UPDATE deliveries SET state = 'dropped' WHERE state = 'pending'`);
  });

  it('disables a target that refuses twice in a row, and uses the fallback', async () => {
    const { user, project } = await signUpWithProject();
    const [gone, spare] = [await startWebhookTarget(), await startWebhookTarget()];
    gone.answer = (_, response) => response.writeHead(404).end('no such hook');
    const { id: targetId } = await createWebhook(user, gone);
    const { id: fallbackTargetId } = await createWebhook(user, spare, { name: 'Spare' });
    await createRoute(user, targetId, { fallbackTargetId });
    await withWorkers(1, async () => {
      const first = await user.openIncident(project.id, { title: 'First' });
      await spare.arrived(1);
      await user.openIncident(project.id, { title: 'Second' });
      await spare.arrived(2);
      expect(spare.received[0]?.data['incident'].id).toBe(first);
      await user.openIncident(project.id, { title: 'Third' });
    });
    expect(gone.received).toHaveLength(2);
    const [target] = (await user.api.get('/notification-targets')).body;
    expect(target).toMatchObject({
      enabled: false,
      health: {
        state: 'disabled',
        disabledReason: 'It was refused 2 times in a row (404).',
        lastFailure: 'Answered 404.',
      },
    });
    expect((await user.api.get('/service')).body.warnings).toEqual(['failing_targets']);
    await waitFor('the number of failing targets', async () => {
      const ready = await user.api.get('/readyz');
      expect(ready.status).toBe(200);
      return ready.body.failingTargets > 0;
    });
    const enabled = await user.api.patch(`/notification-targets/${targetId}`, { enabled: true });
    expect((await user.api.get('/service')).body.warnings).toEqual([]);
    expect(enabled.body).toMatchObject({ enabled: true, health: { disabledReason: null } });
  });

  it('repeats a failed message by its schedule, then sends the last state once', async () => {
    const { user, project, webhook, targetId } = await signUpWithWebhook(service);
    webhook.answer = (_, response) => response.writeHead(500).end();
    await withWorkers(1, async () => {
      const id = await user.openIncident(project.id);
      await recorded(user, targetId, 1);
      clock.advance(10_000);
      await webhook.arrived(2);
      await recorded(user, targetId, 2);
      await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
      webhook.answer = (_, response) => response.end();
      clock.advance(60_000);
      await webhook.arrived(3);
      await nothingPending();
    });
    expect(webhook.types()).toEqual(['incident.opened', 'incident.opened', 'incident.resolved']);
    expect(new Set(webhook.received.map(({ id }) => id)).size).toBe(2);
  });

  it('disables a target at which nothing has arrived for 5 days', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    webhook.answer = (_, response) => response.writeHead(503).end();
    await withWorkers(1, async () => {
      await user.openIncident(project.id);
      await waitFor('the failure', async () => {
        const [target] = (await user.api.get('/notification-targets')).body;
        return target.health.failingSince !== null;
      });
      clock.advance(121 * HOUR_MS);
      await waitFor('the target to be disabled', async () => {
        const [target] = (await user.api.get('/notification-targets')).body;
        return target.health.disabledReason === 'Nothing has arrived for 5 days.';
      });
    });
  });

  it('holds messages older than a day until an OWNER releases their present state or drops them', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    const id = await user.openIncident(project.id);
    clock.advance(25 * HOUR_MS);
    await withWorkers(1, async () => {
      await waitFor('it to be held', async () => (await user.api.get('/notifications/held')).body.held === 1);
      expect(webhook.received).toEqual([]);
      await user.api.patch(`/incidents/${id}`, { title: 'Checkout fails badly' });
      expect((await user.api.post('/notifications/held', { action: 'release' })).body).toEqual({ count: 1 });
      await webhook.arrived(1);
    });
    expect(webhook.received[0]?.data['incident'].title).toBe('Checkout fails badly');
    expect((await user.api.post('/notifications/held', { action: 'drop' })).body).toEqual({ count: 0 });
  });

  it('sends every hostile text unchanged in signed JSON', async () => {
    const { user, project, webhook, secret } = await signUpWithWebhook(service);
    const titles = NAUGHTY_STRINGS.filter((text) => {
      const length = Array.from(text.trim()).length;
      return length > 0 && length <= 200;
    });
    let sent = 0;
    await withWorkers(1, async () => {
      for (let from = 0; from < titles.length; from += 60) {
        const title = titles
          .slice(from, from + 60)
          .find((text) => !/[\p{Cc}\p{Bidi_Control}]/u.test(text.trim()));
        if (title === undefined || sent === 8) continue;
        const id = await user.openIncident(project.id, { title });
        await webhook.arrived(++sent);
        const message = webhook.received.at(-1);
        expect(message?.data['incident']).toMatchObject({ id, title: title.trim() });
        if (message) expect(() => verify({ ...message }, secret)).toThrow(/too new/);
      }
    });
    expect(sent).toBeGreaterThan(3);
  });

  it('leaves no messages of a deleted project', async () => {
    const { user, project } = await signUpWithProject();
    const webhook = await startWebhookTarget();
    await createRoute(user, (await createWebhook(user, webhook)).id, { projectId: project.id });
    await user.openIncident(project.id);
    expect((await user.api.delete(`/projects/${project.id}`)).status).toBe(204);
    await withWorkers(1, async () => {
      await nothingPending();
      await waitFor('the purge', async () => {
        await service.maintain();
        const { rows } = await database.pool.query(
          `SELECT (SELECT count(*) FROM deliveries WHERE project_id = $1) + (SELECT count(*) FROM notification_routes
            WHERE project_id = $1) + (SELECT count(*) FROM notification_changes WHERE project_id = $1) AS left`,
          [toUuid('proj', project.id)],
        );
        return Number(rows[0].left) === 0;
      });
    });
    expect(webhook.received).toEqual([]);
    expect((await user.api.get('/notification-routes')).body).toEqual([]);
  });
});
