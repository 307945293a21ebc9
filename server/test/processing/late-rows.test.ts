import { describe, expect, it } from 'vitest';
import { newUuid } from '../../src/platform/ids.ts';
import { isQueued } from '../../src/queue/queries.ts';
import { createTestDatabase } from '../support/database.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, countsOf, processed, storeBatch, uuidOf } from './support.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-11-18T12:00:00Z');

describe('a batch whose commit comes after that of a later one', async () => {
  const service = await startTestService({ own: true });
  const { pool } = service.database;
  const user = await service.signUp();

  it('processes a batch whose commit comes after that of a later one', async () => {
    const { id } = await user.createProject();
    const client = await beginHeldTransaction(pool);
    try {
      await client.query('INSERT INTO queue (bytes, deltas, events) VALUES ($1, $2, $3)', [
        100,
        JSON.stringify({ [uuidOf(id)]: { accepted: 1, duplicate: 0 } }),
        JSON.stringify([aQueuedEvent(id)]),
      ]);
      for (let index = 0; index < 20; index++) {
        await storeBatch(service, id, [aQueuedEvent(id)]);
      }
      await client.query('COMMIT');
    } finally {
      client.release(true);
    }
    await processed(service);
    expect(await countsOf(pool, id)).toEqual({ events: 21, distinct: 21, counted: 21 });
  });
});

describe('the search for an event in the queue', async () => {
  const { pool } = await createTestDatabase();
  const projectId = newUuid(NOW_MS);
  const queue = async (capturedMs: number, acceptedMs: number) => {
    const id = newUuid(capturedMs);
    await pool.query('INSERT INTO queue (accepted_at, bytes, deltas, events) VALUES ($1, 1, $2, $3)', [
      new Date(acceptedMs),
      JSON.stringify({ [projectId]: { accepted: 1, duplicate: 0 } }),
      `[{"id":"${id}","projectId":"${projectId}","receivedAt":""}]`,
    ]);
    return id;
  };

  it('finds a queued event captured at its receipt, long before, or a little after', async () => {
    for (const capturedMs of [
      NOW_MS,
      NOW_MS - 30_000,
      NOW_MS - 2 * HOUR_MS,
      NOW_MS - 7 * DAY_MS,
      NOW_MS + 5 * 60_000,
    ]) {
      expect(await isQueued(pool, projectId, await queue(capturedMs, NOW_MS))).toBe(true);
    }
  });

  it('skips queue rows from outside the time of the event', async () => {
    for (const capturedMs of [NOW_MS - 9 * DAY_MS, NOW_MS + HOUR_MS]) {
      expect(await isQueued(pool, projectId, await queue(capturedMs, NOW_MS))).toBe(false);
    }
    expect(await isQueued(pool, projectId, newUuid(NOW_MS))).toBe(false);
  });
});
