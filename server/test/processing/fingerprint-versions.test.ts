import { describe, expect, it } from 'vitest';
import { storeBatches } from '../../src/processing/queries.ts';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, queueBatch, uuidOf } from './support.ts';

const ALL = { fromId: 0, maxBatches: 100, maxBytes: 1_000_000 };
const OPTIONS = { watchedOrganizations: [], lateMs: 5 * 60_000 };

const error = { type: 'checkout', severity: 'ERROR', source: 'shop', message: 'Failed with status 503' };

describe('the number of the fingerprint algorithm', async () => {
  const database = await createTestDatabase();
  const { pool } = database;
  const service = await startTestService({ database, roles: ['management', 'ingestion'] });
  const user = await service.signUp();

  it('queues the number of the fingerprint algorithm at every endpoint, without a former fingerprint', async () => {
    const { ingest } = await user.createProject();
    await ingest.post('/ingest/events', error);
    await ingest.post('/ingest/events', error, { headers: { 'idempotency-key': 'not by the hot route' } });
    await ingest.post('/ingest/bulk', JSON.stringify(error), {
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const { rows } = await pool.query<{ events: string }>('SELECT events FROM queue ORDER BY id');
    const events = rows.flatMap((row) => JSON.parse(row.events) as QueuedEvent[]);
    expect(events.map(({ fingerprintVersion }) => fingerprintVersion)).toEqual([1, 1, 1]);
    expect(events.filter((event) => 'formerFingerprint' in event)).toEqual([]);
    await pool.query('TRUNCATE queue');
  });

  it('stores what the ingestion of a version with another algorithm queues, and tells detection the former fingerprints', async () => {
    const { id } = await user.createProject();
    const events = ['former-b', 'former-a', undefined].map((formerFingerprint) =>
      aQueuedEvent(id, {
        severity: 'error',
        fingerprint: 'next',
        fingerprintVersion: 2,
        ...(formerFingerprint && { formerFingerprint }),
      }),
    );
    await queueBatch(pool, id, [...events, aQueuedEvent(id, { severity: 'error', fingerprint: 'other' })]);
    await storeBatches(pool, OPTIONS, ALL);
    const { rows } = await pool.query<{ errors: { fingerprint: string }[] }>('SELECT errors FROM risk_inbox');
    const errors = rows.flatMap((row) => row.errors);
    expect(errors).toHaveLength(2);
    expect(errors).toContainEqual(
      expect.objectContaining({ fingerprint: 'next', earlierFingerprints: ['former-a', 'former-b'] }),
    );
    expect(errors).toContainEqual(expect.not.objectContaining({ earlierFingerprints: expect.anything() }));
    const stored = await pool.query<{ version: number }>(
      'SELECT fingerprint_version AS version FROM events WHERE project_id = $1 ORDER BY 1',
      [uuidOf(id)],
    );
    expect(stored.rows.map(({ version }) => version)).toEqual([1, 2, 2, 2]);
  });
});
