import { expect, it } from 'vitest';
import { insertArchiveState } from '../../src/events/archive/block-queries.ts';
import { listEventPartitions } from '../../src/events/partition-queries.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { createTestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { backUp, createNewDatabase, restore, withPool } from './support.ts';

it('backs up what holds after a partition of its snapshot was dropped, such as one that moved to the archive', async () => {
  const { pool, connectionString } = await createTestDatabase();
  const nowMs = Date.parse('2026-03-04T00:00:00Z');
  await ensurePartitions(pool, nowMs, nowMs);
  const [partition = ''] = await listEventPartitions(pool);
  const mover = await pool.connect();
  await mover.query('BEGIN');
  await mover.query(`DROP TABLE ${partition}`);
  const written = backUp(connectionString);
  await waitFor('the backup to wait for the partition', async () => {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tocsin-backup' AND wait_event_type = 'Lock'`,
    );
    return rowCount === 1;
  });
  await insertArchiveState(mover, '019a0000-0000-7000-8000-000000000000');
  await mover.query('COMMIT');
  mover.release();
  const target = await createNewDatabase();
  await restore(target, await written);
  const { rowCount } = await withPool(target, 'reader', (copy) => copy.query('SELECT FROM archive_state'));
  expect(rowCount).toBe(1);
});
