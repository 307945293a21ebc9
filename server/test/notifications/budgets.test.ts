import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { TestClock } from '../support/clock.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { signUpWithWebhook } from '../support/webhook-target.ts';
import { prepareStorm, STORM_INCIDENTS } from './storm.ts';

const DAY_MS = 86_400_000;
const environment = { OUTBOUND_ALLOW: '127.0.0.1' };

// Management only: each test starts its own workers.
const clock = new TestClock();
const service = await startTestService({ environment, clock, roles: ['management', 'ingestion'] });
const { database } = service;

async function withWorkers(work: () => Promise<void>): Promise<void> {
  const workers = await Promise.all(
    [1, 2].map(() => startTestService({ environment, clock, roles: ['worker'], database })),
  );
  try {
    await work();
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

const advanceToDigest = () => {
  const nowMs = clock.now();
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + 9 * 3_600_000;
  clock.advance((today > nowMs ? today : today + DAY_MS) - nowMs + 1_000);
};
const deferredOf = async (user: TestUser, targetId: string) =>
  (await user.api.get(`/notification-targets/${targetId}/deliveries`)).body.filter(
    ({ state, deferredBy }: { state: string; deferredBy: string | null }) =>
      state === 'pending' && deferredBy === 'budget',
  );

describe('the budget of a route', () => {
  it('sends messages over the weekly limit as one digest a day, except severe ones', async () => {
    // The next digest is due in a day.
    advanceToDigest();
    const { user, project, webhook, targetId, route } = await signUpWithWebhook(service, {
      route: { maxPerWeek: 2 },
    });
    expect(route.sentence).toMatch(/, at most 2 messages a week\.$/);
    await withWorkers(async () => {
      await user.openIncident(project.id);
      await user.openIncident(project.id);
      await webhook.arrived(2);
      const beyond = await user.openIncident(project.id);
      const over = await user.openIncident(project.id);
      await user.api.patch(`/incidents/${over}`, { status: 'resolved' });
      await user.openIncident(project.id, { severity: 'critical' });
      await webhook.arrived(3);
      await waitFor('what is beyond it', async () => (await deferredOf(user, targetId)).length === 3);
      const { body } = await user.api.get(`/incidents/${beyond}/notification-decisions`);
      expect(body[0].decisions).toMatchObject([
        {
          decision: 'held',
          reason: 'Over the route’s weekly limit. It comes in the digest at 09:00 UTC.',
        },
      ]);
    });
    advanceToDigest();
    // Other workers read the used budget from the log.
    await withWorkers(async () => {
      await webhook.arrived(4);
      await user.openIncident(project.id);
      await waitFor('the next beyond it', async () => (await deferredOf(user, targetId)).length === 1);
    });
    expect(webhook.types()).toEqual([...Array<string>(3).fill('incident.opened'), 'digest']);
    expect(webhook.received[3]?.data).toMatchObject({
      digest: { total: 2, open: 1, resolved: 1 },
      why: expect.stringContaining('at most 2 messages a week. The rest comes in a daily digest.'),
    });
  });

  it(
    'keeps to the weekly limit in a storm of four changes of hundreds of incidents, without losing one',
    async () => {
      const { user, project, webhook, targetId } = await signUpWithWebhook(service, {
        route: { maxPerWeek: 3 },
      });
      const storm = await prepareStorm({ pool: database.pool, clock }, user, project);
      const waiting = async () =>
        Number(
          (
            await database.pool.query(
              `SELECT count(*) AS count FROM deliveries WHERE target_id = $1 AND state = 'pending' AND due_at <= $2`,
              [toUuid('ntg', targetId), new Date(clock.now())],
            )
          ).rows[0].count,
        );
      await withWorkers(async () => {
        await storm();
        await waitFor('nothing to be due', async () => (await waiting()) === 0, 60_000);
        expect(webhook.received).toHaveLength(3);
        advanceToDigest();
        await webhook.arrived(4);
        await waitFor('nothing to be due', async () => (await waiting()) === 0, 60_000);
      });
      expect(webhook.types()).toEqual([...Array<string>(3).fill('incident.opened'), 'digest']);
      expect(webhook.received[3]?.data['digest'].total).toBeGreaterThanOrEqual(STORM_INCIDENTS - 3);
    },
    scaled(180_000),
  );

  it('counts messages over any seven days, not by calendar week', async () => {
    // No digest is due within the test.
    advanceToDigest();
    clock.advance(6 * 3_600_000);
    const { user, project, webhook, targetId } = await signUpWithWebhook(service, {
      route: { maxPerWeek: 1 },
    });
    await withWorkers(async () => {
      await user.openIncident(project.id);
      // Its time is that at which its answer is recorded.
      await waitFor('the answer in the log', async () => {
        const { body } = await user.api.get(`/notification-targets/${targetId}/deliveries`);
        return body[0]?.state === 'delivered';
      });
      clock.advance(7 * DAY_MS - 60_000);
      await user.openIncident(project.id);
      await waitFor('it to be beyond', async () => (await deferredOf(user, targetId)).length === 1);
      clock.advance(120_000);
      // The session has ended as well.
      const { email, password } = user;
      expect((await user.api.post('/auth/login', { email, password })).status).toBe(200);
      await user.openIncident(project.id);
      await webhook.arrived(2);
    });
    expect(webhook.types()).toEqual(['incident.opened', 'incident.opened']);
  });

  it('re-evaluates pending messages when the limit changes or the route is deleted', async () => {
    const { user, project, webhook, targetId, route } = await signUpWithWebhook(service, {
      route: { maxPerWeek: 1 },
    });
    await withWorkers(async () => {
      for (let count = 0; count < 4; count++) await user.openIncident(project.id);
      await waitFor('three beyond it', async () => (await deferredOf(user, targetId)).length === 3);
      await user.api.patch(`/notification-routes/${route.id}`, { maxPerWeek: 2 });
      await webhook.arrived(2);
      await waitFor('two beyond it', async () => (await deferredOf(user, targetId)).length === 2);
      await user.api.delete(`/notification-routes/${route.id}`);
      await webhook.arrived(4);
    });
    expect(webhook.types()).toEqual(Array<string>(4).fill('incident.opened'));
  });

  it('previews a route before it is stored, with the severity that stays within a limit', async () => {
    const { user, project, targetId, route } = await signUpWithWebhook(service);
    for (const severity of ['warn', 'error', 'error', 'critical'])
      await user.openIncident(project.id, { severity });
    const preview = async (body: object) =>
      (await user.api.post('/notification-routes/preview?days=7', { targetId, ...body })).body;
    const unbounded = await preview({ minSeverity: 'warn' });
    expect(unbounded).toMatchObject({ messages: 4, overBudget: 0, budgetDigests: 0, held: 0 });
    expect(unbounded.bySeverity).toMatchObject([
      { minSeverity: 'info', messages: 4, mostPerWeek: 4 },
      { minSeverity: 'warn', messages: 4, mostPerWeek: 4 },
      { minSeverity: 'error', messages: 3, mostPerWeek: 3 },
      { minSeverity: 'critical', messages: 1, mostPerWeek: 1 },
    ]);
    expect(await preview({ minSeverity: 'warn', maxPerWeek: 1 })).toMatchObject({
      messages: 3,
      overBudget: 2,
      budgetDigests: 1,
    });
    const stored = await user.api.get(`/notification-routes/${route.id}/preview?days=7`);
    expect(stored.body).toMatchObject({ messages: 3 });
    expectInvalid(await user.api.post('/notification-routes', { targetId, maxPerWeek: 0 }), '/maxPerWeek');
    const other = await service.signUp();
    expect((await other.api.post('/notification-routes/preview', { targetId })).status).toBe(404);
  });
});
