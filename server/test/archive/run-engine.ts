import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { openArchive } from '../../src/events/archive/open-archive.ts';
import { WEEK_MS } from '../../src/platform/durations.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertTenant } from '../support/tenants.ts';
import { waitFor } from '../support/wait.ts';
import { type EngineFaults, startArchive, startEngine } from './engine.ts';
import { copyWeek, findHeld, readBlock } from './move-block.ts';
import { insertVariedEvents } from './varied-events.ts';

const MONDAY_MS = Date.parse('2026-03-02T00:00:00Z');
const COUNT = 2_000;
const SILENT: EngineFaults = { REFUSE: 0, HANG: 1 };
const LIMITS = { maxRunMs: 30_000 };

const { pool } = await createTestDatabase();
const { organizationId, projectIds } = await insertTenant(pool, 2);
await insertVariedEvents(pool, {
  organizationId,
  projectIds,
  count: COUNT,
  firstMs: MONDAY_MS,
  stepMs: WEEK_MS / COUNT,
});
const block = { number: 1, weekMs: MONDAY_MS };

it('holds the rows of a block with each column as PostgreSQL has it', async () => {
  const { archive } = await startArchive();
  await copyWeek(pool, archive, block);
  expect(await archive.findBlock(block)).toEqual(await findHeld(pool, MONDAY_MS));
  expect(await archive.listWeeks()).toEqual([MONDAY_MS]);
});

it('finds no rows and the hash 0 for a block that it does not hold', async () => {
  const { archive } = await startArchive();
  expect(await archive.findBlock(block)).toEqual({ rows: 0, hash: '0' });
});

it('applies a schema once', async () => {
  const { engine } = await startArchive();
  const again = await openArchive(engine.url);
  expect(await again.migrate()).toEqual([]);
  await again.close();
});

it('sorts events as PostgreSQL does, those of one millisecond included', async () => {
  const { archive } = await startArchive();
  await copyWeek(pool, archive, block);
  const archived = await archive.query<{ id: string }>(
    "SELECT leftPad(lower(hex(id)), 32, '0') AS id FROM events ORDER BY at DESC, id DESC",
    {},
    LIMITS,
  );
  const { rows } = await pool.query<{ id: string }>(
    "SELECT replace(id::text, '-', '') AS id FROM events ORDER BY events.id DESC",
  );
  expect(archived).toEqual(rows);
});

it('drops other rows under a token that it knows without a word, which only a count shows', async () => {
  const { archive } = await startArchive();
  await copyWeek(pool, archive, block, 'same');
  await copyWeek(pool, archive, { ...block, number: 2 }, 'same');
  expect((await archive.findBlock({ ...block, number: 2 })).rows).toBe(0);
});

it('stores the rows of a repeated token once, and again once the token is forgotten', async () => {
  const { engine, archive } = await startArchive();
  await copyWeek(pool, archive, block, 'first');
  await copyWeek(pool, archive, block, 'first');
  expect((await archive.findBlock(block)).rows).toBe(COUNT);
  await engine.setTokenWindow(1);
  await copyWeek(pool, archive, { ...block, number: 2 }, 'second');
  await copyWeek(pool, archive, block, 'first');
  expect((await archive.findBlock(block)).rows).toBe(2 * COUNT);
});

it('removes a block by its number, a week, and events of a condition', async () => {
  const { archive } = await startArchive();
  await copyWeek(pool, archive, block);
  await copyWeek(pool, archive, { ...block, number: 2 });
  await archive.deleteBlock(block);
  expect((await archive.findBlock(block)).rows).toBe(0);
  expect((await archive.findBlock({ ...block, number: 2 })).rows).toBe(COUNT);
  await archive.deleteEvents('project_id = {project:UUID} AND severity = {severity:String}', {
    project: projectIds[0],
    severity: 'info',
  });
  expect((await archive.findBlock({ ...block, number: 2 })).rows).toBe(COUNT - COUNT / 4);
  await archive.dropWeek(MONDAY_MS);
  expect(await archive.listWeeks()).toEqual([]);
});

it('sends no further removal while one goes on', async () => {
  const { engine, archive } = await startArchive();
  await copyWeek(pool, archive, block);
  const ask = async (body: string) => {
    const answer = await fetch(engine.url, { method: 'POST', body });
    expect(await answer.text()).toBe('');
  };
  await ask('SYSTEM STOP MERGES events');
  await ask("ALTER TABLE events DELETE WHERE severity = 'info' SETTINGS mutations_sync = 0");
  await expect(archive.deleteEvents("severity = 'info'", {})).rejects.toThrow('still removes');
  await expect(archive.deleteBlock(block)).rejects.toThrow('still removes');
  await ask('SYSTEM START MERGES events');
  await waitFor('the end of the removal', () =>
    archive.deleteEvents("severity = 'info'", {}).then(
      () => true,
      () => false,
    ),
  );
  expect((await archive.findBlock(block)).rows).toBe(COUNT - COUNT / 4);
});

it('stores rows of an insert that was never answered', async () => {
  const { engine, archive } = await startArchive();
  await engine.tell({ DIE_EVERY: 1 });
  await expect(copyWeek(pool, archive, block)).rejects.toMatchObject({ name: 'ArchiveError' });
  await engine.restart();
  expect(await archive.findBlock(block)).toEqual(await findHeld(pool, MONDAY_MS));
});

it('throws an error of its own where the engine refuses, hangs, or is too slow', async () => {
  const { engine, archive } = await startArchive();
  await expect(
    archive.query(
      'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1',
      {},
      { maxRunMs: 200 },
    ),
  ).rejects.toMatchObject({ name: 'ArchiveError', isSlow: true });
  await engine.tell({ REFUSE: 1 });
  await expect(archive.findBlock(block)).rejects.toMatchObject({ name: 'ArchiveError', isSlow: false });
  await engine.tell(SILENT);
  const controller = new AbortController();
  const asked = archive.query('SELECT 1', {}, { ...LIMITS, signal: controller.signal });
  controller.abort(new Error('The client has gone.'));
  await expect(asked).rejects.toThrow('The client has gone.');
});

it('takes conditions with thousands of values', async () => {
  const { archive } = await startArchive();
  const values = Array.from({ length: 10_000 }, (_, index) => `fingerprint ${index} with a "quote" and a \\`);
  const [row] = await archive.query<{ found: number }>(
    'SELECT length({values:Array(String)}) AS found, {values:Array(String)}[2] AS second',
    { values },
    LIMITS,
  );
  expect(row).toEqual({ found: 10_000, second: values[1] });
});

it('fails at once for an address where nothing listens', async () => {
  const engine = await startEngine();
  await engine.kill();
  const archive = await openArchive(engine.url);
  await expect(archive.findBlock(block)).rejects.toMatchObject({ name: 'ArchiveError' });
  await archive.close();
});

it('keeps the rows of a block in one part, so that an insert is stored whole or not at all', async () => {
  const { archive } = await startArchive();
  const rows = await readBlock(pool, block);
  await archive.insertBlock({ ...block, token: 't' }, Readable.from([rows], { objectMode: false }));
  const [found] = await archive.query<{ parts: number }>(
    "SELECT count() AS parts FROM system.parts WHERE table = 'events' AND active",
    {},
    LIMITS,
  );
  expect(found).toEqual({ parts: 1 });
});
