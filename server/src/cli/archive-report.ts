import type { Pool } from '../database/database.ts';
import {
  type ComparedBlock,
  findArchiveState,
  listBlocksOfWeek,
  listBlockWeeks,
} from '../events/archive/block-queries.ts';
import { findDeletion } from '../events/archive/deletion-queries.ts';
import type { EventArchive } from '../events/archive/event-archive.ts';
import { listPartitionWeeks } from '../events/partition-queries.ts';
import { listWeeksOver } from '../events/partitions.ts';
import { isArchiveHeld } from '../maintenance/archive/lease-queries.ts';
import { findMaintenanceState } from '../maintenance/maintenance-queries.ts';
import { isoTime } from '../platform/time.ts';

/** Lines on what is in the archive, and on what waits to be moved or removed. */
export async function describeArchive(pool: Pool): Promise<string[]> {
  const state = await findArchiveState(pool);
  if (!state) return ['No archive was used yet.'];
  const maintenance = await findMaintenanceState(pool);
  const isTrusted = maintenance !== null && maintenance.doubt === null;
  const over = isTrusted ? await listWeeksOver(pool, maintenance.trustedMs) : [];
  const kept = await listPartitionWeeks(pool);
  const until = state.archivedUntil;
  return [
    until ? `Events captured before ${isoTime(until)} are in the archive.` : 'Nothing is in the archive yet.',
    ...(await listBlockWeeks(pool)).map(
      ({ week, blocks, rows, moving }) =>
        `${dayOf(week.getTime())}  ${count(blocks, 'block')}, ${count(rows, 'event')}${moving > 0 ? ', on its way' : ''}`,
    ),
    `The database has ${count(kept.length, 'week')}${over.length > 0 ? `; these are over and wait: ${over.map(dayOf).join(', ')}` : ''}.`,
    ...(isTrusted ? [] : ['The clock is not trusted: nothing moves (tocsin retention).']),
    ...((await findDeletion(pool)) ? ['Events wait to be removed from the archive.'] : []),
  ];
}

/** Lines on what should have moved or been removed and was not, each with the reason; none: nothing waits. */
export async function describeWaiting(pool: Pool): Promise<string[]> {
  const maintenance = await findMaintenanceState(pool);
  if (maintenance === null || maintenance.doubt !== null)
    return ['The clock is not trusted: nothing moves (tocsin retention).'];
  const over = await listWeeksOver(pool, maintenance.trustedMs);
  const isRemoving = (await findDeletion(pool)) !== null;
  if (over.length === 0 && !isRemoving) return [];
  const what = [
    ...(over.length > 0 ? [`${count(over.length, 'week')} to be moved (${over.map(dayOf).join(', ')})`] : []),
    ...(isRemoving ? ['events to be removed from the archive'] : []),
  ];
  const reason = (await isArchiveHeld(pool))
    ? 'another process moves'
    : 'accepted batches, a backup or another transaction may hold a week: try again later';
  return [`There are still ${what.join(', and ')}: ${reason}.`];
}

/**
 * Compares each block of the archive with what was recorded of it.
 * @param print receives a line for each week, and for each block that differs
 * @returns true if none does
 */
export async function verifyArchive(
  pool: Pool,
  archive: EventArchive,
  print: (line: string) => void,
): Promise<boolean> {
  let isWhole = true;
  for (const { week } of await listBlockWeeks(pool)) {
    const blocks = (await listBlocksOfWeek(pool, week)).filter(({ state }) => state !== 'planned');
    const different: string[] = [];
    for (const block of blocks) {
      const difference = await compare(archive, block);
      if (difference) different.push(difference);
    }
    for (const line of different) print(line);
    const right = count(blocks.length - different.length, 'block');
    const wrong = different.length > 0 ? `, ${different.length} not` : '';
    print(`${dayOf(week.getTime())}  ${right} as recorded${wrong}`);
    isWhole &&= different.length === 0;
  }
  return isWhole;
}

async function compare(archive: EventArchive, block: ComparedBlock): Promise<string | null> {
  const { number, week, rows, hash } = block;
  const held = await archive.findBlock({ number, weekMs: week.getTime() });
  if (held.rows === rows && held.hash === hash) return null;
  const found =
    held.rows === rows ? 'other contents' : `${count(held.rows, 'event')} in place of ${rows ?? 0}`;
  return `${dayOf(week.getTime())}  block ${number} has ${found}`;
}

function dayOf(weekMs: number): string {
  return isoTime(weekMs).slice(0, 10);
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
