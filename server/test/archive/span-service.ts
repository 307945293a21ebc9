import type { Pool } from '../../src/database/database.ts';
import { ExpensiveReads } from '../../src/database/expensive-reads.ts';
import type { EventArchive } from '../../src/events/archive/event-archive.ts';
import { createSpanReader } from '../../src/events/archive/span-reader.ts';
import { createEventReader } from '../../src/events/read/queries.ts';
import type { EventReader } from '../../src/events/reader.ts';
import { DAY_MS, WEEK_MS } from '../../src/platform/durations.ts';
import { createTestDatabase } from '../support/database.ts';
import { longForm } from '../support/test-length.ts';
import { type ArchiveEngine, startArchive } from './engine.ts';
import { insertSpanTenant, type SpanTenant } from './span-tenant.ts';

export const MONDAY_MS = Date.parse('2026-03-02T00:00:00Z');
export const WEEKS = 4;
/** Distance of the moments with events. */
const STEP_MS = longForm ? DAY_MS / 4 : DAY_MS;

/** Long after the events: each may be in the archive. */
export const CLOCK = { now: () => MONDAY_MS + 10 * WEEK_MS };

interface Span {
  pool: Pool;
  engine: ArchiveEngine;
  archive: EventArchive;
  tenant: SpanTenant;
  /** Reads of PostgreSQL alone. */
  newest: EventReader;
  events: EventReader;
}

/** Events of four weeks, read by PostgreSQL alone and through an archive that has none of them yet. */
export async function startSpan(): Promise<Span> {
  const { pool } = await createTestDatabase();
  const { engine, archive } = await startArchive();
  const count = 3 * ((WEEKS * WEEK_MS) / STEP_MS);
  const tenant = await insertSpanTenant(pool, { firstMs: MONDAY_MS, stepMs: STEP_MS, count });
  const reads = new ExpensiveReads(pool, pool);
  const newest = createEventReader(pool, reads, async () => null);
  return {
    pool,
    engine,
    archive,
    tenant,
    newest,
    events: createSpanReader({ pool, reads, archive, clock: CLOCK }, newest),
  };
}
