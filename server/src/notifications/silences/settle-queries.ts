import type { Queryable } from '../../database/database.ts';
import { latestHold } from '../../platform/stored-times.ts';
import { SILENCE_COLUMNS } from './queries.ts';
import type { SilenceRow } from './rows.ts';

/**
 * After a silence during which nothing was learned, the incidents of rises end with it, once detection has processed
 * the end of its last minute: by then they are not open.
 */
const UNLEARNED_SETTLING = "interval '2 minutes'";
const IS_TO_SETTLE = `s.settled_at IS NULL AND (s.until <= $1 OR s.ended_at IS NOT NULL)
  AND (s.learn OR least(s.until, s.ended_at) <= $1 - ${UNLEARNED_SETTLING} OR s.ended_at > $2)`;

/** Not by organization: the worker serves all of them. */
export async function hasSilencesToSettle(database: Queryable, now: Date): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM silences s WHERE ${IS_TO_SETTLE}) AS found`,
    [now, new Date(latestHold(now.getTime(), 0))],
  );
  return rows[0]?.found === true;
}

/** The silence that ended first; null: there is none, or another worker has it. */
export async function lockSilenceToSettle(transaction: Queryable, now: Date): Promise<SilenceRow | null> {
  const { rows } = await transaction.query<SilenceRow>(
    `SELECT ${SILENCE_COLUMNS} FROM silences s WHERE ${IS_TO_SETTLE}
      ORDER BY least(s.until, s.ended_at) LIMIT 1 FOR NO KEY UPDATE OF s SKIP LOCKED`,
    [now, new Date(latestHold(now.getTime(), 0))],
  );
  return rows[0] ?? null;
}

export async function updateSettled(database: Queryable, silenceId: string, now: Date): Promise<void> {
  await database.query('UPDATE silences SET settled_at = $2 WHERE id = $1', [silenceId, now]);
}

/**
 * Marks, after a restore, silences that ended since the backup as finished, so that they send nothing more. By the
 * time of the database. @returns how many
 */
export async function updateEndedSettled(database: Queryable): Promise<number> {
  const { rowCount } = await database.query(
    'UPDATE silences SET settled_at = now() WHERE settled_at IS NULL AND least(until, ended_at) <= now()',
  );
  return rowCount ?? 0;
}
