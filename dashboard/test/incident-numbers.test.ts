import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { beginProject, type StoredEvent } from '../../server/test/risk/project-life.ts';
import { CHECKOUT, IS, MAIL, ORDERS, SYNC } from '../../server/test/risk/shop-events.ts';
import { QUICK_PACE } from '../../server/test/risk/support.ts';
import { TestClock } from '../../server/test/support/clock.ts';
import { longForm } from '../../server/test/support/test-length.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { waitFor } from '../../server/test/support/wait.ts';
import { startWebhookTarget } from '../../server/test/support/webhook-target.ts';
import { reviewDueSchedules } from '../../server/test/support/worker-rounds.ts';
import type { IncidentDetail } from '../src/lib/api-types.ts';
import { describeRate } from '../src/ui/display/incident-numbers.ts';
import { startTestService, visit } from './support/browser.ts';

const MINUTE_MS = 60_000;
/** Rows of a page of the list of events. */
const PAGE_SIZE = 200;
const PAID = { type: 'payment', severity: 'INFO', source: 'bank', message: 'Paid', users: 20 };

const count = (events: number) => `${events.toLocaleString('en-GB')} ${events === 1 ? 'event' : 'events'}`;
const people = (users: number) => `${users} ${users === 1 ? 'user' : 'users'}`;
const usersOf = (events: StoredEvent[]) => new Set(events.flatMap(({ user }) => user ?? [])).size;

/**
 * Reads each number of an incident on the pages and in messages, and compares it with the API and with an independent count of
 * the events that are stored.
 */
describe('the numbers of an incident', { timeout: scaled(180_000) }, async () => {
  const clock = new TestClock();
  const service = await startTestService({
    clock,
    riskPace: QUICK_PACE,
    environment: { OUTBOUND_ALLOW: '127.0.0.1' },
  });

  /** Signs up a user with a project whose incidents notify a webhook, and opens a page at the time of the service. */
  const begin = async () => {
    const user = await service.signUp();
    const project = await beginProject(service, clock, user);
    const webhook = await startWebhookTarget();
    const config = { url: webhook.url };
    const target = await user.api.post('/notification-targets', { kind: 'webhook', name: 'Pager', config });
    const route = { targetId: target.body.id, projectId: null, minSeverity: 'info' };
    expect((await user.api.post('/notification-routes', route)).status).toBe(201);
    const { page, open, faults } = await visit(service, user);
    const show = async (path: string) => {
      await page.clock.setFixedTime(clock.now());
      await open(path);
    };
    const readIncident = async (id: string) =>
      (await user.api.get(`/incidents/${id}`)).body as IncidentDetail;
    /** Returns the only incident of the project, once it has opened. */
    const one = async () => {
      const { body } = await user.api.get(`/incidents?project_id=${project.id}`);
      expect(body).toHaveLength(1);
      return readIncident(String(body[0].id));
    };
    /** Returns the incident in the last message of a type about it. */
    const sentIncident = (id: string, type: string) =>
      waitFor(`a message ${type}`, async () => {
        const last = webhook.received.findLast(({ data, ...message }) => {
          return message.type === type && data['incident']?.id === id;
        });
        return last?.data['incident'];
      });
    return { user, project, page, show, one, readIncident, sentIncident, faults };
  };
  type World = Awaited<ReturnType<typeof begin>>;

  /**
   * Checks each number on the page of an incident that counts events and, with `everywhere`, those of its events, of the lists and of
   * its group.
   */
  const expectCounted = async (world: World, id: string, clause: string, everywhere = true) => {
    const { user, project, page, show, readIncident } = world;
    const { resolvedAt, since } = await readIncident(id);
    const untilMs = resolvedAt ? Date.parse(resolvedAt) : undefined;
    const events = await project.stored(clause, Date.parse(since), untilMs);
    const incident = await waitFor('the count to be that of the events', async () => {
      const read = await readIncident(id);
      return read.eventCount === events.length && read;
    });
    // No event of the clause precedes the incident.
    expect(await project.stored(clause, 0, Date.parse(since) - 1)).toEqual([]);
    const users = usersOf(events);
    expect(incident.facts?.users).toEqual({ count: users, isExact: true });

    await show(`/incidents/${id}`);
    const head = page.getByRole('main').locator('header').first();
    await head.getByRole('heading', { level: 1, name: incident.title, exact: true }).waitFor();
    await head.getByRole('link', { name: count(events.length), exact: true }).waitFor();
    if (users > 0) await head.getByText(people(users), { exact: true }).waitFor();
    await expectRate(head, incident);
    await expectGroups(page, events, users);
    const newest = page.getByRole('region', { name: 'Newest events' }).getByRole('listitem').first();
    expect(await newest.getByRole('link').getAttribute('href')).toContain(String(events[0]?.id));
    await expectJoined(page, incident);
    const affected = page.getByRole('region', { name: 'Most affected' });
    if (users > 0) await affected.getByText(people(users), { exact: true }).waitFor();
    await affected.getByText(`In the ${count(events.length)}`).waitFor();

    if (!everywhere && !longForm) return incident;
    // The link lists exactly these events, and its chart counts them.
    const name = events.length === 1 ? 'View the event' : `View all ${count(events.length)}`;
    await page.getByRole('link', { name, exact: true }).click();
    await expectListed(page, events.length);

    await show('/incidents?status=all');
    const row = page
      .getByRole('list', { name: 'Incidents' })
      .getByRole('link')
      .filter({ hasText: incident.title });
    await row.getByText(count(events.length), { exact: true }).waitFor();
    const rate = describeRate(incident);
    if (rate) await row.getByText(rate, { exact: true }).waitFor({ state: 'attached' });
    if (incident.status !== 'resolved') {
      await show('/');
      const shown = page
        .getByRole('region', { name: 'Open incidents' })
        .getByRole('link')
        .filter({ hasText: incident.title });
      await shown.waitFor();
      if (rate) await shown.getByText(rate, { exact: true }).waitFor();
    }
    await expectGroupPage(world, incident, events);
    expect((await user.api.get(`/incidents/${id}/events?limit=1000`)).body.length).toBe(
      Math.min(events.length, 1_000),
    );
    return incident;
  };

  const expectListed = async (page: Page, events: number) => {
    await page.getByRole('button', { name: /^Remove filter incident/ }).waitFor();
    const grid = page.getByRole('grid');
    // A list longer than a page does not know its length; its chart does.
    const rows = events > PAGE_SIZE ? -1 : events + 1;
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(rows));
    const chart = page.getByRole('figure', { name: 'Events over time' });
    await chart.getByText(count(events), { exact: false }).first().waitFor();
  };

  const expectRate = async (head: Locator, { current, rate, until }: IncidentDetail) => {
    const [main = ''] = await head.locator('dl strong').allInnerTexts();
    if (!current) {
      expect(until !== null || rate === null).toBe(true);
      if (rate) expect(parseFloat(main)).toBeCloseTo(rate.observed, 0);
      return;
    }
    const now = rate?.unit === 'percent' ? (current.share ?? 0) : current.perMinute;
    if (now >= 1) expect(Math.abs(parseFloat(main) / now - 1)).toBeLessThan(0.1);
    if (rate?.usual)
      await head
        .getByText(/usually/)
        .first()
        .waitFor();
  };

  /** Checks the groups: each with its share, its events and its users, and no others. */
  const expectGroups = async (page: Page, events: StoredEvent[], users: number) => {
    const rows = page.getByRole('list', { name: 'Groups' }).getByRole('listitem');
    const byMessage = new Map<string, number>();
    for (const { message } of events) byMessage.set(message, (byMessage.get(message) ?? 0) + 1);
    await expect.poll(() => rows.count()).toBe(Math.min(byMessage.size, 4));
    const row = rows.first();
    const text = await row.innerText();
    const [most = 0] = [...byMessage.values()].toSorted((one, other) => other - one);
    expect(text).toContain(count(most));
    if (byMessage.size > 1) return;
    expect(text).toContain(`100% · ${count(events.length)}`);
    if (users > 0) expect(text).toContain(people(users));
  };

  /** Checks the count of each series that joined, and of the folded totals that include the lead's events. */
  const expectJoined = async (page: Page, { evidence }: IncidentDetail) => {
    for (const [name, isSum] of [
      [/^(?:Also|More) affected$/, false],
      [/^also seen in the project’s totals$/, true],
    ] as const) {
      const joined = (evidence?.alsoSeries ?? []).filter(({ isSuperset }) => isSuperset === isSum);
      const rows = page.getByRole('list', { name, includeHidden: true }).locator('li');
      await expect.poll(() => rows.count()).toBe(joined.length);
      const texts = await rows.allTextContents();
      for (const [index, { rule, observed }] of joined.entries())
        if (rule === 'rise') expect(texts[index]).toContain(`: ${observed?.toLocaleString('en-GB')} in `);
    }
  };

  /** Checks the previous incident: its duration, and the number of notes that are not shown. */
  const expectBefore = async ({ user, page }: World, id: string, minutes: number) => {
    const { body: previous } = await user.api.get(`/incidents/${id}/previous`);
    const rows = page.getByRole('list', { name: 'Previous incidents' }).locator(':scope > li');
    await expect.poll(() => rows.count()).toBe(previous.length);
    expect(previous).toMatchObject([{ durationSeconds: 60 * minutes, noteCount: 3 }]);
    const text = await rows.first().innerText();
    for (const part of [previous[0].title, `${minutes} min, resolved by`, 'and 1 more note'])
      expect(text).toContain(part);
  };

  /** Checks the page of the largest group: its events, and its incident. */
  const expectGroupPage = async (
    { user, project, page, show }: World,
    incident: IncidentDetail,
    events: StoredEvent[],
  ) => {
    const { body: groups } = await user.api.get(`/incidents/${incident.id}/groups`);
    expect(groups.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(events.length);
    const { body: group } = await user.api.get(`/groups/${groups[0].group.id}`);
    const all = (await project.stored('true')).filter(({ message }) => message === group.title);
    expect(group).toMatchObject({ count: all.length, users: usersOf(all) });
    await show(`/groups/${group.id}`);
    const facts = page.getByRole('main').locator('dl').first();
    const shown = new RegExp(String.raw`^Events\s+${all.length}\b.*Users\s+${usersOf(all)}\b`, 's');
    await expect.poll(() => facts.innerText()).toMatch(shown);
    const incidents = page.getByRole('region', { name: 'Incidents' });
    await incidents.getByRole('link').filter({ hasText: incident.title }).waitFor();
  };

  /** Checks the page of an incident without counts: no events, no users, and a link to the events before it. */
  const expectUncounted = async (world: World, id: string) => {
    const { page, show, readIncident } = world;
    const incident = await readIncident(id);
    expect(incident).toMatchObject({ eventCount: 0, eventsQuery: { says: 'before' } });
    await show(`/incidents/${id}`);
    const head = page.getByRole('main').locator('header').first();
    await head.getByRole('heading', { level: 1, name: incident.title, exact: true }).waitFor();
    await head.getByText(/^since /).waitFor();
    await expectRate(head, incident);
    expect(await head.getByText(/\d+ (?:events?|users?)/).count()).toBe(0);
    for (const name of ['Groups', 'Most affected', 'Newest event'])
      expect(await page.getByRole('region', { name, exact: true }).count()).toBe(0);
    await show('/incidents');
    const row = page
      .getByRole('list', { name: 'Incidents' })
      .getByRole('link')
      .filter({ hasText: incident.title });
    expect(await row.getByText(/\d+ events?/).count()).toBe(0);
    return incident;
  };

  it('shows the numbers of the lead of a rise, also after another series joined and became the lead, and after the resolution', async () => {
    const world = await begin();
    const { project, sentIncident, readIncident, user, page, show } = world;
    await project.run(1, [30, ORDERS]);
    await project.send(40, CHECKOUT);
    await project.run(1, [30, ORDERS]);
    const { id } = await world.one();
    await expectCounted(world, id, IS.checkout);
    expect(await sentIncident(id, 'incident.opened')).toMatchObject({ title: 'Card refused in shop' });

    await project.send(20, MAIL);
    await project.run(1, [30, ORDERS], [10, CHECKOUT]);
    const joined = await expectCounted(world, id, IS.checkout, false);
    expect(joined.evidence?.alsoSeries).toContainEqual(
      expect.objectContaining({ type: 'mail', observed: 20 }),
    );

    await project.send(400, SYNC);
    await project.run(1, [30, ORDERS]);
    const led = await expectCounted(world, id, IS.sync);
    expect(led.title).toBe('Broker is gone in broker');

    // The incident's counts ignore a narrower range of the events page.
    const [first] = await project.stored(IS.sync);
    const from = new Date((first?.atMs ?? 0) - 1).toISOString();
    const to = new Date((first?.atMs ?? 0) + MINUTE_MS).toISOString();
    const narrowed = (await project.stored(IS.sync, Date.parse(from))).length;
    await show(`/events?project=${project.id}&incident_id=${id}&from=${from}&to=${to}`);
    await expectListed(page, narrowed);

    await project.send(10, SYNC);
    // A message has the count at the time of sending.
    await waitFor('these to be counted', async () => (await readIncident(id)).eventCount === 410);
    expect((await user.api.patch(`/incidents/${id}`, { status: 'resolved' })).status).toBe(200);
    await project.run(1, [5, SYNC]);
    const resolved = await expectCounted(world, id, IS.sync);
    expect(await sentIncident(id, 'incident.resolved')).toMatchObject({
      title: resolved.title,
      eventCount: resolved.eventCount,
    });
    expect((await readIncident(id)).evidence?.sentence).not.toMatch(/ are [\d,.]+× | are up /);
    expect(world.faults).toEqual([]);
  });

  it('shows no numbers for a schedule, and for an incident created by hand', async () => {
    const world = await begin();
    const { project, user, sentIncident } = world;
    const schedule = { slug: 'job', name: 'Nightly', intervalSeconds: 3_600, graceSeconds: 0 };
    expect((await user.api.post(`/projects/${project.id}/schedules`, schedule)).status).toBe(201);
    await project.send(5, CHECKOUT);
    await project.ingest.post('/ingest/check-ins/job', { status: 'error' });
    await reviewDueSchedules(service);
    const failed = await waitFor('the incident of the schedule', async () => {
      const { body } = await user.api.get('/incidents');
      return body[0];
    });
    const manual = { title: 'Shop is down', severity: 'error', projectId: project.id };
    const { body: created } = await user.api.post('/incidents', manual);
    for (const { id } of [failed, created]) {
      const { title } = await expectUncounted(world, id);
      expect(await sentIncident(id, 'incident.opened')).toMatchObject({ title, eventCount: 0 });
    }

    // A previous incident is shown with its own numbers.
    for (const note of ['One', 'Two', 'Three'])
      expect((await user.api.post(`/incidents/${failed.id}/notes`, { note })).status).toBe(201);
    clock.advance(Date.parse(failed.createdAt) + 30 * MINUTE_MS - clock.now());
    expect((await user.api.patch(`/incidents/${failed.id}`, { status: 'resolved' })).status).toBe(200);
    await project.run(1, [5, CHECKOUT]);
    await project.ingest.post('/ingest/check-ins/job', { status: 'error' });
    await reviewDueSchedules(service);
    const again = await waitFor('the next incident of the schedule', async () => {
      const { body } = await user.api.get('/incidents?status=open');
      return body.find((incident: { origin: string }) => incident.origin !== 'manual');
    });
    await expectUncounted(world, again.id);
    await world.show(`/incidents/${again.id}`);
    await expectBefore(world, again.id, 30);
    expect(world.faults).toEqual([]);
  });

  it('shows the numbers of the group of a new error', async () => {
    const world = await begin();
    const { project } = world;
    await project.learn(10, ORDERS);
    await project.run(2, [10, ORDERS]);
    await project.send(1, { ...CHECKOUT, message: 'Brand new failure' });
    await project.run(1, [10, ORDERS]);
    const { id } = await world.one();
    await expectCounted(world, id, IS.newError, false);
    await project.run(1, [10, ORDERS], [2, { ...CHECKOUT, message: 'Brand new failure' }]);
    await expectCounted(world, id, IS.newError);
  });

  it('shows no numbers for a silence', async () => {
    const world = await begin();
    const id = await openAbsence(world, 30, 0);
    const { since } = await expectUncounted(world, id);
    const before = (await world.project.stored(`type = 'order'`, 0, Date.parse(since) - 1)).length;
    await world.show(`/incidents/${id}`);
    const last = world.page.getByRole('region', { name: 'Last events before the gap' });
    await expect.poll(() => last.getByRole('listitem').count()).toBe(Math.min(5, before));
  });

  const openAbsence = async ({ project, one }: World, usual: number, left: number) => {
    await project.learn(usual, ORDERS);
    await project.run(8, [usual, ORDERS]);
    await project.run(6, [left, ORDERS]);
    return (await one()).id;
  };

  it.runIf(longForm)('shows the numbers of failed payments', async () => {
    const world = await begin();
    const { project } = world;
    await project.learn(20, PAID);
    await project.run(2, [20, PAID]);
    await project.run(4, [14, PAID], [6, { ...PAID, severity: 'ERROR', message: 'Declined' }]);
    await expectCounted(world, (await world.one()).id, IS.failures);
  });

  it.runIf(longForm).each([
    ['a drop', 60, 6],
    ['a heartbeat', 1, 0],
  ])('shows none for %s', async (_name, usual, left) => {
    const world = await begin();
    await expectUncounted(world, await openAbsence(world, usual, left));
  });
});
