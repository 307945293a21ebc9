import { endOfWeek } from '../weeks.ts';
import type { ArchiveReadLimits, EventArchive } from './event-archive.ts';

/* Questions of the mover about the contents of the archive. */

/** A query may read a number of each event of a week. */
const LIMITS: ArchiveReadLimits = { maxRunMs: 60_000 };

const OF_WEEK =
  'at >= fromUnixTimestamp64Milli({from:Int64}) AND at < fromUnixTimestamp64Milli({until:Int64})';

const boundsOf = (weekMs: number) => ({ from: weekMs, until: endOfWeek(weekMs) });

/** Numbers of events by block, in a week. */
export async function countHeldByBlock(archive: EventArchive, weekMs: number): Promise<Map<number, number>> {
  const rows = await archive.query<{ number: number; rows: number }>(
    `SELECT block AS number, count() AS rows FROM events WHERE ${OF_WEEK} GROUP BY block`,
    boundsOf(weekMs),
    LIMITS,
  );
  return new Map(rows.map(({ number, rows: count }) => [number, count]));
}

/** The ones of these ids that other blocks of a week have. */
export async function listHeldIds(
  archive: EventArchive,
  { number, weekMs }: { number: number; weekMs: number },
  ids: readonly string[],
): Promise<string[]> {
  const rows = await archive.query<{ heldId: string }>(
    `SELECT lower(leftPad(hex(id), 32, '0')) AS "heldId" FROM events
      WHERE ${OF_WEEK} AND block <> {block:UInt64} AND id IN (SELECT toUInt128(toUUID(arrayJoin({ids:Array(String)}))))`,
    { ...boundsOf(weekMs), block: number, ids },
    LIMITS,
  );
  return rows.map(({ heldId }) => heldId);
}
