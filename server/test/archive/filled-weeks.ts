import { randomUUID } from 'node:crypto';
import { createPool } from '../../src/database/database.ts';
import type { EventArchive } from '../../src/events/archive/event-archive.ts';
import { OVER_AFTER_MS } from '../../src/events/partitions.ts';
import { createArchiveMetrics } from '../../src/maintenance/archive/metrics.ts';
import { Mover, type MoverDependencies } from '../../src/maintenance/archive/mover.ts';
import { WEEK_MS } from '../../src/platform/durations.ts';
import { createLog } from '../../src/platform/log.ts';
import { atEnd } from '../support/at-end.ts';
import { copyTestDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertTenant } from '../support/tenants.ts';
import type { ArchiveEngine, EngineFaults } from './engine.ts';
import { insertVariedEvents } from './varied-events.ts';

/** Beginning of the first of three weeks with events. */
export const MONDAY_MS = Date.parse('2026-03-02T00:00:00Z');
/** Events of all three weeks, a third each. */
export const COUNT = 3_000;
/** Two of the weeks are over. */
export const NOW_MS = MONDAY_MS + 2 * WEEK_MS + OVER_AFTER_MS + 1;

/** A database with three weeks of events of two projects in turn, and copies of it. */
export async function fillWeeks() {
  const filled = await createTestDatabase();
  const { organizationId, projectIds } = await insertTenant(filled.pool, 2);
  await insertVariedEvents(filled.pool, {
    organizationId,
    projectIds,
    count: COUNT,
    firstMs: MONDAY_MS,
    stepMs: (3 * WEEK_MS) / COUNT,
  });
  await filled.pool.query(
    `INSERT INTO ledgers (project_id, accepted, stored) SELECT unnest($1::uuid[]), $2, $2`,
    [projectIds, COUNT / 2],
  );
  return { organizationId, projectIds, copy: () => copyTestDatabase(filled) };
}

/** A mover of small blocks, of a process of its own each time. */
export function moverOf({ pool, connectionString }: TestDatabase, archive: EventArchive) {
  const unlimitedPool = createPool({
    connection: { connectionString },
    applicationName: 'tocsin-archive',
    maxConnections: 2,
    statementTimeoutMs: 0,
    onError: () => {},
  });
  atEnd(() => unlimitedPool.end());
  const dependencies: MoverDependencies = {
    pool,
    unlimitedPool,
    archive,
    processId: randomUUID(),
    log: createLog('silent'),
    metrics: createArchiveMetrics([]),
    blockRows: 300,
  };
  return { dependencies, begin: () => new Mover({ ...dependencies, processId: randomUUID() }) };
}

/** Takes steps until one has nothing to do twice: the first round of a new archive only makes its state. */
export async function runToEnd(mover: Mover, nowMs = NOW_MS): Promise<void> {
  for (let idle = 0; idle < 2; ) idle = (await mover.runOnce(nowMs)) === 'idle' ? idle + 1 : 0;
}

/** Takes steps of a new process each, beside an engine with faults, until nothing is left. @returns how many failed */
export async function runInPieces(
  pool: TestDatabase['pool'],
  begin: () => Mover,
  engine: ArchiveEngine,
  faults: EngineFaults,
): Promise<number> {
  await engine.tell(faults);
  let failed = 0;
  for (let idle = 0; idle < 2; ) {
    // As if the lease of the process before had expired.
    await pool.query('DELETE FROM leases');
    try {
      idle = (await begin().runOnce(NOW_MS)) === 'idle' ? idle + 1 : 0;
    } catch {
      failed++;
      await engine.restart(faults);
    }
  }
  return failed;
}

export async function countEverywhere(pool: TestDatabase['pool'], archive: EventArchive) {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*) AS count FROM events');
  return { database: rows[0]?.count, ...(await countArchived(archive)) };
}

/** Counts the archive's events, and their ids. @param where condition, without parameters */
export async function countArchived(archive: EventArchive, where = 'true') {
  const [held] = await archive.query<{ archive: number; different: number }>(
    `SELECT count() AS archive, uniqExact(id) AS different FROM events WHERE ${where}`,
    {},
    { maxRunMs: 30_000 },
  );
  return held;
}
