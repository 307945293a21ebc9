import type { Pool } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventReader } from '../reader.ts';

interface NewestReads {
  pool: Pool;
  clock: Clock;
  reads: ExpensiveReads;
  newest: EventReader;
}

/** Returns the reads of all events. Nothing of an archive is loaded where none is set. */
export async function readThroughArchive(
  { newest, ...store }: NewestReads,
  place: { url: URL; cluster: string | null } | null,
): Promise<{ events: EventReader; closeArchive: () => Promise<void> }> {
  if (place === null) return { events: newest, closeArchive: async () => {} };
  const { openArchive } = await import('./open-archive.ts');
  const { createSpanReader } = await import('./span-reader.ts');
  const archive = await openArchive(place.url.href, place.cluster);
  return {
    events: createSpanReader({ ...store, archive }, newest),
    closeArchive: () => archive.close(),
  };
}
