import type { Severity } from '../events/severity.ts';
import type { Queryable } from '../platform/database.ts';
import { EMPTY_STATE, type ProjectState } from './detector.ts';

/** As the worker's statement writes them. */
export interface InboxDelta {
  projectId: string;
  type: string;
  source: string | null;
  severity: Severity;
  bucketMs: number;
  count: number;
  lastMs: number;
}

export async function hasInbox(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query('SELECT 1 FROM risk_inbox LIMIT 1');
  return rowCount !== 0;
}

/** Takes the oldest rows of the stream; they are gone when the transaction commits. */
export async function takeInbox(
  database: Queryable,
  limit: number,
): Promise<{ rows: number; deltas: InboxDelta[] }> {
  const { rows } = await database.query<{ deltas: InboxDelta[] }>(
    `DELETE FROM risk_inbox WHERE id IN (SELECT id FROM risk_inbox ORDER BY id LIMIT $1) RETURNING deltas`,
    [limit],
  );
  return { rows: rows.length, deltas: rows.flatMap((row) => row.deltas) };
}

export async function countInbox(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ count: number }>('SELECT count(*) AS count FROM risk_inbox');
  return rows[0]?.count ?? 0;
}

/**
 * Takes or renews a lease and holds its row until the transaction ends. The clock is the database's: the
 * holders stand on machines whose clocks differ.
 * @returns whether the holder has it now; false while another's has not run out
 */
export async function acquireLease(
  database: Queryable,
  lease: { name: string; holderId: string; durationMs: number },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `INSERT INTO leases AS l (name, holder_id, expires_at)
      VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000))
      ON CONFLICT (name) DO UPDATE SET holder_id = excluded.holder_id, expires_at = excluded.expires_at
        WHERE l.holder_id = excluded.holder_id OR l.expires_at <= clock_timestamp()`,
    [lease.name, lease.holderId, lease.durationMs],
  );
  return rowCount === 1;
}

export async function deleteLease(database: Queryable, name: string, holderId: string): Promise<void> {
  await database.query('DELETE FROM leases WHERE name = $1 AND holder_id = $2', [name, holderId]);
}

/** The organization of a project, whose row is held against deletion; null where it is deleted. */
export async function lockProjectOrganization(
  database: Queryable,
  projectId: string,
): Promise<string | null> {
  const { rows } = await database.query<{ organizationId: string }>(
    `SELECT organization_id AS "organizationId" FROM projects WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`,
    [projectId],
  );
  return rows[0]?.organizationId ?? null;
}

export async function findState(database: Queryable, projectId: string): Promise<ProjectState> {
  const { rows } = await database.query<{ state: ProjectState }>(
    'SELECT state FROM risk_state WHERE project_id = $1',
    [projectId],
  );
  return rows[0]?.state ?? EMPTY_STATE;
}

export async function upsertState(
  database: Queryable,
  projectId: string,
  state: ProjectState,
  now: Date,
): Promise<void> {
  await database.query(
    `INSERT INTO risk_state (project_id, state, updated_at) VALUES ($1, $2, $3)
      ON CONFLICT (project_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`,
    [projectId, JSON.stringify(state), now],
  );
}
