import { expect, it } from 'vitest';
import { rollHours } from '../../src/events/counts/roll-hours.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { aQueuedEvent, processed, queueBatch } from './support.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

// Without a worker: hours are copied when the test says so.
const service = await startTestService({ roles: ['management'] });
const { pool } = service.database;
const user = await service.signUp();
const nowMs = service.context.clock.now();

async function store(projectId: string, capturedMs: number): Promise<void> {
  await queueBatch(pool, projectId, [aQueuedEvent(projectId, { id: newUuid(capturedMs) })]);
  await processed(service);
}

async function countDay(projectId: string): Promise<number> {
  const range = `from=${new Date(nowMs - 24 * HOUR_MS).toISOString()}&to=${new Date(nowMs + HOUR_MS).toISOString()}`;
  const { body } = await user.api.get(`/events/histogram?project_id=${projectId}&${range}`);
  return body.reduce((sum: number, { info }: { info: number }) => sum + info, 0);
}

async function listMarks(): Promise<number[]> {
  const { rows } = await pool.query<{ hour: Date }>('SELECT hour FROM stale_hours ORDER BY hour');
  return rows.map(({ hour }) => hour.getTime());
}

it('counts an event that is stored after its hour was copied, and marks that hour until it is copied again', async () => {
  const { id } = await user.createProject();
  const lateMs = nowMs - 5 * HOUR_MS;
  const hours = [Math.floor(lateMs / HOUR_MS) * HOUR_MS];
  await store(id, lateMs);
  await rollHours(pool, 1_000);
  expect(await countDay(id)).toBe(1);
  await store(id, lateMs);
  expect(await listMarks()).toEqual(hours);
  await store(id, lateMs);
  expect(await listMarks()).toEqual(hours);
  expect(await countDay(id)).toBe(3);
  await rollHours(pool, 1_000);
  expect(await listMarks()).toEqual([]);
  expect(await countDay(id)).toBe(3);
});

it('marks no hour for an event that is stored within ten minutes of its capture', async () => {
  const { id } = await user.createProject();
  // As after a leap of the clock: the present hour counts as copied.
  await pool.query('UPDATE rolled_hours SET until = $1', [new Date(nowMs + 2 * HOUR_MS)]);
  await store(id, service.context.clock.now() - 8 * MINUTE_MS);
  expect(await listMarks()).toEqual([]);
  await store(id, service.context.clock.now() - 12 * MINUTE_MS);
  expect(await listMarks()).toHaveLength(1);
  await rollHours(pool, 1_000);
});

it('marks an hour again if another worker removes its mark at that moment', async () => {
  const { id } = await user.createProject();
  const lateMs = nowMs - 5 * HOUR_MS;
  await store(id, lateMs);
  await rollHours(pool, 1_000);
  await store(id, lateMs);
  const other = await beginHeldTransaction(pool);
  try {
    await other.query('DELETE FROM stale_hours');
    const stored = store(id, lateMs);
    await waitFor('the worker to wait for the mark', async () => (await countLockWaits(pool)) > 0);
    await other.query('COMMIT');
    await stored;
  } finally {
    other.release(true);
  }
  expect(await listMarks()).toHaveLength(1);
});
