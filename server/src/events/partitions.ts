import { inPlainTransaction, type Pool, type Queryable } from '../database/database.ts';
import { isLocked, isUndefinedTable } from '../database/sql-state.ts';
import { DAY_MS, HOUR_MS } from '../platform/durations.ts';
import { createPartition, detachPartition, listPartitionWeeks, lockPartitions } from './partition-queries.ts';
import { weeksBefore, weeksBetween } from './weeks.ts';

/**
 * Creates the missing partitions for all ids of a span of time. Safe to call from anywhere, and beside readers and
 * writers of `events`, however long these take.
 * @returns how many were missing
 */
export async function ensurePartitions(pool: Pool, fromMs: number, toMs: number): Promise<number> {
  if ((await listMissing(pool, fromMs, toMs)).length === 0) return 0;
  return inPlainTransaction(pool, async (transaction) => {
    await lockPartitions(transaction);
    // Another process may have created them in the meantime.
    const missing = await listMissing(transaction, fromMs, toMs);
    for (const weekMs of missing) await createPartition(transaction, weekMs);
    return missing.length;
  });
}

async function listMissing(database: Queryable, fromMs: number, toMs: number): Promise<number[]> {
  const existing = new Set(await listPartitionWeeks(database));
  return weeksBetween(fromMs, toMs).filter((weekMs) => !existing.has(weekMs));
}

/**
 * Takes a week with all of its events off `events`. Readers of the week (a backup) delay it, and every other user of the
 * table would wait behind it: so it waits for a moment only, and the next round tries again.
 * @returns the name of the partition; null if it is being read, or another worker was faster
 */
export async function detachWeek(pool: Pool, weekMs: number): Promise<string | null> {
  try {
    return await inPlainTransaction(pool, (transaction) => detachPartition(transaction, weekMs));
  } catch (error) {
    if (isLocked(error) || isUndefinedTable(error)) return null;
    throw error;
  }
}

/**
 * Time from the end of a week until nothing of it arrives any more: events are captured 7 days before their receipt at most, and
 * wait on disk for 12 hours at most. A day is for clocks that differ.
 */
export const OVER_AFTER_MS = 8 * DAY_MS + 12 * HOUR_MS;

/** The weeks with a partition that get no further events, the oldest first. @param nowMs trusted time */
export async function listWeeksOver(database: Queryable, nowMs: number): Promise<number[]> {
  return weeksBefore(await listPartitionWeeks(database), nowMs - OVER_AFTER_MS);
}
