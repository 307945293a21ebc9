import type { Queryable } from '../../database/database.ts';
import type { PassedTime } from './passed-time.ts';
import type { Round } from './round.ts';

export interface Progress extends PassedTime {
  lastRound: number;
  /**
   * [from, to) of completed steps that are unknown; saved detectors that are not in memory have yet to record them.
   */
  pastDowntimes: [number, number][];
}

const COLUMNS = `last_round AS "lastRound", time_ms AS "timeMs", shift_ms AS "shiftMs",
  coalesce(gaps, '[]') AS "pastDowntimes"`;
const NOTHING: Progress = { lastRound: 0, timeMs: 0, shiftMs: 0, pastDowntimes: [] };

export async function findProgress(database: Queryable): Promise<Progress> {
  const { rows } = await database.query<Progress>(`SELECT ${COLUMNS} FROM risk_progress`);
  return rows[0] ?? NOTHING;
}

/** Locks the progress: no other process makes a round until the transaction ends. */
export async function lockProgress(database: Queryable): Promise<Progress> {
  await database.query(
    'INSERT INTO risk_progress (last_round, time_ms, shift_ms) VALUES (0, 0, 0) ON CONFLICT DO NOTHING',
  );
  const { rows } = await database.query<Progress>(`SELECT ${COLUMNS} FROM risk_progress FOR UPDATE`);
  return rows[0] ?? NOTHING;
}

export async function updateProgress(
  database: Queryable,
  { lastRound, timeMs, shiftMs, pastDowntimes }: Progress,
): Promise<void> {
  await database.query(
    'UPDATE risk_progress SET last_round = $1, time_ms = $2, shift_ms = $3, gaps = $4::jsonb',
    [lastRound, Math.floor(timeMs), Math.floor(shiftMs), JSON.stringify(pastDowntimes)],
  );
}

/** A round as it is stored: programs of one detector version read each other's rounds, so no field is renamed. */
export interface StoredRound extends Omit<Round, 'downtimes'> {
  gaps: Round['downtimes'];
}

export function fromStoredRound({ gaps, ...round }: StoredRound): Round {
  return { ...round, downtimes: gaps };
}

/** @returns the length of the stored round in characters */
export async function insertRound(database: Queryable, round: Round): Promise<number> {
  const { downtimes, ...rest } = round;
  const stored: StoredRound = { ...rest, gaps: downtimes };
  const text = JSON.stringify(stored);
  await database.query('INSERT INTO risk_rounds (id, round) VALUES ($1, $2)', [round.id, text]);
  return text.length;
}

/** The rounds with a larger id, the oldest first: at most `maxBytes`, but at least one. */
export async function listRoundsAfter(database: Queryable, id: number, maxBytes: number): Promise<Round[]> {
  const { rows } = await database.query<{ round: string }>(
    `SELECT round FROM risk_rounds WHERE id IN (
        SELECT id FROM (
          SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM (
            SELECT id, octet_length(round) AS bytes FROM risk_rounds WHERE id > $1 ORDER BY id LIMIT 100
          ) AS following
        ) AS sums WHERE before < $2
      ) ORDER BY id`,
    [id, maxBytes],
  );
  // Written by `insertRound`.
  return rows.map(({ round }) => fromStoredRound(JSON.parse(round) as StoredRound));
}

export async function hasRounds(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query('SELECT FROM risk_rounds LIMIT 1');
  return rowCount === 1;
}

export async function deleteRounds(database: Queryable): Promise<void> {
  await database.query('DELETE FROM risk_rounds');
}
