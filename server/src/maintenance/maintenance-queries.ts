import type { Queryable } from '../database/database.ts';
import type { TrustedTime } from './trusted-time.ts';

/** The state that maintenance keeps between rounds, shared by all workers. */
export interface MaintenanceState extends TrustedTime {
  /** Time of the last drop of a week by retention; 0: never. */
  droppedMs: number;
  /** True if a person has confirmed the time since: data that is too old is deleted at once. */
  isConfirmed: boolean;
  /** Days for which the workers keep events, by their start; null: none has run yet. */
  retentionDays: number | null;
}

const NAME = 'maintenance';

/** The stored state; null: none yet. */
export async function findMaintenanceState(database: Queryable): Promise<MaintenanceState | null> {
  const { rows } = await database.query<{ value: string }>('SELECT value FROM settings WHERE name = $1', [
    NAME,
  ]);
  // Written below and by nothing else.
  return rows[0] ? (JSON.parse(rows[0].value) as MaintenanceState) : null;
}

/** The stored state, locked until the transaction ends; that of `makeInitial` if there is none. */
export async function lockMaintenanceState(
  database: Queryable,
  makeInitial: () => Promise<MaintenanceState>,
): Promise<MaintenanceState> {
  if ((await findMaintenanceState(database)) === null) {
    await database.query('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      NAME,
      JSON.stringify(await makeInitial()),
    ]);
  }
  await database.query('SELECT FROM settings WHERE name = $1 FOR UPDATE', [NAME]);
  return (await findMaintenanceState(database)) ?? makeInitial();
}

export async function updateMaintenanceState(database: Queryable, state: MaintenanceState): Promise<void> {
  await database.query('UPDATE settings SET value = $2 WHERE name = $1', [NAME, JSON.stringify(state)]);
}

/** The database's clock, in milliseconds. */
export async function findDatabaseTime(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ ms: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms',
  );
  return rows[0]?.ms ?? Number.NaN;
}
