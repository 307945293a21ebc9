import { expect, it } from 'vitest';
import { beginProject } from '../../server/test/risk/project-life.ts';
import { CHECKOUT } from '../../server/test/risk/shop-events.ts';
import { QUICK_PACE } from '../../server/test/risk/support.ts';
import { middleOfToday, StillClock } from '../../server/test/support/clock.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { waitFor } from '../../server/test/support/wait.ts';
import { createRoute, createWebhook, startWebhookTarget } from '../../server/test/support/webhook-target.ts';
import { reviewDueSchedules } from '../../server/test/support/worker-rounds.ts';
import type { IncidentDetail } from '../src/lib/api-types.ts';
import { startTestService, visit } from './support/browser.ts';
import * as words from './support/expected-numbers.ts';

const MINUTE_MS = 60_000;

const clock = new StillClock(middleOfToday());
const service = await startTestService({
  clock,
  riskPace: QUICK_PACE,
  environment: { OUTBOUND_ALLOW: '127.0.0.1' },
});

it('shows the time of a schedule’s incident and of one created by hand and no counts, until their ends, and those of previous ones', {
  timeout: scaled(120_000),
}, async () => {
  const user = await service.signUp();
  const project = await beginProject(service, clock, user);
  const webhook = await startWebhookTarget();
  await createRoute(user, (await createWebhook(user, webhook)).id, { minSeverity: 'info' });
  const { page, open, faults } = await visit(service, user);
  const show = async (path: string) => {
    await page.clock.setFixedTime(clock.now());
    await open(path);
  };

  /** Checks the pages of an incident, and its last message. */
  const expectUncounted = async (id: string, beganMs: number, type: string) => {
    const incident = (await user.api.get(`/incidents/${id}`)).body as IncidentDetail;
    const { title, until, since } = incident;
    expect(incident).toMatchObject({
      eventCount: 0,
      eventsQuery: { says: 'before' },
      rate: null,
      current: null,
    });
    expect(Date.parse(since)).toBe(beganMs);
    await show(`/incidents/${id}`);
    const head = page.getByRole('main').locator('header').first();
    await head.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    const time = words.time(beganMs, until ? Date.parse(until) : clock.now(), until !== null);
    await head.getByText(time, { exact: true }).waitFor();
    expect(await head.getByText(/\d (?:events?|users?)\b|\/(?:min|h|day)\b/).count()).toBe(0);
    for (const name of ['Groups', 'Most affected', 'Newest event'])
      expect(await page.getByRole('region', { name, exact: true }).count()).toBe(0);
    await show(until ? '/incidents?status=all' : '/');
    const row = page.getByRole('main').locator(`a[href$="/incidents/${id}"]`);
    await row.waitFor();
    expect(await row.innerText()).not.toMatch(/\d events?\b|\/(?:min|h|day)\b/);
    const message = await waitFor(`a message ${type}`, () =>
      webhook.received.findLast((one) => one.type === type && one.data['incident']?.id === id),
    );
    expect(message.data['incident']).toMatchObject({ title, eventCount: 0 });
    const labels = message.data['facts'].map(({ label }: { label: string }) => label);
    expect(labels).toEqual(['Project', 'Severity', 'Status']);
  };

  const failJob = async () => {
    await project.ingest.post('/ingest/check-ins/job', { status: 'error' });
    await reviewDueSchedules(service);
    return waitFor('the incident of the schedule', async () => {
      const { body } = await user.api.get('/incidents?status=open');
      return body.find(({ origin }: IncidentDetail) => origin === 'schedule');
    });
  };
  const schedule = { slug: 'job', name: 'Nightly', intervalSeconds: 3_600, graceSeconds: 0 };
  expect((await user.api.post(`/projects/${project.id}/schedules`, schedule)).status).toBe(201);
  await project.send(5, CHECKOUT);
  const beganMs = clock.now();
  const failed = await failJob();
  const byHand = { title: 'Shop is down', severity: 'error', projectId: project.id };
  const { body: created } = await user.api.post('/incidents', byHand);
  for (const { id } of [failed, created]) await expectUncounted(id, beganMs, 'incident.opened');

  for (const note of ['One', 'Two', 'Three'])
    expect((await user.api.post(`/incidents/${failed.id}/notes`, { note })).status).toBe(201);
  clock.advance(30 * MINUTE_MS);
  for (const { id } of [failed, created]) {
    expect((await user.api.patch(`/incidents/${id}`, { status: 'resolved' })).status).toBe(200);
    await expectUncounted(id, beganMs, 'incident.resolved');
  }

  // A previous incident is shown with its own numbers.
  await project.run(1, [5, CHECKOUT]);
  const again = await failJob();
  await expectUncounted(again.id, clock.now(), 'incident.opened');
  await show(`/incidents/${again.id}`);
  const rows = page.getByRole('list', { name: 'Previous incidents' }).locator(':scope > li');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
  const text = await rows.first().innerText();
  for (const part of [failed.title, '30 min, resolved by', 'and 1 more note']) expect(text).toContain(part);
  expect(faults).toEqual([]);
});
