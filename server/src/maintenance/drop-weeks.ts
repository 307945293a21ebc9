import { inPlainTransaction, type Pool } from '../database/database.ts';
import { isUndefinedTable } from '../database/sql-state.ts';
import {
  countExpired,
  dropExpiredWeek,
  listExpiredWeeks,
  listPartitionWeeks,
  lockExpiredWeek,
} from '../events/partition-queries.ts';
import { detachWeek } from '../events/partitions.ts';
import { endOfWeek, weeksBefore } from '../events/weeks.ts';
import { DAY_MS } from '../platform/durations.ts';
import { addExpired } from './expiry-queries.ts';
import type { MaintenanceClock, MaintenanceDependencies } from './maintenance-clock.ts';

type DropDependencies = Pick<MaintenanceDependencies, 'pool' | 'log' | 'metrics'>;

/**
 * Drops the weeks whose every event is too old: one an hour, so that a person has time to notice; all of them once a person
 * has confirmed the time.
 * @returns the weeks that are too old and still there, the oldest first
 */
export async function dropWeeks(
  dependencies: DropDependencies,
  clock: MaintenanceClock,
  nowMs: number,
  retainFromMs: number,
): Promise<number[]> {
  const { pool, log } = dependencies;
  await dropExpiredWeeks(dependencies);
  const expired = weeksBefore(await listPartitionWeeks(pool), retainFromMs);
  while (expired[0] !== undefined && (await clock.claimDrop(nowMs))) {
    const partition = await detachWeek(pool, expired[0]);
    if (partition === null) {
      await clock.returnDrop();
      break;
    }
    await dropExpiredWeeks(dependencies);
    log.info({ partition }, 'retention dropped a week');
    expired.shift();
  }
  return expired;
}

/**
 * Counts the events of weeks that were taken off `events`, and drops them in the transaction that enters the counts: after a
 * crash at any moment they are counted again. Nothing writes to them, so neither readers nor writers of events wait meanwhile.
 */
async function dropExpiredWeeks({ pool, metrics }: DropDependencies): Promise<void> {
  for (const weekMs of await listExpiredWeeks(pool)) {
    try {
      const expired = await countWeek(pool, weekMs);
      await inPlainTransaction(pool, async (transaction) => {
        await lockExpiredWeek(transaction, weekMs);
        await addExpired(transaction, expired);
        await dropExpiredWeek(transaction, weekMs);
      });
      for (const { count } of expired) metrics.expiredEvents.inc({ choice: 'installation' }, count);
    } catch (error) {
      // Another worker was faster.
      if (!isUndefinedTable(error)) throw error;
    }
  }
}

/** Counts a week day by day: of a large one each query is far from its time limit. */
async function countWeek(pool: Pool, weekMs: number): Promise<{ projectId: string; count: number }[]> {
  const counts = new Map<string, number>();
  for (let fromMs = weekMs; fromMs < endOfWeek(weekMs); fromMs += DAY_MS) {
    for (const { projectId, count } of await countExpired(pool, weekMs, [fromMs, fromMs + DAY_MS]))
      counts.set(projectId, (counts.get(projectId) ?? 0) + count);
  }
  return [...counts].map(([projectId, count]) => ({ projectId, count }));
}
