import { inTransaction, isLockTimeout, type Pool, type Queryable } from '../platform/database.ts';
import { uuidLowerBound } from '../platform/ids.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Weeks begin on a Monday: the epoch was a Thursday. */
const MONDAY_OFFSET_MS = 4 * 24 * 60 * 60_000;
const PARTITION_LOCK = 7_052_027;

/**
 * Makes the partitions for all ids of a span of time, where they do not exist. Safe to call from anywhere.
 * @returns how many were missing
 */
export async function ensurePartitions(pool: Pool, fromMs: number, toMs: number): Promise<number> {
  const missing: number[] = [];
  const existing = new Set(await listPartitions(pool));
  for (let weekMs = weekOf(fromMs); weekMs <= toMs; weekMs += WEEK_MS) {
    if (!existing.has(partitionName(weekMs))) missing.push(weekMs);
  }
  if (missing.length === 0) return 0;
  await inTransaction(pool, async (transaction) => {
    await transaction.query('SELECT pg_advisory_xact_lock($1)', [PARTITION_LOCK]);
    for (const weekMs of missing) {
      const [from, to] = [uuidLowerBound(weekMs), uuidLowerBound(weekMs + WEEK_MS)];
      await transaction.query(
        `CREATE TABLE IF NOT EXISTS ${partitionName(weekMs)} PARTITION OF events FOR VALUES FROM ('${from}') TO ('${to}')`,
      );
    }
  });
  return missing.length;
}

/**
 * Drops the weeks whose every event was captured before the given time.
 * @returns the names of the partitions dropped
 */
export async function dropPartitionsBefore(pool: Pool, beforeMs: number): Promise<string[]> {
  const expired = (await listPartitions(pool)).filter((name) => weekOfPartition(name) + WEEK_MS <= beforeMs);
  const dropped: string[] = [];
  for (const name of expired) if (await dropPartition(pool, name)) dropped.push(name);
  return dropped;
}

async function listPartitions(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'events'::regclass`,
  );
  return rows.map((row) => row.name);
}

/**
 * Whoever reads the week (a backup) holds it up, and the wait for him would hold up everybody else: so the
 * wait is short, and the next round tries again.
 */
async function dropPartition(pool: Pool, name: string): Promise<boolean> {
  try {
    await inTransaction(pool, async (transaction) => {
      await transaction.query("SET LOCAL lock_timeout = '1s'");
      await transaction.query(`DROP TABLE IF EXISTS ${name}`);
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
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
