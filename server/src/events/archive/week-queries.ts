import type { Queryable } from '../../database/database.ts';
import { isoTime } from '../../platform/time.ts';
import { partitionName, setLockTimeout } from '../partition-queries.ts';
import { HASH_IN_POSTGRES } from './block-rows.ts';
import type { HeldBlock } from './event-archive.ts';

/* Weeks of PostgreSQL that move to the archive. */

/** Constraint that no new row fulfils, so that nothing is stored into a week that moves. */
const CLOSED = 'moves_to_the_archive';

/** True if a row was refused because its week moves: it can be stored again once the week is gone. */
export async function isWeekClosed(database: Queryable, weekMs: number): Promise<boolean> {
  const { rowCount } = await database.query(
    'SELECT FROM pg_constraint WHERE conrelid = to_regclass($1) AND conname = $2',
    [partitionName(weekMs), CLOSED],
  );
  return rowCount === 1;
}

/**
 * Refuses further rows of a week, and has what is removed from it noted. Waits for its writers, at most a second; what is in it is
 * not read.
 */
export async function createClosure(transaction: Queryable, weekMs: number): Promise<void> {
  const name = partitionName(weekMs);
  await setLockTimeout(transaction);
  await transaction.query(`ALTER TABLE ${name} ADD CONSTRAINT ${CLOSED} CHECK (false) NOT VALID`);
  await transaction.query(
    `CREATE TRIGGER ${CLOSED} AFTER DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION recompare_block('${isoTime(weekMs)}')`,
  );
}

/** Lets nothing be removed from a week until the transaction ends: what others have removed is committed. */
export async function shareWeek(transaction: Queryable, weekMs: number): Promise<void> {
  await setLockTimeout(transaction);
  await transaction.query(`LOCK TABLE ${partitionName(weekMs)} IN SHARE MODE`);
}

/** Locks a week against everything, readers included, until the transaction ends. */
export async function lockWeek(transaction: Queryable, weekMs: number): Promise<void> {
  await setLockTimeout(transaction);
  await transaction.query(`LOCK TABLE ONLY events, ${partitionName(weekMs)} IN ACCESS EXCLUSIVE MODE`);
}

export async function dropWeek(transaction: Queryable, weekMs: number): Promise<void> {
  await transaction.query(`DROP TABLE ${partitionName(weekMs)}`);
}

/** Id of the last one of the next `limit` events of a week; null: there are no further ones. */
export async function findLastId(
  database: Queryable,
  weekMs: number,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<string | null> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM (SELECT id FROM ${partitionName(weekMs)} WHERE id > $1 ORDER BY id LIMIT $2) AS part
      ORDER BY id DESC LIMIT 1`,
    [afterId, limit],
  );
  return rows[0]?.id ?? null;
}

/** Events of a week that move together. */
interface BlockEvents {
  weekMs: number;
  afterId: string;
  lastId: string;
  /** Ids of those that the archive has already. */
  held: readonly string[];
}

/** Leaves out the events of deleted projects, which are removed here and there. */
const whereOf = ({ afterId, lastId, held }: BlockEvents) =>
  `id > '${afterId}' AND id <= '${lastId}' AND NOT EXISTS (
      SELECT FROM projects AS p WHERE p.id = project_id AND p.deleted_at IS NOT NULL)
    ${held.length > 0 ? `AND id <> ALL ('{${held.join(',')}}'::uuid[])` : ''}`;

export async function countBlock(database: Queryable, events: BlockEvents): Promise<HeldBlock> {
  const { rows } = await database.query<HeldBlock>(
    `SELECT count(*) AS rows, ${HASH_IN_POSTGRES} AS hash FROM ${partitionName(events.weekMs)} WHERE ${whereOf(events)}`,
  );
  return rows[0] ?? { rows: 0, hash: '0' };
}

/** Ids of the events of a range. */
export async function listIds(
  database: Queryable,
  { weekMs, afterId, lastId }: Omit<BlockEvents, 'held'>,
): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM ${partitionName(weekMs)} WHERE id > $1 AND id <= $2`,
    [afterId, lastId],
  );
  return rows.map(({ id }) => id);
}

/** Statement that streams the rows of a block in the order of the archive's key. @param columns SQL of its columns */
export function copyOfBlock(columns: string, events: BlockEvents): string {
  return `COPY (SELECT ${columns} FROM ${partitionName(events.weekMs)} WHERE ${whereOf(events)}
    ORDER BY organization_id, id) TO STDOUT`;
}
