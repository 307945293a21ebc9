import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { findFingerprintV1Until } from '../../src/ingestion/event/fingerprint-queries.ts';
import { fingerprintV1 } from '../../src/ingestion/event/fingerprint-v1.ts';
import { findDatabaseTime } from '../../src/maintenance/maintenance-queries.ts';
import { storeOldestBatches } from '../../src/processing/queries.ts';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { createNewDatabase, openDatabase } from '../cli/support.ts';
import { StillClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, queueBatch, uuidOf } from './support.ts';

const DAY_MS = 24 * 60 * 60_000;
const ALL = { fromId: 0, maxBatches: 100, maxBytes: 1_000_000 };
const OPTIONS = { watchedOrganizations: [], lateMs: 5 * 60_000 };

async function startAfterUpdate(days: number) {
  const clock = new StillClock();
  const database = await createTestDatabase();
  await database.pool.query(`INSERT INTO settings (name, value) VALUES ('fingerprint_v1_until', $1)`, [
    new Date(clock.now() + (30 - days) * DAY_MS).toISOString(),
  ]);
  const service = await startTestService({ clock, database, roles: ['management', 'ingestion'] });
  const project = await (await service.signUp()).createProject();
  const queued = async () => {
    const { rows } = await database.pool.query<{ events: string }>('SELECT events FROM queue ORDER BY id');
    return rows.flatMap(({ events }) => JSON.parse(events) as QueuedEvent[]);
  };
  return { ...project, pool: database.pool, queued };
}

const error = { type: 'checkout', severity: 'ERROR', source: 'shop', message: 'Failed with status 503' };
const lines = (events: object[]) => events.map((event) => JSON.stringify(event)).join('\n');
const asLines = { headers: { 'content-type': 'application/x-ndjson' } };

describe('the first 30 days after an update from fingerprints of version 1', () => {
  it('computes both fingerprints on every way in, but beside a fingerprint of the sender', async () => {
    const { ingest, queued } = await startAfterUpdate(29);
    await ingest.post('/ingest/events', error);
    await ingest.post('/ingest/events', error, { headers: { 'idempotency-key': 'not by the hot route' } });
    await ingest.post('/ingest/bulk', lines([error]), asLines);
    await ingest.post('/ingest/events', { ...error, message: 'Out of stock' });
    await ingest.post('/ingest/events', { ...error, fingerprint: ['mine'] });
    const events = await queued();
    const earlier = fingerprintV1('checkout', 'shop', error.message);
    expect(events.map((event) => event.fingerprintV1)).toEqual([
      earlier,
      earlier,
      earlier,
      undefined,
      undefined,
    ]);
    expect(events.map((event) => event.fingerprintVersion)).toEqual([2, 2, 2, 2, 2]);
  });

  it('tells detection by which earlier fingerprints an error may be known', async () => {
    const { id, pool } = await startAfterUpdate(1);
    const events = ['v1-b', 'v1-a', undefined].map((fingerprintV1) =>
      aQueuedEvent(id, {
        severity: 'error',
        fingerprint: 'v2',
        fingerprintVersion: 2,
        ...(fingerprintV1 && { fingerprintV1 }),
      }),
    );
    await queueBatch(pool, id, [...events, aQueuedEvent(id, { severity: 'error', fingerprint: 'other' })]);
    await storeOldestBatches(pool, OPTIONS, ALL);
    const { rows } = await pool.query<{ kinds: { fingerprint: string }[] }>('SELECT kinds FROM risk_inbox');
    const kinds = rows.flatMap((row) => row.kinds);
    expect(kinds).toHaveLength(2);
    expect(kinds).toContainEqual(
      expect.objectContaining({ fingerprint: 'v2', earlierFingerprints: ['v1-a', 'v1-b'] }),
    );
    expect(kinds).toContainEqual(expect.not.objectContaining({ earlierFingerprints: expect.anything() }));
    const stored = await pool.query<{ version: number | null }>(
      'SELECT fingerprint_version AS version FROM events WHERE project_id = $1 ORDER BY 1',
      [uuidOf(id)],
    );
    expect(stored.rows.map(({ version }) => version)).toEqual([2, 2, 2, null]);
  });
});

describe('the fingerprints of version 1', () => {
  it('computes no fingerprint of version 1 after 30 days, nor in a new database', async () => {
    const { ingest, queued } = await startAfterUpdate(31);
    await ingest.post('/ingest/events', error);
    expect(await queued()).toEqual([expect.not.objectContaining({ fingerprintV1: expect.anything() })]);
    expect(await findFingerprintV1Until((await createTestDatabase()).pool)).toBe(0);
  });

  it('computes both for 30 days from the update of a database that holds events', async () => {
    const { pool } = openDatabase(await createNewDatabase());
    const migrations = await readMigrations();
    await migrate(
      pool,
      migrations.filter(({ version }) => version <= 16),
    );
    await pool.query(`INSERT INTO queue (bytes, deltas, events) VALUES (2, '{}', '[]')`);
    // The end is stored in whole seconds.
    const beforeMs = (await findDatabaseTime(pool)) - 1_000;
    await migrate(pool);
    const untilMs = await findFingerprintV1Until(pool);
    expect(untilMs).toBeGreaterThanOrEqual(beforeMs + 30 * DAY_MS);
    expect(untilMs).toBeLessThanOrEqual((await findDatabaseTime(pool)) + 30 * DAY_MS);
  });
});
