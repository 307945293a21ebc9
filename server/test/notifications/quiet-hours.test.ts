import { describe, expect, it } from 'vitest';
import { TestClock } from '../support/clock.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import {
  createRoute,
  createWebhook,
  signUpWithWebhook,
  startWebhookTarget,
} from '../support/webhook-target.ts';

const HOUR_MS = 3_600_000;
const clock = new TestClock();
const service = await startTestService({ clock, environment: { OUTBOUND_ALLOW: '127.0.0.1' } });

const timeOf = (ms: number) => new Date(ms).toISOString().slice(11, 16);
/** Returns quiet hours from an hour ago to two hours from now. */
const quietNow = () => ({
  from: timeOf(clock.now() - HOUR_MS),
  to: timeOf(clock.now() + 2 * HOUR_MS),
  timeZone: 'UTC',
});

/** Signs up an OWNER with a project, a webhook in its quiet hours, and a route to it. */
async function setUp() {
  const quietHours = quietNow();
  return { ...(await signUpWithWebhook(service, { target: { quietHours } })), quietHours };
}

const decisionOf = async (user: TestUser, id: string) =>
  (await user.api.get(`/incidents/${id}/notification-decisions`)).body.at(-1).decisions[0];
const isHeld = (user: TestUser, id: string) =>
  waitFor('it to be held', async () => (await decisionOf(user, id)).decision === 'held');

describe('quiet hours', () => {
  it('sends severe changes in quiet hours, holds the rest until their end, and says so', async () => {
    const { user, project, webhook, quietHours } = await setUp();
    const mild = await user.openIncident(project.id);
    const over = await user.openIncident(project.id);
    const severe = await user.openIncident(project.id, { severity: 'critical' });
    await webhook.arrived(1);
    await isHeld(user, mild);
    await isHeld(user, over);
    expect(webhook.incidentIds()).toEqual([severe]);
    const sentence = `Held by quiet hours until ${quietHours.to} UTC.`;
    expect(await decisionOf(user, mild)).toMatchObject({ decision: 'held', reason: sentence });
    const [delivery] = (await user.api.get(`/incidents/${mild}/deliveries`)).body;
    expect(delivery).toMatchObject({
      state: 'pending',
      deferredBy: 'quiet_hours',
      reason: sentence,
      attempts: 0,
    });
    expect(timeOf(Date.parse(delivery.nextAttemptAt))).toBe(quietHours.to);

    await user.api.patch(`/incidents/${mild}`, { title: 'Checkout fails for most' });
    await user.api.patch(`/incidents/${over}`, { status: 'resolved' });
    clock.advance(2 * HOUR_MS);
    await webhook.arrived(2);
    await waitFor('the other to be dropped', async () => {
      const { body } = await user.api.get(`/incidents/${over}/deliveries`);
      return body.every(({ state }: { state: string }) => state === 'dropped');
    });
    expect(webhook.incidentIds()).toEqual([severe, mild]);
    expect(webhook.received[1]?.data['incident'].title).toBe('Checkout fails for most');
    // The answer is recorded after it was given.
    await waitFor('the answer in the log', async () => (await decisionOf(user, mild)).decision === 'deliver');
    expect((await decisionOf(user, mild)).reason).toBe(`${sentence} It has arrived.`);
    expect(await decisionOf(user, over)).toMatchObject({
      decision: 'deliver',
      reason: `${sentence} It was resolved before the quiet hours ended.`,
    });
  });

  it('sends an incident that becomes severe at once, and its resolution after the quiet hours', async () => {
    const { user, project, webhook } = await setUp();
    const id = await user.openIncident(project.id);
    await isHeld(user, id);
    await user.api.patch(`/incidents/${id}`, { severity: 'critical' });
    await webhook.arrived(1);
    expect(webhook.received[0]).toMatchObject({
      type: 'incident.opened',
      data: { incident: { severity: 'critical' } },
    });
    await user.api.patch(`/incidents/${id}`, { severity: 'error' });
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await waitFor('the resolution to be held', async () => {
      const [last] = (await user.api.get(`/incidents/${id}/deliveries`)).body;
      return last.change === 'resolved' && last.deferredBy === 'quiet_hours';
    });
    clock.advance(2 * HOUR_MS);
    await webhook.arrived(2);
    expect(webhook.received[1]?.type).toBe('incident.resolved');
  });

  it('sends held messages at once when an OWNER ends quiet hours, and keeps the rest of the target', async () => {
    const { user, project, webhook, targetId, quietHours } = await setUp();
    const id = await user.openIncident(project.id);
    await isHeld(user, id);
    const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const renamed = await user.api.patch(`/notification-targets/${targetId}`, { name: 'Phone' });
    expect(renamed.body.quietHours).toEqual({ ...quietHours, weekdays, minSeverity: 'critical' });
    expect(webhook.received).toEqual([]);
    const ended = await user.api.patch(`/notification-targets/${targetId}`, { quietHours: null });
    expect(ended.body).toMatchObject({ name: 'Phone', quietHours: null });
    await webhook.arrived(1);
    expect(webhook.incidentIds()).toEqual([id]);
    const { body: log } = await user.api.get('/organizations/audit');
    expect(JSON.stringify(log)).toContain('"minSeverity":"critical"');
  });

  it('hands no held message over to a fallback target', async () => {
    const spare = await startWebhookTarget();
    const user = await service.signUp();
    const project = await user.createProject();
    const dead = await startWebhookTarget();
    dead.answer = (_, response) => response.writeHead(422).end();
    const { id: targetId } = await createWebhook(user, dead, { quietHours: quietNow() });
    const { id: fallbackTargetId } = await createWebhook(user, spare, { name: 'Spare' });
    await createRoute(user, targetId, { fallbackTargetId });
    const mild = await user.openIncident(project.id);
    await isHeld(user, mild);
    clock.advance(10 * 60_000);
    const severe = await user.openIncident(project.id, { severity: 'critical' });
    await spare.arrived(1);
    expect(spare.incidentIds()).toEqual([severe]);
    expect((await user.api.get(`/incidents/${mild}/deliveries`)).body).toMatchObject([
      { state: 'pending', deferredBy: 'quiet_hours' },
    ]);
    clock.advance(2 * HOUR_MS);
    await spare.arrived(2);
    expect(spare.incidentIds()).toEqual([severe, mild]);
  });

  it.each([
    ['an unknown zone', { timeZone: 'Mars/Olympus' }, '/quietHours/timeZone'],
    ['the same time twice', { from: '22:00', to: '22:00' }, '/quietHours/to'],
    ['no end', { from: '00:00', to: '24:00' }, '/quietHours/weekdays'],
    ['no days', { weekdays: [] }, '/quietHours/weekdays'],
    ['no time of day', { from: '25:00' }, '/quietHours/from'],
    ['an unknown severity', { minSeverity: 'fatal' }, '/quietHours/minSeverity'],
  ])('refuses quiet hours with %s, naming the field', async (_, rest, pointer) => {
    const user = await service.signUp();
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', ...rest };
    const config = { url: 'https://example.com/hook' };
    const target = { kind: 'webhook', name: 'Pager', config, quietHours };
    expectInvalid(await user.api.post('/notification-targets', target), pointer);
  });
});
