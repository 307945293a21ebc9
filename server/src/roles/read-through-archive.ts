import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import type { EventReader } from '../events/reader.ts';
import type { Clock } from '../platform/clock.ts';

interface NewestReads {
  pool: Pool;
  clock: Clock;
  reads: ExpensiveReads;
  newest: EventReader;
}

/** Returns the reads of all events. Nothing of an archive is loaded where none is set. */
export async function readThroughArchive(
  { newest, ...store }: NewestReads,
  config: Config['archive'],
): Promise<{ events: EventReader; closeArchive: () => Promise<void> }> {
  if (config === null) return { events: newest, closeArchive: async () => {} };
  const { openArchive } = await import('../events/archive/open-archive.ts');
  const { createSpanReader } = await import('../events/archive/span-reader.ts');
  const archive = await openArchive(config.url.href, config.cluster);
  return {
    events: createSpanReader({ ...store, archive }, newest),
    closeArchive: () => archive.close(),
  };
}
