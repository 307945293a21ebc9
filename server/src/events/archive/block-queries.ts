import type { Queryable } from '../../database/database.ts';
import type { HeldBlock } from './event-archive.ts';

export interface ArchiveState {
  installationId: string;
  archivedUntil: Date | null;
  expiredAt: Date | null;
}

export interface Block {
  number: number;
  week: Date;
  afterId: string;
  lastId: string;
  attempt: number;
  /** Transaction that last removed events of it. */
  changedBy: string | null;
}

const BLOCK =
  'number, week, after_id AS "afterId", last_id AS "lastId", attempt, changed_by::text AS "changedBy"';

/** The state of the archive; null: none was ever used. */
export async function findArchiveState(database: Queryable): Promise<ArchiveState | null> {
  const { rows } = await database.query<ArchiveState>(
    `SELECT installation_id AS "installationId", archived_until AS "archivedUntil", expired_at AS "expiredAt"
      FROM archive_state`,
  );
  return rows[0] ?? null;
}

/** True if the archive has events that PostgreSQL does not have, as far as it knows. */
export async function hasArchivedEvents(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM archive_state WHERE archived_until IS NOT NULL)
      OR EXISTS (SELECT FROM archive_blocks WHERE state IN ('moved', 'adopted')) AS found`,
  );
  return rows[0]?.found === true;
}

/**
 * Makes the state of the archive, unless there is one, and has removed from it what projects had that are deleted already: a restored
 * database may be older than its archive.
 */
export async function insertArchiveState(database: Queryable, installationId: string): Promise<void> {
  await database.query(
    `WITH state AS (INSERT INTO archive_state (installation_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING is_only)
      INSERT INTO archive_deletions (kind, condition)
      SELECT 'project', jsonb_build_object('organizationId', p.organization_id, 'projectId', p.id)
      FROM state CROSS JOIN projects AS p WHERE p.deleted_at IS NOT NULL ORDER BY p.id`,
    [installationId],
  );
}

/** Counts a move of events before a time, which may be late ones of a week that moved before. */
export async function updateArchivedUntil(database: Queryable, until: Date): Promise<void> {
  await database.query(
    'UPDATE archive_state SET archived_until = greatest(archived_until, $1), moves = moves + 1',
    [until],
  );
}

/** The same where the archive alone has weeks that were never counted. */
export async function updateArchivedUntilOfHeld(database: Queryable, until: Date): Promise<void> {
  await database.query(
    `UPDATE archive_state SET archived_until = $1, moves = moves + 1
      WHERE archived_until IS NULL OR archived_until < $1`,
    [until],
  );
}

export async function updateExpiredAt(database: Queryable, at: Date): Promise<void> {
  await database.query('UPDATE archive_state SET expired_at = $1', [at]);
}

/** The first block that may differ from what the archive has. */
export async function findPlannedBlock(database: Queryable): Promise<Block | null> {
  const { rows } = await database.query<Block>(
    `SELECT ${BLOCK} FROM archive_blocks WHERE state = 'planned' ORDER BY week, last_id LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Last id of the blocks of a week that moves; null: none is planned. */
export async function findPlannedEnd(database: Queryable, week: Date): Promise<string | null> {
  const { rows } = await database.query<{ lastId: string }>(
    `SELECT last_id AS "lastId" FROM archive_blocks WHERE week = $1 AND state IN ('planned', 'stored')
      ORDER BY last_id DESC LIMIT 1`,
    [week],
  );
  return rows[0]?.lastId ?? null;
}

export async function insertPlannedBlock(
  database: Queryable,
  { number, week, afterId, lastId }: Pick<Block, 'number' | 'week' | 'afterId' | 'lastId'>,
): Promise<void> {
  await database.query(
    'INSERT INTO archive_blocks (number, week, after_id, last_id) VALUES ($1, $2, $3, $4)',
    [number, week, afterId, lastId],
  );
}

/**
 * Gives a block another token, before its rows are removed from the archive to be sent again.
 * @returns false if the block is no longer as it was read: its rows must stay
 */
export async function addAttempt(
  database: Queryable,
  { number, attempt }: Pick<Block, 'number' | 'attempt'>,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE archive_blocks SET attempt = attempt + 1 WHERE number = $1 AND state = 'planned' AND attempt = $2`,
    [number, attempt],
  );
  return rowCount === 1;
}

/** Marks a block as stored, unless events of it were removed since it was read. @returns false if they were */
export async function updateBlockStored(
  database: Queryable,
  { number, changedBy }: Pick<Block, 'number' | 'changedBy'>,
  { rows, hash }: HeldBlock,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `UPDATE archive_blocks SET state = 'stored', rows = $3, hash = $4
      WHERE number = $1 AND state = 'planned' AND changed_by IS NOT DISTINCT FROM $2::xid8`,
    [number, changedBy, rows, hash],
  );
  return rowCount === 1;
}

/** Has the blocks of a week compared again. */
export async function updateWeekPlanned(database: Queryable, week: Date): Promise<void> {
  await database.query("UPDATE archive_blocks SET state = 'planned' WHERE week = $1 AND state = 'stored'", [
    week,
  ]);
}

/** Keeps blocks of a week that PostgreSQL has lost: the archive may be the only one that has their events. */
export async function updateWeekAdopted(database: Queryable, week: Date): Promise<void> {
  await database.query("UPDATE archive_blocks SET state = 'adopted' WHERE week = $1 AND state = 'stored'", [
    week,
  ]);
}

/** Marks the blocks of a week as moved. */
export async function updateWeekMoved(database: Queryable, week: Date): Promise<void> {
  await database.query("UPDATE archive_blocks SET state = 'moved' WHERE week = $1 AND state = 'stored'", [
    week,
  ]);
}

/** Block with what the archive has of it. */
export interface ComparedBlock {
  number: number;
  week: Date;
  state: 'planned' | 'stored' | 'moved' | 'adopted';
  /** Null: it was never compared. */
  rows: number | null;
  hash: string | null;
}

export async function listBlocksOfWeek(database: Queryable, week: Date): Promise<ComparedBlock[]> {
  const { rows } = await database.query<ComparedBlock>(
    'SELECT number, week, state, rows, hash::text FROM archive_blocks WHERE week = $1 ORDER BY last_id, number',
    [week],
  );
  return rows;
}

/** Week of the archive, with the numbers of its blocks and events by state. */
interface BlockWeek {
  week: Date;
  blocks: number;
  rows: number;
  /** Number of blocks whose events PostgreSQL has as well. */
  moving: number;
}

export async function listBlockWeeks(database: Queryable): Promise<BlockWeek[]> {
  const { rows } = await database.query<BlockWeek>(
    `SELECT week, count(*) AS blocks, coalesce(sum(rows), 0)::bigint AS rows,
        count(*) FILTER (WHERE state IN ('planned', 'stored')) AS moving
      FROM archive_blocks GROUP BY week ORDER BY week`,
  );
  return rows;
}

/** The first week that has events in the archive; null: it has none. */
export async function findFirstBlockWeek(database: Queryable): Promise<Date | null> {
  const { rows } = await database.query<{ week: Date }>(
    'SELECT week FROM archive_blocks ORDER BY week LIMIT 1',
  );
  return rows[0]?.week ?? null;
}

/** Records a block that the archive has and PostgreSQL does not know. */
export async function insertAdoptedBlock(
  database: Queryable,
  { number, week, afterId, lastId }: Pick<Block, 'number' | 'week' | 'afterId' | 'lastId'>,
  { rows, hash }: HeldBlock,
): Promise<void> {
  await database.query(
    `INSERT INTO archive_blocks (number, week, after_id, last_id, state, rows, hash)
      VALUES ($1, $2, $3, $4, 'adopted', $5, $6)`,
    [number, week, afterId, lastId, rows, hash],
  );
}

/** Forgets blocks of a week: those in one of the states. */
export async function deleteBlocksOfWeek(
  database: Queryable,
  week: Date,
  states: readonly ComparedBlock['state'][],
): Promise<void> {
  await database.query('DELETE FROM archive_blocks WHERE week = $1 AND state = ANY ($2)', [week, states]);
}
