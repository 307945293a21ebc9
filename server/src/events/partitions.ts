import { ADVISORY_LOCKS } from '../platform/advisory-locks.ts';
import { inPlainTransaction, isLockTimeout, type Pool, type Queryable } from '../platform/database.ts';
import { uuidLowerBound } from '../platform/ids.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Weeks begin on a Monday: the epoch was a Thursday. */
const MONDAY_OFFSET_MS = 4 * 24 * 60 * 60_000;

/**
 * Makes the partitions for all ids of a span of time, where they do not exist. Safe to call from anywhere, and
 * beside readers and writers of `events`, however long these take.
 * @returns how many were missing
 */
export async function ensurePartitions(pool: Pool, fromMs: number, toMs: number): Promise<number> {
  if ((await listMissing(pool, fromMs, toMs)).length === 0) return 0;
  return inPlainTransaction(pool, async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.partitions]);
    // Another process may have made them in the meantime.
    const missing = await listMissing(transaction, fromMs, toMs);
    await transaction.query("SET LOCAL lock_timeout = '1s'");
    for (const weekMs of missing) await attachPartition(transaction, weekMs);
    return missing.length;
  });
}

async function listMissing(database: Queryable, fromMs: number, toMs: number): Promise<number[]> {
  const existing = new Set(await listPartitionWeeks(database));
  const missing: number[] = [];
  for (let weekMs = weekOf(fromMs); weekMs <= toMs; weekMs += WEEK_MS) {
    if (!existing.has(weekMs)) missing.push(weekMs);
  }
  return missing;
}

/**
 * `CREATE TABLE … PARTITION OF` waits for every reader of `events`, and everything else then waits behind it.
 * Attaching waits for neither readers nor writers. A table of that name that is not attached (detached by hand) is
 * attached as it is: without it no event of its week could be stored.
 */
async function attachPartition(transaction: Queryable, weekMs: number): Promise<void> {
  const [from, to] = [uuidLowerBound(weekMs), uuidLowerBound(weekMs + WEEK_MS)];
  const name = partitionName(weekMs);
  await transaction.query(`CREATE TABLE IF NOT EXISTS ${name} (LIKE events INCLUDING ALL)`);
  await transaction.query(
    `ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
}

/** The beginnings of the weeks that have a partition, the oldest first; partitions of other names are not ours. */
export async function listPartitionWeeks(database: Queryable): Promise<number[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'events'::regclass`,
  );
  const weeks = rows.map(({ name }) => weekOfPartition(name)).filter((weekMs) => !Number.isNaN(weekMs));
  return weeks.toSorted((left, right) => left - right);
}

/** Of these weeks, those whose every event was captured before the given time. */
export function weeksBefore(weeks: number[], beforeMs: number): number[] {
  return weeks.filter((weekMs) => weekMs + WEEK_MS <= beforeMs);
}

/** How many weeks after that of the given time have a partition, without a gap. */
export function countWeeksAhead(weeks: number[], timeMs: number): number {
  const existing = new Set(weeks);
  let count = 0;
  while (existing.has(weekOf(timeMs) + (count + 1) * WEEK_MS)) count++;
  return count;
}

/**
 * Drops a week with all of its events. Readers of the week (a backup) hold it up, and the wait for them would hold up
 * everybody else: so the wait is short, and the next round tries again.
 * @returns the name of the partition; null where it is being read
 */
export async function dropPartition(pool: Pool, weekMs: number): Promise<string | null> {
  const name = partitionName(weekMs);
  try {
    await inPlainTransaction(pool, async (transaction) => {
      await transaction.query("SET LOCAL lock_timeout = '1s'");
      await transaction.query(`DROP TABLE IF EXISTS ${name}`);
    });
    return name;
  } catch (error) {
    if (isLockTimeout(error)) return null;
    throw error;
  }
}

/** The beginning of the week that holds a time. */
export function weekOf(timeMs: number): number {
  return Math.floor((timeMs - MONDAY_OFFSET_MS) / WEEK_MS) * WEEK_MS + MONDAY_OFFSET_MS;
}

/** `events_20261116`: the week that begins on that day. */
function partitionName(weekMs: number): string {
  return `events_${new Date(weekMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function weekOfPartition(name: string): number {
  return Date.parse(name.replace(/^events_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3T00:00:00Z'));
}
