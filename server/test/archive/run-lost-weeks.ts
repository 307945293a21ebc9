import { expect, it } from 'vitest';
import { listBlocksOfWeek } from '../../src/events/archive/block-queries.ts';
import type { EventArchive } from '../../src/events/archive/event-archive.ts';
import { partitionName } from '../../src/events/partition-queries.ts';
import { startArchive } from './engine.ts';
import { COUNT, countArchived, fillWeeks, MONDAY_MS, moverOf, NOW_MS, runToEnd } from './filled-weeks.ts';

const { copy } = await fillWeeks();
const WEEK = new Date(MONDAY_MS);

/** A mover whose first week is closed, with some blocks stored. */
async function startMoving(wrap: (archive: EventArchive) => EventArchive = (archive) => archive) {
  const { archive, engine } = await startArchive();
  const database = await copy();
  const { begin } = moverOf(database, wrap(archive));
  const mover = begin();
  const { pool } = database;
  const stored = async () =>
    (await listBlocksOfWeek(pool, WEEK)).filter(({ state }) => state === 'stored').length;
  return { archive, engine, database, pool, mover, begin, stored };
}

it('keeps the stored blocks of a week that the database has lost, and removes a planned one', async () => {
  const { archive, pool, mover, stored } = await startMoving();
  while ((await stored()) < 2) await mover.runOnce(NOW_MS);
  await pool.query(
    `UPDATE archive_blocks SET state = 'planned' WHERE number = (SELECT max(number) FROM archive_blocks)`,
  );
  const [kept] = (await listBlocksOfWeek(pool, WEEK)).filter(({ state }) => state === 'stored');
  await pool.query(`DROP TABLE ${partitionName(MONDAY_MS)}`);
  await mover.runOnce(NOW_MS);
  expect(await listBlocksOfWeek(pool, WEEK)).toEqual([{ ...kept, state: 'adopted' }]);
  expect((await countArchived(archive))?.archive).toBe(kept?.rows);
});

it('removes nothing from the archive once another process has the lease', async () => {
  const { archive, database, pool, mover, stored } = await startMoving();
  while ((await stored()) < 1) await mover.runOnce(NOW_MS);
  await pool.query("UPDATE archive_blocks SET state = 'planned'");
  await pool.query('DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 1)');
  const before = await countArchived(archive);
  const late: EventArchive = {
    ...archive,
    async findBlock(block) {
      await pool.query(`UPDATE leases SET holder_id = gen_random_uuid() WHERE name = 'archive'`);
      return archive.findBlock(block);
    },
  };
  await pool.query('DELETE FROM leases');
  expect(await moverOf(database, late).begin().runOnce(NOW_MS)).toBe('idle');
  expect(await countArchived(archive)).toEqual(before);
  await pool.query('DELETE FROM leases');
  await runToEnd(mover);
  expect((await countArchived(archive))?.archive).toBe((2 * COUNT) / 3 - 1);
});

it('fails with the number of a block that differs after it was inserted, and sends it under another token', async () => {
  let drops = 1;
  const { archive, mover, pool } = await startMoving((opened) => ({
    ...opened,
    // As an engine does with a token that it knows.
    insertBlock: async (block, rows) =>
      drops-- > 0 ? void (await rows.resume().toArray()) : opened.insertBlock(block, rows),
  }));
  await expect(runToEnd(mover)).rejects.toThrow(/^Block \d+ of the week of 2026-03-02/);
  expect((await pool.query('SELECT FROM archive_blocks WHERE attempt = 1')).rowCount).toBe(1);
  await runToEnd(mover);
  expect((await countArchived(archive))?.archive).toBe((2 * COUNT) / 3);
});

it('ends a step within a statement that is never answered, without the lease, when the process stops', async () => {
  const controller = new AbortController();
  const { engine, mover, pool } = await startMoving((opened) => ({
    ...opened,
    migrate() {
      const asked = opened.migrate();
      controller.abort();
      return asked;
    },
  }));
  await mover.runOnce(NOW_MS);
  await engine.tell({ HANG: 1 });
  expect(await mover.runOnce(NOW_MS, controller.signal)).toBe('idle');
  expect((await pool.query('SELECT FROM leases')).rowCount).toBe(0);
});
