import type { Queryable } from '../../platform/database.ts';
import type { PassedTime } from './passed-time.ts';
import type { Round } from './round.ts';

export interface Progress extends PassedTime {
  lastRound: number;
}

const COLUMNS = `last_round AS "lastRound", time_ms AS "timeMs", shift_ms AS "shiftMs"`;
const NOTHING: Progress = { lastRound: 0, timeMs: 0, shiftMs: 0 };

export async function findProgress(database: Queryable): Promise<Progress> {
  const { rows } = await database.query<Progress>(`SELECT ${COLUMNS} FROM risk_progress`);
  return rows[0] ?? NOTHING;
}

/** Nobody else makes a round until the transaction ends. */
export async function lockProgress(database: Queryable): Promise<Progress> {
  await database.query(
    'INSERT INTO risk_progress (last_round, time_ms, shift_ms) VALUES (0, 0, 0) ON CONFLICT DO NOTHING',
  );
  const { rows } = await database.query<Progress>(`SELECT ${COLUMNS} FROM risk_progress FOR UPDATE`);
  return rows[0] ?? NOTHING;
}

export async function updateProgress(
  database: Queryable,
  { lastRound, timeMs, shiftMs }: Progress,
): Promise<void> {
  await database.query('UPDATE risk_progress SET last_round = $1, time_ms = $2, shift_ms = $3', [
    lastRound,
    Math.floor(timeMs),
    Math.floor(shiftMs),
  ]);
}

/** @returns how many characters it is */
export async function insertRound(database: Queryable, round: Round): Promise<number> {
  const text = JSON.stringify(round);
  await database.query('INSERT INTO risk_rounds (id, round) VALUES ($1, $2)', [round.id, text]);
  return text.length;
}

/** The rounds since the state was saved, the oldest first; a bounded number after the given one. */
export async function listRoundsAfter(database: Queryable, id: number, limit: number): Promise<Round[]> {
  const { rows } = await database.query<{ round: string }>(
    'SELECT round FROM risk_rounds WHERE id > $1 ORDER BY id LIMIT $2',
    [id, limit],
  );
  return rows.map(({ round }) => JSON.parse(round) as Round);
}

export async function hasRounds(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query('SELECT FROM risk_rounds LIMIT 1');
  return rowCount === 1;
}

export async function deleteRounds(database: Queryable): Promise<void> {
  await database.query('DELETE FROM risk_rounds');
}

export interface StateRow {
  projectId: string;
  state: Buffer;
}

/** The states of projects in the order of their ids; a bounded number after the given one. */
export async function listStatesAfter(
  database: Queryable,
  projectId: string,
  limit: number,
): Promise<StateRow[]> {
  const { rows } = await database.query<StateRow>(
    'SELECT project_id AS "projectId", state FROM risk_state WHERE project_id > $1 ORDER BY project_id LIMIT $2',
    [projectId, limit],
  );
  return rows;
}

export async function upsertState(database: Queryable, projectId: string, state: Uint8Array): Promise<void> {
  await database.query(
    `INSERT INTO risk_state (project_id, state) VALUES ($1, $2)
      ON CONFLICT (project_id) DO UPDATE SET state = excluded.state`,
    [projectId, state],
  );
}

export async function deleteState(database: Queryable, projectId: string): Promise<void> {
  await database.query('DELETE FROM risk_state WHERE project_id = $1', [projectId]);
}
