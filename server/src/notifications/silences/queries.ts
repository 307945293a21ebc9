import type { Queryable } from '../../database/database.ts';
import { deleteChunk } from '../../database/retention-queries.ts';
import { INCIDENT_COLUMNS } from '../../incidents/queries.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { SilenceScope } from '../../outbox/matches-silence.ts';
import { SCOPE_COLUMNS } from '../../outbox/silence-queries.ts';
import { LIVE_PROJECTS } from '../../tenancy/projects/queries.ts';
import type { SilenceRow } from './rows.ts';
import type { SilenceState } from './schema.ts';

export const SILENCE_COLUMNS = `s.id, s.organization_id AS "organizationId", ${SCOPE_COLUMNS}, s.reason, s.learn, s.created_by AS "createdBy",
  (SELECT name FROM users WHERE id = s.created_by) AS "byName", s.starts_at AS "startsAt", s.until,
  s.ended_at AS "endedAt", s.ended_by AS "endedBy", (SELECT name FROM users WHERE id = s.ended_by) AS "endedByName",
  s.settled_at AS "settledAt", (SELECT count(*) FROM silence_matches m WHERE m.silence_id = s.id) AS matched`;

/** Silences of all projects, or of a live one. */
const IS_LIVE = `(s.project_id IS NULL OR s.project_id IN (
  SELECT id FROM projects WHERE organization_id = $1 AND deleted_at IS NULL))`;

export interface SilencePage {
  state: SilenceState;
  projectId: string | null;
  /** These alone; null: any. */
  ids: readonly string[] | null;
  before: string | null;
  limit: number;
  now: Date;
}

/** Newest first; one more than `limit`, so that the caller knows if there is a next page. */
export async function listSilences(
  database: Queryable,
  organizationId: string,
  { state, projectId, ids, before, limit, now }: SilencePage,
): Promise<SilenceRow[]> {
  const { rows } = await database.query<SilenceRow>(
    `SELECT ${SILENCE_COLUMNS} FROM silences s
      WHERE s.organization_id = $1 AND ${IS_LIVE} AND ($2::uuid IS NULL OR s.id < $2)
        AND ($3::uuid IS NULL OR s.project_id IS NULL OR s.project_id = $3)
        AND ($4 = 'all' OR ($4 = 'active') = (s.until > $5 AND s.ended_at IS NULL AND s.settled_at IS NULL))
        AND ($7::uuid[] IS NULL OR s.id = ANY ($7))
      ORDER BY s.id DESC LIMIT $6 + 1`,
    [organizationId, before, projectId, state, now, limit, ids],
  );
  return rows;
}

/** @param lock locks the row until the transaction ends */
export async function findSilence(
  database: Queryable,
  organizationId: string,
  silenceId: string,
  lock?: 'lock',
): Promise<SilenceRow | null> {
  const { rows } = await database.query<SilenceRow>(
    `SELECT ${SILENCE_COLUMNS} FROM silences s WHERE s.organization_id = $1 AND s.id = $2 AND ${IS_LIVE}
      ${lock ? 'FOR NO KEY UPDATE OF s' : ''}`,
    [organizationId, silenceId],
  );
  return rows[0] ?? null;
}

export async function countActiveSilences(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM silences
      WHERE organization_id = $1 AND settled_at IS NULL AND ended_at IS NULL AND until > $2`,
    [organizationId, now],
  );
  return rows[0]?.count ?? 0;
}

export async function insertSilence(
  database: Queryable,
  silence: SilenceScope &
    Pick<SilenceRow, 'id' | 'organizationId' | 'reason' | 'learn' | 'createdBy' | 'startsAt' | 'until'>,
): Promise<void> {
  await database.query(
    `INSERT INTO silences (id, organization_id, project_id, type, source, severity, group_id, schedule_id,
        correlation_key, correlation_value, reason, created_by, starts_at, until, learn)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      silence.id,
      silence.organizationId,
      silence.projectId,
      silence.type,
      silence.source,
      silence.severity,
      silence.groupId,
      silence.scheduleId,
      silence.correlation?.key ?? null,
      silence.correlation?.value ?? null,
      silence.reason,
      silence.createdBy,
      silence.startsAt,
      silence.until,
      silence.learn,
    ],
  );
}

export async function updateEnded(
  database: Queryable,
  organizationId: string,
  silence: { id: string; endedAt: Date; endedBy: string },
): Promise<void> {
  await database.query(
    'UPDATE silences SET ended_at = $3, ended_by = $4 WHERE organization_id = $1 AND id = $2',
    [organizationId, silence.id, silence.endedAt, silence.endedBy],
  );
}

/** The newest unresolved incidents, of all projects or one. */
export async function listUnresolved(
  database: Queryable,
  organizationId: string,
  projectId: string | null,
  limit: number,
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND ($2::uuid IS NULL OR project_id = $2) AND status <> 'resolved' AND ${LIVE_PROJECTS}
      ORDER BY id DESC LIMIT $3`,
    [organizationId, projectId, limit],
  );
  return rows;
}

/** The newest unresolved incidents that a silence has covered. */
export async function listCoveredIncidents(
  database: Queryable,
  organizationId: string,
  silenceId: string,
  limit: number,
): Promise<IncidentRow[]> {
  const { rows } = await database.query<IncidentRow>(
    `SELECT ${INCIDENT_COLUMNS} FROM incidents
      WHERE organization_id = $1 AND id IN (SELECT subject_id FROM silence_matches WHERE silence_id = $2)
        AND status <> 'resolved' AND ${LIVE_PROJECTS}
      ORDER BY id DESC LIMIT $3`,
    [organizationId, silenceId, limit],
  );
  return rows;
}

/** These incidents' subset for which something was put into the outbox since a time. */
export async function listSubjectsSentSince(
  database: Queryable,
  organizationId: string,
  subjectIds: readonly string[],
  since: Date,
): Promise<string[]> {
  const { rows } = await database.query<{ subjectId: string }>(
    `SELECT DISTINCT subject_id AS "subjectId" FROM deliveries
      WHERE organization_id = $1 AND subject_id = ANY ($2::uuid[]) AND created_at >= $3`,
    [organizationId, subjectIds, since],
  );
  return rows.map(({ subjectId }) => subjectId);
}

/** Deletes a chunk of silences that ended long ago. @returns how many */
export function deleteSilencesSettledBefore(
  database: Queryable,
  before: Date,
  limit: number,
): Promise<number> {
  return deleteChunk(database, ['silences', 'settled_at < $1'], before, limit);
}
