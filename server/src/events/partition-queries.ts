import { ADVISORY_LOCKS } from '../database/advisory-locks.ts';
import type { Queryable } from '../database/database.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { endOfWeek } from './weeks.ts';

/** Makes the transaction the only one that creates partitions, and limits each further wait for a lock. */
export async function lockPartitions(transaction: Queryable): Promise<void> {
  await transaction.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.partitions]);
  await setLockTimeout(transaction);
}

/** The first days of the weeks that have a partition, the oldest first; partitions of other names are not ours. */
export async function listPartitionWeeks(database: Queryable): Promise<number[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'events'::regclass`,
  );
  const weeks = rows.map(({ name }) => weekOfPartition(name)).filter((weekMs) => !Number.isNaN(weekMs));
  return weeks.toSorted((left, right) => left - right);
}

/** The names of all partitions in the order of time. The table itself is not locked, so that new ones can be made. */
export async function listEventPartitions(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'events'::regclass ORDER BY c.relname`,
  );
  return rows.map((row) => row.name);
}

/**
 * Creates a partition. `CREATE TABLE … PARTITION OF` waits for every reader of `events`, and everything else then
 * waits behind it. Attaching waits for neither readers nor writers. A table of that name that is not attached
 * (detached by hand) is attached as it is: without it no event of its week could be stored.
 */
export async function createPartition(transaction: Queryable, weekMs: number): Promise<void> {
  const [from, to] = [uuidLowerBound(weekMs), uuidLowerBound(endOfWeek(weekMs))];
  const name = partitionName(weekMs);
  await transaction.query(`CREATE TABLE IF NOT EXISTS ${name} (LIKE events INCLUDING ALL)`);
  await transaction.query(
    `ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
  );
}

/**
 * Takes a week off `events`: its table has another name from then on, which nothing but the removal uses.
 * @returns the name of the partition; throws if a reader of the week holds it for more than a second
 */
export async function detachPartition(transaction: Queryable, weekMs: number): Promise<string> {
  const name = partitionName(weekMs);
  await setLockTimeout(transaction);
  await transaction.query(`ALTER TABLE events DETACH PARTITION ${name}`);
  await transaction.query(`ALTER TABLE ${name} RENAME TO ${expiredName(weekMs)}`);
  return name;
}

/** The weeks that were taken off `events` and are still there. */
export async function listExpiredWeeks(database: Queryable): Promise<number[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relname LIKE 'expired\\_________' AND pg_table_is_visible(oid) ORDER BY 1`,
  );
  return rows
    .map(({ name }) => weekOfPartition(name.replace('expired', 'events')))
    .filter((weekMs) => !Number.isNaN(weekMs));
}

/** Counts the events of a span of time in a week that was taken off, by project, from an index alone. */
export async function countExpired(
  database: Queryable,
  weekMs: number,
  [fromMs, toMs]: readonly [fromMs: number, toMs: number],
): Promise<{ projectId: string; count: number }[]> {
  const name = expiredName(weekMs);
  const { rows } = await database.query<{ projectId: string; count: number }>(
    `WITH RECURSIVE found AS (
        (SELECT project_id FROM ${name} ORDER BY project_id LIMIT 1)
        UNION ALL
        SELECT (SELECT project_id FROM ${name} AS next WHERE next.project_id > found.project_id
          ORDER BY project_id LIMIT 1) FROM found WHERE project_id IS NOT NULL
      )
      SELECT project_id AS "projectId",
        (SELECT count(*) FROM ${name} AS e WHERE e.project_id = found.project_id AND id >= $1 AND id < $2) AS count
      FROM found WHERE project_id IS NOT NULL`,
    [uuidLowerBound(fromMs), uuidLowerBound(toMs)],
  );
  return rows;
}

/** Throws if another worker has dropped it. */
export async function lockExpiredWeek(transaction: Queryable, weekMs: number): Promise<void> {
  await transaction.query(`LOCK TABLE ${expiredName(weekMs)} IN ACCESS EXCLUSIVE MODE`);
}

export async function dropExpiredWeek(transaction: Queryable, weekMs: number): Promise<void> {
  await transaction.query(`DROP TABLE ${expiredName(weekMs)}`);
}

/** Limits each further wait for a lock: what waits for a table makes all others wait behind it. */
export async function setLockTimeout(transaction: Queryable): Promise<void> {
  await transaction.query("SET LOCAL lock_timeout = '1s'");
}

/** `events_20261116`: the week that begins on that day. */
export function partitionName(weekMs: number): string {
  return `events_${dayOf(weekMs)}`;
}

function expiredName(weekMs: number): string {
  return `expired_${dayOf(weekMs)}`;
}

function dayOf(weekMs: number): string {
  return new Date(weekMs).toISOString().slice(0, 10).replaceAll('-', '');
}

function weekOfPartition(name: string): number {
  return Date.parse(name.replace(/^events_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3T00:00:00Z'));
}
