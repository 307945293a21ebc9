import { expect, it } from 'vitest';
import { findArchiveState } from '../../src/events/archive/block-queries.ts';
import type { EventArchive } from '../../src/events/archive/event-archive.ts';
import { listPartitionWeeks } from '../../src/events/partition-queries.ts';
import { OVER_AFTER_MS } from '../../src/events/partitions.ts';
import { WEEK_MS } from '../../src/platform/durations.ts';
import { startArchive } from './engine.ts';
import {
  COUNT,
  countArchived,
  countEverywhere,
  fillWeeks,
  MONDAY_MS,
  moverOf,
  NOW_MS,
  runInPieces,
  runToEnd,
} from './filled-weeks.ts';

const MOVED_UNTIL = new Date(MONDAY_MS + 2 * WEEK_MS);
const WHOLE = { database: COUNT / 3, archive: (2 * COUNT) / 3, different: (2 * COUNT) / 3 };

const { copy, projectIds } = await fillWeeks();

/** An empty archive and a full database. */
async function start() {
  const { archive, engine } = await startArchive();
  const database = await copy();
  return { archive, engine, database, pool: database.pool, ...moverOf(database, archive) };
}

it('moves the weeks that are over, each in compared blocks, and leaves the newer one', async () => {
  const { archive, pool, begin } = await start();
  await runToEnd(begin());
  expect(await countEverywhere(pool, archive)).toEqual(WHOLE);
  expect((await findArchiveState(pool))?.archivedUntil).toEqual(MOVED_UNTIL);
  expect(await listPartitionWeeks(pool)).toEqual([MONDAY_MS + 2 * WEEK_MS, MONDAY_MS + 3 * WEEK_MS]);
  const { rows } = await pool.query(
    'SELECT state, count(*) AS blocks, sum(rows)::int AS rows, max(rows) AS most FROM archive_blocks GROUP BY 1',
  );
  expect(rows).toEqual([{ state: 'moved', blocks: 8, rows: 2_000, most: 300 }]);
});

it('moves nothing that is not over, or while the clock is not trusted', async () => {
  const { archive, pool, begin } = await start();
  const mover = begin();
  await runToEnd(mover, MONDAY_MS + WEEK_MS + OVER_AFTER_MS - 1);
  expect(await mover.runOnce(null)).toBe('idle');
  expect(await countEverywhere(pool, archive)).toEqual({ database: COUNT, archive: 0, different: 0 });
});

it('waits for batches that were accepted while the week could get events', async () => {
  const { archive, pool, begin } = await start();
  await pool.query("INSERT INTO queue (accepted_at, bytes, deltas, events) VALUES ($1, 2, '{}', '[]')", [
    new Date(MONDAY_MS + 2 * WEEK_MS),
  ]);
  await runToEnd(begin());
  expect(await countEverywhere(pool, archive)).toEqual({ database: COUNT, archive: 0, different: 0 });
  await pool.query('DELETE FROM queue');
  await runToEnd(begin());
  expect(await countEverywhere(pool, archive)).toEqual(WHOLE);
});

it('moves each event once although the engine dies after inserts that it never answered, and movers end anywhere', async () => {
  const { archive, engine, pool, begin } = await start();
  const deaths = await runInPieces(pool, begin, engine, { DIE_EVERY: 2 });
  expect(deaths).toBeGreaterThan(3);
  expect(await countEverywhere(pool, archive)).toEqual(WHOLE);
});

it('removes what an interrupted insert has left of a block, and sends it again', async () => {
  const { archive, database, pool, begin } = await start();
  const torn: EventArchive = {
    ...archive,
    async insertBlock(block, rows) {
      await archive.insertBlock(block, rows);
      // A part of the shards has it.
      await archive.deleteEvents('block = {block:UInt64} AND id % 2 = 0', { block: block.number });
      throw new Error('The connection is lost.');
    },
  };
  await begin().runOnce(NOW_MS);
  await expect(runToEnd(moverOf(database, torn).begin())).rejects.toThrow('lost');
  await pool.query('DELETE FROM leases');
  await runToEnd(begin());
  expect(await countEverywhere(pool, archive)).toEqual(WHOLE);
});

it('stores a block once where the engine forgets tokens at once', async () => {
  const { archive, engine, pool, begin } = await start();
  await engine.setTokenWindow(1);
  expect(await runInPieces(pool, begin, engine, { DIE_EVERY: 3 })).toBeGreaterThan(1);
  expect(await countEverywhere(pool, archive)).toEqual(WHOLE);
});

it('leaves nothing in the archive that was removed from a week that moves', async () => {
  const { archive, pool, begin } = await start();
  const mover = begin();
  // The state, the closing, and two blocks.
  for (let step = 0; step < 6; step++) await mover.runOnce(NOW_MS);
  await pool.query('DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 10)');
  await pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [projectIds[1]]);
  await runToEnd(mover);
  const left = await countArchived(archive, `project_id = '${projectIds[0]}'`);
  expect(left?.archive).toBe(COUNT / 3 - 5);
});

it('keeps what a newer archive has after an older backup was restored, and sends nothing twice', async () => {
  const { archive, begin } = await start();
  await runToEnd(begin());
  // An older one, without some events of a week that has moved since.
  const older = await copy();
  await older.pool.query('DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 40)');
  await runToEnd(moverOf(older, archive).begin());
  expect(await countEverywhere(older.pool, archive)).toEqual(WHOLE);
  expect((await findArchiveState(older.pool))?.archivedUntil).toEqual(MOVED_UNTIL);
});

it('moves all that gathered while the archive did not answer, and shows its lag meanwhile', async () => {
  const { archive, engine, pool, begin, dependencies } = await start();
  const mover = begin();
  await mover.runOnce(NOW_MS);
  await engine.tell({ REFUSE: 1 });
  await mover.runOnce(NOW_MS).catch(() => {});
  await expect(runToEnd(mover)).rejects.toThrow();
  const lag = async () => (await dependencies.metrics.archiveLag.get()).values[0]?.value;
  expect(await lag()).toBeCloseTo(WEEK_MS / 1000, 0);
  await engine.tell({ REFUSE: 0 });
  await runToEnd(mover);
  expect(await lag()).toBe(0);
  expect(await countEverywhere(pool, archive)).toEqual(WHOLE);
});
