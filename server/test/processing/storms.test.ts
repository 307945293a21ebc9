import { describe, expect, it } from 'vitest';
import { newUuid, toId, toUuid } from '../../src/platform/ids.ts';
import { createProcessor, type Processor } from '../../src/processing/processor.ts';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { middleOf, StillClock } from '../support/clock.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { aQueuedEvent, ledgerOf, NO_EVENTS, queueBatch, uuidOf } from './support.ts';

const HOUR_MS = 3_600_000;
const ABOVE = 100;

/** Weight of the event at a place of its kind's hour; 0: it is not kept. */
function weightAt(place: number): number {
  let weight = 1;
  while (place > ABOVE * weight) weight *= 2;
  return place % weight === 0 ? weight : 0;
}

/** Weights of those of the first events of an hour that are kept. */
const weightsOf = (events: number) =>
  Array.from({ length: events }, (_, index) => weightAt(index + 1)).filter((weight) => weight > 0);
/** How often each weight occurs. */
const tally = (weights: number[]) => {
  const counts: Record<number, number> = {};
  for (const weight of weights) counts[weight] = (counts[weight] ?? 0) + 1;
  return counts;
};
const sum = (weights: number[]) => weights.reduce((total, weight) => total + weight, 0);

describe('storms of a project that keeps samples', async () => {
  const clock = new StillClock(middleOf(HOUR_MS));
  // Without a worker: each test stores what it queues.
  const service = await startTestService({ roles: ['ingestion', 'management'], clock });
  const { pool } = service.database;
  const user = await service.signUp();
  const aProcessor = () =>
    createProcessor({ ...service.context, pool, watchedOrganizations: () => [], lateMs: 300_000 });
  const processor = aProcessor();
  const drain = async (its: Processor = processor) => {
    while (await its.processNext());
  };

  const aProject = async (sampleAbove: number | null = ABOVE) => {
    const project = await user.createProject();
    const { status, body } = await user.api.patch(`/projects/${project.id}`, { sampleAbove });
    expect({ status, sampleAbove: body.sampleAbove }).toEqual({ status: 200, sampleAbove });
    return project;
  };
  let users = 0;
  const anEvent = (projectId: string, changes: Partial<QueuedEvent> = {}) => {
    const user_id = `u${users++}`;
    const now = clock.now();
    const at = { id: newUuid(now), receivedAt: new Date(now).toISOString() };
    return aQueuedEvent(projectId, { ...at, severity: 'error', correlation: { user_id }, ...changes });
  };
  const queue = async (projectId: string, count: number, changes: Partial<QueuedEvent> = {}) => {
    const events = Array.from({ length: count }, () => anEvent(projectId, changes));
    await queueBatch(pool, projectId, events);
    return events;
  };
  const store = async (projectId: string, count: number, changes: Partial<QueuedEvent> = {}) => {
    const events = await queue(projectId, count, changes);
    await drain();
    return events;
  };
  const keptWeights = async (projectId: string) => {
    const { rows } = await pool.query<{ weight: number }>(
      'SELECT coalesce(weight, 1) AS weight FROM events WHERE project_id = $1',
      [uuidOf(projectId)],
    );
    return rows.map(({ weight }) => weight);
  };
  const expectSamples = async (projectId: string, weights: number[], accepted: number) => {
    const kept = await keptWeights(projectId);
    expect(tally(kept)).toEqual(tally(weights));
    expect(await ledgerOf(user, projectId)).toEqual({
      ...NO_EVENTS,
      accepted,
      stored: kept.length,
      sampled: accepted - kept.length,
    });
  };

  it('keeps all events of a kind up to the bound, then one in two, one in four and so on, and counts each', async () => {
    const { id } = await aProject();
    const counts = [1, 98, 1, 1, 1, 7, 300, 2, 500, 89];
    for (const count of counts) await store(id, count, { release: '1.0' });
    await expectSamples(id, weightsOf(1_000), 1_000);
    // The last one that is kept stands for the 16 up to itself.
    expect(sum(await keptWeights(id))).toBe(1_000 - (1_000 % 16));
    const [group] = (await user.api.get(`/groups?project_id=${id}`)).body;
    expect(group).toMatchObject({ count: 1_000, users: 1_000 });
    const { rows } = await pool.query(
      `SELECT (SELECT sum(count)::int FROM event_counts WHERE project_id = $1) AS minutes,
          (SELECT sum(error)::int FROM group_minutes WHERE project_id = $1) AS "ofGroups",
          (SELECT errors::int FROM releases WHERE project_id = $1) AS releases`,
      [uuidOf(id)],
    );
    expect(rows).toEqual([{ minutes: 1_000, ofGroups: 1_000, releases: 1_000 }]);
  });

  it('keeps everything of a project that chose nothing, beside one that keeps samples', async () => {
    const [off, on] = [await aProject(null), await aProject()];
    for (const { id } of [off, on]) await queue(id, 250);
    await drain();
    await expectSamples(
      off.id,
      Array.from({ length: 250 }, () => 1),
      250,
    );
    await expectSamples(on.id, weightsOf(250), 250);
  });

  it('applies a choice to the next batch of a worker that knew of no samples, and ends with it', async () => {
    const { id } = await aProject(null);
    const worker = aProcessor();
    const send = async () => {
      await queue(id, 250);
      await drain(worker);
      return (await ledgerOf(user, id)).sampled;
    };
    expect(await send()).toBe(0);
    await user.api.patch(`/projects/${id}`, { sampleAbove: ABOVE });
    const sampled = 250 - weightsOf(250).length;
    expect(await send()).toBe(sampled);
    await user.api.patch(`/projects/${id}`, { sampleAbove: null });
    expect(await send()).toBe(sampled);
  });

  it('keeps the samples of one hour although the clocks of two workers are hours apart', async () => {
    const { id } = await aProject();
    const ahead = createProcessor({
      ...service.context,
      clock: new StillClock(clock.now() + 2 * HOUR_MS),
      pool,
      watchedOrganizations: () => [],
      lateMs: 300_000,
    });
    for (let round = 0; round < 3; round++) {
      for (const worker of [processor, ahead]) {
        await queue(id, 150);
        await drain(worker);
      }
    }
    await expectSamples(id, weightsOf(900), 900);
  });

  it('counts kinds apart, and each hour anew', async () => {
    const { id } = await aProject();
    for (let hour = 0; hour < 2; hour++) {
      for (const fingerprint of ['one', 'other']) await store(id, 150, { fingerprint });
      clock.advance(HOUR_MS);
    }
    await expectSamples(
      id,
      [1, 2, 3, 4].flatMap(() => weightsOf(150)),
      600,
    );
  });

  it('hides no event of production behind a storm of the same kind in staging', async () => {
    const { id } = await aProject();
    // The first batch has no group yet; the second and the third go on where it ended.
    for (let batch = 0; batch < 3; batch++) {
      await queue(id, 500, { environment: 'staging' });
      await queue(id, 50);
      await drain();
    }
    await expectSamples(id, [...weightsOf(1_500), ...weightsOf(150)], 1_650);
    const { rows } = await pool.query<{ weight: number }>(
      'SELECT coalesce(weight, 1) AS weight FROM events WHERE project_id = $1 AND environment = 1',
      [uuidOf(id)],
    );
    expect(tally(rows.map(({ weight }) => weight))).toEqual(tally(weightsOf(150)));
  });

  it('counts on in an hour that has just begun elsewhere, and not in one of a clock that leapt', async () => {
    const { id } = await aProject();
    await store(id, 150);
    clock.advance(-HOUR_MS);
    await store(id, 50);
    await expectSamples(id, weightsOf(200), 200);
    clock.advance(30 * HOUR_MS);
    await store(id, 150);
    clock.advance(-29 * HOUR_MS);
    await store(id, 150);
    await expectSamples(id, [...weightsOf(200), ...weightsOf(150), ...weightsOf(150)], 500);
  });

  it('decides as one worker does, and counts each event once, with three workers at once', async () => {
    const [first, second] = [await aProject(), await aProject()];
    const batches = rounds(24, 120);
    for (let batch = 0; batch < batches; batch++)
      await queue((batch % 2 ? first : second).id, 20 + batch, { fingerprint: 'storm' });
    await Promise.all([drain(aProcessor()), drain(aProcessor()), drain(aProcessor())]);
    for (const { id } of [first, second]) {
      const { accepted } = await ledgerOf(user, id);
      await expectSamples(id, weightsOf(accepted), accepted);
      const [group] = (await user.api.get(`/groups?project_id=${id}`)).body;
      expect(group).toMatchObject({ count: accepted, users: Math.min(accepted, 1_001) });
    }
  });

  it('counts each event once, kept or not, when workers are killed while they store', async () => {
    const { id } = await aProject();
    for (let round = 0; round < 3; round++) {
      for (let batch = 0; batch < 4; batch++) await queue(id, 60);
      const blocker = await beginHeldTransaction(pool);
      await blocker.query('LOCK TABLE ledgers IN ACCESS EXCLUSIVE MODE');
      const workers = [aProcessor(), aProcessor()].map((worker) => drain(worker).catch(() => 'killed'));
      // Their statements have stored samples, and wait for the ledger.
      for (let killed = 0; killed === 0; ) {
        // Not in the transaction, which would read one list of sessions again and again.
        const { rowCount } = await pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        killed = rowCount ?? 0;
      }
      await blocker.query('COMMIT');
      blocker.release();
      expect(await Promise.all(workers)).toContain('killed');
    }
    await drain();
    await expectSamples(id, weightsOf(720), 720);
    const [group] = (await user.api.get(`/groups?project_id=${id}`)).body;
    expect(group).toMatchObject({ count: 720, users: 720 });
  });

  it('shows viewers of the live tail none but events that are kept, and counts the others', async () => {
    const { id } = await aProject();
    const organizationId = toUuid('org', user.organizationId) ?? '';
    const watched = createProcessor({
      ...service.context,
      pool,
      watchedOrganizations: () => [organizationId],
      lateMs: 300_000,
    });
    await queue(id, 1_000);
    await drain(watched);
    await queue(id, 64);
    await drain(watched);
    const { rows } = await pool.query<{ shown: number; kept: number; omitted: number }>(
      `SELECT jsonb_array_length(t.events) AS shown, t.omitted, (
          SELECT count(*)::int FROM jsonb_array_elements(t.events) AS shown
          JOIN events AS e ON e.id = (shown ->> 'id')::uuid AND coalesce(e.weight, 1) = coalesce((shown ->> 'weight')::int, 1)
        ) AS kept
        FROM live_tail AS t WHERE organization_id = $1 ORDER BY t.id`,
      [organizationId],
    );
    const few = weightsOf(1_064).length - weightsOf(1_000).length;
    expect(rows).toEqual([
      { shown: 50, kept: 50, omitted: 950 },
      { shown: few, kept: few, omitted: 64 - few },
    ]);
  });

  it('says of the job of an event that it was counted and not kept, to its own project alone', async () => {
    const [mine, other] = [await aProject(), await aProject()];
    const events = await store(mine.id, 300);
    const kept = new Set(
      (
        await pool.query<{ id: string }>('SELECT id FROM events WHERE project_id = $1', [uuidOf(mine.id)])
      ).rows.map(({ id }) => id),
    );
    const jobOf = (id: string, { ingest } = mine) => ingest.get(`/ingest/jobs/${toId('job', id)}`);
    const unkept = events.filter(({ id }) => !kept.has(id));
    expect(unkept).toHaveLength(300 - weightsOf(300).length);
    for (const { id } of unkept.slice(0, 10)) {
      expect((await jobOf(id)).body).toEqual({
        jobId: toId('job', id),
        status: 'processed',
        eventId: null,
        reason: 'The event was counted, not kept: others of its kind stand for it.',
      });
      expect((await jobOf(id, other)).status).toBe(404);
    }
    const [keptId = ''] = kept;
    expect((await jobOf(keptId)).body).toMatchObject({ eventId: toId('evt', keptId), reason: null });
    expect((await jobOf(newUuid(clock.now()))).status).toBe(404);
  });

  it('recognises the repeat of an event that was not kept by its key', async () => {
    const { id, ingest } = await aProject();
    const event = { type: 't', severity: 'ERROR', message: 'Storm' };
    const bulk = await ingest.post(
      '/ingest/bulk',
      Array.from({ length: 2 * ABOVE }, () => event),
    );
    expect(bulk.status).toBe(202);
    const answers = [];
    for (const headers of [{ 'idempotency-key': 'once' }, { 'idempotency-key': 'once' }]) {
      answers.push((await ingest.post('/ingest/events', event, { headers })).body);
      await drain();
    }
    expect(answers[1].jobId).toBe(answers[0].jobId);
    expect((await ingest.get(`/ingest/jobs/${answers[0].jobId}`)).body).toMatchObject({
      status: 'processed',
      eventId: null,
    });
    const { accepted, duplicate } = await ledgerOf(user, id);
    expect({ accepted, duplicate }).toEqual({ accepted: 2 * ABOVE + 2, duplicate: 1 });
  });

  it('keeps every payment and every alert of another system', async () => {
    const { id } = await aProject();
    await store(id, 250, { type: 'payment', failedPayment: true, amount: 100, currency: 'EUR' });
    await store(id, 250, { fingerprint: 'paid', type: 'payment', failedPayment: false });
    await store(id, 250, { fingerprint: 'alert', isAlert: true });
    await expectSamples(
      id,
      Array.from({ length: 750 }, () => 1),
      750,
    );
  });

  it('keeps the first events of a group that a storm has reopened', async () => {
    const { id } = await aProject();
    await store(id, 1_000);
    const [group] = (await user.api.get(`/groups?project_id=${id}`)).body;
    expect((await user.api.patch(`/groups/${group.id}`, { state: 'resolved' })).status).toBe(200);
    clock.advance(1_000);
    // It begins the group again, and may itself not be kept.
    await store(id, 1);
    await store(id, 150);
    const kept = [...weightsOf(1_000), ...weightsOf(150)];
    if (weightAt(1_001) > 0) kept.push(weightAt(1_001));
    await expectSamples(id, kept, 1_151);
  });

  it('samples a storm of ever new kinds as one once no more groups begin that day', async () => {
    const { id } = await aProject();
    await store(id, 1, { fingerprint: 'known' });
    await pool.query('UPDATE group_numbers SET new_errors = 2000 WHERE project_id = $1', [uuidOf(id)]);
    let kind = 0;
    for (let batch = 0; batch < 6; batch++) {
      await queueBatch(
        pool,
        id,
        Array.from({ length: 100 }, () => anEvent(id, { fingerprint: `new ${kind++}` })),
      );
      await drain();
    }
    // A warning still begins a group, with its event.
    await store(id, 1, { fingerprint: 'warning', severity: 'warn' });
    const { sampled, stored } = await ledgerOf(user, id);
    expect({ sampled, stored }).toEqual({
      sampled: 600 - weightsOf(600).length,
      stored: weightsOf(600).length + 2,
    });
    const groups = (await user.api.get(`/groups?project_id=${id}`)).body;
    expect(
      groups.map(({ title, count }: { title: string; count: number }) => [title, count]).toSorted(),
    ).toEqual([
      ['And more', 600],
      ['Paid', 1],
      ['Paid', 1],
    ]);
  });
});
