import type { Pool } from '../../database/database.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { endOfWeek } from '../weeks.ts';
import { insertAdoptedBlock, listBlocksOfWeek } from './block-queries.ts';
import type { EventArchive } from './event-archive.ts';
import { countHeldByBlock } from './held-queries.ts';

/**
 * Records the blocks of a week that the archive has and PostgreSQL does not know: it was restored from a backup that is older, or
 * has lost commits. They stay, since PostgreSQL may not have their events any more; those that it has are not sent again.
 * @returns the number of events in them
 */
export async function adoptBlocks(pool: Pool, archive: EventArchive, weekMs: number): Promise<number> {
  const week = new Date(weekMs);
  const held = await countHeldByBlock(archive, weekMs);
  const known = new Set((await listBlocksOfWeek(pool, week)).map(({ number }) => number));
  let rows = 0;
  for (const number of held.keys()) {
    if (known.has(number)) continue;
    const sum = await archive.findBlock({ number, weekMs });
    const [afterId, lastId] = [uuidLowerBound(weekMs), uuidLowerBound(endOfWeek(weekMs))];
    await insertAdoptedBlock(pool, { number, week, afterId, lastId }, sum);
    rows += sum.rows;
  }
  return rows;
}
