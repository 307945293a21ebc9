import { expect, it } from 'vitest';
import { insertDeletion, insertSeverityDeletions } from '../../src/events/archive/deletion-queries.ts';
import type { EventArchive } from '../../src/events/archive/event-archive.ts';
import { expireArchived } from '../../src/maintenance/archive/expire-archived.ts';
import { findDatabaseTime } from '../../src/maintenance/maintenance-queries.ts';
import { DAY_MS, WEEK_MS } from '../../src/platform/durations.ts';
import { insertArchiveDeletion } from '../../src/tenancy/projects/queries.ts';
import type { TestDatabase } from '../support/database.ts';
import { startArchive } from './engine.ts';
import { COUNT, countArchived, fillWeeks, MONDAY_MS, moverOf, NOW_MS, runToEnd } from './filled-weeks.ts';

const { copy, organizationId, projectIds } = await fillWeeks();
const [first = '', second = ''] = projectIds;
const MOVED = (2 * COUNT) / 3;

/** An archive that has two weeks. */
async function startMoved() {
  const { archive, engine } = await startArchive();
  const database = await copy();
  const { begin, dependencies } = moverOf(database, archive);
  await runToEnd(begin());
  return { archive, engine, database, pool: database.pool, begin, dependencies };
}

async function ledgersOf(pool: TestDatabase['pool']) {
  const { rows } = await pool.query<{ stored: number; erased: number; expired: number }>(
    'SELECT sum(stored)::int AS stored, sum(erased)::int AS erased, sum(expired)::int AS expired FROM ledgers',
  );
  return rows[0];
}

/** True if what is recorded of each block is what the archive has. */
async function isAsRecorded({
  pool,
  archive,
}: Pick<Awaited<ReturnType<typeof startMoved>>, 'pool' | 'archive'>) {
  const { rows } = await pool.query<{ number: number; week: Date; rows: number; hash: string }>(
    'SELECT number, week, rows, hash::text FROM archive_blocks',
  );
  for (const { number, week, ...recorded } of rows)
    expect(await archive.findBlock({ number, weekMs: week.getTime() })).toEqual(recorded);
}

it('removes the events of a deleted project', async () => {
  const { archive, pool, begin } = await startMoved();
  await insertArchiveDeletion(pool, organizationId, first);
  await runToEnd(begin());
  expect((await countArchived(archive, `project_id = '${first}'`))?.archive).toBe(0);
  expect((await countArchived(archive))?.archive).toBe(MOVED / 2);
  await isAsRecorded({ pool, archive });
});

it('removes what a newer archive has of a project that a restored database deleted before it knew the archive', async () => {
  const { archive } = await startMoved();
  const older = await copy();
  await older.pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [first]);
  await runToEnd(moverOf(older, archive).begin());
  expect((await countArchived(archive, `project_id = '${first}'`))?.archive).toBe(0);
  expect((await countArchived(archive))?.archive).toBe(MOVED / 2);
});

it('asks for one removal of a severity for all projects that keep it as long', async () => {
  const { pool } = await startMoved();
  await pool.query(`UPDATE projects SET retention = '{"info": 1}'`);
  await pool.query(`UPDATE projects SET retention = '{"info": 1, "warn": 2}' WHERE id = $1`, [second]);
  await insertSeverityDeletions(pool, new Date(NOW_MS));
  const { rows } = await pool.query(
    `SELECT condition -> 'projectIds' AS projects, condition ->> 'severity' AS severity FROM archive_deletions ORDER BY id`,
  );
  expect(rows).toEqual([
    { projects: [first, second].toSorted(), severity: 'info' },
    { projects: [second], severity: 'warn' },
  ]);
});

it('removes the events with a value of an erasure, under its key alone where it has one, and counts them as erased', async () => {
  const { archive, pool, begin } = await startMoved();
  const before = await countArchived(archive, "has(values, 'u3')");
  expect(before?.archive).toBeGreaterThan(100);
  const subject = {
    organizationId,
    projectIds: [first, second],
    value: 'u3',
    until: new Date(NOW_MS).toISOString(),
  };
  await insertDeletion(pool, { kind: 'value', condition: { ...subject, key: 'order' } });
  await runToEnd(begin());
  expect((await countArchived(archive))?.archive).toBe(MOVED);
  await insertDeletion(pool, { kind: 'value', condition: { ...subject, key: 'user' } });
  await runToEnd(begin());
  expect((await countArchived(archive, "has(values, 'u3')"))?.archive).toBe(0);
  const erased = before?.archive ?? 0;
  expect((await countArchived(archive))?.archive).toBe(MOVED - erased);
  expect(await ledgersOf(pool)).toEqual({ stored: COUNT - erased, erased, expired: 0 });
  await isAsRecorded({ pool, archive });
});

it('counts a removal once although the worker ended before it was recorded', async () => {
  const { archive, database, pool, begin } = await startMoved();
  await insertArchiveDeletion(pool, organizationId, first);
  const failing: EventArchive = {
    ...archive,
    async deleteEvents(where, parameters) {
      await archive.deleteEvents(where, parameters);
      throw new Error('The connection is lost.');
    },
  };
  await expect(runToEnd(moverOf(database, failing).begin())).rejects.toThrow('lost');
  await pool.query('DELETE FROM leases');
  await runToEnd(begin());
  await isAsRecorded({ pool, archive });
});

it('removes a week that is too old, and what a project keeps for less time, by the trusted time alone', async () => {
  const { archive, pool, begin, dependencies } = await startMoved();
  const expiry = {
    ...dependencies,
    clock: { now: () => NOW_MS },
    databaseTime: findDatabaseTime,
    retentionDays: 90,
  };
  await pool.query(`UPDATE projects SET retention = '{"info": 1}' WHERE id = $1`, [first]);
  await expireArchived(expiry, NOW_MS);
  await runToEnd(begin());
  const infos = await countArchived(archive, `project_id = '${first}' AND severity = 'info'`);
  expect(infos?.archive).toBe(0);
  const left = (await countArchived(archive))?.archive ?? 0;
  expect(left).toBeLessThan(MOVED);
  expect(await ledgersOf(pool)).toEqual({ stored: COUNT - MOVED + left, erased: 0, expired: MOVED - left });
  await isAsRecorded({ pool, archive });
  const later = MONDAY_MS + WEEK_MS + 90 * DAY_MS;
  await expireArchived(expiry, later);
  await runToEnd(begin(), later);
  const kept = [MONDAY_MS + WEEK_MS, MONDAY_MS + 2 * WEEK_MS];
  expect(await archive.listWeeks()).toEqual(kept);
  const { rows } = await pool.query('SELECT DISTINCT week FROM archive_blocks ORDER BY week');
  expect(rows).toEqual(kept.map((weekMs) => ({ week: new Date(weekMs) })));
});
