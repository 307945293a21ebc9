import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { aQueuedEvent, countsOf, ledgerOf, NO_EVENTS, processed, queueBatch, storeBatch } from './support.ts';

const WRITERS = 10;
const ROUNDS = rounds(8, 30);
const BULK_LINES = 10;

describe('two workers and two ingestion processes', async () => {
  const service = await startTestService({ own: true });
  const second = await startTestService({ roles: ['worker', 'ingestion'], database: service.database });
  const { pool } = service.database;
  const user = await service.signUp();

  it('stores every event of mixed batches exactly once with two workers, and agrees on all counts', async () => {
    const projects = [await user.createProject(), await user.createProject()];
    const field = { path: ['isEven'], operator: 'equals', value: true };
    const rule = { type: null, severity: null, source: null, field, events: 1_000_000, minutes: 1 };
    for (const { id } of projects) await user.api.put(`/projects/${id}/risk`, { rules: [rule] });
    const acknowledged = new Map<string, string[]>(projects.map(({ id }) => [id, []]));
    const severities = ['INFO', 'WARN', 'ERROR'];

    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const project = projects[writer % 2];
        if (!project) throw new Error('There are two projects.');
        const url = writer % 3 === 0 ? second.ingestionUrl : service.ingestionUrl;
        const ingest = new ApiClient(url, { 'x-api-key': project.apiKey });
        const ids = acknowledged.get(project.id) ?? [];
        for (let round = 0; round < ROUNDS; round++) {
          const event = (index: number) => ({
            type: `type ${writer % 3}`,
            severity: severities[(round + index) % 3],
            message: `Message ${writer}.${round}.${index}`,
            payload: { isEven: index % 2 === 0 },
            ...(index % 2 === 0 && { source: `source ${round % 4}` }),
          });
          const single = await ingest.post('/ingest/events', event(0));
          ids.push(single.body.jobId);
          const lines = Array.from({ length: BULK_LINES }, (_line, index) => event(index));
          const bulk = await ingest.post('/ingest/bulk', lines);
          for (const { jobId } of bulk.body) ids.push(jobId);
        }
      }),
    );
    await processed(service);

    const expected = (WRITERS / 2) * ROUNDS * (1 + BULK_LINES);
    for (const { id } of projects) {
      const ids = acknowledged.get(id) ?? [];
      expect(new Set(ids).size).toBe(expected);
      expect(await countsOf(pool, id)).toEqual({ events: expected, distinct: expected, counted: expected });
      expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: expected, stored: expected });
    }
    const { rows } = await pool.query(
      `SELECT project_id, date_trunc('minute', received_at), severity, type, source, count(*) FROM events
        GROUP BY 1, 2, 3, 4, 5
        EXCEPT ALL SELECT project_id, minute, severity, type, source, count FROM event_counts`,
    );
    expect(rows).toEqual([]);
    const { rows: uncounted } = await pool.query(
      `SELECT project_id, date_trunc('minute', received_at), severity, type, source, count(*) FROM events
        WHERE payload @> '{"isEven": true}' GROUP BY 1, 2, 3, 4, 5
        EXCEPT ALL SELECT project_id, minute, severity, type, source, count FROM field_counts`,
    );
    expect(uncounted).toEqual([]);
  });

  it('stores an event that is queued twice once, and counts the other as a duplicate', async () => {
    const { id } = await user.createProject();
    const [twice, alone, within] = [aQueuedEvent(id), aQueuedEvent(id), aQueuedEvent(id)];
    await queueBatch(pool, id, [twice, alone]);
    await queueBatch(pool, id, [twice]);
    await storeBatch(service, id, [within, aQueuedEvent(id), within]);
    expect(await countsOf(pool, id)).toEqual({ events: 4, distinct: 4, counted: 4 });
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 6, stored: 4, duplicate: 2 });
    // As after a crash between a store and its acknowledgement elsewhere: long after the first was stored.
    await storeBatch(service, id, [alone]);
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 7, stored: 4, duplicate: 3 });
  });
});

describe('a worker', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();

  it('loses and doubles nothing when a worker is killed in the middle of its transaction', async () => {
    const { id, ingest } = await user.createProject();
    for (let round = 0; round < 3; round++) {
      const blocker = await beginHeldTransaction(pool);
      await blocker.query('LOCK TABLE ledgers IN ACCESS EXCLUSIVE MODE');
      for (let count = 0; count < 5; count++) {
        await ingest.post('/ingest/events', { type: 't', severity: 'INFO', message: 'm' });
      }
      // The statement has expanded the batch and waits for the ledger, its last step.
      for (let killed = 0; killed === 0; ) {
        const { rowCount } = await blocker.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'tocsin-worker' AND wait_event_type = 'Lock'`,
        );
        killed = rowCount ?? 0;
      }
      await blocker.query('COMMIT');
      blocker.release();
    }
    await processed(service);
    expect(await countsOf(pool, id)).toEqual({ events: 15, distinct: 15, counted: 15 });
    expect(await ledgerOf(user, id)).toEqual({ ...NO_EVENTS, accepted: 15, stored: 15 });
  });
});
