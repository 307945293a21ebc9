import { expect, it } from 'vitest';
import { printedBy } from '../cli/support.ts';
import { startArchive } from './engine.ts';
import { COUNT, countEverywhere, fillWeeks, NOW_MS } from './filled-weeks.ts';

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
