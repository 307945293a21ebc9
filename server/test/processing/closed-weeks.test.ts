import { expect, it } from 'vitest';
import { inPlainTransaction } from '../../src/database/database.ts';
import {
  findPlannedBlock,
  insertPlannedBlock,
  updateBlockStored,
} from '../../src/events/archive/block-queries.ts';
import { countBlock, createClosure, dropWeek, isWeekClosed } from '../../src/events/archive/week-queries.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { endOfWeek } from '../../src/events/weeks.ts';
import { HOUR_MS, WEEK_MS } from '../../src/platform/durations.ts';
import { newUuid, uuidLowerBound } from '../../src/platform/ids.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, ledgerOf, NO_EVENTS, processed, storeBatch } from './support.ts';

const WEEK = Date.parse('2026-03-02T00:00:00Z');

const service = await startTestService({ own: true });
const { pool } = service.database;
const user = await service.signUp();

/** Events of a week, an hour apart, as they were queued then. */
function eventsOf(projectId: string, weekMs: number, count: number) {
  return Array.from({ length: count }, (_, n) => {
    const capturedMs = weekMs + (n + 1) * HOUR_MS;
    return aQueuedEvent(projectId, {
      id: newUuid(capturedMs),
      receivedAt: new Date(capturedMs).toISOString(),
    });
  });
}

const close = (weekMs: number) =>
  inPlainTransaction(pool, (transaction) => createClosure(transaction, weekMs));

/** Plans a week as one block, and marks it as stored. */
async function storeWeek(number: number, weekMs: number) {
  const block = {
    number,
    week: new Date(weekMs),
    afterId: uuidLowerBound(weekMs),
    lastId: uuidLowerBound(endOfWeek(weekMs)),
  };
  await insertPlannedBlock(pool, block);
  const sum = await countBlock(pool, { ...block, weekMs, held: [] });
  expect(await updateBlockStored(pool, { ...block, changedBy: null }, sum)).toBe(true);
  return { block, sum };
}

it('keeps an event of a week that moves as a dead letter, and stores it once the week is gone', async () => {
  const project = await user.createProject();
  await ensurePartitions(pool, WEEK, WEEK);
  await close(WEEK);
  expect(await isWeekClosed(pool, WEEK)).toBe(true);
  const recent = aQueuedEvent(project.id);
  await storeBatch(service, project.id, [...eventsOf(project.id, WEEK, 1), recent]);
  expect(await ledgerOf(user, project.id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 1, dead: 1 });
  const path = `/projects/${project.id}/dead-letters`;
  const { body: letters } = await user.api.get(path);
  expect(letters).toMatchObject([
    { sqlState: '23514', reason: expect.stringContaining('moves_to_the_archive') },
  ]);
  await inPlainTransaction(pool, (transaction) => dropWeek(transaction, WEEK));
  await user.api.post(`${path}/replay`);
  await processed(service);
  expect(await ledgerOf(user, project.id)).toEqual({ ...NO_EVENTS, accepted: 2, stored: 2 });
  expect(await isWeekClosed(pool, WEEK)).toBe(false);
});

it('compares a block again after each transaction that removes events of it', async () => {
  const weekMs = WEEK + WEEK_MS;
  const project = await user.createProject();
  const events = eventsOf(project.id, weekMs, 6);
  await storeBatch(service, project.id, events);
  await close(weekMs);
  const { block, sum } = await storeWeek(1, weekMs);
  expect(sum.rows).toBe(6);
  expect(await findPlannedBlock(pool)).toBeNull();
  const remove = (from: number, to: number) =>
    pool.query('DELETE FROM events WHERE id = ANY ($1::uuid[])', [
      events.slice(from, to).map(({ id }) => id),
    ]);
  await remove(0, 2);
  const planned = await findPlannedBlock(pool);
  expect(planned).toMatchObject({ number: 1, attempt: 0, changedBy: expect.any(String) });
  // A sum from before the removal may not be recorded.
  expect(await updateBlockStored(pool, { ...block, changedBy: null }, sum)).toBe(false);
  await remove(2, 3);
  expect(await updateBlockStored(pool, { number: 1, changedBy: planned?.changedBy ?? null }, sum)).toBe(
    false,
  );
  const again = await findPlannedBlock(pool);
  const rest = await countBlock(pool, { ...block, weekMs, held: [] });
  expect(rest.rows).toBe(3);
  expect(await updateBlockStored(pool, { number: 1, changedBy: again?.changedBy ?? null }, rest)).toBe(true);
});

it('leaves the events of deleted projects out of a block', async () => {
  const weekMs = WEEK + 2 * WEEK_MS;
  const [kept, deleted] = [await user.createProject(), await user.createProject()];
  await storeBatch(service, kept.id, eventsOf(kept.id, weekMs, 2));
  await storeBatch(service, deleted.id, eventsOf(deleted.id, weekMs, 3));
  const range = {
    weekMs,
    afterId: uuidLowerBound(weekMs),
    lastId: uuidLowerBound(endOfWeek(weekMs)),
    held: [] as string[],
  };
  expect((await countBlock(pool, range)).rows).toBe(5);
  await user.api.delete(`/projects/${deleted.id}`);
  expect((await countBlock(pool, range)).rows).toBe(2);
});
