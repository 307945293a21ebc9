import { describe, expect, it } from 'vitest';
import { rollHours } from '../../src/events/counts/roll-hours.ts';
import { deleteExpiredEvents, listExpiredHours } from '../../src/events/remove/expiry-queries.ts';
import type { Severity } from '../../src/events/severity.ts';
import { removeExpired } from '../../src/maintenance/expiry.ts';
import { newUuid, toId, toUuid, uuidLowerBound } from '../../src/platform/ids.ts';
import { createProcessor } from '../../src/processing/processor.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { explain, type PlanNode, rowsReadOf } from '../support/plans.ts';
import { insertRiskIncident } from '../support/risk-incidents.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { aQueuedEvent, countsOf, ledgerOf, NO_EVENTS, queueBatch, uuidOf } from './support.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

describe('events that a project keeps for less time', async () => {
  const clock = new StillClock(middleOf(HOUR_MS));
  const service = await startTestService({ clock, roles: ['ingestion', 'management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const processor = createProcessor({
    ...service.context,
    pool,
    watchedOrganizations: () => [],
    lateMs: 300_000,
  });

  /** Stores an event of each age, all of one severity. */
  const store = async (projectId: string, severity: Severity, agesMs: readonly number[]) => {
    const events = agesMs.map((ageMs) => {
      const timeMs = clock.now() - ageMs;
      const receivedAt = new Date(timeMs).toISOString();
      return aQueuedEvent(projectId, { id: newUuid(timeMs), receivedAt, severity });
    });
    await queueBatch(pool, projectId, events);
    while (await processor.processNext());
    return events.map(({ id }) => id);
  };
  const maintain = async () => {
    while (await service.maintain());
  };
  const idsOf = async (projectId: string) => {
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM events WHERE project_id = $1 ORDER BY id',
      [uuidOf(projectId)],
    );
    return rows.map(({ id }) => id);
  };
  const choose = async (projectId: string, retention: object) => {
    const { status } = await user.api.patch(`/projects/${projectId}`, { retention });
    expect(status).toBe(200);
  };
  /** Number of events that the metric has counted. */
  const countRemoved = async () => {
    const { values } = await service.context.metrics.expiredEvents.get();
    return values.find(({ labels }) => labels.choice === 'project')?.value ?? 0;
  };
  /** Copies the counts of hours that are over, without the removal of anything. */
  const copyHours = async () => {
    while (await rollHours(pool, 100));
  };

  it('removes only what is too old by its severity, at most an hour later, and counts it as expired', async () => {
    const { id } = await user.createProject();
    const other = await user.createProject();
    const stranger = await service.signUp();
    const strange = await stranger.createProject();
    // The clock stands in the middle of an hour: an event of this age or more is in an hour that is over two days ago.
    const over = 2 * DAY_MS + HOUR_MS / 2 + 1;
    const infos = await store(id, 'info', [over + DAY_MS, over, over - 2, DAY_MS, 0]);
    const errors = await store(id, 'error', [over + DAY_MS, over, 0]);
    for (const project of [other.id, strange.id]) await store(project, 'info', [over + DAY_MS, over]);
    await maintain();
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 8, stored: 8 });

    const before = await countRemoved();
    await choose(id, { info: 2 });
    await maintain();
    expect((await countRemoved()) - before).toBe(2);
    expect(await idsOf(id)).toEqual([...infos.slice(2), ...errors].toSorted());
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 8, stored: 6, expired: 2 });
    expect(await countsOf(pool, id)).toMatchObject({ events: 6, counted: 8 });
    expect(await ledgerOf(user, other.id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 2 });
    expect(await ledgerOf(stranger, strange.id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 2 });

    clock.advance(HOUR_MS);
    await maintain();
    expect(await idsOf(id)).toEqual([...infos.slice(3), ...errors].toSorted());
  });

  it('removes events that arrive when they are too old already, and nothing that a choice keeps again', async () => {
    const { id } = await user.createProject();
    await choose(id, { info: 1, critical: 1 });
    await store(id, 'info', [2 * DAY_MS]);
    await maintain();
    expect(await idsOf(id)).toEqual([]);
    const [error] = [await store(id, 'error', [2 * DAY_MS]), await store(id, 'critical', [2 * DAY_MS])];
    await store(id, 'info', [2 * DAY_MS]);
    await maintain();
    expect(await idsOf(id)).toEqual(error);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 4, stored: 1, expired: 3 });

    await choose(id, {});
    const late = await store(id, 'info', [2 * DAY_MS]);
    await maintain();
    expect(await idsOf(id)).toEqual([...error, ...late].toSorted());
    await choose(id, { info: 90, error: 1 });
    await maintain();
    expect(await idsOf(id)).toEqual(late);
  });

  it('removes a chunk of each project before the next of any, also where a list has only some of them', async () => {
    const projects = [await user.createProject(), await user.createProject(), await user.createProject()];
    for (const { id } of projects) {
      await choose(id, { info: 1 });
      await store(id, 'info', [2 * DAY_MS, 4 * DAY_MS, 6 * DAY_MS]);
    }
    while (await processor.processNext());
    await copyHours();
    const chunks = removeExpired(pool, () => new Date(clock.now()), undefined, 1);
    const removed: number[][] = [];
    for (let chunk = 0; chunk < 6; chunk++) {
      await chunks.next();
      removed.push(await Promise.all(projects.map(async ({ id }) => (await ledgerOf(user, id)).expired)));
    }
    expect(removed.map((counts) => counts.toSorted((left, right) => left - right))).toEqual([
      [0, 0, 1],
      [0, 1, 1],
      [1, 1, 1],
      [1, 1, 2],
      [1, 2, 2],
      [2, 2, 2],
    ]);
    for await (const _ of chunks);
    for (const { id } of projects) expect(await ledgerOf(user, id)).toMatchObject({ stored: 0, expired: 3 });
  });

  it('removes small hours together, and each hour that is larger than a chunk in several ones', async () => {
    const { id } = await user.createProject();
    const hours = [1, 1, 2, 5, 1].flatMap((count, place) =>
      Array.from({ length: count }, (_, index) => 3 * DAY_MS - place * HOUR_MS - index),
    );
    await store(id, 'info', hours);
    const kept = await store(id, 'error', [3 * DAY_MS - 2 * HOUR_MS]);
    await copyHours();
    await choose(id, { info: 1 });
    const now = new Date(clock.now());
    const deleted: number[] = [];
    while (true) {
      const [due] = (
        await listExpiredHours(pool, now, { afterProjectId: uuidLowerBound(0), limit: 1_000 })
      ).filter(({ projectId }) => projectId === uuidOf(id));
      if (!due) break;
      let place: ReturnType<typeof placeAt> | null = placeAt(id, due.hour.getTime());
      while (place !== null) {
        const chunk = await deleteExpiredEvents(pool, now, place, 4);
        deleted.push(chunk.deleted);
        place = chunk.lastId === null ? null : { ...place, afterId: chunk.lastId, counted: chunk.counted };
      }
    }
    // The third hour has an event that is kept, and does not fit beside the first two.
    expect(deleted).toEqual([2, 2, 4, 1, 1]);
    expect(await idsOf(id)).toEqual(kept);
  });

  it('keeps an event whose project chooses to keep it while others of its hour are removed', async () => {
    const { id } = await user.createProject();
    await choose(id, { info: 1 });
    const kept = await store(
      id,
      'info',
      Array.from({ length: 1_500 }, (_, index) => 2 * DAY_MS + index),
    );
    while (await processor.processNext());
    await copyHours();
    const chunks = removeExpired(pool, () => new Date(clock.now()));
    await chunks.next();
    await choose(id, {});
    while (!(await chunks.next()).done);
    expect(await idsOf(id)).toHaveLength(500);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 1_500, stored: 500, expired: 1_000 });
    expect(kept).toHaveLength(1_500);
    await choose(id, { info: 1 });
    await maintain();
    expect(await idsOf(id)).toEqual([]);
  });

  it('removes an event that arrives, and is counted, between two chunks of its hour', async () => {
    const { id } = await user.createProject();
    await choose(id, { info: 1 });
    await store(
      id,
      'info',
      Array.from({ length: 1_500 }, (_, index) => 2 * DAY_MS + index),
    );
    await copyHours();
    const chunks = removeExpired(pool, () => new Date(clock.now()));
    await chunks.next();
    await store(id, 'info', [2 * DAY_MS + 1_499]);
    await copyHours();
    while (!(await chunks.next()).done);
    expect(await idsOf(id)).toEqual([]);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 1_501, expired: 1_501 });
  });

  it('loses no count where a process ends between or within chunks, or several processes remove', async () => {
    const { id } = await user.createProject();
    await store(
      id,
      'info',
      Array.from({ length: 3_000 }, (_, index) => 2 * DAY_MS + index),
    );
    await copyHours();
    await choose(id, { info: 1 });
    const start = () => removeExpired(pool, () => new Date(clock.now()));
    // It ends after a chunk.
    await start().next();
    expect(await ledgerOf(user, id)).toMatchObject({ stored: 2_000, expired: 1_000 });
    // It ends when the events of a chunk are deleted and not counted yet.
    const holder = await beginHeldTransaction(pool);
    await holder.query('SELECT FROM ledgers WHERE project_id = $1 FOR UPDATE', [uuidOf(id)]);
    const ending = start()
      .next()
      .catch((error: unknown) => error);
    await waitFor('a chunk to wait for the ledger', async () => (await countLockWaits(pool)) === 1);
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(await ending).toBeInstanceOf(Error);
    await holder.query('ROLLBACK');
    holder.release(true);
    expect(await ledgerOf(user, id)).toMatchObject({ stored: 2_000, expired: 1_000 });
    expect(await idsOf(id)).toHaveLength(2_000);
    const all = async (chunks: AsyncGenerator<void, void>) => {
      while (!(await chunks.next()).done);
    };
    await Promise.all([all(start()), all(start()), all(start())]);
    await maintain();
    expect(await idsOf(id)).toEqual([]);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 3_000, expired: 3_000 });
  });

  it('leaves incidents their text and numbers, and says what of their events is kept', async () => {
    const { id, organizationId } = await user.createProject();
    const agoMs = 2 * DAY_MS;
    const fromMs = clock.now() - agoMs;
    const first = await store(id, 'error', [agoMs + HOUR_MS, agoMs - 1]);
    const infos = await store(id, 'info', [agoMs - 3, agoMs - 2, agoMs - 1]);
    await copyHours();
    const insert = (severity: Severity, eventCount: number) => {
      const series = {
        kind: 'events' as const,
        type: 'checkout',
        severity,
        source: 'shop',
        fingerprint: null,
      };
      const evidence = { series, sampleEventIds: infos };
      const project = { id, organizationId };
      return insertRiskIncident(pool, project, { fromMs, resolvedMs: fromMs + 60_000, eventCount, evidence });
    };
    const [about, other] = [await insert('info', 3), await insert('error', 1)];
    const read = async (incident: string) => (await user.api.get(`/incidents/${incident}`)).body;
    const before = await read(about);
    expect(before.facts).toMatchObject({
      users: { isExact: true },
      newestEvent: { id: toId('evt', infos[0] ?? '') },
      eventsKeptFrom: null,
    });

    await choose(id, { info: 1 });
    await maintain();
    expect(await idsOf(id)).toEqual(first.toSorted());
    const hourEnd = new Date(fromMs + HOUR_MS / 2).toISOString();
    const { title, eventCount, evidence } = before;
    expect(await read(about)).toMatchObject({
      title,
      eventCount,
      evidence,
      facts: { users: { isExact: false }, newestEvent: null, eventsKeptFrom: hourEnd },
    });
    expect((await user.api.get(`/incidents/${about}/events`)).body).toEqual([]);
    expect((await read(other)).facts).toMatchObject({ users: { isExact: true }, eventsKeptFrom: null });
    // It was chosen otherwise since, and the events stay away.
    await choose(id, {});
    expect((await read(about)).facts.eventsKeptFrom).toBe(hourEnd);
  });

  it('says of a missing event that it may have been removed, to those of its organization', async () => {
    const stranger = await service.signUp();
    const { id } = await user.createProject();
    const [old, young] = await store(id, 'info', [3 * DAY_MS, 2 * DAY_MS]);
    const ask = async ({ api }: TestUser, event: string) =>
      (await api.get(`/events/${toId('evt', event)}`)).body.detail;
    await choose(id, { info: 1 });
    await maintain();
    await choose(id, { error: 2 });
    const removed = 'Event not found. It is more than 1 day old, and some events are removed at that age.';
    for (const { id: other } of (await user.api.get('/projects')).body)
      if (other !== id) await choose(other, {});
    expect(await ask(user, old ?? '')).toBe(removed.replace('1 day', '2 days'));
    expect(await ask(user, newUuid(clock.now() - DAY_MS))).toBe('Event not found.');
    await choose(id, { info: 1, error: 2 });
    expect(await ask(user, young ?? '')).toBe(removed);
    expect(await ask(stranger, young ?? '')).toBe('Event not found.');
    expect(await ask(stranger, newUuid(clock.now() - 91 * DAY_MS))).toBe(
      'Event not found. It is more than 90 days old, and events are removed at that age.',
    );
  });

  it('reads nothing of other projects, and of its own project only hours with events that are too old', async () => {
    const { id } = await user.createProject();
    await choose(id, { info: 1 });
    const hourMs = middleOf(HOUR_MS) - HOUR_MS / 2 - 3 * DAY_MS;
    await pool.query(
      `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id, fingerprint,
          correlation, payload)
        SELECT overlay(gen_random_uuid()::text PLACING left($1, 11) FROM 1 FOR 11)::uuid, $2,
          CASE WHEN n % 100 = 0 THEN $3::uuid ELSE md5((n % 100)::text)::uuid END, now(), 'info', 't', 'm', 'c', 'f', '{}', '{}'
        FROM generate_series(1, 20000) AS n`,
      [uuidLowerBound(hourMs + HOUR_MS / 2), uuidOfOrganization(user), uuidOf(id)],
    );
    await pool.query(
      `INSERT INTO event_hours (scope, organization_id, project_id, hour, severity, quarter_1, quarter_2, quarter_3, quarter_4, environment)
        SELECT 'project'::hour_scope, $1::uuid, md5((n % 100)::text)::uuid, now() - make_interval(hours => n), 'info'::severity, 1, 0, 0, 0, 1
        FROM generate_series(1, 20000) AS n
        UNION ALL SELECT 'project', $1, $2::uuid, $3::timestamptz, 'info', 0, 0, 200, 0, 1`,
      [uuidOfOrganization(user), uuidOf(id), new Date(hourMs)],
    );
    await pool.query('ANALYZE events, event_hours');
    const plans: PlanNode[] = [];
    const explaining = explain(pool, plans);
    const all = { afterProjectId: uuidLowerBound(0), limit: 1_000 };
    await listExpiredHours(explaining, new Date(clock.now()), all);
    const place = placeAt(id, hourMs);
    await deleteExpiredEvents(explaining, new Date(clock.now()), place, 1_000);
    const [listed, deleted] = plans.map((plan) => rowsReadOf(plan, /event/));
    expect(listed).toBeLessThan(10);
    // Each is read where it is looked for and where it is deleted, and its hour where it is found and marked.
    expect(deleted).toBeGreaterThanOrEqual(400);
    expect(deleted).toBeLessThan(410);
  });
});

/** Place of a chunk that begins with an hour, and may read a day. */
const placeAt = (projectId: string, hourMs: number) => ({
  projectId: uuidOf(projectId),
  hour: new Date(hourMs),
  afterId: uuidLowerBound(hourMs),
  counted: null as number | null,
  end: new Date(hourMs + DAY_MS),
});

const uuidOfOrganization = (user: TestUser) => toUuid('org', user.organizationId) ?? '';
