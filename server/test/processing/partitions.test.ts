import { describe, expect, it } from 'vitest';
import { createPartition, lockPartitions } from '../../src/events/partition-queries.ts';
import { detachWeek } from '../../src/events/partitions.ts';
import { weekOf } from '../../src/events/weeks.ts';
import { newUuid, toId } from '../../src/platform/ids.ts';
import { createProcessor } from '../../src/processing/processor.ts';
import { TestClock } from '../support/clock.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { aQueuedEvent, countsOf, ledgerOf, NO_EVENTS, queueBatch, storeBatch } from './support.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const received = (projectId: string, timeMs: number) =>
  aQueuedEvent(projectId, { id: newUuid(timeMs), receivedAt: new Date(timeMs).toISOString() });

describe('events by week', async () => {
  const clock = new TestClock();
  const service = await startTestService({ clock, roles: ['ingestion', 'management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  // The test runs maintenance itself, without a worker: detection would evaluate months of steps of these projects.
  const processor = createProcessor({
    ...service.context,
    pool,
    watchedOrganizations: () => [],
    lateMs: 300_000,
  });
  const processAll = async () => {
    while (await processor.processNext());
  };
  const partitions = async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };

  /** Lets days pass while the service runs: another project has an event at their end. */
  const passDays = async (days: number) => {
    clock.advance(days * DAY_MS);
    await service.maintain();
    const now = clock.now();
    await pool.query(
      `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id,
          fingerprint, correlation, payload) VALUES ($1, $1, $1, $2, 'info', 't', 'm', 'c', 'f', '{}', '{}')`,
      [newUuid(now), new Date(now)],
    );
  };
  /** Runs retention until it is done, a week an hour. */
  const removeOld = async () => {
    let oldest: string | undefined;
    do {
      oldest = (await partitions())[0];
      clock.advance(HOUR_MS);
      while (await service.maintain());
    } while ((await partitions())[0] !== oldest);
  };

  it('drops events week by week at the end of retention, and counts them as expired', async () => {
    const { id } = await user.createProject();
    const ages = [1, 50, 85];
    await queueBatch(
      pool,
      id,
      ages.map((days) => received(id, clock.now() - days * DAY_MS)),
    );
    await processAll();
    const before = await partitions();
    expect(await countsOf(pool, id)).toMatchObject({ events: 3, counted: 3 });

    await passDays(30);
    await user.api.post('/auth/login', { email: user.email, password: user.password });
    await removeOld();
    expect(await countsOf(pool, id)).toMatchObject({ events: 2, counted: 2 });
    expect((await partitions()).filter((name) => before.includes(name)).length).toBeLessThan(before.length);
    const { values } = await service.context.metrics.expiredEvents.get();
    expect(values.find(({ labels }) => labels.choice === 'installation')?.value).toBe(1);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 3, stored: 2, expired: 1 });

    // A week is dropped when all of it is old enough.
    await passDays(67);
    await user.api.post('/auth/login', { email: user.email, password: user.password });
    await removeOld();
    expect(await countsOf(pool, id)).toMatchObject({ events: 0, counted: 0 });
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 3, expired: 3 });
  });

  it('finishes the drop of a week that was interrupted before its events were counted', async () => {
    const { id } = await user.createProject();
    const timeMs = clock.now() - 85 * DAY_MS;
    await queueBatch(
      pool,
      id,
      Array.from({ length: 5 }, () => received(id, timeMs)),
    );
    await processAll();
    expect(await detachWeek(pool, weekOf(timeMs))).not.toBeNull();
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 5, stored: 5 });
    await Promise.all([service.maintain(), service.maintain()]);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 5, expired: 5 });
    // An event of that week that arrives later has a partition again.
    await queueBatch(pool, id, [received(id, timeMs)]);
    await processAll();
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 6, stored: 1, expired: 5 });
  });

  it('keeps the counts of events as long as the events', async () => {
    const { id } = await user.createProject();
    // None is 90 days old in the hours that retention takes: six are younger for certain, and the oldest are a week older.
    const ages = Array.from({ length: 14 }, (_, index) => 83.5 + index);
    await queueBatch(
      pool,
      id,
      ages.map((days) => received(id, clock.now() - days * DAY_MS)),
    );
    await processAll();
    await passDays(1);
    await removeOld();
    const { events, counted } = (await countsOf(pool, id)) ?? { events: 0, counted: 0 };
    expect(events).toBeGreaterThanOrEqual(6);
    expect(events).toBeLessThan(14);
    expect(counted).toBe(events);
  });

  it('creates the partition of a week before it begins', async () => {
    const names = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', '');
    for (let day = 0; day < 20; day++) {
      clock.advance(DAY_MS);
      await service.maintain();
      const last = (await partitions()).at(-1)?.replace('events_', '') ?? '';
      // The last week begins at most 8 days ahead, so it ends later than any event may be captured.
      expect(last >= names(clock.now() + DAY_MS)).toBe(true);
    }
  });

  it('stores an event whose week another worker creates at the same moment', async () => {
    await user.api.post('/auth/login', { email: user.email, password: user.password });
    const { id } = await user.createProject();
    const timeMs = clock.now() + 60 * DAY_MS;
    await queueBatch(pool, id, [received(id, timeMs)]);
    const other = await beginHeldTransaction(pool);
    await lockPartitions(other);
    const processing = processAll();
    await waitFor('the processor to find no partition', async () => (await countLockWaits(pool)) === 1);
    await createPartition(other, weekOf(timeMs));
    await other.query('COMMIT');
    other.release(true);
    await processing;
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 1, stored: 1 });
  });
});

describe('events of any time', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();

  it('stores events of any time after weeks in the queue or with a wrong clock', async () => {
    const { id } = await user.createProject();
    const times = [-80, -40, -20, 0, 30, 60].map((days) => service.context.clock.now() + days * DAY_MS);
    const events = times.map((timeMs) => received(id, timeMs));
    // Each in a batch of its own, and all of them in one.
    for (const event of events) await queueBatch(pool, id, [event]);
    const together = times.map((timeMs) => received(id, timeMs));
    await storeBatch(service, id, together);
    expect(await countsOf(pool, id)).toEqual({ events: 12, distinct: 12, counted: 12 });
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 12, stored: 12 });
    for (const event of [...events, ...together]) {
      expect((await user.api.get(`/events/${toId('evt', event.id)}`)).status).toBe(200);
    }
    const listed = (await user.api.get(`/events?project_id=${id}`)).body;
    const ids = [...events, ...together].map((event) => toId('evt', event.id));
    expect(listed.map((event: { id: string }) => event.id)).toEqual(ids.toSorted().toReversed());
  });
});
