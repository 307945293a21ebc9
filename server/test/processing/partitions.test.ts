import { describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../src/platform/ids.ts';
import { maintain } from '../../src/roles/maintenance.ts';
import { TestClock } from '../support/clock.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, countsOf, ledgerOf, NO_EVENTS, processed, queueBatch } from './support.ts';

const DAY_MS = 24 * 60 * 60_000;

describe('events by week', async () => {
  const clock = new TestClock();
  const service = await startTestService({ clock });
  const { pool } = service.database;
  const user = await service.signUp();
  const partitions = async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const received = (projectId: string, timeMs: number) =>
    aQueuedEvent(projectId, { id: newUuid(timeMs), receivedAt: new Date(timeMs).toISOString() });

  it('are stored whatever time they are from: the queue was left for weeks, the clock was wrong', async () => {
    const { id } = await user.createProject();
    const times = [-80, -40, -20, 0, 30, 60].map((days) => Date.now() + days * DAY_MS);
    const events = times.map((timeMs) => received(id, timeMs));
    // Each in a batch of its own, and all of them in one.
    for (const event of events) await queueBatch(pool, id, [event]);
    const together = times.map((timeMs) => received(id, timeMs));
    await queueBatch(pool, id, together);
    await processed(service);
    expect(await countsOf(pool, id)).toEqual({ events: 12, distinct: 12, counted: 12 });
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 12, stored: 12 });
    for (const event of [...events, ...together]) {
      expect((await user.api.get(`/events/${toId('evt', event.id)}`)).status).toBe(200);
    }
    const listed = (await user.api.get(`/events?project_id=${id}`)).body;
    const ids = [...events, ...together].map((event) => toId('evt', event.id));
    expect(listed.map((event: { id: string }) => event.id)).toEqual(ids.toSorted().toReversed());
  });

  it('are dropped by retention week by week; what was stored stays counted as stored', async () => {
    const { id } = await user.createProject();
    const ages = [1, 50, 85];
    await queueBatch(
      pool,
      id,
      ages.map((days) => received(id, clock.now() - days * DAY_MS)),
    );
    await processed(service);
    const before = await partitions();
    expect(await countsOf(pool, id)).toMatchObject({ events: 3, counted: 3 });

    clock.advance(30 * DAY_MS);
    const { log } = service.context;
    await user.api.post('/auth/login', { email: user.email, password: user.password });
    while (await maintain(pool, clock, log, 90));
    expect(await countsOf(pool, id)).toMatchObject({ events: 2, counted: 2 });
    expect((await partitions()).filter((name) => before.includes(name)).length).toBeLessThan(before.length);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 3 });

    // A week goes when all of it is old enough.
    clock.advance(67 * DAY_MS);
    await user.api.post('/auth/login', { email: user.email, password: user.password });
    while (await maintain(pool, clock, log, 90));
    expect(await countsOf(pool, id)).toMatchObject({ events: 0, counted: 0 });
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 3 });
  });

  it('keep the counts of their events as long as these', async () => {
    const { id } = await user.createProject();
    const ages = Array.from({ length: 14 }, (_, index) => 84 + index);
    await queueBatch(
      pool,
      id,
      ages.map((days) => received(id, clock.now() - days * DAY_MS)),
    );
    await processed(service);
    const { log } = service.context;
    while (await maintain(pool, clock, log, 90));
    const { events, counted } = (await countsOf(pool, id)) ?? { events: 0, counted: 0 };
    expect(events).toBeGreaterThanOrEqual(6);
    expect(events).toBeLessThan(14);
    expect(counted).toBe(events);
  });

  it('have room for a week ahead before it begins', async () => {
    const { log } = service.context;
    const names = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', '');
    for (let day = 0; day < 20; day++) {
      clock.advance(DAY_MS);
      await maintain(pool, clock, log, 90);
      const last = (await partitions()).at(-1)?.replace('events_', '') ?? '';
      // The last week begins at most 8 days ahead, so it ends later than any event may be captured.
      expect(last >= names(clock.now() + DAY_MS)).toBe(true);
    }
  });
});
