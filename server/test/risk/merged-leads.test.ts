import { describe, expect, it } from 'vitest';
import { addMinutesToHours } from '../../src/groups/retention-queries.ts';
import { lockFrames } from '../../src/incidents/frame-queries.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { hourOf, minuteOf } from '../../src/platform/time.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startTestService } from '../support/service.ts';
import { openSocket } from '../support/sockets.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';
import { beginProject } from './project-life.ts';
import { incidentsOf, QUICK_PACE } from './support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const FAILURE = {
  type: 'checkout',
  severity: 'ERROR',
  source: 'shop',
  message: 'Brand new failure',
  users: 2,
};
const ORDERS = { type: 'order', severity: 'INFO', source: 'web', message: 'Order paid', users: 5 };
const MAILS = { type: 'mail', severity: 'INFO', source: 'post', message: 'Mail sent', users: 3 };

/** Clauses for the stored events of each group, independent of the service. */
const IS = { failure: `type = 'checkout'`, orders: `type = 'order'`, mails: `type = 'mail'` };
type Kind = keyof typeof IS;

interface Group {
  id: string;
  title: string;
}

describe('an incident whose lead group is merged', { timeout: scaled(120_000) }, async () => {
  const clock = new StillClock(middleOf(MINUTE_MS));
  const service = await startTestService({ clock, riskPace: QUICK_PACE });
  const user = await service.signUp();
  const stranger = await service.signUp();
  const { pool } = service.database;

  /** Opens an incident led by the group of a new error, in a project with two other groups that have events before and after its beginning. */
  const openIncident = async () => {
    const project = await beginProject(service, clock, user);
    await project.learn(10, ORDERS);
    await project.run(1, [10, ORDERS], [4, MAILS]);
    // In the minute in which the incident begins, and before it.
    await project.send(3, ORDERS);
    await project.send(1, FAILURE);
    await project.run(1, [10, ORDERS], [4, MAILS]);
    const [incident] = await incidentsOf(user, project.id);
    expect(incident).toMatchObject({ lead: { kind: 'group' }, status: 'open' });
    const { body: groups } = await user.api.get(`/groups?project_id=${project.id}`);
    const find = (title: string) => groups.find((group: Group) => group.title === title)?.id as string;
    const ids: Record<Kind, string> = {
      failure: find(FAILURE.message),
      orders: find(ORDERS.message),
      mails: find(MAILS.message),
    };
    expect(Object.values(ids).every(Boolean)).toBe(true);
    return { ...project, ids, incidentId: incident.id, since: incident.since, title: incident.title };
  };
  type Incident = Awaited<ReturnType<typeof openIncident>>;

  const merge = async (into: string, ...ids: string[]) =>
    expect((await user.api.post(`/groups/${into}/merge`, { ids })).status).toBe(200);
  const separate = async (from: string, id: string) =>
    expect((await user.api.delete(`/groups/${from}/merged/${id}`)).status).toBe(200);

  const idsOf = async (path: string) => {
    const { body, status } = await user.api.get(`${path}${path.includes('?') ? '&' : '?'}limit=200`);
    expect(status).toBe(200);
    return body.map(({ id }: { id: string }) => id);
  };

  /** Compares each number of the incident with an independent count of the events of some groups. */
  const expectEventsOf = async (incident: Incident, ...kinds: Kind[]) => {
    const { incidentId, ids, since, title } = incident;
    const { body } = await user.api.get(`/incidents/${incidentId}`);
    const clause = `(${kinds.map((kind) => IS[kind]).join(' OR ')})`;
    const untilMs = body.until === null ? undefined : Date.parse(body.until);
    const events = await incident.stored(clause, Date.parse(since), untilMs);
    const eventIds = events.map(({ id }) => id);
    expect(body).toMatchObject({ eventCount: eventIds.length, since, title });
    expect(await idsOf(`/events?incident_id=${incidentId}`)).toEqual(eventIds);
    expect(await idsOf(`/incidents/${incidentId}/events`)).toEqual(eventIds);
    const users = new Set(events.flatMap((event) => event.user ?? []));
    expect(body.facts.users).toEqual({ count: users.size, isExact: true });
    const { body: groups } = await user.api.get(`/incidents/${incidentId}/groups`);
    expect(groups).toHaveLength(1);
    for (const kind of kinds) {
      const { body: listed } = await user.api.get(`/groups/${ids[kind]}/incidents`);
      const counts = listed.map((each: { incident: { id: string }; count: number }) => [
        each.incident.id,
        each.count,
      ]);
      expect(counts).toContainEqual([incidentId, eventIds.length]);
    }
    return body;
  };

  const expectMerged = async (incident: Incident) => {
    const { failure, orders } = incident.ids;
    await merge(orders, failure);
    await expectEventsOf(incident, 'failure', 'orders');
    await separate(orders, failure);
    await expectEventsOf(incident, 'failure');
  };

  const expectBothWays = async (incident: Incident) => {
    const { failure, orders, mails } = incident.ids;
    await expectEventsOf(incident, 'failure');
    await merge(orders, failure);
    await expectEventsOf(incident, 'failure', 'orders');
    // The group that it was merged into is merged itself.
    await merge(mails, orders);
    await expectEventsOf(incident, 'failure', 'orders', 'mails');
    await separate(mails, orders);
    await expectEventsOf(incident, 'failure', 'mails');
    await separate(mails, failure);
    await expectEventsOf(incident, 'failure');
    await merge(failure, orders, mails);
    await expectEventsOf(incident, 'failure', 'orders', 'mails');
    await separate(failure, mails);
    await separate(failure, orders);
    return expectEventsOf(incident, 'failure');
  };

  it('counts the listed events of an incident after its lead group was merged either way, and separated again', async () => {
    const incident = await openIncident();
    const open = await expectBothWays(incident);
    const notes = open.timeline.flatMap(({ note }: { note: string | null }) => note ?? []);
    expect(
      notes.filter((note: string) => /^Groups were merged: [\d]+ events instead of 1\.$/.test(note)),
    ).toHaveLength(2);
    expect(
      notes.filter((note: string) => note.startsWith('A merged group was taken out again: ')),
    ).toHaveLength(4);

    // Events that arrive while groups are merged belong to it as well.
    const { failure, orders } = incident.ids;
    await merge(orders, failure);
    await incident.run(2, [2, FAILURE], [3, ORDERS]);
    await waitFor('the events of both groups to be counted', async () => {
      const { body } = await user.api.get(`/incidents/${incident.incidentId}`);
      return body.eventCount === (await idsOf(`/events?incident_id=${incident.incidentId}`)).length;
    });
    await expectEventsOf(incident, 'failure', 'orders');
    await separate(orders, failure);

    expect((await user.api.patch(`/incidents/${incident.incidentId}`, { status: 'resolved' })).status).toBe(
      200,
    );
    await incident.run(5, [2, FAILURE], [3, ORDERS], [1, MAILS]);
    await expectBothWays(incident);
  });

  it('sends one frame when a merge raises the count of an incident, and one when a separation lowers it', async () => {
    const { ids, incidentId, stored, since } = await openIncident();
    const both = (await stored(`(${IS.failure} OR ${IS.orders})`, Date.parse(since))).length;
    expect(both).toBeGreaterThan(1);
    const live = await openSocket(service.managementUrl, { cookie: user.api.cookie });
    await merge(ids.failure, ids.orders);
    await separate(ids.failure, ids.orders);
    // Frames are in the order of commits: none stands between the counts and this one.
    await user.api.patch(`/incidents/${incidentId}`, { severity: 'critical' });
    const frames = await waitFor('the last change', () => {
      const own = live.frames.filter(({ data }) => data.id === incidentId);
      return own.some(({ data }) => data.severity === 'critical') && own;
    });
    expect(frames.map(({ event, data }) => [event, data.eventCount])).toEqual([
      ['incident_updated', both],
      ['incident_updated', 1],
      ['incident_updated', 1],
    ]);
  });

  it('counts merged groups from the beginning of an incident, even if only their hours are kept', async () => {
    const incident = await openIncident();
    await incident.run(1, [2, FAILURE], [3, ORDERS]);
    clock.advance(4 * HOUR_MS);
    await incident.run(2, [1, FAILURE], [1, ORDERS]);
    const stored = async () => {
      const { rows } = await pool.query(`SELECT evidence -> 'lead' AS lead FROM incidents WHERE id = $1`, [
        toUuid('inc', incident.incidentId),
      ]);
      return rows[0].lead;
    };
    await waitFor('minutes to be counted for good', async () => (await stored()).events > 0);
    await expectMerged(incident);
    expect((await stored()).through > incident.since).toBe(true);

    await addMinutesToHours(pool, new Date(hourOf(clock.now()) + HOUR_MS), 10_000);
    await expectBothWays(incident);
    expect((await user.api.patch(`/incidents/${incident.incidentId}`, { status: 'resolved' })).status).toBe(
      200,
    );
    await expectMerged(incident);
  });

  it('keeps the count of an incident of merged groups whose beginning retention has removed', async () => {
    const incident = await openIncident();
    await incident.run(1, [5, FAILURE], [3, ORDERS]);
    const { incidentId, ids, id } = incident;
    const eventCount = async () => (await user.api.get(`/incidents/${incidentId}`)).body.eventCount;
    const before = await waitFor('its events to be counted', async () => (await eventCount()) === 6 && 6);
    expect((await user.api.patch(`/incidents/${incidentId}`, { status: 'resolved' })).status).toBe(200);
    await incident.run(4, [1, ORDERS]);
    const keptFrom = new Date(minuteOf(clock.now() - 120_000));
    await pool.query('DELETE FROM events WHERE project_id = $1 AND received_at < $2', [
      toUuid('proj', id),
      keptFrom,
    ]);
    await merge(ids.orders, ids.failure);
    expect(await eventCount()).toBe(before);
    await separate(ids.orders, ids.failure);
    expect(await eventCount()).toBe(before);
  });

  it('counts an incident of merged groups again after a round that counted them separately', async () => {
    const incident = await openIncident();
    const { failure, orders } = incident.ids;
    const round = await beginHeldTransaction(pool);
    await lockFrames(round);
    const waits = await countLockWaits(pool);
    const merged = merge(orders, failure);
    await waitFor('the merge to wait for the round', async () => (await countLockWaits(pool)) > waits);
    await round.query('UPDATE incidents SET event_count = 1 WHERE id = $1', [
      toUuid('inc', incident.incidentId),
    ]);
    await round.query('COMMIT');
    round.release();
    await merged;
    await expectEventsOf(incident, 'failure', 'orders');
    await separate(orders, failure);
  });

  it('keeps the count of an incident when another organization asks to merge its groups', async () => {
    const incident = await openIncident();
    const { failure, orders } = incident.ids;
    expect((await stranger.api.post(`/groups/${orders}/merge`, { ids: [failure] })).status).toBe(404);
    expect((await stranger.api.delete(`/groups/${orders}/merged/${failure}`)).status).toBe(404);
    expect((await stranger.api.get(`/events?incident_id=${incident.incidentId}`)).body).toEqual([]);
    await expectEventsOf(incident, 'failure');
  });
});
