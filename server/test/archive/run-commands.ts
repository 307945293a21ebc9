import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { acquireLease } from '../../src/database/lease-queries.ts';
import { printedBy } from '../cli/support.ts';
import { startArchive } from './engine.ts';
import { COUNT, countEverywhere, fillWeeks, MONDAY_MS, NOW_MS } from './filled-weeks.ts';

const { copy } = await fillWeeks();

/** A database whose clock is trusted, beside an empty archive. */
async function start() {
  const { archive, engine } = await startArchive();
  const { pool, connectionString } = await copy();
  await pool.query("INSERT INTO settings (name, value) VALUES ('maintenance', $1)", [
    JSON.stringify({
      trustedMs: NOW_MS,
      doubt: null,
      droppedMs: NOW_MS,
      isConfirmed: true,
      retentionDays: 90,
    }),
  ]);
  const environment = {
    DATABASE_URL: connectionString,
    ARCHIVE_URL: `${engine.url}/default`,
    LOG_LEVEL: 'silent',
  };
  return {
    archive,
    pool,
    run: (command: string) => printedBy(environment, ['archive', ...command.split(' ')]),
  };
}

it('moves the weeks that are over with tocsin archive move, and prints them with tocsin archive status', async () => {
  const { archive, pool, run } = await start();
  expect(await run('status')).toBe('No archive was used yet.\n');
  expect(await run('move --now')).toBe('');
  const moved = (2 * COUNT) / 3;
  expect(await countEverywhere(pool, archive)).toEqual({
    database: COUNT / 3,
    archive: moved,
    different: moved,
  });
  expect(await run('status')).toBe(`Events captured before 2026-03-16T00:00:00.000Z are in the archive.
2026-03-02  1 block, 1,000 events
2026-03-09  1 block, 1,000 events
The database has 2 weeks.
`);
});

it('says what waits, and fails, where tocsin archive move ends before all is moved', async () => {
  const { pool, run } = await start();
  const waiting = 'There are still 2 weeks to be moved (2026-03-02, 2026-03-09)';
  const lease = { name: 'archive', holderId: randomUUID(), durationMs: 9 * 60_000 };
  expect(await acquireLease(pool, lease)).toBe(true);
  expect(await run('move --now')).toBe(`${waiting}: another process moves.\n`);
  expect(process.exitCode).toBe(1);
  await pool.query('DELETE FROM leases');
  // As a batch that was accepted while the first week could get events.
  await pool.query("INSERT INTO queue (accepted_at, bytes, deltas, events) VALUES ($1, 2, '{}', '[]')", [
    new Date(MONDAY_MS),
  ]);
  expect(await run('move --now')).toMatch(`${waiting}: accepted batches, a backup or another transaction`);
  process.exitCode = 0;
});

it('says which weeks are not as recorded with tocsin archive verify', async () => {
  const { archive, run } = await start();
  await run('move --now');
  expect(await run('verify')).toBe('2026-03-02  1 block as recorded\n2026-03-09  1 block as recorded\n');
  await archive.deleteEvents("at < toDateTime64('2026-03-03 00:00:00', 3, 'UTC')", {});
  const printed = await run('verify');
  expect(printed).toMatch(
    /^2026-03-02  block \d+ has \d+ events in place of 1000\n2026-03-02  0 blocks as recorded, 1 not\n/,
  );
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
});
